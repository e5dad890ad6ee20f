/**
 * `<abh-matrix name="layer1.WQ">`: a matrix of the ledger. `{layer}` and `{head}` in the name stand for the layer and
 * head the reader has chosen. `context` is `prompt` (the text typed) or `batch` (all training).
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { copyMatrix, FORMATS, type Format } from "../../core/copy";
import { type Context, contextOf, entryOf } from "../../core/ledger";
import { t } from "../../i18n";
import { toClipboard } from "../clipboard";
import { Figure } from "../figure";
import { Grid } from "./grid";
import "./matrix.css";

/** Rows on one page of a long matrix. */
const PAGE = 20;
const MOST_DIGITS = 8;

export class Matrix extends Figure {
  static override properties = { name: { type: String }, context: { type: String } };
  declare name: string;
  declare context: string;

  #grid: Grid | null = null;
  #key = "";
  #page = 0;
  #copied = "";

  protected override watch(app: App): void {
    const { layer, head } = app.state.signals;
    void [app.scene.value, app.digits.value, layer.value, head.value];
  }

  get #entryName(): string {
    const { layer, head } = this.app.state.signals;
    return this.name.replace("{layer}", String(layer.value)).replace("{head}", String(head.value));
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const name = this.#entryName;
    const context = contextOf(entryOf(app.ledger, name), (this.context ?? "prompt") as Context);
    const [rows = 1] = app.engine.shapeOf(name, context);
    const pages = Math.ceil(rows / PAGE);
    this.#page = Math.min(this.#page, pages - 1);
    const grid = this.#gridOf(name, context);
    return html`
      <div class="matrix-tools" role="group" aria-label=${t("matrix.tools", { name })}>
        <button type="button" data-action="fewer" @click=${() => this.#digits(-1)}>${t("matrix.fewer")}</button>
        <button type="button" data-action="more" @click=${() => this.#digits(1)}>${t("matrix.more")}</button>
        <span class="copy">${t("copy.title")}
          ${FORMATS.map(
            (
              format,
            ) => html`<button type="button" data-copy=${format} @click=${() => this.#copy(name, context, format)}>
              ${t(`copy.${format}`)}</button>`,
          )}
          <span role="status">${this.#copied}</span></span>
        ${
          pages > 1
            ? html`<span class="pages">
              <button type="button" data-action="previous-rows" aria-label=${t("matrix.previous")} ?disabled=${this.#page === 0}
                @click=${() => this.#turn(-1)}>←</button>
              ${t("matrix.rows", { from: this.#page * PAGE, to: Math.min(rows, (this.#page + 1) * PAGE) - 1, rows })}
              <button type="button" data-action="next-rows" aria-label=${t("matrix.next")} ?disabled=${this.#page === pages - 1}
                @click=${() => this.#turn(1)}>→</button></span>`
            : ""
        }
      </div>
      <div class="scroll">${grid.table}</div>`;
  }

  /** The table of the matrix: kept while its rows, columns and labels are the same. */
  #gridOf(name: string, context: Context): Grid {
    const { app } = this;
    const prompt = context === "prompt" ? app.state.signals.prompt.value.join() : "";
    const digits = app.digits.value;
    const key = [name, context, prompt, digits, this.#page].join("|");
    if (this.#grid !== null && key === this.#key) {
      this.#grid.update();
      return this.#grid;
    }
    this.#key = key;
    this.#grid = new Grid(app, {
      name,
      context,
      digits,
      from: this.#page * PAGE,
      rows: PAGE,
      caption: `${name} · ${t(`drawer.context.${context}`)}`,
      maskedLabel: t("drawer.masked"),
    });
    return this.#grid;
  }

  #digits(change: number): void {
    const { digits } = this.app;
    digits.value = Math.max(1, Math.min(MOST_DIGITS, digits.value + change));
  }

  #turn(change: number): void {
    this.#page += change;
    this.requestUpdate();
  }

  async #copy(name: string, context: Context, format: Format): Promise<void> {
    const text = copyMatrix(this.app, { name, context, index: [] }, format);
    this.#copied = t((await toClipboard(text)) ? "copy.done" : "copy.failed");
    this.requestUpdate();
  }
}

customElements.define("abh-matrix", Matrix);
