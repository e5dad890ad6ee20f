/** Tables of a figure whose cells it marks or listens to, kept from one drawing to the next while their labels are the same. */

import type { App } from "../../core/app";
import type { Engine } from "../../core/engine";
import { type Context, contextOf, entryOf } from "../../core/ledger";
import { t } from "../../i18n";
import { Grid } from "./grid";
import "./matrix.css";

export interface TableOptions {
  /** Another text than the page's: an engine from the bench. */
  readonly engine?: Engine;
  readonly context?: Context;
  readonly caption?: string;
  readonly digits?: number;
  readonly transposed?: boolean;
  /** One row alone. */
  readonly row?: number;
  /** Sees the table once, when it is made: for listeners. */
  readonly made?: (grid: Grid) => void;
}

export class Tables {
  readonly #kept = new Map<string, { readonly key: string; readonly grid: Grid }>();

  /** The table of an entry in one place of the figure, up to date. */
  table(app: App, place: string, name: string, options: TableOptions = {}): Grid {
    const engine = options.engine ?? app.engine;
    const context = contextOf(entryOf(app.ledger, name), options.context ?? "prompt");
    const prompt = context === "prompt" ? (engine.scene?.prompt ?? []) : [];
    const digits = options.digits ?? app.digits.value;
    const { row, transposed = false, caption = name } = options;
    const key = [name, context, prompt.join(), digits, row ?? "", transposed, caption].join("|");
    const kept = this.#kept.get(place);
    if (kept?.key === key && kept.grid.engine === engine) {
      kept.grid.update();
      return kept.grid;
    }
    const grid = new Grid(app, {
      name,
      context,
      digits,
      transposed,
      from: row ?? 0,
      rows: row === undefined ? Number.POSITIVE_INFINITY : 1,
      caption,
      maskedLabel: t("drawer.masked"),
      ...(engine === app.engine
        ? {}
        : { elsewhere: { engine, ...(context === "prompt" ? { prompt } : {}) } }),
    });
    this.#kept.set(place, { key, grid });
    options.made?.(grid);
    return grid;
  }
}
