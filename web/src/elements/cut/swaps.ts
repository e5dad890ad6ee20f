/** The part of `<abh-cut>` in which two rows of TokenEmb or PosEmb change places. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import type { RowSwap } from "../../core/experiment";
import { t } from "../../i18n";

const TABLES = ["TokenEmb", "PosEmb"] as const;

/** What a row of a table stands for: a token, or a position. */
function rowNames(app: App, table: RowSwap["table"]): readonly string[] {
  const { positions = 0 } = app.ledger.sizes;
  return table === "TokenEmb"
    ? app.tokens.names
    : Array.from({ length: positions }, (_, place) => String(place));
}

/** What the reader can do here. */
export interface OnSwap {
  table(table: RowSwap["table"]): void;
  /** Choose the first row (0) or the second (1). */
  row(which: 0 | 1, row: number): void;
  swap(): void;
  back(swap: RowSwap): void;
}

function list(
  name: string,
  label: string,
  options: readonly string[],
  chosen: number,
  choose: (at: number) => void,
): TemplateResult {
  return html`<label><span>${label}</span> <select name=${name}
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).selectedIndex)}>
    ${options.map((option, at) => html`<option .selected=${at === chosen}>${option}</option>`)}
  </select></label>`;
}

/** Lists that show the choice for the next swap, and its button. Below, the swaps made: each can be left out again. */
export function swapControls(
  app: App,
  { table, rows }: RowSwap,
  swaps: readonly RowSwap[],
  on: OnSwap,
): TemplateResult {
  const names = rowNames(app, table);
  return html`<div class="choose swaps" role="group" aria-label=${t("c16.swap.title")}>
      ${list("swap-table", t("c16.swap.title"), TABLES, TABLES.indexOf(table), (at) => on.table(TABLES[at] ?? table))}
      ${list("swap-first", t("c16.swap.row"), names, rows[0], (at) => on.row(0, at))}
      ${list("swap-second", t("c16.swap.with"), names, rows[1], (at) => on.row(1, at))}
      <button type="button" data-action="swap" ?disabled=${rows[0] === rows[1]} @click=${on.swap}>${t("c16.swap.do")}</button>
    </div>
    ${swaps.map((swap) => {
      const [first, second] = swap.rows.map((row) => rowNames(app, swap.table)[row] ?? "?") as [
        string,
        string,
      ];
      const said = { table: swap.table, first, second };
      return html`<button type="button" data-swapped=${`${swap.table}[${swap.rows.join(",")}]`} aria-pressed="true"
        aria-label=${t("c16.swap.back", said)} @click=${() => on.back(swap)}>${t("c16.swap.done", said)} ✕</button> `;
    })}`;
}
