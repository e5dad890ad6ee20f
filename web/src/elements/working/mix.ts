/** `<abh-mix>`: one row of H as weighted rows of V, added column by column. */

import { html, type TemplateResult } from "lit";
import { t } from "../../i18n";
import { cell } from "../cell";
import { OneRow } from "./one-row";
import { part, rounding, rowLabel, type Worked, worked } from "./terms";

export class Mix extends OneRow {
  protected override readonly caption = "c13.mix";

  protected override table(of: string, row: number): { parts: TemplateResult } {
    const { app } = this;
    const digits = app.digits.value;
    const columns = Array.from({ length: app.ledger.sizes.d_head ?? 0 }, (_, c) =>
      worked(app, `${of}H`, [row, c]),
    );
    const parts = html`<thead><tr>
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
      </tr></tfoot>`;
    return { parts };
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
