/** The 10×10 problems after an experiment: kept, lost, won, never had. */

import { html, type TemplateResult } from "lit";
import { t } from "../../i18n";

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

const MARKS = { kept: "✓", lost: "✗", won: "+", never: "·" } as const;

export function outcomes(before: Uint8Array, after: Uint8Array): TemplateResult {
  const kind = (problem: number): keyof typeof MARKS => {
    const [had, has] = [before[problem] === 1, after[problem] === 1];
    if (had) return has ? "kept" : "lost";
    return has ? "won" : "never";
  };
  return html`<table class="outcomes">
    <caption>${t("c16.outcomes")}</caption>
    <thead><tr><td></td>${DIGITS.map((b) => html`<th scope="col">${b}</th>`)}</tr></thead>
    <tbody>${DIGITS.map(
      (a) =>
        html`<tr><th scope="row">${a}</th>${DIGITS.map((b) => {
          const is = kind(10 * a + b);
          const label = t("c16.outcome", { a, b, is: t(`c16.outcome.${is}`) });
          return html`<td data-outcome=${is} title=${label}><span aria-hidden="true">${MARKS[is]}</span><span class="visually-hidden">${label}</span></td>`;
        })}</tr>`,
    )}</tbody>
  </table>`;
}
