/** `<abh-untouched>`: the fingerprint of all parameters before and after every gradient has been looked at. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { digestOf } from "../../core/digest";
import { grouped } from "../../core/format";
import { contextOf } from "../../core/ledger";
import { t } from "../../i18n";
import { Figure } from "../figure";
import "./untouched.css";

/** As many digits of a fingerprint as are shown. */
const SHOWN = 16;

interface Result {
  readonly step: number;
  readonly run: number;
  readonly before: string;
  readonly after: string;
  readonly matrices: number;
  readonly numbers: number;
}

export class Untouched extends Figure {
  #result: Result | null = null;

  protected override watch(app: App): void {
    void [app.step.value, app.session.run.value];
  }

  protected override render(): TemplateResult {
    const result = this.#result;
    return html`<figure class="panel untouched" aria-label=${t("c13.look.title")}>
      <p><button type="button" data-action="look" @click=${this.#look}>${t("c13.look")}</button></p>
      <div role="status">${result === null ? "" : this.#show(result)}</div>
    </figure>`;
  }

  #show(result: Result): TemplateResult {
    const same = result.before === result.after;
    return html`<p>${t("c13.look.count", { step: result.step, matrices: result.matrices, numbers: grouped(result.numbers) })}</p>
      <dl>
        <dt>${t("c13.look.before")}</dt><dd><code data-digest=${result.before}>${result.before.slice(0, SHOWN)}</code></dd>
        <dt>${t("c13.look.after")}</dt><dd><code data-digest=${result.after}>${result.after.slice(0, SHOWN)}</code></dd>
      </dl>
      <p class="verdict" data-same=${same ? "true" : "false"}>${t(same ? "c13.look.same" : "c13.look.different")}</p>`;
  }

  #look = (): void => {
    const { app } = this;
    const { engine, ledger } = app;
    const step = app.step.peek();
    const before = digestOf(app.session.history.peek().parameters(step));
    let matrices = 0;
    let numbers = 0;
    // Every gradient there is, for the text typed and for the whole of training.
    for (const context of ["prompt", "batch"] as const) {
      for (const [name, entry] of Object.entries(ledger.entries)) {
        if (!name.startsWith("grad.") || entry.meaning === undefined) continue;
        if (contextOf(entry, context) !== context) continue;
        engine.read(name, context);
        matrices += 1;
        numbers += engine.shapeOf(name, context).reduce((size, length) => size * length, 1);
      }
    }
    const after = digestOf(engine.kernel.parameters);
    this.#result = { step, run: app.session.run.peek(), before, after, matrices, numbers };
    this.requestUpdate();
  };
}

customElements.define("abh-untouched", Untouched);
