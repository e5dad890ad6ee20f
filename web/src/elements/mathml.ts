/** Formulas as MathML: no formula script runs on the page. */

import { html, mathml, type TemplateResult } from "lit";
import { exact, shown } from "../core/format";
import type { Notation } from "../core/notation";

type Piece = TemplateResult;

/** A name without the part that the cell being explained has in common with it. */
export function shortName(name: string, prefix: string): string {
  const [, gradient = "", rest = name] = /^(grad\.)?(.*)$/.exec(name) ?? [];
  return `${gradient}${prefix !== "" && rest.startsWith(prefix) ? rest.slice(prefix.length) : rest}`;
}

/** The part of a name that says layer and head: `layer1.head2.`. */
export function placePrefix(name: string): string {
  return /(?:layer\d+\.)(?:head\d+\.)?/.exec(name)?.[0] ?? "";
}

/** MathML with the ledger's names; those of the same layer and head are written without them. */
export function mathNotation(prefix: string): Notation<Piece> {
  const text = (value: number, digits: number | null) =>
    mathml`<mn>${digits === null ? exact(Math.fround(value)) : shown(value, digits)}</mn>`;
  return {
    cell: (name, index) => {
      const label = mathml`<mtext>${shortName(name, prefix)}</mtext>`;
      return index.length === 0 ? label : mathml`<msub>${label}<mtext>${index.join(",")}</mtext></msub>`;
    },
    number: (value) => text(value, 4),
    constant: (value) => text(value, null),
    group: (inner) => mathml`<mrow><mo>(</mo>${inner}<mo>)</mo></mrow>`,
    divide: (a, b) => mathml`<mfrac><mrow>${a}</mrow><mrow>${b}</mrow></mfrac>`,
    call: (name, inner) =>
      name === "sqrt"
        ? mathml`<msqrt>${inner}</msqrt>`
        : mathml`<mrow><mi>${name}</mi><mo>(</mo>${inner}<mo>)</mo></mrow>`,
    list: (parts) => mathml`${parts.map((part, i) => (i === 0 ? part : mathml`<mo>,</mo>${part}`))}`,
    total: (variable, inner) => mathml`<mrow><munder><mo>∑</mo><mi>${variable}</mi></munder>${inner}</mrow>`,
    positive: (test, inner) => mathml`<mrow><mo>{</mo><mtable>
        <mtr><mtd>${inner}</mtd><mtd>${test}<mo>&gt;</mo><mn>0</mn></mtd></mtr>
        <mtr><mtd><mn>0</mn></mtd><mtd>${test}<mo>≤</mo><mn>0</mn></mtd></mtr>
      </mtable></mrow>`,
    negate: (inner) => mathml`<mrow><mo>−</mo>${inner}</mrow>`,
    join: (a, sign, b) =>
      mathml`<mrow>${a}<mo>${{ add: "+", sub: "−", mul: "·", equals: "=" }[sign]}</mo>${b}</mrow>`,
  };
}

export function math(piece: Piece): TemplateResult {
  return html`<math display="block">${piece}</math>`;
}
