/**
 * `<abh-route>`: the way of one source to the receiver. Point at a token, at any of its numbers, or choose it by keyboard:
 * its row lights up in every table, from X_norm through K, S, A and V to H and to what is written back. `until` ends the
 * way earlier: at `A` (how much is read) or at `H` (what arrives).
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { percent, shown } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, sourceOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import type { Grid } from "../matrix/grid";
import { Tables } from "../matrix/tables";
import { triedTable } from "../plain";
import { chooseSource, standing } from "../standing";
import { drawWay } from "./way";
import "./route.css";

/** Where the way may end, in order. */
const ENDS = ["A", "H", "write"] as const;

export class Route extends Figure {
  readonly #tables = new Tables();
  /** The source pointed at in passing; null: the chosen one. */
  #passing: number | null = null;
  #observed: Element | null = null;
  readonly #resized = new ResizeObserver(() => this.#draw());

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value, app.state.signals.source.value];
    watchChoices(app, ["layer", "head", "receiver"]);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    this.#observed = null;
  }

  get #source(): number {
    const chosen = sourceOf(this.app);
    return this.#passing !== null && this.#passing <= receiverOf(this.app) ? this.#passing : chosen;
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const where = `layer${layer.value}`;
    const base = `${where}.head${head.value}`;
    const [row, source] = [receiverOf(app), this.#source];
    const end = ENDS.indexOf((this.getAttribute("until") ?? "write") as (typeof ENDS)[number]);
    const [token, receiver] = [source, row].map((at) => app.tokens.names[prompt.value[at] as number] ?? "?");
    const names = { token: token ?? "?", receiver: receiver ?? "?" };
    const rows = (name: string, caption: string) => {
      const grid = this.#tables.table(app, name, name, { caption, made: this.#listen(0) });
      const own = name.endsWith(".X_norm");
      grid.mark(([at]) => (at === source ? "way" : own && at === row ? "receiver" : null));
      return html`<div class="scroll">${grid.table}</div>`;
    };
    // One row of numbers that belongs to the receiver; of those about sources, the source's is on the way.
    const ofReceiver = (name: string, caption: string, about: "sources" | "itself") => {
      const made = about === "sources" ? { made: this.#listen(1) } : {};
      const grid = this.#tables.table(app, name, name, { caption, row, ...made });
      grid.mark(([, at]) => (about === "itself" || at === source ? "way" : null));
      return html`<div class="scroll">${grid.table}</div>`;
    };
    return html`<figure class="panel route" aria-label=${t("route.title")} data-lit=${source}>
      ${standing(app)} ${choose(app, ["layer", "head", "receiver"])} ${chooseSource(app)}
      <div class="stages tight" @pointerleave=${this.#left}>
        <svg class="way" aria-hidden="true"></svg>
        <div class="stage" data-stage="X_norm">${rows(`${where}.X_norm`, t("route.x"))}</div>
        <div class="stage" data-stage="K">${rows(`${base}.K`, t("route.k"))}
          ${ofReceiver(`${base}.Q`, t("route.q", names), "itself")}</div>
        <div class="stage" data-stage="S">${ofReceiver(`${base}.S`, t("route.s"), "sources")}
          ${ofReceiver(`${base}.A`, t("route.a"), "sources")}</div>
        ${
          end < 1
            ? ""
            : html`<div class="stage" data-stage="V">${rows(`${base}.V`, t("route.v"))}</div>
          <div class="stage" data-stage="part">${this.#parts(base, row, source)}</div>
          <div class="stage" data-stage="H">${ofReceiver(`${base}.H`, t("route.h", names), "itself")}
            ${end < 2 ? "" : ofReceiver(`${base}.write`, t("route.write", names), "itself")}</div>`
        }
      </div>
      ${this.#said(base, row, source, end, names)}
    </figure>`;
  }

  /** A·V, source by source: the terms of H's own sum. */
  #parts(base: string, row: number, source: number): TemplateResult {
    const { app } = this;
    const width = app.ledger.sizes.d_head ?? 0;
    const columns = Array.from({ length: width }, (_, column) => column);
    const work = columns.map(
      (column) => app.desk.derive({ name: `${base}.H`, index: [row, column], context: "prompt" }).work,
    );
    const tokens = app.state.signals.prompt.value.map((id) => app.tokens.names[id] ?? "?");
    const values = Array.from({ length: row + 1 }, (_, at) =>
      columns.map((column) => work[column]?.children[at]?.value ?? Number.NaN),
    );
    const caption = t("route.part");
    const over = (event: Event) => {
      const line = (event.target as HTMLElement).closest<HTMLTableRowElement>("tbody tr");
      if (line !== null) this.#pass(line.sectionRowIndex);
    };
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption} @pointerover=${over}>${triedTable(
      { caption, rows: tokens, columns: columns.map(String) },
      values,
      app.digits.value,
      (at) => (at === source ? "way" : ""),
    )}</div>`;
  }

  #said(
    base: string,
    row: number,
    source: number,
    end: number,
    names: { token: string; receiver: string },
  ): TemplateResult {
    const { app } = this;
    const digits = app.digits.value;
    const at = (name: string, ...index: number[]) => app.engine.read(`${base}.${name}`).at(...index);
    const [score, share] = [at("S", row, source), at("A", row, source)];
    return html`<p class="said">
      ${t("route.said.score", names)} ${cell(`${base}.S`, [row, source], score, { digits })}${t("route.said.share")}
      ${cell(`${base}.A`, [row, source], share, { text: percent(share) })}${t("route.stop")}
      ${end < 1 ? "" : t("route.said.part", { ...names, share: shown(share, digits) })}</p>`;
  }

  /** Pointing at a number, or moving to it by keyboard, shows the way of its source. */
  #listen(axis: 0 | 1): (grid: Grid) => void {
    return (grid) => {
      const point = (event: Event) => {
        const index = grid.indexOf(event.target);
        if (index !== null) this.#pass(index[axis] as number);
      };
      grid.table.addEventListener("pointerover", point);
      grid.table.addEventListener("focusin", point);
      grid.table.addEventListener("focusout", this.#left);
    };
  }

  #pass(source: number): void {
    if (source === this.#passing) return;
    this.#passing = source;
    this.requestUpdate();
  }

  #left = (): void => {
    if (this.#passing === null) return;
    this.#passing = null;
    this.requestUpdate();
  };

  protected override updated(): void {
    const stages = this.querySelector(".stages");
    // Observing again what is observed already would call for another drawing.
    if (stages !== null && stages !== this.#observed) {
      this.#observed = stages;
      this.#resized.observe(stages);
    }
    this.#draw();
  }

  #draw(): void {
    const stages = this.querySelector<HTMLElement>(".stages");
    if (stages !== null) drawWay(stages);
  }
}

customElements.define("abh-route", Route);
