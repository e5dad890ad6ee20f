/** `<abh-tree>`: the prefixes that training asks about, counted, and the way of one problem through them. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { grouped, percent } from "../../core/format";
import { problemsOf } from "../../core/problems";
import { type Key, t } from "../../i18n";
import { cell } from "../cell";
import { digitList } from "../digits";
import { Figure } from "../figure";
import "../chapters.css";

/** What the prefixes of one length look like. */
const SHAPES = ["a", "a×", "a×b", "a×b=", "a×b=p", "a×b=pp"] as const;
const TEACHES: readonly Key[] = [
  "c9.teaches.sign",
  "c9.teaches.second",
  "c9.teaches.equals",
  "c9.teaches.first",
  "c9.teaches.rest",
  "c9.teaches.end",
];

export class TreeFigure extends Figure {
  #a = 7;
  #b = 8;

  protected override watch(app: App): void {
    void app.scene.value;
  }

  protected override render(): TemplateResult {
    return html`<figure class="panel tree" aria-label=${t("c9.tree.title")}>
      <div class="two">
        <div class="one">${this.#counted()}</div>
        <div class="one">${this.#way()}</div>
      </div>
    </figure>`;
  }

  #counted(): TemplateResult {
    const { app } = this;
    const { tree } = app;
    const weight = app.engine.read("weight", "batch");
    const lengths = SHAPES.map((shape, i) => {
      const nodes = tree.prefixes.flatMap((prefix, node) => (prefix.length === i + 1 ? [node] : []));
      return { shape, nodes: nodes.length, targets: nodes.reduce((sum, node) => sum + weight.at(node), 0) };
    });
    const nodes = lengths.reduce((sum, line) => sum + line.nodes, 0);
    const targets = lengths.reduce((sum, line) => sum + line.targets, 0);
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${t("c9.tree.caption")}><table class="numbers counted">
      <caption>${t("c9.tree.caption")}</caption>
      <thead><tr><th scope="col">${t("c9.prefix")}</th><th scope="col">${t("c9.nodes")}</th>
        <th scope="col">${t("c9.targets")}</th><th scope="col" class="words">${t("c9.teaches")}</th></tr></thead>
      <tbody>${lengths.map(
        (
          line,
          i,
        ) => html`<tr><th scope="row" class="token">${line.shape}</th><td data-nodes=${line.nodes}>${line.nodes}</td>
          <td data-targets=${line.targets}>${line.targets}</td><td class="words">${t(TEACHES[i] as Key)}</td></tr>`,
      )}</tbody>
      <tfoot><tr><th scope="row">${t("c9.sum")}</th><td><b data-sum="nodes" data-value=${nodes}>${grouped(nodes)}</b></td>
        <td><b data-sum="targets" data-value=${targets}>${grouped(targets)}</b></td><td></td></tr></tfoot>
    </table></div>`;
  }

  /** Each prefix of one problem: how many problems share it, and what is asked there. */
  #way(): TemplateResult {
    const { app } = this;
    const { tokens, tree } = app;
    const problem = problemsOf(app).find(({ a, b }) => a === this.#a && b === this.#b);
    if (problem === undefined) return html``;
    const at = new Map(tree.prefixes.map((prefix, node) => [prefix.join(), node]));
    const p = app.engine.read("P", "batch");
    const weight = app.engine.read("weight", "batch");
    const text = tokens.print(problem.read);
    return html`<div class="choose">
        ${digitList("c9-a", t("c7.a"), this.#a, (a) => this.#choose(a, this.#b))}
        ${digitList("c9-b", t("c7.b"), this.#b, (b) => this.#choose(this.#a, b))}
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c9.way", { text })}><table class="numbers">
      <caption>${t("c9.way", { text })}</caption>
      <thead><tr><th scope="col">${t("c9.prefix")}</th><th scope="col">${t("c9.shared")}</th>
        <th scope="col">${t("c9.next")}</th><th scope="col">${t("c9.chance")}</th></tr></thead>
      <tbody>${problem.read.map((_, place) => {
        const prefix = problem.read.slice(0, place + 1);
        const node = at.get(prefix.join()) ?? 0;
        const next = problem.asked[place] as number;
        const share = p.at(node, next);
        return html`<tr><th scope="row" class="token">${tokens.print(prefix)}</th>
          <td>${cell("weight", [node], weight.at(node), { context: "batch" })}</td>
          <td class="token">${tokens.names[next]}</td>
          <td>${cell("P", [node, next], share, { context: "batch", text: percent(share) })}</td></tr>`;
      })}</tbody>
    </table></div>`;
  }

  #choose(a: number, b: number): void {
    [this.#a, this.#b] = [a, b];
    this.requestUpdate();
  }
}

customElements.define("abh-tree", TreeFigure);
