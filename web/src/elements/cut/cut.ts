/** `<abh-cut>`: the reader cuts connections, silences heads, swaps rows, and sees what becomes of this text and of all problems. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { type Cut, Experiment, type HeadRef, mostLikely, type RowSwap, sameCut } from "../../core/experiment";
import { exact, percent } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { points } from "./each";
import { outcomes } from "./outcomes";
import { type OnSwap, swapControls } from "./swaps";
import "./cut.css";

const CHOICES = ["receiver", "target"] as const;
const sameHead = (a: HeadRef, b: HeadRef) => a.layer === b.layer && a.head === b.head;

export class CutFigure extends Figure {
  #experiment: Experiment | null = null;
  #cuts: readonly Cut[] = [];
  #silenced: readonly HeadRef[] = [];
  #swaps: readonly RowSwap[] = [];
  /** The rows chosen for the next swap: at first the tokens 7 and 8. */
  #choice: RowSwap = { table: "TokenEmb", rows: [7, 8] };

  get #altered(): boolean {
    return this.#cuts.length + this.#silenced.length + this.#swaps.length > 0;
  }

  protected override watch(app: App): void {
    void app.scene.value;
    watchChoices(app, CHOICES);
  }

  get #heads(): HeadRef[] {
    const { layers = 0, heads = 0 } = this.app.ledger.sizes;
    return Array.from({ length: layers * heads }, (_, i) => ({
      layer: Math.floor(i / heads) + 1,
      head: (i % heads) + 1,
    }));
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const length = app.state.signals.prompt.value.length;
    // A shorter text has fewer rows: cuts beyond it are let go.
    this.#cuts = this.#cuts.filter((cut) => cut.receiver < length);
    return html`<section class="panel cutting" aria-label=${t("c16.cut.title")}>
      ${choose(app, CHOICES)}
      <p class="note">${t("c16.cut.how", { position: receiverOf(app) })}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c16.cut.title")}>${this.#switches()}</div>
      ${swapControls(app, this.#choice, this.#swaps, this.#onSwap)}
      <p><button type="button" data-action="mend" ?disabled=${!this.#altered}
        @click=${this.#mend}>${t("c16.mend")}</button></p>
      ${this.#result()}
    </section>`;
  }

  #switches(): TemplateResult {
    const { app } = this;
    const row = receiverOf(app);
    const prompt = app.state.signals.prompt.value;
    return html`<table class="switches">
      <thead><tr><th scope="col">${t("c16.head")}</th>
        ${prompt.slice(0, row + 1).map((id, source) => html`<th scope="col"><span class="token">${app.tokens.names[id]}</span><small>${source}</small></th>`)}
        <th scope="col">${t("c16.whole")}</th></tr></thead>
      <tbody>${this.#heads.map((head) => this.#headRow(head, row))}</tbody>
    </table>`;
  }

  #headRow(head: HeadRef, row: number): TemplateResult {
    const { app } = this;
    const name = `layer${head.layer}.head${head.head}`;
    const silent = this.#silenced.some((one) => sameHead(one, head));
    const shares = app.engine.read(`${name}.A`);
    const cut = Array.from({ length: row + 1 }, (_, source) =>
      this.#cuts.some((one) => sameCut(one, { ...head, receiver: row, source })),
    );
    const left = cut.filter((one) => !one).length;
    return html`<tr>
      <th scope="row">${t("c16.head.name", head as unknown as Record<string, number>)}</th>
      ${cut.map(
        (
          is,
          source,
        ) => html`<td><button type="button" data-cut=${`${name}[${row},${source}]`} aria-pressed=${is ? "true" : "false"}
          aria-label=${t("c16.cut.label", { shown: is ? "✂" : percent(shares.at(row, source), 0), head: name, source: app.tokens.names[app.state.signals.prompt.value[source] ?? -1] ?? "?", place: source })}
          ?disabled=${!is && left === 1} @click=${() => this.#toggle({ ...head, receiver: row, source })}>
          ${is ? "✂" : percent(shares.at(row, source), 0)}</button></td>`,
      )}
      <td><button type="button" data-silence=${name} aria-pressed=${silent ? "true" : "false"}
        @click=${() => this.#silence(head)}>${t(silent ? "c16.silenced" : "c16.silence")}</button></td>
    </tr>`;
  }

  #toggle(cut: Cut): void {
    const rest = this.#cuts.filter((one) => !sameCut(one, cut));
    this.#cuts = rest.length < this.#cuts.length ? rest : [...rest, cut];
    this.requestUpdate();
  }

  #silence(head: HeadRef): void {
    const rest = this.#silenced.filter((one) => !sameHead(one, head));
    this.#silenced = rest.length < this.#silenced.length ? rest : [...rest, head];
    this.requestUpdate();
  }

  #mend = (): void => {
    this.#cuts = [];
    this.#silenced = [];
    this.#swaps = [];
    this.requestUpdate();
  };

  readonly #onSwap: OnSwap = {
    table: (table) => {
      this.#choice = { table, rows: [0, 1] };
      this.requestUpdate();
    },
    row: (which, row) => {
      const [first, second] = this.#choice.rows;
      this.#choice = { ...this.#choice, rows: which === 0 ? [row, second] : [first, row] };
      this.requestUpdate();
    },
    swap: () => {
      this.#swaps = [...this.#swaps, this.#choice];
      this.requestUpdate();
    },
    back: (swap) => {
      this.#swaps = this.#swaps.filter((one) => one !== swap);
      // The button that was pressed goes away; the keyboard goes on from the one that made it.
      this.querySelector<HTMLElement>("[data-action='swap']")?.focus();
      this.requestUpdate();
    },
  };

  #result(): TemplateResult {
    const { app } = this;
    this.#experiment ??= new Experiment(app);
    const outcome = this.#experiment.run(
      { cuts: this.#cuts, silenced: this.#silenced, swaps: this.#swaps },
      true,
    );
    const last = app.state.signals.prompt.value.length - 1;
    const p = app.engine.read("P");
    const before = app.tokens.names.map((_, id) => p.at(last, id));
    const target = app.target.value;
    const [was, is] = [before[target] as number, outcome.p[target] as number];
    const [topWas, topIs] = [mostLikely(before), mostLikely(outcome.p)];
    const history = app.session.history.peek();
    const solvedBefore = history.solved(app.step.peek());
    const names = app.tokens.names;
    return html`<div class="result" data-altered=${this.#altered ? "true" : "false"}>
      <table class="compare">
        <thead><tr><td></td><th scope="col">${t("c16.whole.model")}</th><th scope="col">${t("c16.altered")}</th><th scope="col">${t("c16.change")}</th></tr></thead>
        <tbody>
          <tr><th scope="row">${t("c16.p", { token: names[target] ?? "?" })}</th>
            <td>${cell("P", [last, target], was, { text: percent(was) })}</td>
            <td><data class="altered" data-altered="p" value=${exact(is)}>${percent(is)}</data></td><td>${points(is - was)}</td></tr>
          <tr><th scope="row">${t("c16.top")}</th>
            <td>${names[topWas]} ${cell("P", [last, topWas], before[topWas] as number, { text: percent(before[topWas] as number) })}</td>
            <td><data class="altered" data-altered="top" value=${names[topIs]}>${names[topIs]} ${percent(outcome.p[topIs] as number)}</data></td><td></td></tr>
          <tr><th scope="row">${t("c16.solved")}</th>
            <td>${cell("solved.count", [], count(solvedBefore), { context: "model", digits: 0 })}</td>
            <td><data class="altered" data-altered="solved" value=${count(outcome.solved)}>${count(outcome.solved)}</data></td>
            <td>${signed(count(outcome.solved) - count(solvedBefore))}</td></tr>
        </tbody>
      </table>
      ${outcomes(solvedBefore, outcome.solved)}
      <p class="note">${t("c16.apart")}</p>
    </div>`;
  }
}

const count = (solved: Uint8Array) => solved.reduce((sum, one) => sum + one, 0);
const signed = (difference: number) =>
  difference === 0 ? "0" : `${difference > 0 ? "+" : "−"}${Math.abs(difference)}`;

customElements.define("abh-cut", CutFigure);
