/** How one cell was made, with its numbers in place; every number that is a cell can be followed. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import type { Derivation } from "../../core/desk";
import { workingContext } from "../../core/desk";
import type { Node } from "../../core/evaluate";
import { exact, shown } from "../../core/format";
import { isTokenAxis, placeLabel } from "../../core/labels";
import { remainderOf, type Sum, sumsOf } from "../../core/layout";
import { contextOf, entryOf } from "../../core/ledger";
import { type Notation, numeric, symbolic } from "../../core/notation";
import { t } from "../../i18n";
import { cell } from "../cell";
import { math, mathNotation, placePrefix } from "../mathml";

export const DIGITS = 4;
/** A longer sum is folded after so many terms. */
const FOLD = 24;

type Piece = TemplateResult | string;

/** Numbers in a line of text, cells as buttons. */
function inline(app: App, derivation: Derivation): Notation<Piece> {
  const from = workingContext(derivation.cell);
  return {
    cell: (name) => name,
    number: (value, node) => {
      if (node.cell === undefined) return html`<span class="sum-value">${shown(value, DIGITS)}</span>`;
      const context = contextOf(entryOf(app.ledger, node.cell.name), from);
      return cell(node.cell.name, node.cell.index, value, { context, digits: DIGITS });
    },
    constant: (value) => exact(Math.fround(value)),
    group: (inner) => html`(${inner})`,
    divide: (a, b) => html`${a} / ${b}`,
    call: (name, inner) => html`${name === "sqrt" ? "√" : name}(${inner})`,
    list: (parts) => html`${parts.map((part, i) => (i === 0 ? part : html`, ${part}`))}`,
    total: (_, inner) => inner,
    positive: (test, inner) =>
      html`${inner} <span class="rule">${t("drawer.positive")} ${test} &gt; 0</span>`,
    negate: (inner) => html`−${inner}`,
    join: (a, sign, b) => html`${a} ${{ add: "+", sub: "−", mul: "·", equals: "=" }[sign]} ${b}`,
  };
}

export function work(
  app: App,
  derivation: Derivation,
  unfolded: boolean,
  unfold: () => void,
): TemplateResult {
  const { entry, cell: at, work: node } = derivation;
  if (node === null || entry.formula === undefined) return html``;
  const env = Object.fromEntries(
    entry.formula.index.map((variable, axis) => [variable, at.index[axis] ?? 0]),
  );
  const from = workingContext(at);
  const look = (name: string, index: readonly number[]) =>
    app.engine.read(name, contextOf(entryOf(app.ledger, name), from)).at(...index);
  const formula = symbolic(entry.formula.value, env, mathNotation(placePrefix(at.name)), look);
  const isSum = node.kind === "sum" || node.kind === "max";
  const over = remainderOf(derivation, DIGITS);
  return html`
    <h3>${t("drawer.formula")}</h3>
    <div class="scroll formula" tabindex="0" role="group" aria-label=${t("drawer.formula")}>${math(formula)}</div>
    <h3>${t("drawer.numbers")}</h3>
    ${sumsOf(node, DIGITS).map((sum) => sumTable(app, derivation, sum, unfolded, unfold))}
    ${isSum ? "" : html`<p class="line">= ${numeric(node, inline(app, derivation))}</p>`}
    ${isSum ? "" : html`<p class="line">= <b>${shown(derivation.value, DIGITS)}</b></p>`}
    ${over === null ? "" : html`<p class="note">${t("drawer.remainder", { by: over })}</p>`}
    ${verdict(node, derivation)}`;
}

/** Whether the terms, computed here and now, give the stored value. */
function verdict(node: Node, derivation: Derivation): TemplateResult {
  const same = Object.is(node.value, derivation.value);
  return html`<p class=${same ? "recomputed same" : "recomputed other"} data-evaluated=${exact(node.value)}>
    ${same ? t("drawer.same") : t("drawer.other", { value: exact(node.value) })}</p>`;
}

function sumTable(
  app: App,
  derivation: Derivation,
  sum: Sum,
  unfolded: boolean,
  unfold: () => void,
): TemplateResult {
  const shownTerms = unfolded ? sum.terms : sum.terms.slice(0, FOLD);
  const folded = sum.terms.length - shownTerms.length;
  const notation = inline(app, derivation);
  return html`<table class="terms">
    <caption>${t(sum.kind === "sum" ? "drawer.sum" : "drawer.largest", { n: sum.terms.length })}</caption>
    <tbody>
      ${shownTerms.map(
        ({ at, node }) => html`<tr>
          <th scope="row">${sum.variable} = ${at}${termLabel(app, derivation, sum.over, at)}</th>
          <td>${node.cell === undefined ? numeric(node, notation) : ""}</td>
          <td class="value">${node.cell === undefined ? shown(node.value, DIGITS) : numeric(node, notation)}</td>
        </tr>`,
      )}
      ${
        folded > 0
          ? html`<tr><td colspan="3"><button type="button" data-action="unfold" @click=${unfold}>${t("drawer.more", { n: folded })}</button></td></tr>`
          : ""
      }
      ${
        sum.remainder === null
          ? ""
          : html`<tr class="remainder"><th scope="row">${t("drawer.rounding")}</th><td></td><td class="value">${sum.remainder}</td></tr>`
      }
      <tr class="total">
        <th scope="row">${t(sum.kind === "sum" ? "drawer.total" : "drawer.most")}</th><td></td><td class="value">${shown(sum.value, DIGITS)}</td>
      </tr>
    </tbody>
  </table>`;
}

/** The token a term's variable stands for, if it stands for one. */
function termLabel(app: App, derivation: Derivation, over: string, at: number): TemplateResult | string {
  const context = workingContext(derivation.cell);
  const axis = { sources: "source", readers: "n", rows: "n", counted: "vocabulary" }[over] ?? over;
  const isLabel = isTokenAxis(axis, context) || (axis === "n" && context === "batch");
  return isLabel ? html` <span class="token">${placeLabel(app, axis, context, at)}</span>` : "";
}
