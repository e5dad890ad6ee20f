/** Before and after: the same numbers at the first step of the run and at the step on show, in two columns. */

import { html, type TemplateResult } from "lit";
import type { App } from "../core/app";
import { benchOf } from "../core/bench";
import type { Engine } from "../core/engine";
import { t } from "../i18n";
import { cell } from "./cell";
import "./columns.css";

export interface Moment {
  readonly engine: Engine;
  /** The step as a cell carries it: only where it is not the page's. */
  readonly step: number | undefined;
  readonly label: string;
  readonly name: "start" | "now";
}

export interface Line {
  readonly label: TemplateResult | string;
  readonly note?: string;
  /** What stands in the column of a moment. */
  readonly show: (moment: Moment) => TemplateResult | string;
  readonly name: string;
}

/** The two moments of a text. */
export function moments(app: App, text: string, target?: number): readonly [Moment, Moment] {
  const bench = benchOf(app);
  const aim = target === undefined ? {} : { target };
  const first = app.session.history.peek().first;
  const now = app.step.peek();
  return [
    {
      engine: bench.at(text, { step: "start", ...aim }),
      step: first,
      label: t("columns.step", { step: first }),
      name: "start",
    },
    { engine: bench.at(text, aim), step: undefined, label: t("columns.step", { step: now }), name: "now" },
  ];
}

/** Cells of one row of a matrix, side by side; the line breaks where the column ends. */
export function vector(
  text: string,
  { engine, step }: Moment,
  name: string,
  row: number,
  digits = 3,
): TemplateResult {
  const view = engine.read(name);
  return html`<span class="vector">${Array.from({ length: view.shape[1] ?? 0 }, (_, c) =>
    cell(name, [row, c], view.at(row, c), { prompt: text, step, digits }),
  )}</span>`;
}

export function columns(caption: string, pair: readonly Moment[], lines: readonly Line[]): TemplateResult {
  return html`<table class="before-after">
    <caption>${caption}</caption>
    <thead><tr><td></td>${pair.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
    <tbody>${lines.map(
      ({ label, note, show, name }) => html`<tr data-line=${name}>
        <th scope="row">${label}${note === undefined ? "" : html`<small>${note}</small>`}</th>
        ${pair.map((moment) => html`<td data-moment=${moment.name}>${show(moment)}</td>`)}</tr>`,
    )}</tbody>
  </table>`;
}
