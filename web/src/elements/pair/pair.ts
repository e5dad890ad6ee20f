/** `<abh-pair>`: one problem read up to its "=", and one token further. The same parameters, another row, another table. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import { compareRows } from "../../core/compare";
import type { Engine } from "../../core/engine";
import { percent, shown } from "../../core/format";
import { largest } from "../../core/rank";
import { t } from "../../i18n";
import { badge } from "../badge";
import { cell } from "../cell";
import { digitList } from "../digits";
import { Figure } from "../figure";
import { Grids } from "../matrix/grids";
import "../chapters.css";
import "./pair.css";

interface Side {
  readonly text: string;
  readonly engine: Engine;
  readonly prompt: readonly number[];
  /** Its last row. */
  readonly row: number;
}

export class Pair extends Figure {
  #a = 7;
  #b = 8;
  readonly #grids = new Grids();

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layers = 0, heads = 0 } = app.ledger.sizes;
    const left = this.#side(`${this.#a}×${this.#b}=`);
    const next = app.tokens.names[app.tree.follower(left.prompt) ?? 0] ?? "?";
    const right = this.#side(`${left.text}${next}`);
    const sides = [left, right];
    return html`<figure class="panel pair" aria-label=${t("c7.title")}>
      <div class="choose">
        ${digitList("c7-a", t("c7.a"), this.#a, (a) => this.#choose(a, this.#b))}
        ${digitList("c7-b", t("c7.b"), this.#b, (b) => this.#choose(this.#a, b))}
      </div>
      <div class="two heads">${sides.map((side) => this.#head(side))}</div>
      ${this.#check(left, right)}
      ${Array.from({ length: layers }, (_, i) => this.#layer(i + 1, heads, sides))}
      ${this.#carried(right, layers)}
      ${this.#last(sides)}
    </figure>`;
  }

  #choose(a: number, b: number): void {
    [this.#a, this.#b] = [a, b];
    this.requestUpdate();
  }

  #side(text: string): Side {
    const engine = benchOf(this.app).at(text);
    const prompt = engine.scene?.prompt ?? [];
    return { text, engine, prompt, row: prompt.length - 1 };
  }

  #head({ text, engine, prompt, row }: Side): TemplateResult {
    const { tokens } = this.app;
    const p = engine.read("P");
    const [best = 0] = largest(
      tokens.names.map((_, id) => p.at(row, id)),
      1,
    );
    const share = p.at(row, best);
    const number = cell("P", [row, best], share, { prompt: text, text: percent(share) });
    return html`<div class="one" data-text=${text} data-predicts=${tokens.names[best]}>
      <p class="big"><code>${text}</code> → <b class="token">${tokens.names[best]}</b> ${number}</p>
      <p class="note">${t("c7.receiver", { token: tokens.names[prompt[row] ?? 0] ?? "?", n: row + 1 })}</p>
    </div>`;
  }

  /** What the shorter text computes, the longer one computes again: the rows cannot see what comes after them. */
  #check(left: Side, right: Side): TemplateResult {
    const rows = left.prompt.length;
    const found = compareRows(left.engine, right.engine, rows);
    const values = { n: rows, numbers: found.numbers, different: found.different };
    return found.different === 0
      ? badge("yes", t("c7.equal", values), "c7.equal")
      : badge("no", t("c7.unequal", { ...values, largest: shown(found.largest, 6) }), "c7.equal");
  }

  #layer(layer: number, heads: number, sides: readonly Side[]): TemplateResult {
    const names = [
      ...Array.from({ length: heads }, (_, head) => `layer${layer}.head${head + 1}.A`),
      `layer${layer}.H`,
    ];
    return html`<h3 class="inner">${t("c7.layer", { layer })}</h3>
      ${names.map((name) => html`<div class="two">${sides.map((side, i) => this.#matrix(name, side, i))}</div>`)}`;
  }

  #matrix(name: string, { text, engine, prompt, row }: Side, slot: number): TemplateResult {
    const table = this.#grids.table(this.app, `${slot}.${name}`, {
      name,
      caption: `${name} · ${text}`,
      elsewhere: { engine, prompt },
    });
    for (const [i, tr] of table.querySelectorAll("tbody tr").entries())
      tr.classList.toggle("receiver", i === row);
    return html`<div class="one"><div class="scroll" tabindex="0" role="group" aria-label=${`${name}, ${text}`}>${table}</div></div>`;
  }

  /** What stands in the row "=" when the new last row reads it: in layer 1, and once layer 1 is done. */
  #carried({ text, engine, prompt, row }: Side, layers: number): TemplateResult {
    const { tokens } = this.app;
    const before = row - 1;
    const label = tokens.names[prompt[before] ?? 0] ?? "?";
    const rows: readonly (readonly [string, string])[] = [
      ["layer1.X_in", t("c7.carried.before")],
      ["layer1.AttnOut", t("c7.carried.gathered")],
      ["layer1.FFNOut", t("c7.carried.alone")],
      ["layer2.X_in", t("c7.carried.after")],
    ];
    return html`<h3 class="inner">${t("c7.carried.title", { token: label, text })}</h3>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c7.carried.title", { token: label, text })}><table class="numbers">
      <tbody>${rows.map(([name, meaning]) => {
        const view = engine.read(name);
        return html`<tr class=${name === "layer2.X_in" ? "total" : ""}><th scope="row">${meaning}<br><code>${name}</code></th>
          ${Array.from({ length: view.shape[1] ?? 0 }, (_, d) => html`<td>${cell(name, [before, d], view.at(before, d), { prompt: text })}</td>`)}</tr>`;
      })}</tbody></table></div>
      ${Array.from({ length: layers }, (_, i) => this.#reads(i + 1, { text, engine, prompt, row }))}`;
  }

  /** How much the new row takes from the row before it, in each head of a layer. */
  #reads(layer: number, { text, engine, prompt, row }: Side): TemplateResult {
    const { tokens, ledger } = this.app;
    const shares = Array.from({ length: ledger.sizes.heads ?? 0 }, (_, i) => {
      const name = `layer${layer}.head${i + 1}.A`;
      const share = engine.read(name).at(row, row - 1);
      return html`${i === 0 ? "" : t("c7.and")}${cell(name, [row, row - 1], share, { prompt: text, text: percent(share) })}`;
    });
    const [receiver, source] = [row, row - 1].map((at) => tokens.names[prompt[at] ?? 0] ?? "?");
    return html`<p class="note">${t("c7.reads", { layer, receiver: receiver ?? "", source: source ?? "" })} ${shares}${t("sentence.stop")}${layer === 1 ? t("c7.reads.first", { source: source ?? "" }) : t("c7.reads.second", { source: source ?? "" })}</p>`;
  }

  #last(sides: readonly Side[]): TemplateResult {
    const { tokens } = this.app;
    const columns = sides.map(({ text, engine, row }) => ({
      text,
      row,
      logits: engine.read("logits"),
      p: engine.read("P"),
    }));
    const best = columns.map(
      ({ p, row }) =>
        largest(
          tokens.names.map((_, id) => p.at(row, id)),
          1,
        )[0],
    );
    return html`<h3 class="inner">${t("c7.last")}</h3>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c7.last")}><table class="numbers">
      <thead>
        <tr><td></td>${columns.map(({ text }) => html`<th scope="colgroup" colspan="2"><code>${text}</code></th>`)}</tr>
        <tr><th scope="col">${t("c7.token")}</th>${columns.map(
          () => html`<th scope="col">${t("c7.logit")}</th><th scope="col">P</th>`,
        )}</tr>
      </thead>
      <tbody>${tokens.names.map(
        (token, id) =>
          html`<tr><th scope="row" class="token">${token}</th>${columns.map(({ text, row, logits, p }, i) => {
            const top = best[i] === id ? "best" : "";
            const share = p.at(row, id);
            return html`<td class=${top}>${cell("logits", [row, id], logits.at(row, id), { prompt: text })}</td>
            <td class=${top}>${cell("P", [row, id], share, { prompt: text, text: percent(share, 2) })}</td>`;
          })}</tr>`,
      )}</tbody></table></div>`;
  }
}

customElements.define("abh-pair", Pair);
