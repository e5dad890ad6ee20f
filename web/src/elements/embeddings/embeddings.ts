/** `<abh-embeddings>`: the two tables of the input as they were at the start and as they are now. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import type { Engine } from "../../core/engine";
import { exact } from "../../core/format";
import { type Key, t } from "../../i18n";
import { Figure } from "../figure";
import { Grids } from "../matrix/grids";

const TABLES = ["TokenEmb", "PosEmb"] as const;

export class Embeddings extends Figure {
  readonly #grids = new Grids();

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const past = benchOf(app).at(app.state.signals.prompt.peek(), { step: "start" });
    const first = app.session.history.peek().first;
    const now = app.step.peek();
    return html`<figure class="panel matrices" aria-label=${TABLES.join(", ")}>
      ${TABLES.map(
        (name) => html`<div class="together">
          <div class="one"><div class="scroll">${this.#grids.table(app, `${name} then`, {
            name,
            caption: t("c13.at", { name, step: first }),
            elsewhere: { engine: past, step: first },
          })}</div></div>
          <div class="one"><div class="scroll">${this.#grids.table(app, `${name} now`, {
            name,
            caption: t("c13.at", { name, step: now }),
          })}</div></div>
        </div>
        ${name === "PosEmb" ? this.#reached(past, first) : this.#unread(first)}`,
      )}
    </figure>`;
  }

  /** The tokens whose rows no gradient of the whole training reaches. */
  #unread(first: number): TemplateResult {
    const { app } = this;
    const gradient = app.engine.read("grad.TokenEmb", "batch");
    const [, columns = 0] = gradient.shape;
    const silent = app.tokens.names.filter((_, row) =>
      Array.from({ length: columns }, (_, column) => gradient.at(row, column)).every((value) => value === 0),
    );
    if (silent.length === 0) return html``;
    return html`<p data-unread=${silent.join()}>${t("c13.tokens", { tokens: silent.join(", "), step: first })}</p>`;
  }

  /** Which rows of PosEmb a gradient of the whole training reaches, and which have not moved since the start. */
  #reached(past: Engine, first: number): TemplateResult {
    const { app } = this;
    const gradient = app.engine.read("grad.PosEmb", "batch");
    const now = app.engine.read("PosEmb", "model");
    const then = past.read("PosEmb", "model");
    const [rows = 0, columns = 0] = gradient.shape;
    const all = Array.from({ length: rows }, (_, row) => row);
    const every = (test: (column: number) => boolean) =>
      Array.from({ length: columns }, (_, column) => test(column)).every(Boolean);
    const silent = all.filter((row) => every((column) => gradient.at(row, column) === 0));
    const still = all.filter((row) =>
      every((column) => exact(now.at(row, column)) === exact(then.at(row, column))),
    );
    const reached = all.filter((row) => !silent.includes(row));
    return html`<p data-reached=${reached.join()} data-silent=${silent.join()} data-still=${still.join()}>
        ${line("c13.reached", reached)} ${line("c13.silent", silent)}
        ${still.length === 0 ? t("c13.still.none", { step: first }) : line("c13.still", still, { step: first })}
      </p>
      <div class="together"><div class="one"><div class="scroll">${this.#grids.table(app, "gradient", {
        name: "grad.PosEmb",
        context: "batch",
        caption: t("c13.gradient", { name: "grad.PosEmb" }),
      })}</div></div></div>`;
  }
}

function line(key: Key, rows: readonly number[], values: Record<string, string | number> = {}): string {
  return t(key, { ...values, rows: spans(rows) });
}

/** `0–5`, `0, 2–4`: runs of whole numbers. */
export function spans(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

customElements.define("abh-embeddings", Embeddings);
