/** `<abh-tidy>`: LayerNorm. Each row, made comparable from its own eight numbers alone. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { t } from "../../i18n";
import { choose, receiverOf, watchChoices } from "../choose";
import { expansion } from "../expansion";
import { Figure } from "../figure";
import { Tables } from "../matrix/tables";
import { standing } from "../standing";

export class Tidy extends Figure {
  readonly #tables = new Tables();
  #column = 0;

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, ["layer", "receiver"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const layer = `layer${app.state.signals.layer.value}`;
    const row = receiverOf(app);
    const before = this.#tables.table(app, "before", `${layer}.X_in`);
    const after = this.#tables.table(app, "after", `${layer}.X_norm`, {
      made: (grid) => {
        const point = (event: Event) => {
          const column = grid.indexOf(event.target)?.[1];
          if (column === undefined || column === this.#column) return;
          this.#column = column;
          this.requestUpdate();
        };
        grid.table.addEventListener("focusin", point);
        grid.table.addEventListener("pointerover", point);
      },
    });
    before.mark((index) => (index[0] === row ? "line" : null));
    after.mark((index) => (index[0] !== row ? null : index[1] === this.#column ? "chosen" : "line"));
    return html`<figure class="panel" aria-label=${t("c4.tidy.title")}>
      ${standing(app)} ${choose(app, ["layer", "receiver"])}
      <div class="factors downward">
        <div class="scroll">${before.table}</div><span class="sign" aria-hidden="true">↓</span>
        <div class="scroll">${after.table}</div>
      </div>
      ${expansion(app, { name: `${layer}.LN1.xhat`, index: [row, this.#column], context: "prompt" })}
      ${expansion(app, { name: `${layer}.X_norm`, index: [row, this.#column], context: "prompt" })}
      <p class="note">${t("c4.tidy.note")}</p>
    </figure>`;
  }
}

customElements.define("abh-tidy", Tidy);
