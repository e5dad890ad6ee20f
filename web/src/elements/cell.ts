/** A number of the model as it stands in text: named, exact underneath, rounded for the eye. */

import { html, nothing, type TemplateResult } from "lit";
import { formatCell } from "../core/cells";
import { exact, kindOf, shown } from "../core/format";
import type { Context } from "../core/ledger";

export interface CellOptions {
  readonly context?: Context;
  readonly digits?: number;
  /** The text to show where it is not the rounded number itself, a percentage for instance. */
  readonly text?: string;
  readonly masked?: boolean;
  /** The text and step of the engine it was read from, where they are not the page's: pressed, it takes the page there. */
  readonly prompt?: string | undefined;
  readonly step?: number | undefined;
}

/** A cell that a person can focus, and that opens the ledger. */
export function cell(
  name: string,
  index: readonly number[],
  value: number,
  options: CellOptions = {},
): TemplateResult {
  const { context = "prompt", digits = 3, masked = false } = options;
  const reference = formatCell(name, index);
  return html`<button
    type="button"
    class="cell"
    data-cell=${reference}
    data-context=${context}
    data-prompt=${options.prompt ?? nothing}
    data-step=${options.step ?? nothing}
    data-value=${exact(value)}
    data-kind=${kindOf(value, digits, masked)}
    title=${reference}
  >${options.text ?? shown(value, digits, masked)}</button>`;
}
