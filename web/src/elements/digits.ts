/** Lists of the ten digits: for figures that stand on a problem of their own. */

import { html, type TemplateResult } from "lit";

/** A list of digits; `without` are left out. */
export function digitList(
  name: string,
  label: string,
  chosen: number,
  choose: (digit: number) => void,
  without: readonly number[] = [],
): TemplateResult {
  const digits = Array.from({ length: 10 }, (_, digit) => digit).filter((digit) => !without.includes(digit));
  return html`<label><span>${label}</span><select name=${name} @change=${(event: Event) =>
    choose(Number((event.target as HTMLSelectElement).value))}>
    ${digits.map((digit) => html`<option value=${digit} .selected=${digit === chosen}>${digit}</option>`)}
  </select></label>`;
}
