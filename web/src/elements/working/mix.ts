/** `<abh-mix>`: one row of H as weighted rows of V, added column by column. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { part, rounding, rowLabel, type Worked, worked } from "./terms";
import "./working.css";

const CHOICES = ["layer", "head", "receiver"] as const;

export class Mix extends Figure {
  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, CHOICES);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const row = receiverOf(app);
    const of = `layer${layer.value}.head${head.value}.`;
    const digits = app.digits.value;
    const columns = Array.from({ length: app.ledger.sizes.d_head ?? 0 }, (_, c) =>
      worked(app, `${of}H`, [row, c]),
    );
    const caption = t("c13.mix", {
      token: app.tokens.names[prompt.value[row] ?? -1] ?? "?",
      layer: layer.value,
      head: head.value,
    });
    return html`<figure class="panel working" aria-label=${caption}>
      ${choose(app, CHOICES)}
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}><table>
        <caption>${caption}</caption>
        <thead><tr>
          <th scope="col">${t("c13.source")}</th>
          <th scope="col">A</th>
          ${columns.map((_, c) => html`<th scope="col">A · V<sub>${c}</sub></th>`)}
        </tr></thead>
        <tbody>${(columns[0]?.products ?? []).map((_, source) => this.#row(of, row, source, columns, digits))}</tbody>
        <tfoot><tr>
          <th scope="row" colspan="2">H</th>
          ${columns.map(
            (column) => html`<td>${cell(column.name, column.index, column.value, { digits })}
              ${rounding(
                column.products.map((node) => node.value),
                column.value,
                digits,
              )}</td>`,
          )}
        </tr></tfoot>
      </table></div>
    </figure>`;
  }

  #row(of: string, row: number, source: number, columns: readonly Worked[], digits: number): TemplateResult {
    const { app } = this;
    const share = app.engine.read(`${of}A`).at(row, source);
    return html`<tr>
      <th scope="row">${rowLabel(app, source)}</th>
      <td>${cell(`${of}A`, [row, source], share, { digits })}</td>
      ${columns.map((column) => html`<td>${this.#contribution(column, source, digits)}</td>`)}
    </tr>`;
  }

  #contribution(column: Worked, source: number, digits: number): TemplateResult {
    const node = column.products[source];
    const value = node?.children[1];
    if (node === undefined || value?.cell === undefined) return html``;
    return html`<span class="factors">· ${cell(value.cell.name, value.cell.index, value.value, { digits })}</span>
      ${part(node.value, column, digits)}`;
  }
}

customElements.define("abh-mix", Mix);
