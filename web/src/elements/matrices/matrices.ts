/**
 * `<abh-matrices names="layer{layer}.WQ layer{layer}.WK">`: several matrices of the ledger in full, each with what it
 * means and how it is made. `{layer}` and `{head}` stand for the reader's choice; `context` is `prompt` or `batch`.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { type Context, entryOf } from "../../core/ledger";
import { symbolic } from "../../core/notation";
import { language, t } from "../../i18n";
import { type Choice, choose, watchChoices } from "../choose";
import { Figure } from "../figure";
import { math, mathNotation, placePrefix } from "../mathml";
import { Grids } from "../matrix/grids";
import "./matrices.css";

export class Matrices extends Figure {
  readonly #grids = new Grids();

  get #patterns(): string[] {
    return (this.getAttribute("names") ?? "").split(/\s+/).filter(Boolean);
  }

  get #context(): Context {
    return (this.getAttribute("context") ?? "prompt") as Context;
  }

  /** What there is to choose follows from the names. */
  get #choices(): Choice[] {
    const patterns = this.#patterns.join(" ");
    const found: Choice[] = [];
    if (patterns.includes("{layer}")) found.push("layer");
    if (patterns.includes("{head}")) found.push("head");
    if (patterns.includes("grad.") && this.#context === "prompt") found.push("target");
    return found;
  }

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, this.#choices);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head } = app.state.signals;
    const names = this.#patterns.map((pattern) =>
      pattern.replace("{layer}", String(layer.value)).replace("{head}", String(head.value)),
    );
    const choices = this.#choices;
    return html`<figure class="panel matrices" aria-label=${names.join(", ")}>
      ${choices.length === 0 ? "" : choose(app, choices)}
      <div class="together">${names.map((name, slot) => this.#one(name, slot))}</div>
    </figure>`;
  }

  #one(name: string, slot: number): TemplateResult {
    const { app } = this;
    const entry = entryOf(app.ledger, name);
    const grid = this.#grids.table(app, String(slot), {
      name,
      context: this.#context,
      caption: t("matrices.caption", { name, shape: app.engine.shapeOf(name, this.#context).join("×") }),
    });
    return html`<div class="one">
      <p class="note">${entry.meaning?.[language]}</p>
      ${this.#formula(name)}
      <div class="scroll">${grid}</div>
    </div>`;
  }

  #formula(name: string): TemplateResult {
    const { formula } = entryOf(this.app.ledger, name);
    if (formula === undefined) return html``;
    const notation = mathNotation(placePrefix(name));
    const right = symbolic(formula.value, {}, notation, null);
    const left = notation.cell(name, formula.index);
    return html`<div class="scroll formula" tabindex="0" role="group" aria-label=${t("drawer.formula")}>
      ${math(notation.join(left, "equals", right))}</div>`;
  }
}

customElements.define("abh-matrices", Matrices);
