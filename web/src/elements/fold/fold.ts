/**
 * `<abh-fold>`: one row of scores and one row written back, worked out step by step and with the folded matrices, and the
 * difference between the two.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { ContextCells } from "../../core/desk";
import { evaluate } from "../../core/evaluate";
import { exact, shown } from "../../core/format";
import type { Expression } from "../../core/ledger";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { triedCell } from "../plain";
import { standing } from "../standing";
import "./fold.css";

/** The score with WQ·WKᵀ as one matrix: x_i · QK · x_t / √d_head. */
function foldedScore(layer: string, base: string, root: number): Expression {
  const row = (i: string, k: string): Expression => ["cell", `${layer}.X_norm`, i, k];
  const left: Expression = [
    "sum",
    "a",
    ["axis", "d_model"],
    ["mul", row("i", "a"), ["cell", `${base}.QK`, "a", "b"]],
  ];
  return ["div", ["sum", "b", ["axis", "d_model"], ["mul", left, row("t", "b")]], ["number", root]];
}

/** What is written with WV·WO as one matrix: Σ_t A[i,t] · (x_t · OV). */
function foldedWrite(layer: string, base: string): Expression {
  const carried: Expression = [
    "sum",
    "a",
    ["axis", "d_model"],
    ["mul", ["cell", `${layer}.X_norm`, "t", "a"], ["cell", `${base}.OV`, "a", "j"]],
  ];
  return ["sum", "t", ["sources", "i"], ["mul", ["cell", `${base}.A`, "i", "t"], carried]];
}

export class Fold extends Figure {
  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, ["layer", "head", "receiver"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { prompt } = app.state.signals;
    const { layer, head } = app.state.signals;
    const where = `layer${layer.value}`;
    const base = `${where}.head${head.value}`;
    const { d_model: width = 0, d_head: part = 0 } = app.ledger.sizes;
    const row = receiverOf(app);
    const cells = new ContextCells(app.engine, "prompt");
    const score = foldedScore(where, base, Math.sqrt(part));
    const write = foldedWrite(where, base);
    const sources = Array.from({ length: row + 1 }, (_, source) => source);
    const columns = Array.from({ length: width }, (_, column) => column);
    const scores = sources.map((source) => evaluate(score, { i: row, t: source }, cells).value);
    const written = columns.map((column) => evaluate(write, { i: row, j: column }, cells).value);
    return html`<figure class="panel fold" aria-label=${t("c6.title")}>
      ${standing(app)} ${choose(app, ["layer", "head", "receiver"])}
      ${this.#compare(
        "S",
        t("c6.scores", { token: app.tokens.names[prompt.value[row] as number] ?? "?" }),
        `${base}.S`,
        row,
        sources.map((source) => app.tokens.names[prompt.value[source] as number] ?? "?"),
        scores,
        ["c6.step.scores", "c6.fold.scores"],
      )}
      ${this.#compare(
        "write",
        t("c6.written", { token: app.tokens.names[prompt.value[row] as number] ?? "?" }),
        `${base}.write`,
        row,
        columns.map(String),
        written,
        ["c6.step.written", "c6.fold.written"],
      )}
    </figure>`;
  }

  #compare(
    kind: string,
    caption: string,
    name: string,
    row: number,
    labels: readonly string[],
    folded: readonly number[],
    [stepwise, foldedLabel]: readonly [
      "c6.step.scores" | "c6.step.written",
      "c6.fold.scores" | "c6.fold.written",
    ],
  ): TemplateResult {
    const { app } = this;
    const digits = app.digits.value;
    const view = app.engine.read(name);
    const stored = folded.map((_, column) => view.at(row, column));
    const differences = folded.map((value, column) => value - (stored[column] as number));
    const most = Math.max(...differences.map(Math.abs));
    return html`<div class="tight scroll" tabindex="0" role="group" aria-label=${caption}><table class="matrix" data-compare=${kind}>
        <caption>${caption}</caption>
        <thead><tr><td></td>${labels.map((label) => html`<th scope="col" class="token">${label}</th>`)}</tr></thead>
        <tbody>
          <tr data-row="stepwise"><th scope="row">${t(stepwise)}</th>${stored.map(
            (value, column) => html`<td>${cell(name, [row, column], value, { digits })}</td>`,
          )}</tr>
          <tr data-row="folded"><th scope="row">${t(foldedLabel)}</th>${folded.map((value) => triedCell(value, digits))}</tr>
          <tr data-row="difference"><th scope="row">${t("c6.difference")}</th>${differences.map((value) => triedCell(value, digits))}</tr>
        </tbody>
      </table></div>
      <p class="said" data-most=${exact(Math.fround(most))}>${
        most === 0 ? t("c6.equal") : t("c6.rounding", { most: shown(most, digits) })
      }</p>`;
  }
}

customElements.define("abh-fold", Fold);
