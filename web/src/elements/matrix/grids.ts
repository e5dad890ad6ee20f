/** The tables of a figure that shows several matrices: each is kept as long as its rows, columns and labels are the same. */

import type { App } from "../../core/app";
import type { Context } from "../../core/ledger";
import { contextOf, entryOf } from "../../core/ledger";
import { t } from "../../i18n";
import { type Elsewhere, Grid } from "./grid";
import "./matrix.css";

export interface GridRequest {
  readonly name: string;
  readonly context?: Context;
  readonly caption?: string;
  readonly digits?: number;
  readonly elsewhere?: Elsewhere;
}

export class Grids {
  readonly #kept = new Map<string, { key: string; grid: Grid }>();

  /** The table in a slot of the figure, brought up to date. */
  table(app: App, slot: string, request: GridRequest): HTMLTableElement {
    const { name, elsewhere, caption = name, digits = app.digits.value } = request;
    const context = contextOf(entryOf(app.ledger, name), request.context ?? "prompt");
    const prompt = context === "prompt" ? (elsewhere?.prompt ?? app.state.signals.prompt.value).join() : "";
    const key = [name, context, prompt, elsewhere?.step ?? "", digits, caption].join("|");
    const kept = this.#kept.get(slot);
    if (kept?.key === key) {
      kept.grid.update();
      return kept.grid.table;
    }
    const grid = new Grid(app, {
      name,
      context,
      digits,
      from: 0,
      rows: Number.POSITIVE_INFINITY,
      caption,
      maskedLabel: t("drawer.masked"),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    });
    this.#kept.set(slot, { key, grid });
    return grid.table;
  }
}
