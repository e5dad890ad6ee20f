/** Tables of a figure whose cells it marks or listens to, kept from one drawing to the next while their labels are the same. */

import type { App } from "../../core/app";
import type { Engine } from "../../core/engine";
import { type Context, contextOf, entryOf } from "../../core/ledger";
import { t } from "../../i18n";
import { type Elsewhere, Grid } from "./grid";
import "./matrix.css";

export interface TableOptions {
  /** Another text than the page's: an engine from the bench. */
  readonly engine?: Engine;
  /** Another text or step than the page's, said in full. */
  readonly elsewhere?: Elsewhere;
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
    const context = contextOf(entryOf(app.ledger, name), options.context ?? "prompt");
    const elsewhere = options.elsewhere ?? elsewhereOf(app, options.engine, context);
    const engine = elsewhere?.engine ?? app.engine;
    const prompt = context === "prompt" ? (elsewhere?.prompt ?? app.state.signals.prompt.value) : [];
    const digits = options.digits ?? app.digits.value;
    const { row, transposed = false, caption = name } = options;
    const key = [name, context, prompt.join(), elsewhere?.step, digits, row, transposed, caption].join("|");
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
      ...(elsewhere === undefined ? {} : { elsewhere }),
    });
    this.#kept.set(place, { key, grid });
    options.made?.(grid);
    return grid;
  }
}

/** An engine of the bench, with its text where the cells depend on one. */
function elsewhereOf(app: App, engine: Engine | undefined, context: Context): Elsewhere | undefined {
  if (engine === undefined || engine === app.engine) return undefined;
  const prompt = engine.scene?.prompt;
  return context === "prompt" && prompt !== undefined ? { engine, prompt } : { engine };
}
