/** `<abh-holdout>`: the reader holds problems out, trains without them, and sees how many of them are solved all the same. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { grouped } from "../../core/format";
import { moveInGrid } from "../../core/grid";
import { type FromHoldout, HOLDOUT_ENTRIES, type ToHoldout } from "../../core/holdout";
import { only } from "../../core/ledger";
import { t } from "../../i18n";
import { Figure } from "../figure";
import "../cut/cut.css";
import "./holdout.css";

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);
const ALL = Array.from({ length: 100 }, (_, problem) => problem);
const factors = (problem: number): [number, number] => [Math.floor(problem / 10), problem % 10];

/** Choices to begin with. */
const SETS = {
  /** One in each row and in each column. */
  spread: ALL.filter((problem) => factors(problem)[1] === (3 * factors(problem)[0] + 2) % 10),
  /** Of each pair a×b, b×a the one with the larger number first. */
  mirror: ALL.filter((problem) => factors(problem)[0] > factors(problem)[1]),
  /** A factor 0, but three examples are left to learn from. */
  zeros: ALL.filter((problem) => factors(problem)[0] === 0 && factors(problem)[1] >= 3),
} as const;
/** Steps of going on. */
const MORE = 500;
type SetName = keyof typeof SETS;

export class HoldoutFigure extends Figure {
  #worker: Worker | null = null;
  #chosen: ReadonlySet<number> = new Set(SETS.spread);
  /** What the run shown was trained without, and by which seed. */
  #trained: { heldOut: ReadonlySet<number>; seed: number } | null = null;
  #run = 0;
  #failed = false;
  #state: FromHoldout | null = null;
  #focus: [number, number] = [7, 8];

  protected override watch(app: App): void {
    void app.session.seed.value;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#worker?.terminate();
    this.#worker = null;
  }

  protected override render(): TemplateResult {
    const running = this.#state !== null && !this.#state.done;
    const waiting = this.#trained !== null && this.#state === null;
    const chosen = this.#chosen.size;
    return html`<section class="panel holdout" aria-label=${t("c16.hold.title")}>
      <p class="note">${t("c16.hold.how")}</p>
      <div class="choose"><div role="group" aria-label=${t("c16.hold.sets")}><span>${t("c16.hold.sets")}</span>
        ${(Object.keys(SETS) as SetName[]).map(
          (name) =>
            html`<button type="button" data-set=${name} @click=${() => this.#choose(SETS[name])}>${t(`c16.hold.${name}`)}</button>`,
        )}
        <button type="button" data-set="none" @click=${() => this.#choose([])}>${t("c16.hold.none")}</button>
      </div></div>
      ${this.#table()}
      <p>
        <button type="button" class="primary" data-action="hold" ?disabled=${chosen === 0 || chosen === ALL.length} @click=${this.#train}>
          ${t("c16.hold.train", { left: ALL.length - chosen })}</button>
        <button type="button" data-action="hold-stop" ?disabled=${!running && !waiting} @click=${this.#stop}>${t("c16.hold.stop")}</button>
        ${
          this.#state?.done === true
            ? html`<button type="button" data-action="hold-more" @click=${this.#more}>${t("c16.hold.more", { steps: MORE })}</button>`
            : ""
        }
        <span class="note">${t("c16.hold.chosen", { chosen })}</span>
      </p>
      <div role="status" aria-live="polite">${this.#result()}</div>
    </section>`;
  }

  #choose(problems: Iterable<number>): void {
    this.#chosen = new Set(problems);
    this.requestUpdate();
  }

  #toggle(problem: number): void {
    const chosen = new Set(this.#chosen);
    if (!chosen.delete(problem)) chosen.add(problem);
    this.#choose(chosen);
  }

  #table(): TemplateResult {
    return html`<table class="hold" @keydown=${this.#key}>
      <caption>${t("c16.hold.caption")}</caption>
      <thead><tr><th scope="col">a×b</th>${DIGITS.map((b) => html`<th scope="col">${b}</th>`)}</tr></thead>
      <tbody>${DIGITS.map(
        (a) =>
          html`<tr><th scope="row">${a}</th>${DIGITS.map((b) => {
            const problem = 10 * a + b;
            const out = this.#chosen.has(problem);
            return html`<td><button type="button" data-hold=${problem} aria-pressed=${out ? "true" : "false"}
            tabindex=${this.#focus[0] === a && this.#focus[1] === b ? 0 : -1}
            aria-label=${t(out ? "c16.hold.out" : "c16.hold.in", { a, b, p: a * b })}
            @focus=${() => this.#move([a, b])} @click=${() => this.#toggle(problem)}>${a * b}</button></td>`;
          })}</tr>`,
      )}</tbody>
    </table>`;
  }

  #move(at: [number, number]): void {
    if (at.join() === this.#focus.join()) return;
    this.#focus = at;
    this.requestUpdate();
  }

  #key = (event: KeyboardEvent): void => {
    const from = Number((event.target as HTMLElement).dataset.hold ?? Number.NaN);
    const next = Number.isNaN(from) ? null : moveInGrid(factors(from), event.key, 10, 10);
    if (next === null) return;
    event.preventDefault();
    this.querySelector<HTMLElement>(`[data-hold="${10 * next[0] + next[1]}"]`)?.focus();
  };

  #train = (): void => {
    const { app } = this;
    const seed = app.session.seed.peek();
    this.#run += 1;
    this.#trained = { heldOut: this.#chosen, seed };
    this.#state = null;
    this.#send({ kind: "start", run: this.#run, seed, heldOut: [...this.#chosen].sort((a, b) => a - b) });
    this.requestUpdate();
  };

  #stop = (): void => {
    this.#send({ kind: "stop" });
  };

  #more = (): void => {
    this.#send({ kind: "more", steps: MORE });
  };

  /** The worker is made when it is first needed: most readers come here last. */
  #send(message: ToHoldout): void {
    if (this.#worker === null) {
      const { module, ledger } = this.app;
      this.#worker = new Worker(new URL("../../worker/holdout.ts", import.meta.url), { type: "module" });
      this.#worker.onerror = () => {
        this.#failed = true;
        this.requestUpdate();
      };
      this.#worker.onmessage = ({ data }: MessageEvent<FromHoldout>) => {
        if (data.run !== this.#run) return;
        this.#state = data;
        this.requestUpdate();
      };
      this.#worker.postMessage({
        kind: "open",
        module,
        ledger: only(ledger, HOLDOUT_ENTRIES),
      } satisfies ToHoldout);
    }
    this.#worker.postMessage(message);
  }

  #result(): TemplateResult {
    const [state, trained] = [this.#state, this.#trained];
    if (trained === null) return html``;
    if (this.#failed) return html`<p class="error" role="alert">${t("c16.hold.failed")}</p>`;
    if (state === null) return html`<p class="note">${t("c16.hold.waiting")}</p>`;
    const { heldOut, seed } = trained;
    const test = ALL.filter((problem) => heldOut.has(problem) && state.solved[problem] === 1).length;
    const train = ALL.filter((problem) => !heldOut.has(problem) && state.solved[problem] === 1).length;
    const values = { step: state.step, train, seen: ALL.length - heldOut.size, test, unseen: heldOut.size };
    return html`<dl class="scores">
        <dt>${t("c16.hold.step")}</dt><dd data-hold-step=${state.step}>${state.step}</dd>
        <dt>${t("c16.hold.loss")}</dt><dd>${state.loss.toFixed(4)} <small>${t("training.floor", { floor: state.floor.toFixed(4) })}</small></dd>
        <dt>${t("c16.hold.seen")}</dt><dd data-train=${train}>${train} / ${values.seen}</dd>
        <dt>${t("c16.hold.unseen")}</dt><dd data-test=${test}>${test} / ${heldOut.size}</dd>
      </dl>
      ${state.done ? html`<p class="conclusion" data-done>${t(this.#verdict(test, heldOut.size), values)}</p>${this.#answers(state)}` : ""}
      <p class="note">${t("c16.hold.apart", { seed, targets: grouped(state.targets), all: grouped(this.app.tree.targets) })}</p>`;
  }

  #verdict(
    test: number,
    unseen: number,
  ): "c16.hold.verdict.none" | "c16.hold.verdict.all" | "c16.hold.verdict.some" {
    if (test === 0) return "c16.hold.verdict.none";
    return test === unseen ? "c16.hold.verdict.all" : "c16.hold.verdict.some";
  }

  /** What it writes for each problem it never saw. */
  #answers(state: FromHoldout): TemplateResult {
    const { tokens } = this.app;
    return html`<p class="note">${t("c16.hold.answers")}</p>
      <ul class="answers">${state.answers.map(({ problem, written }) => {
        const [a, b] = factors(problem);
        const right = state.solved[problem] === 1;
        const text = tokens.print(written);
        return html`<li data-right=${right ? "true" : "false"}>${right ? "✓" : "✗"} ${a}×${b}=${text === "" ? "…" : text}
          ${right ? "" : html`<small>${t("c16.hold.instead", { right: a * b })}</small>`}</li>`;
      })}</ul>`;
  }
}

customElements.define("abh-holdout", HoldoutFigure);
