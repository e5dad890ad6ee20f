/** `<abh-training>`: the run as it happens, and its controls. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { digestOf } from "../../core/digest";
import { grouped } from "../../core/format";
import { SPEEDS } from "../../core/session";
import { MOST_SEED, wholeNumber } from "../../core/state";
import { t } from "../../i18n";
import { cell } from "../cell";
import { Figure } from "../figure";
import { curve } from "./curve";
import { files } from "./files";
import { problems } from "./problems";
import "./training.css";

export class Training extends Figure {
  #seedError = "";
  #fileError = "";
  #focus: [number, number] = [7, 8];

  protected override watch(app: App): void {
    const { session } = app;
    void [app.step.value, session.last.value, session.mode.value, session.speed.value, session.run.value];
    void [session.millisecondsPerStep.value, session.seed.value, app.state.signals.step.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const step = app.step.value;
    return html`<section class="panel" aria-label=${t("training.title")}>
      ${this.#readout(step)} ${this.#controls()}
      <div class="pictures">${problems(app, this.#focus, this.#onFocus)} ${curve(app)}</div>
      ${files(app, this.#fileError, this.#onFileError)} ${this.#footnotes(step)}
    </section>`;
  }

  #onFileError = (text: string): void => {
    this.#fileError = text;
    this.requestUpdate();
  };

  #onFocus = (at: [number, number]): void => {
    this.#focus = at;
    this.requestUpdate();
  };

  #readout(step: number): TemplateResult {
    const { app } = this;
    const history = app.session.history.value;
    const solved = history.solvedCount(step);
    const of = `/${history.problemCount}`;
    return html`<dl class="readout">
      <div><dt>${t("training.step")}</dt><dd>${cell("adam.step", [], step, { context: "model", text: String(step) })}</dd></div>
      <div>
        <dt>${t("training.loss")}</dt>
        <dd>${cell("Loss", [], history.loss(step), { context: "batch", digits: 4 })}
          <small class="floor-note">${t("training.floor")} ${cell(
            "floor",
            [],
            app.engine.read("floor", "batch").at(),
            {
              context: "batch",
              digits: 6,
            },
          )}</small></dd>
      </div>
      <div>
        <dt>${t("training.solved")}</dt>
        <dd>${cell("solved.count", [], solved, { context: "batch", text: `${solved}${of}` })}</dd>
      </div>
    </dl>`;
  }

  #controls(): TemplateResult {
    const { session } = this.app;
    const running = session.mode.value === "running";
    const speed = SPEEDS.indexOf(session.speed.value);
    return html`<div class="controls">
      <div class="buttons">
        <button type="button" class="primary" data-action="run" @click=${this.#toggle}>
          ${t(running ? "training.pause" : "training.run")}
        </button>
        <button type="button" data-action="one" @click=${this.#one}>${t("training.one")}</button>
        <button type="button" data-action="restart" @click=${this.#restart}>${t("training.restart")}</button>
        <button type="button" data-action="new" @click=${this.#newSeed}>${t("training.new")}</button>
      </div>
      <form class="seed" novalidate @submit=${this.#useSeed}>
        <label>${t("training.seed")}
          <input name="seed" inputmode="numeric" autocomplete="off" size="10" .value=${String(session.seed.value)}
            aria-invalid=${this.#seedError === "" ? "false" : "true"} aria-describedby="abh-seed-error">
        </label>
        <button type="submit" data-action="seed">${t("training.use")}</button>
      </form>
      <label class="speed">${t("training.speed")}
        <input type="range" name="speed" min="0" max=${SPEEDS.length - 1} step="1" .value=${String(speed)}
          aria-valuetext=${speedText(session.speed.value)} @input=${this.#setSpeed}>
        <output>${speedText(session.speed.value)}</output>
      </label>
      <p class="error" id="abh-seed-error" role="alert">${this.#seedError}</p>
    </div>`;
  }

  #footnotes(step: number): TemplateResult {
    const { app } = this;
    const { session } = app;
    const still = session.mode.value !== "running" || app.state.signals.step.value !== null;
    const digest = still ? digestOf(session.history.value.parameters(step)).slice(0, 16) : null;
    const ms = session.millisecondsPerStep.value;
    return html`<p class="footnotes">
      <span>${t("training.counts", {
        parameters: grouped(app.parameterCount),
        targets: grouped(app.tree.targets),
        nodes: grouped(app.tree.nodes),
      })}</span>
      <span data-recipe>${recipe(app)}</span>
      <span>${t("training.speed.measured", { ms: ms.toFixed(2) })}</span>
      <span>${t("training.digest", { n: grouped(app.parameterCount), step })}:
        <code data-digest=${digest ?? ""}>${digest ?? t("training.digest.busy")}</code></span>
      ${session.file.value === null ? "" : html`<span>${t("training.file", { file: session.file.value })}</span>`}
    </p>`;
  }

  /** Going on from a step in the past means going on from the present: the past stays as it was. */
  #toggle = (): void => {
    const { session, state } = this.app;
    if (session.mode.value === "running") {
      session.pause();
      return;
    }
    state.set({ step: null });
    session.go();
  };

  #one = (): void => {
    this.app.state.set({ step: null });
    this.app.session.one();
  };

  #restart = (): void => {
    this.#begin(this.app.session.seed.value);
  };

  #newSeed = (): void => {
    this.#begin(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
  };

  #useSeed = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = String(new FormData(event.target as HTMLFormElement).get("seed") ?? "");
    const seed = wholeNumber(text, 0, MOST_SEED);
    if (seed === null) {
      this.#seedError = t("training.seed.error", { text, most: MOST_SEED });
      this.requestUpdate();
      return;
    }
    this.#begin(seed);
  };

  #begin(seed: number): void {
    this.#seedError = "";
    this.app.restart(seed);
    const field = this.querySelector<HTMLInputElement>('input[name="seed"]');
    if (field !== null) field.value = String(seed);
  }

  #setSpeed = (event: Event): void => {
    this.app.session.setSpeed(SPEEDS[Number((event.target as HTMLInputElement).value)] ?? 1);
  };
}

/** How a run starts and is trained, in one line. */
function recipe(app: App): string {
  const { embedding_std, weight_std, rate, lm_rate, near, beta1, beta2 } = app.ledger.recipe;
  const said = { embedding: embedding_std, weight: weight_std, rate, lm: lm_rate, near, beta1, beta2 };
  return t(
    "training.recipe",
    Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)])),
  );
}

function speedText(perSecond: number): string {
  if (perSecond === Number.POSITIVE_INFINITY) return t("training.speed.full");
  return perSecond === 1 ? t("training.speed.one") : t("training.speed.steps", { n: perSecond });
}

customElements.define("abh-training", Training);
