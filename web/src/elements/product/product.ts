/**
 * `<abh-product left="layer{layer}.X_norm" right="layer{layer}.head{head}.WQ" result="layer{layer}.head{head}.Q">`: a
 * product of two matrices, laid out so that rows and columns meet. One cell of the result is opened: its row on the left, its column on the right, and the sum
 * written out. `transposed` turns the right matrix on its side; `receiver` opens the receiver's row and the source's
 * column; `choices` names what the reader can choose here.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { contextOf, entryOf } from "../../core/ledger";
import { t } from "../../i18n";
import { type Choice, choose, receiverOf, sourceOf, watchChoices } from "../choose";
import { expansion } from "../expansion";
import { Figure } from "../figure";
import type { Grid } from "../matrix/grid";
import { Tables } from "../matrix/tables";
import { standing } from "../standing";
import "./product.css";

/** A name without the layer and head that stand in its caption's neighbours. */
const shortName = (name: string) => name.replace(/^(?:layer\d+\.)?(?:head\d+\.)?/, "");

type Pair = readonly [row: number, column: number];

export class Product extends Figure {
  static override properties = { left: {}, right: {}, result: {}, choices: {} };
  declare left: string;
  declare right: string;
  declare result: string;
  declare choices: string | undefined;

  readonly #tables = new Tables();
  /** The cell the reader pointed at; null: the one the state names. */
  #chosen: Pair | null = null;

  protected override watch(app: App): void {
    const { source } = app.state.signals;
    void [app.scene.value, app.digits.value, source.value];
    watchChoices(app, ["layer", "head", "receiver"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const [left, right, result] = [this.left, this.right, this.result].map((name) => this.#named(name)) as [
      string,
      string,
      string,
    ];
    const turned = this.hasAttribute("transposed");
    const [row, column] = this.#at(result);
    const a = this.#tables.table(app, "left", left);
    const caption = turned ? t("product.transposed", { name: right }) : right;
    const b = this.#tables.table(app, "right", right, { transposed: turned, caption });
    const made = `${shortName(result)} = ${shortName(left)} · ${shortName(right)}${turned ? "ᵀ" : ""}${this.#after(result)}`;
    const c = this.#tables.table(app, "result", result, { made: this.#listen, caption: made });
    a.mark(([i]) => (i === row ? "line" : null));
    b.mark((index) => (index[turned ? 0 : 1] === column ? "column" : null));
    c.mark(([i, j]) => (i === row && j === column ? "chosen" : null));
    const context = contextOf(entryOf(app.ledger, result), "prompt");
    const choices = (this.choices?.split(" ") ?? []) as Choice[];
    return html`<figure class="panel product" aria-label=${t("product.aria", { left, right, result })}>
      ${context === "prompt" ? standing(app) : ""}
      ${choices.length === 0 ? "" : choose(app, choices)}
      <div class="falk scroll" tabindex="0" role="group" aria-label=${made}>
        <p class="note">${t("product.hint")}</p>
        <div class="scroll right">${b.table}</div>
        <div class="scroll left">${a.table}</div>
        <div class="scroll result">${c.table}</div>
      </div>
      ${expansion(app, { name: result, index: [row, column], context })}
    </figure>`;
  }

  #named(name: string): string {
    const { layer, head } = this.app.state.signals;
    return name.replace("{layer}", String(layer.value)).replace("{head}", String(head.value));
  }

  /** What is done to the product before it is the result, read from the result's formula. */
  #after(result: string): string {
    const division = JSON.stringify(entryOf(this.app.ledger, result).formula?.value).match(
      /"div",\["sum".*\["number",([\d.]+)\]/,
    );
    return division === null ? "" : ` / ${Number(division[1])}`;
  }

  /** The open cell, as far as the result has it. */
  #at(result: string): Pair {
    const { app } = this;
    const entry = entryOf(app.ledger, result);
    const [rows = 1, columns = 1] = app.engine.shapeOf(result, contextOf(entry, "prompt"));
    const perToken = entry.axes[0] === "n";
    const named: Pair = [perToken ? receiverOf(app) : 0, entry.axes[1] === "source" ? sourceOf(app) : 0];
    const [row, column] = this.#chosen ?? named;
    return [Math.min(row, rows - 1), Math.min(column, columns - 1)];
  }

  #listen = (grid: Grid): void => {
    const point = (event: Event) => {
      const index = grid.indexOf(event.target);
      if (index === null || index.length !== 2) return;
      const [row, column] = index as [number, number];
      if (this.#chosen?.[0] === row && this.#chosen[1] === column) return;
      this.#chosen = [row, column];
      this.requestUpdate();
    };
    grid.table.addEventListener("focusin", point);
    grid.table.addEventListener("pointerover", point);
  };
}

customElements.define("abh-product", Product);
