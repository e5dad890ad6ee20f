/** `<abh-drawer>`: answers "why this number?" for any cell of the page, as far down as the reader follows. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { formatCell, type PlacedCell, parseCell } from "../../core/cells";
import { copyCell, FORMATS, type Format } from "../../core/copy";
import type { Derivation } from "../../core/desk";
import { exact, kindOf, shown } from "../../core/format";
import { cellLabels } from "../../core/labels";
import type { Context } from "../../core/ledger";
import { language, t } from "../../i18n";
import { toClipboard } from "../clipboard";
import { Figure } from "../figure";
import { relations } from "./relations";
import { DIGITS, work } from "./work";
import "./drawer.css";

const same = (a: PlacedCell, b: PlacedCell) =>
  a.context === b.context && formatCell(a.name, a.index) === formatCell(b.name, b.index);

export class Drawer extends Figure {
  protected override readonly always = true;
  /** The cells followed so far; the last one is open. */
  #trail: PlacedCell[] = [];
  #unfolded = false;
  #copied = "";
  /** What had the focus before the drawer opened. */
  #opener: HTMLElement | null = null;
  #focusNext = false;

  protected override watch(app: App): void {
    void [app.scene.value, app.state.signals.cell.value];
    const cell = app.state.signals.cell.peek();
    const last = this.#trail.at(-1);
    if (cell === null) this.#trail = [];
    else if (last === undefined || !same(last, cell)) {
      // Back and forward walk along the trail; a cell from elsewhere begins a new one.
      const known = this.#trail.findIndex((old) => same(old, cell));
      this.#trail =
        known >= 0 ? this.#trail.slice(0, known + 1) : [...(this.#following ? this.#trail : []), cell];
      this.#unfolded = false;
      this.#copied = "";
    }
    this.#following = false;
  }

  #following = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("click", this.#clicked);
    document.addEventListener("keydown", this.#key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("click", this.#clicked);
    document.removeEventListener("keydown", this.#key);
  }

  /** Any cell on the page opens the drawer, wherever it stands. */
  #clicked = (event: Event): void => {
    const from = (event.target as Element).closest<HTMLElement>("[data-cell], [data-open]");
    if (from === null || from.dataset.own !== undefined) return;
    this.open(from);
  };

  open(from: HTMLElement): void {
    const reference = parseCell(from.dataset.open ?? from.dataset.cell ?? "");
    if (reference === null) return;
    this.#goThere(from);
    const cell = this.app.desk.find({ ...reference, context: (from.dataset.context ?? "prompt") as Context });
    if (cell === null) return;
    this.#following = this.contains(from);
    if (!this.#following) this.#opener = from;
    this.#focusNext = true;
    this.app.state.set({ cell });
    this.requestUpdate();
  }

  /** A cell of another prompt or step than the page's: the page goes there first, and its address says so. */
  #goThere(from: HTMLElement): void {
    const { prompt, step } = from.dataset;
    const parsed = prompt === undefined ? null : this.app.tokens.parse(prompt);
    this.app.state.set({
      ...(parsed !== null && "ids" in parsed ? { prompt: parsed.ids } : {}),
      ...(step === undefined ? {} : { step: Number(step) }),
    });
  }

  #key = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this.#trail.length > 0) this.#close();
  };

  #close = (): void => {
    this.app.state.set({ cell: null });
    const opener = this.#opener;
    this.#opener = null;
    // The figure may have drawn the opener anew since: then a cell of the same name takes the focus.
    if (opener?.isConnected) opener.focus();
    else if (opener !== null) {
      document
        .querySelector<HTMLElement>(`main [data-cell="${CSS.escape(opener.dataset.cell ?? "")}"]`)
        ?.focus();
    }
  };

  protected override render(): TemplateResult {
    const cell = this.#trail.at(-1);
    document.documentElement.classList.toggle("drawer-open", cell !== undefined);
    if (cell === undefined) return html``;
    const { app } = this;
    const found = app.desk.find(cell);
    return html`<aside class="drawer panel" aria-label=${t("drawer.title")}>
      <header>
        <nav aria-label=${t("drawer.trail")}><ol>${this.#trail.map((old, i) => this.#crumb(old, i))}</ol></nav>
        <button type="button" class="close" data-action="close-drawer" aria-label=${t("drawer.close")} title=${t("drawer.close")}
          @click=${this.#close}>✕</button>
      </header>
      ${found === null ? this.#gone(cell) : this.#page(app.desk.derive(found))}
    </aside>`;
  }

  protected override updated(): void {
    if (!this.#focusNext) return;
    this.#focusNext = false;
    this.querySelector<HTMLElement>(".drawer h2")?.focus();
  }

  #crumb(cell: PlacedCell, place: number): TemplateResult {
    const text = formatCell(cell.name, cell.index);
    if (place === this.#trail.length - 1) return html`<li aria-current="true">${text}</li>`;
    return html`<li><button type="button" class="crumb" @click=${() => this.#back(place)}>${text}</button></li>`;
  }

  #back(place: number): void {
    const cell = this.#trail[place];
    if (cell === undefined) return;
    this.#focusNext = true;
    this.app.state.set({ cell });
  }

  /** A shorter prompt may no longer have the row of the cell that is open. */
  #gone(cell: PlacedCell): TemplateResult {
    return html`<h2 tabindex="-1">${formatCell(cell.name, cell.index)}</h2><p class="note">${t("drawer.gone")}</p>`;
  }

  #page(derivation: Derivation): TemplateResult {
    const { app } = this;
    const { cell, entry, value, end } = derivation;
    const reference = formatCell(cell.name, cell.index);
    const masked = end === "masked";
    return html`
      <h2 tabindex="-1"><code>${reference}</code></h2>
      <p class="result">
        <data data-cell=${reference} data-own data-context=${cell.context} data-value=${exact(value)} value=${exact(value)}
          data-kind=${kindOf(value, DIGITS, masked)}>${masked ? t("drawer.masked") : shown(value, DIGITS)}</data>
        <small>${t("drawer.exact")} <code>${exact(value)}</code></small>
      </p>
      <p>${entry.meaning?.[language]}${this.#labels(derivation)}</p>
      <p class="note">${t(`drawer.context.${cell.context}`)} · ${t("drawer.origin", { seed: app.session.seed.value, step: app.step.value })}</p>
      ${end === null ? "" : html`<p class="note">${t(`drawer.end.${end}`)}</p>`}
      ${work(app, derivation, this.#unfolded, this.#unfold)}
      ${relations(app, cell)}
      <div class="copy" role="group" aria-label=${t("copy.title")}>
        <span>${t("copy.title")}</span>
        ${FORMATS.map(
          (
            format,
          ) => html`<button type="button" data-copy=${format} @click=${() => this.#copy(derivation, format)}>
            ${t(`copy.${format}`)}</button>`,
        )}
        <button type="button" data-copy="link" @click=${this.#copyLink}>${t("copy.link")}</button>
        <span role="status">${this.#copied}</span>
      </div>
      <p><button type="button" class="to-ledger" data-action="to-ledger" @click=${() => this.#toLedger(cell.name)}>
        ${t("drawer.page", { name: cell.name })}</button></p>`;
  }

  #labels(derivation: Derivation): string {
    const { cell, entry } = derivation;
    const labels = cellLabels(this.app, entry, cell.index, cell.context);
    const texts = labels.map(({ axis, label }) => t(`label.${axis}`, { label }));
    return texts.length === 0 ? "" : ` (${texts.join(t("label.join"))})`;
  }

  #unfold = (): void => {
    this.#unfolded = true;
    this.requestUpdate();
  };

  #toLedger(name: string): void {
    this.app.state.set({ entry: name });
    document.querySelector("abh-ledger")?.scrollIntoView();
  }

  async #copy(derivation: Derivation, format: Format): Promise<void> {
    await this.#put(copyCell(this.app, derivation, format));
  }

  #copyLink = async (): Promise<void> => {
    await this.#put(`${location.origin}${location.pathname}?${this.app.linkQuery()}${location.hash}`);
  };

  async #put(text: string): Promise<void> {
    this.#copied = t((await toClipboard(text)) ? "copy.done" : "copy.failed");
    this.requestUpdate();
  }
}

customElements.define("abh-drawer", Drawer);
