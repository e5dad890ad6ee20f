/** Numbers that a reader made or tried out: exact underneath like all others, but no cell of the model's ledger. */

import { html, type TemplateResult } from "lit";
import { exact, kindOf, shown } from "../core/format";

/** A cell of a table that holds a tried-out number. */
export function triedCell(value: number, digits: number, mark = ""): TemplateResult {
  return html`<td class="tried" data-mark=${mark} data-value=${exact(value)} data-kind=${kindOf(value, digits)}>${shown(value, digits)}</td>`;
}

export interface Labels {
  readonly caption: string;
  /** Row labels with their places. */
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row labels are phrases, no tokens: their places are not told. */
  readonly phrases?: boolean;
  /** The last row is named so, where it is a sum and no source. */
  readonly last?: string;
}

/** A table of tried-out numbers that looks like the ledger's tables. */
export function triedTable(
  labels: Labels,
  values: readonly (readonly number[])[],
  digits: number,
  mark: (row: number, column: number) => string = () => "",
): TemplateResult {
  const header = (label: string, place: number, scope: "row" | "col") =>
    html`<th scope=${scope} class="token">${label}${label === String(place) ? "" : html`<small>${place}</small>`}</th>`;
  return html`<table class="matrix">
    <caption>${labels.caption}</caption>
    <thead><tr><td></td>${labels.columns.map((label, at) => header(label, at, "col"))}</tr></thead>
    <tbody>${values.map(
      (row, at) => html`<tr>
        ${
          labels.last !== undefined && at === values.length - 1
            ? html`<th scope="row">${labels.last}</th>`
            : labels.phrases === true
              ? html`<th scope="row" class="token">${labels.rows[at]}</th>`
              : header(labels.rows[at] ?? "", at, "row")
        }
        ${row.map((value, column) => triedCell(value, digits, mark(at, column)))}
      </tr>`,
    )}</tbody>
  </table>`;
}
