/** What the worked rows share: the products inside a sum, taken from the ledger's formula as the drawer evaluates it. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { formatCell } from "../../core/cells";
import type { Node } from "../../core/evaluate";
import { exact, kindOf, shown } from "../../core/format";
import { remainder, sumsOf } from "../../core/layout";
import { t } from "../../i18n";
import { cell } from "../cell";

export interface Worked {
  readonly name: string;
  readonly index: readonly number[];
  readonly value: number;
  readonly masked: boolean;
  /** The products that are added, in the kernel's order, and what they add up to. */
  readonly products: readonly Node[];
  readonly sum: number;
}

/** A cell of the prompt with the products it is made from. */
export function worked(app: App, name: string, index: readonly number[]): Worked {
  const derivation = app.desk.derive({ name, index, context: "prompt" });
  const sum = derivation.work === null ? undefined : sumsOf(derivation.work, app.digits.value)[0];
  return {
    name,
    index,
    value: derivation.value,
    masked: derivation.end === "masked",
    products: sum?.terms.map((term) => term.node) ?? [],
    sum: sum?.value ?? Number.NaN,
  };
}

/** One product: both factors can be opened, and the product opens the cell it is a part of. */
export function product(node: Node, of: Worked, digits: number): TemplateResult {
  const factors = node.children.map((factor) =>
    factor.cell === undefined
      ? html`${shown(factor.value, digits)}`
      : cell(factor.cell.name, factor.cell.index, factor.value, {
          digits,
          context: /W|LM/.test(factor.cell.name) ? "model" : "prompt",
        }),
  );
  return html`<span class="factors">${factors.map((factor, i) => (i === 0 ? factor : html` · ${factor}`))}</span>
    ${part(node.value, of, digits)}`;
}

/** A number on the way to a cell, with no name of its own. */
export function part(value: number, of: Worked, digits: number): TemplateResult {
  return html`<data class="part" value=${exact(value)} data-open=${formatCell(of.name, of.index)}
    data-kind=${kindOf(value, digits)}>${shown(value, digits)}</data>`;
}

/** By how much the printed terms miss the printed sum; nothing where they agree. */
export function rounding(terms: readonly number[], result: number, digits: number): TemplateResult {
  const by = remainder(
    terms.map((term) => shown(term, digits)),
    shown(result, digits),
    digits,
  );
  return by === null ? html`` : html`<small class="rounding" title=${t("drawer.rounding")}>${by}</small>`;
}

/** The token of a row, with its position. */
export function rowLabel(app: App, row: number): TemplateResult {
  const id = app.state.signals.prompt.value[row] ?? -1;
  return html`<span class="token">${app.tokens.names[id] ?? "?"}</span><small>${row}</small>`;
}
