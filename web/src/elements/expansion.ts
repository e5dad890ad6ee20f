/** One cell written out: its formula with every number in place, row times column, to the last term. */

import { html, type TemplateResult } from "lit";
import type { App } from "../core/app";
import { formatCell, type PlacedCell } from "../core/cells";
import { type Derivation, Desk, workingContext } from "../core/desk";
import type { Engine } from "../core/engine";
import type { Node } from "../core/evaluate";
import { exact, shown } from "../core/format";
import { sumsOf } from "../core/layout";
import { contextOf, entryOf } from "../core/ledger";
import { type Notation, numeric } from "../core/notation";
import { t } from "../i18n";
import { type CellOptions, cell } from "./cell";
import "./expansion.css";

type Piece = TemplateResult | string;

function notation(app: App, engine: Engine, derivation: Derivation, digits: number): Notation<Piece> {
  const from = workingContext(derivation.cell);
  const prompt = engine === app.engine ? undefined : app.tokens.print(engine.scene?.prompt ?? []);
  const self: Notation<Piece> = {
    cell: (name) => name,
    number: (value, node) => {
      if (node.kind === "sum") return terms(node, self);
      if (node.cell === undefined) return html`<span>${shown(value, digits)}</span>`;
      const context = contextOf(entryOf(app.ledger, node.cell.name), from);
      return cell(node.cell.name, node.cell.index, value, { context, digits, prompt });
    },
    constant: (value) => exact(Math.fround(value)),
    group: (inner) => html`(${inner})`,
    divide: (a, b) => html`${a} / ${b}`,
    call: (name, inner) => html`${name === "sqrt" ? "√" : name}(${inner})`,
    total: (_, inner) => inner,
    positive: (_, inner) => inner,
    negate: (inner) => html`−${inner}`,
    list: (parts) => html`${parts.map((part, i) => html`${i === 0 ? "" : ", "}${part}`)}`,
    join: (a, sign, b) => html`${a} ${{ add: "+", sub: "−", mul: "·", equals: "=" }[sign]} ${b}`,
  };
  return self;
}

/** A connection that is not cut: what stands behind the question is all there is to it. */
function uncut(node: Node): Node {
  const only = node.children[0];
  return node.kind === "cut" && node.children.length === 1 && only !== undefined ? uncut(only) : node;
}

/** Whether a term begins with a minus sign. */
function beginsNegative(node: Node): boolean {
  const first = node.children[0];
  return node.kind === "cell" || first === undefined ? node.value < 0 : beginsNegative(first);
}

/** The terms of a sum, one after the other; a line may break between two of them. */
function terms(node: Node, how: Notation<Piece>): TemplateResult {
  const inner = node.children.map(
    (child, i) =>
      html`${i === 0 ? "" : " + "}<span class="term">${
        i > 0 && beginsNegative(child) ? html`(${numeric(child, how)})` : numeric(child, how)
      }</span>`,
  );
  return html`${inner}`;
}

/** Whether a sum stands inside another operation, so that it needs parentheses there. */
function withParentheses(node: Node, how: Notation<Piece>): Notation<Piece> {
  if (node.kind === "sum") return how;
  const { number } = how;
  return {
    ...how,
    number: (value, from) => (from.kind === "sum" ? html`(${number(value, from)})` : number(value, from)),
  };
}

export interface ExpansionOptions {
  readonly engine?: Engine;
  readonly digits?: number;
}

/** The cell's name, its formula with numbers, the products, and the result; what rounding leaves over is said. */
export function expansion(app: App, at: PlacedCell, options: ExpansionOptions = {}): TemplateResult {
  const engine = options.engine ?? app.engine;
  const digits = options.digits ?? app.digits.value;
  const desk = engine === app.engine ? app.desk : new Desk(engine);
  const found = desk.find(at);
  if (found === null) return html``;
  const derivation = desk.derive(found);
  const name = formatCell(found.name, found.index);
  if (derivation.end === "masked")
    return html`<p class="expansion"><code>${name}</code> <span>${t("drawer.end.masked")}</span></p>`;
  if (derivation.work === null) return html``;
  const work = uncut(derivation.work);
  const how = notation(app, engine, derivation, digits);
  const over = work.kind === "max" ? null : (sumsOf(work, digits)[0] ?? null);
  const prompt = engine === app.engine ? undefined : app.tokens.print(engine.scene?.prompt ?? []);
  const result: CellOptions = { context: found.context, digits, prompt };
  return html`<div class="expansion">
    <p><code>${name}</code></p>
    <p class="written">= ${numeric(work, withParentheses(work, how))}</p>
    ${over === null || over.terms.every(({ node }) => node.cell !== undefined) ? "" : products(work, over.terms, over.remainder, digits)}
    <p>= <b>${cell(found.name, found.index, derivation.value, result)}</b></p>
  </div>`;
}

/** The line below: each product as one number. */
function products(
  work: Node,
  all: readonly { readonly node: Node }[],
  remainder: string | null,
  digits: number,
): TemplateResult {
  const line = all.map(({ node }, i) => {
    const text = shown(node.value, digits);
    const shownText = i > 0 && text.startsWith("−") ? `(${text})` : text;
    return html`${i === 0 ? "" : " + "}<span class="term">${shownText}</span>`;
  });
  const rounding =
    remainder === null
      ? ""
      : html` <span class="term rounding" title=${t("drawer.rounding")}>${
          remainder.startsWith("−") ? "−" : "+"
        } ${remainder.slice(1)}<sup aria-label=${t("drawer.rounding")}>*</sup></span>`;
  const inside = html`${line}${rounding}`;
  const after =
    work.kind === "div" ? html`(${inside}) / ${exact(work.children[1]?.value ?? Number.NaN)}` : inside;
  return html`<p class="written">= ${after}</p>
    ${remainder === null ? "" : html`<p class="note">* ${t("expansion.rounding")}</p>`}`;
}
