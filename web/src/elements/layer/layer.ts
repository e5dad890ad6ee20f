/**
 * `<abh-layer>`: one layer drawn out, with the same picture for each layer. A box shows its matrix in every layer side
 * by side; and what one layer hands to the next is compared cell by cell.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { exact, shown } from "../../core/format";
import { entryOf } from "../../core/ledger";
import { language, t } from "../../i18n";
import { watchChoices } from "../choose";
import "../diagram/diagram";
import { Figure } from "../figure";
import { Grids } from "../matrix/grids";
import "./layer.css";

export class LayerFigure extends Figure {
  readonly #grids = new Grids();
  /** The box chosen, without its layer; `{head}` stands for the head. */
  #chosen = "X_out";

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, ["head"]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Before the diagram itself takes the click: here a box shows its matrix in place.
    this.addEventListener("click", this.#pressed, { capture: true });
  }

  #pressed = (event: Event): void => {
    const box = (event.target as Element).closest<SVGElement>("abh-diagram a[data-entry]");
    if (box === null) return;
    event.preventDefault();
    event.stopPropagation();
    const name = box.dataset.entry ?? "";
    this.#chosen = /^layer\d+\./.test(name)
      ? name.replace(/^layer\d+\./, "").replace(/^head\d+\./, "head{head}.")
      : "X_in";
    this.requestUpdate();
  };

  protected override render(): TemplateResult {
    const { app } = this;
    const layers = Array.from({ length: app.ledger.sizes.layers ?? 0 }, (_, i) => i + 1);
    const head = app.state.signals.head.value;
    const names = layers.map((layer) => `layer${layer}.${this.#chosen.replace("{head}", String(head))}`);
    return html`<abh-diagram one-layer></abh-diagram>
      <figure class="panel matrices" aria-label=${t("c14.both")} data-shown=${names.join(" ")}>
        <figcaption aria-live="polite">${t("c14.shown", { name: this.#chosen.replace("{head}", String(head)) })}</figcaption>
        <div class="together">${names.map(
          (name) =>
            html`<div class="one"><p class="note">${entryOf(app.ledger, name).meaning?.[language]}</p>
            <div class="scroll">${this.#grids.table(app, name.slice(0, 6), { name })}</div></div>`,
        )}</div>
      </figure>
      ${layers.slice(1).map((layer) => this.#handedOn(layer))}`;
  }

  /** What the layer before gives out beside what this layer takes in, and the largest difference. */
  #handedOn(layer: number): TemplateResult {
    const { app } = this;
    const [out, into] = [`layer${layer - 1}.X_out`, `layer${layer}.X_in`];
    const [from, to] = [app.engine.read(out), app.engine.read(into)];
    const [rows = 0, columns = 0] = app.engine.shapeOf(out, "prompt");
    let equal = 0;
    let most = 0;
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const [a, b] = [from.at(row, column), to.at(row, column)];
        if (exact(a) === exact(b)) equal += 1;
        most = Math.max(most, Math.abs(a - b));
      }
    }
    const all = rows * columns;
    return html`<figure class="panel matrices handed-on" aria-label=${t("c14.handed", { out, into })} data-equal=${equal} data-cells=${all}>
      <figcaption>${t("c14.handed", { out, into })}</figcaption>
      <div class="together">${[out, into].map(
        (name) =>
          html`<div class="one"><div class="scroll">${this.#grids.table(app, `handed ${name}`, { name })}</div></div>`,
      )}</div>
      <p class="verdict" data-same=${equal === all ? "true" : "false"}>${t("c14.equal", { equal, all, most: shown(most) })}</p>
    </figure>`;
  }
}

customElements.define("abh-layer", LayerFigure);
