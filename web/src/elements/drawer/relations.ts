/** Cells that belong to a cell: its gradient, what the optimizer keeps of it, who reads it. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { formatCell, type PlacedCell } from "../../core/cells";
import { alsoCalled, readersOf } from "../../core/readers";
import { t } from "../../i18n";
import { cell } from "../cell";

const MOST_READERS = 24;

/** The same cell seen from another side: its gradient for this prompt and for all training, the optimizer's numbers. */
export function relatives(app: App, at: PlacedCell): { label: string; cell: PlacedCell }[] {
  const base = at.name.replace(/^(?:grad\.|adam\.m\.|adam\.v\.|next\.adam\.m\.|next\.adam\.v\.|next\.)/, "");
  const found: { label: string; cell: PlacedCell }[] = [];
  const offer = (label: string, name: string, context: PlacedCell["context"]) => {
    const other = app.desk.find({ name, index: at.index, context });
    if (other === null || (other.name === at.name && other.context === at.context)) return;
    found.push({ label, cell: other });
  };
  const shared = app.ledger.entries[base]?.places.prompt === undefined;
  offer(t("drawer.itself"), base, at.context);
  for (const other of alsoCalled(app.engine, at))
    found.push({ label: t("drawer.also", { name: other.name }), cell: other });
  if (shared || at.context === "prompt") offer(t("drawer.gradient.prompt"), `grad.${base}`, "prompt");
  if (shared || at.context === "batch") offer(t("drawer.gradient.batch"), `grad.${base}`, "batch");
  offer(t("drawer.adam.m"), `adam.m.${base}`, "model");
  offer(t("drawer.adam.v"), `adam.v.${base}`, "model");
  offer(t("drawer.next.m"), `next.adam.m.${base}`, "model");
  offer(t("drawer.next.v"), `next.adam.v.${base}`, "model");
  offer(t("drawer.next"), `next.${base}`, "model");
  return found;
}

export function relations(app: App, at: PlacedCell): TemplateResult {
  const near = relatives(app, at);
  const readers = readersOf(app.engine, at, MOST_READERS);
  return html`
    ${
      near.length === 0
        ? ""
        : html`<h3>${t("drawer.relatives")}</h3>
          <dl class="relatives">${near.map(
            ({ label, cell: other }) => html`<div><dt>${label}</dt><dd>${number(app, other)}</dd></div>`,
          )}</dl>`
    }
    <h3>${t("drawer.readers")}</h3>
    ${readers.cells.length === 0 ? html`<p class="note">${t("drawer.readers.none")}</p>` : ""}
    <ul class="readers">
      ${readers.cells.map((reader) => html`<li>${name(reader)}</li>`)}
      ${readers.more ? html`<li>${t("drawer.readers.more", { n: MOST_READERS })}</li>` : ""}
    </ul>`;
}

function number(app: App, at: PlacedCell): TemplateResult {
  return cell(at.name, at.index, app.desk.value(at), { context: at.context, digits: 4 });
}

/** A link to a cell by its name alone: its number would have to be computed for each of many. */
function name(at: PlacedCell): TemplateResult {
  const text = formatCell(at.name, at.index);
  return html`<button type="button" class="cell-link" data-open=${text} data-context=${at.context}>${text}</button>`;
}
