/**
 * `<abh-rows>`: what each position starts with, for any of the hundred problems: its token's row plus its position's row.
 * Below, counted over all hundred: how many different rows stand at each place.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import type { Engine } from "../../core/engine";
import { distinctRows, problemRows } from "../../core/problem-rows";
import { t } from "../../i18n";
import { buttons } from "../choose";
import { expansion } from "../expansion";
import { Figure } from "../figure";
import { Tables } from "../matrix/tables";
import "./rows.css";

const DIGITS = 10;

export class Rows extends Figure {
  readonly #tables = new Tables();
  #a = 7;
  #b = 0;
  /** The position that is taken apart; null: the last. */
  #row: number | null = null;
  #column = 0;

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { names, times, equals } = app.tokens;
    const prompt = [this.#a, times, this.#b, equals];
    const engine = benchOf(app).at(prompt);
    const row = this.#row ?? prompt.length - 1;
    const label = names[prompt[row] as number] ?? "?";
    return html`<figure class="panel rows" aria-label=${t("c1.title")}>
      <figcaption>${t("c1.caption")}</figcaption>
      <div class="choose">
        ${this.#digit("a", t("c1.first"), this.#a, (value) => {
          this.#a = value;
        })}
        ${this.#digit("b", t("c1.second"), this.#b, (value) => {
          this.#b = value;
        })}
        ${buttons(
          t("c1.open"),
          prompt.map((id, at) => ({
            text: names[id] ?? "?",
            on: at === row,
            choose: () => {
              this.#row = at;
              this.requestUpdate();
            },
          })),
        )}
      </div>
      <div class="tight scroll parts" tabindex="0" role="group" aria-label=${t("c1.title")}>${this.#parts(engine, prompt, row, label)}</div>
      ${expansion(app, { name: "X", index: [row, this.#column], context: "prompt" }, { engine })}
      <div class="tight scroll" tabindex="0" role="group" aria-label=${t("c1.all", { text: app.tokens.print(prompt) })}>
        ${this.#all(engine, row, app.tokens.print(prompt))}</div>
      ${this.#count(prompt)}
    </figure>`;
  }

  /** The token's row, the position's row, and their sum. */
  #parts(engine: Engine, prompt: readonly number[], row: number, label: string): TemplateResult {
    const { app } = this;
    const token = this.#tables.table(app, "token", "TokenEmb", {
      engine,
      row: prompt[row] as number,
      caption: t("c1.token", { token: label }),
    });
    const place = this.#tables.table(app, "place", "PosEmb", {
      engine,
      row,
      caption: t("c1.place", { row }),
    });
    const sum = this.#tables.table(app, "sum", "X", {
      engine,
      row,
      caption: t("c1.sum", { token: label, row }),
      made: (grid) => {
        const point = (event: Event) => {
          const column = grid.indexOf(event.target)?.[1];
          if (column === undefined || column === this.#column) return;
          this.#column = column;
          this.requestUpdate();
        };
        grid.table.addEventListener("focusin", point);
        grid.table.addEventListener("pointerover", point);
      },
    });
    for (const grid of [token, place]) grid.mark((index) => (index[1] === this.#column ? "column" : null));
    sum.mark((index) => (index[1] === this.#column ? "chosen" : null));
    return html`<span class="sign"></span><div>${token.table}</div>
      <span class="sign" aria-hidden="true">+</span><div>${place.table}</div>
      <span class="sign" aria-hidden="true">=</span><div>${sum.table}</div>`;
  }

  #all(engine: Engine, row: number, text: string): HTMLTableElement {
    const all = this.#tables.table(this.app, "all", "X", { engine, caption: t("c1.all", { text }) });
    all.mark((index) => (index[0] === row ? "line" : null));
    return all.table;
  }

  /** How many different rows the hundred problems have at each place. */
  #count(prompt: readonly number[]): TemplateResult {
    const { app } = this;
    const rows = problemRows(app.tree, app.tokens);
    const view = app.engine.read("X", "batch");
    const counts = prompt.map((_, place) =>
      distinctRows(
        view,
        rows.map((path) => path[place] as number),
      ),
    );
    const last = counts.at(-1) ?? 0;
    const labels = ["a", app.tokens.names[app.tokens.times], "b", app.tokens.names[app.tokens.equals]];
    return html`<p class="note">${t("c1.distinct", { n: rows.length })}</p>
    <table class="distinct" aria-label=${t("c1.distinct", { n: rows.length })}>
      <thead><tr>${labels.map((label) => html`<th scope="col" class="token">${label}</th>`)}</tr></thead>
      <tbody><tr>${counts.map((count, place) => html`<td data-distinct=${place} data-count=${count}>${count}</td>`)}</tr></tbody>
    </table>
    <p class="said">${t(last === 1 ? "c1.same" : "c1.other", { n: rows.length, count: last })}</p>`;
  }

  #digit(name: string, label: string, value: number, use: (value: number) => void): TemplateResult {
    const changed = (event: Event) => {
      use(Number((event.target as HTMLSelectElement).value));
      this.requestUpdate();
    };
    return html`<label><span>${label}</span><select name=${name} @change=${changed}>
      ${Array.from({ length: DIGITS }, (_, digit) => html`<option value=${digit} .selected=${digit === value}>${digit}</option>`)}
    </select></label>`;
  }
}

customElements.define("abh-rows", Rows);
