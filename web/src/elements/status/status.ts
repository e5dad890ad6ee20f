/** `<abh-status>`: one line that says what is going on; read out by assistive technology, seldom enough to be borne. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { REST_WITHIN } from "../../core/protocol";
import { t } from "../../i18n";
import { Figure } from "../figure";
import "./status.css";

/** While training runs, progress is said this often. */
const EVERY_MS = 5000;
/** A step looked at for this long is said. */
const SETTLE_MS = 500;

export class Status extends Figure {
  protected override readonly always = true;

  #said = Number.NEGATIVE_INFINITY;
  #progress = "";
  #run = -1;
  #celebrated = false;
  #place = -1;
  #looked = "";
  #settled: ReturnType<typeof setTimeout> | undefined;

  protected override watch(app: App): void {
    const { session } = app;
    void [session.last.value, session.mode.value, session.rest.value, session.run.value, app.waiting.value];
    void [app.state.signals.step.value, app.refused.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const bad = app.session.rest.value === "nan";
    const refused = app.refused.value;
    return html`<p class=${bad ? "status alarm" : "status"} role=${bad ? "alert" : "status"}>${this.#text()}
      ${refused.length === 0 ? "" : html`<span class="refused">${t("link.refused", { keys: refused.join(", ") })}</span>`}</p>`;
  }

  #text(): string {
    const { session, state, waiting } = this.app;
    const history = session.history.value;
    const last = session.last.value;
    if (session.run.value !== this.#run) {
      this.#run = session.run.value;
      this.#celebrated = false;
      this.#progress = t("status.started", { seed: session.seed.value });
      this.#said = performance.now();
    }
    if (last < history.first) return this.#progress;
    if (session.rest.value === "nan")
      return t("status.rest.nan", { step: last, where: this.app.firstNaN() ?? "Loss" });
    const wanted = state.signals.step.value;
    if (waiting.value) return t("status.waiting", { step: wanted ?? 0 });
    if (wanted !== null) return this.#looking(this.app.step.value, last);
    if (session.mode.value === "paused") return t("status.paused", { step: last });
    const rest = session.rest.value;
    if (rest === "floor") return t("status.rest.floor", { step: last, within: REST_WITHIN });
    if (rest === "limit") return t("status.rest.limit", { step: last });
    if (rest === "full") return t("status.rest.full", { step: last });
    this.#advance(last);
    return this.#progress;
  }

  /** While the slider moves nothing new is said; once it stands still, where it stands. */
  #looking(step: number, last: number): string {
    if (step !== this.#place) {
      this.#place = step;
      clearTimeout(this.#settled);
      this.#settled = setTimeout(() => {
        this.#looked = t("status.looking", { step, last });
        this.requestUpdate();
      }, SETTLE_MS);
    }
    return this.#looked;
  }

  #advance(last: number): void {
    const history = this.app.session.history.value;
    const now = performance.now();
    if (history.allSolvedAt !== null && !this.#celebrated) {
      this.#celebrated = true;
      this.#progress = t("status.all", { step: history.allSolvedAt, problems: history.problemCount });
      this.#said = now;
    } else if (now - this.#said > EVERY_MS) {
      this.#progress = t("status.progress", {
        step: last,
        loss: history.loss(last).toFixed(3),
        solved: history.solvedCount(last),
        problems: history.problemCount,
      });
      this.#said = now;
    }
  }
}

customElements.define("abh-status", Status);
