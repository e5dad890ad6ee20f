/** `<abh-timeline>`: the bar that stays in view. Slider over every step of the run, and where it stands. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { t } from "../../i18n";
import { cell } from "../cell";
import { Figure } from "../figure";
import "./timeline.css";

export class Timeline extends Figure {
  protected override readonly always = true;

  protected override watch(app: App): void {
    void [app.step.value, app.session.last.value, app.session.mode.value];
    void [app.state.signals.step.value, app.state.signals.prompt.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const step = app.step.value;
    const { session, state } = app;
    const history = session.history.value;
    const live = state.signals.step.value === null;
    const running = session.mode.value === "running";
    return html`<section class="bar" aria-label=${t("timeline.title")}>
      <button type="button" class="icon" data-action="bar-run" aria-label=${t(running ? "training.pause" : "training.run")}
        @click=${this.#toggle}>${running ? pauseIcon : runIcon}</button>
      <button type="button" data-action="start" ?disabled=${step === history.first} @click=${() => this.#show(history.first)}>
        ${t("timeline.start")}
      </button>
      <input type="range" class="scrub" aria-label=${t("timeline.slider")}
        aria-valuetext=${t("timeline.text", { step, last: history.last })}
        min=${history.first} max=${Math.max(history.last, history.first + 1)} step="1" .value=${String(step)} @input=${this.#scrub}>
      <button type="button" data-action="now" ?disabled=${live} @click=${() => this.#show(null)}>${t("timeline.now")}</button>
      <p class="where">
        <span class=${live ? "live" : "past"}>${t(live ? "timeline.live" : "timeline.past")}</span>
        <span>${t("training.step")} ${cell("adam.step", [], step, { context: "model", text: String(step) })}</span>
        <span>${t("training.loss")} ${cell("Loss", [], history.loss(step), { context: "batch" })}</span>
        <span>${cell("solved.count", [], history.solvedCount(step), {
          context: "batch",
          text: `${history.solvedCount(step)}/${history.problemCount}`,
        })}</span>
        <a class="prompt-link" href="#abh-prompt">${app.tokens.print(state.signals.prompt.value)}</a>
      </p>
    </section>`;
  }

  #toggle = (): void => {
    const { session, state } = this.app;
    if (session.mode.value === "running") {
      session.pause();
      return;
    }
    state.set({ step: null });
    session.go();
  };

  #show(step: number | null): void {
    this.app.state.set({ step });
  }

  #scrub = (event: Event): void => {
    const slider = event.target as HTMLInputElement;
    const step = Number(slider.value);
    // The last step of a run that goes on is "now": the page stays live there.
    this.#show(step >= this.app.session.last.value ? null : step);
  };
}

const runIcon = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M4 2l10 6-10 6z"></path></svg>`;
const pauseIcon = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M3 2h4v12H3zM9 2h4v12H9z"></path></svg>`;

customElements.define("abh-timeline", Timeline);
