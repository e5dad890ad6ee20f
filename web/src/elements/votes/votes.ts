/** `<abh-votes>`: each problem makes its own gradient of the same matrix; chosen ones are added, and all of them are the batch's. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { formatCell } from "../../core/cells";
import { exact, kindOf, percent, shown } from "../../core/format";
import { added, lengthOf, ProblemGradients } from "../../core/problems";
import { t } from "../../i18n";
import { badge } from "../badge";
import { buttons, choose, watchChoices } from "../choose";
import { Figure } from "../figure";
import { shadeOf } from "../matrix/grid";
import { Grids } from "../matrix/grids";
import "../chapters.css";
import "./votes.css";

const MATRICES = ["WQ", "WK"] as const;
const DIGITS = 5;

export class Votes extends Figure {
  #matrix: (typeof MATRICES)[number] = "WQ";
  #chosen = new Set<number>([78]);
  #gradients: ProblemGradients | null = null;
  readonly #grids = new Grids();

  protected override watch(app: App): void {
    void app.scene.value;
    watchChoices(app, ["layer"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    this.#gradients ??= new ProblemGradients(app);
    const name = `layer${app.state.signals.layer.value}.${this.#matrix}`;
    const all = this.#gradients.of(name);
    const parts = all.filter((_, problem) => this.#chosen.has(problem));
    const [rows = 0, columns = 0] = app.engine.shapeOf(name, "model");
    const sum = added(parts, rows * columns);
    return html`<figure class="panel votes" aria-label=${t("c9.votes.title", { name })}>
      <div class="choose">${choose(app, ["layer"])} ${buttons(
        t("c9.matrix"),
        MATRICES.map((matrix) => ({
          text: matrix,
          on: matrix === this.#matrix,
          choose: () => {
            this.#matrix = matrix;
            this.requestUpdate();
          },
        })),
      )}</div>
      ${this.#problems()}
      <div class="stacked">
        <div class="one"><div class="scroll" tabindex="0" role="group" aria-label=${t("c9.votes.sum", { n: parts.length })}>${this.#sumTable(name, sum, columns, parts.length)}</div></div>
        <div class="one"><div class="scroll" tabindex="0" role="group" aria-label=${`grad.${name}`}>${this.#grids.table(
          app,
          "whole",
          {
            name: `grad.${name}`,
            context: "batch",
            digits: DIGITS,
            caption: t("c9.votes.whole", { name: `grad.${name}` }),
          },
        )}</div></div>
      </div>
      ${this.#verdict(name, sum, parts, all.length)}
    </figure>`;
  }

  /** The 100 problems as switches. */
  #problems(): TemplateResult {
    const problems = this.#gradients?.problems ?? [];
    const choose = (chosen: Iterable<number>) => {
      this.#chosen = new Set(chosen);
      this.requestUpdate();
    };
    const every = problems.map((_, i) => i);
    const withZero = every.filter((i) => problems[i]?.a === 0 || problems[i]?.b === 0);
    return html`<div class="choose presets">
        <button type="button" data-action="votes-none" @click=${() => choose([])}>${t("c9.votes.none")}</button>
        <button type="button" data-action="votes-zero" @click=${() => choose(withZero)}>${t("c9.votes.zero")}</button>
        <button type="button" data-action="votes-all" @click=${() => choose(every)}>${t("c9.votes.all")}</button>
      </div>
      <div class="problem-switches" role="group" aria-label=${t("c9.votes.pick")}>${problems.map(
        ({ a, b }, i) => {
          const on = this.#chosen.has(i);
          const turn = () =>
            choose(on ? every.filter((j) => j !== i && this.#chosen.has(j)) : [...this.#chosen, i]);
          return html`<button type="button" data-problem=${i} aria-pressed=${on ? "true" : "false"} @click=${turn}>${a}×${b}</button>`;
        },
      )}</div>`;
  }

  #sumTable(name: string, sum: Float64Array, columns: number, parts: number): TemplateResult {
    const rows = sum.length / columns;
    const most = Math.max(...sum.map(Math.abs));
    return html`<table class="matrix sum"><caption>${t("c9.votes.sum", { n: parts })}</caption>
      <thead><tr><td></td>${Array.from({ length: columns }, (_, column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${Array.from(
        { length: rows },
        (_, row) =>
          html`<tr><th scope="row">${row}</th>${Array.from({ length: columns }, (_c, column) => {
            const value = Math.fround(sum[row * columns + column] ?? 0);
            return html`<td data-sum-of=${`${row},${column}`} data-exact=${exact(value)} data-kind=${kindOf(value, DIGITS)} data-shade=${shadeOf(value, most)}
              data-open=${formatCell(`grad.${name}`, [row, column])} data-context="batch">${shown(value, DIGITS)}</td>`;
          })}</tr>`,
      )}</tbody></table>`;
  }

  /** How far the sum is from the batch's gradient, and how much of the parts is left after they have been added. */
  #verdict(name: string, sum: Float64Array, parts: readonly Float32Array[], all: number): TemplateResult {
    const whole = this.app.engine.read(`grad.${name}`, "batch").flat();
    const rest = Math.max(...Array.from(whole, (value, i) => Math.abs(value - (sum[i] ?? 0))));
    const largest = Math.max(...Array.from(whole, Math.abs));
    const apart = parts.reduce((total, part) => total + lengthOf(part), 0);
    const left = apart === 0 ? 0 : lengthOf(sum) / apart;
    const complete = parts.length === all;
    const values = { rest: shown(rest, 9), largest: shown(largest, DIGITS), n: parts.length, all };
    const kept = html`<p>${t("c9.votes.left", { n: parts.length })} <data data-left value=${left}>${percent(left)}</data>${t("sentence.stop")}${t("c9.votes.cancel")}</p>`;
    return html`${parts.length < 2 ? "" : kept}
      <div data-rest=${rest} data-largest=${largest}>      ${complete ? badge(rest <= 1e-4 * largest + 1e-9 ? "yes" : "no", t("c9.votes.complete", values), "c9.votes") : badge("open", t("c9.votes.missing", values), "c9.votes")}</div>`;
  }
}

customElements.define("abh-votes", Votes);
