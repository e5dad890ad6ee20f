/** The 10×10 table of problems. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { parseCell } from "../../core/cells";
import { moveInGrid } from "../../core/grid";
import { t } from "../../i18n";

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

/** A table whose cells fill as their problems are solved; one cell can be reached by Tab, the rest by arrow keys. */
export function problems(
  app: App,
  focus: readonly [number, number],
  onFocus: (at: [number, number]) => void,
): TemplateResult {
  const solved = app.session.history.value.solved(app.step.value);
  const ask = (a: number, b: number) => {
    const { times, equals } = app.tokens;
    app.state.set({ prompt: [a, times, b, equals], receiver: null, target: null });
  };
  const onKey = (event: KeyboardEvent) => {
    // From where the key was pressed, not from what was drawn last: keys may come faster than frames.
    const from = parseCell((event.target as HTMLElement).dataset.cell ?? "");
    const next = from === null ? null : moveInGrid(from.index as [number, number], event.key, 10, 10);
    if (next === null) return;
    event.preventDefault();
    onFocus(next);
    const table = event.currentTarget as HTMLElement;
    table.querySelector<HTMLElement>(`[data-cell="solved[${next.join(",")}]"]`)?.focus();
  };
  return html`<table class="problems" @keydown=${onKey}>
    <caption>${t("training.problems.caption")}</caption>
    <thead>
      <tr>
        <th scope="col">${t("training.problems.corner")}</th>
        ${DIGITS.map((b) => html`<th scope="col">${b}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${DIGITS.map(
        (a) => html`<tr>
          <th scope="row">${a}</th>
          ${DIGITS.map((b) => {
            const is = solved[10 * a + b] === 1;
            const values = { a, b, p: a * b };
            return html`<td><button
              type="button"
              class=${is ? "problem solved" : "problem"}
              data-cell="solved[${a},${b}]"
              data-context="model"
              data-own
              data-value=${is ? "1" : "0"}
              tabindex=${focus[0] === a && focus[1] === b ? 0 : -1}
              aria-label=${t(is ? "training.problem.solved" : "training.problem.open", values)}
              @focus=${() => onFocus([a, b])}
              @click=${() => ask(a, b)}
            >${a * b}</button></td>`;
          })}
        </tr>`,
      )}
    </tbody>
  </table>`;
}
