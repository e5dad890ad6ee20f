/** Answers questions about single cells: what they hold, how they were made, who reads them. */

import type { CellRef, PlacedCell } from "./cells";
import type { Engine } from "./engine";
import { type Cells, type Env, evaluate, type Node } from "./evaluate";
import { type Context, contextOf, type Entry, entryOf, isScalar } from "./ledger";
import type { View } from "./view";

/** Why a cell has no formula with numbers: it ends the search. */
export type End = "parameter" | "given" | "stored" | "measured" | "masked";

export interface Derivation {
  readonly cell: PlacedCell;
  readonly entry: Entry;
  readonly value: number;
  readonly end: End | null;
  /** The formula with its numbers; null for cells that end the search. */
  readonly work: Node | null;
}

/** The cells of one context, as formulas see them. */
export class ContextCells implements Cells {
  readonly context: Context;
  readonly #engine: Engine;
  readonly #views = new Map<string, View>();

  constructor(engine: Engine, context: Context) {
    this.#engine = engine;
    this.context = context;
  }

  value(name: string, index: readonly number[]): number {
    let view = this.#views.get(name);
    if (view === undefined) {
      view = this.#engine.read(name, contextOf(entryOf(this.#engine.kernel.ledger, name), this.context));
      this.#views.set(name, view);
    }
    return view.at(...index);
  }

  extent(symbol: string): number {
    const { sizes } = this.#engine.kernel.ledger;
    if (symbol !== "n" && symbol !== "source") return sizes[symbol] ?? 0;
    if (this.context === "prompt") return this.#engine.rows("prompt") ?? 0;
    const [rows = 0, sources = 0] = this.#engine.kernel.view("ancestors", "batch").shape;
    return symbol === "n" ? rows : sources;
  }

  exp(x: number): number {
    return this.#engine.kernel.run.exp(x);
  }

  ln(x: number): number {
    return this.#engine.kernel.run.ln(x);
  }
}

/** The context whose rows a cell's formula speaks of. */
export function workingContext(cell: PlacedCell): Context {
  return cell.context === "model" ? "batch" : cell.context;
}

export class Desk {
  readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  entry(name: string): Entry | null {
    return this.engine.kernel.ledger.entries[name] ?? null;
  }

  /** The cell as it can be looked up: its own context, and indices that exist. Null where there is no such cell. */
  find(cell: PlacedCell): PlacedCell | null {
    const entry = this.entry(cell.name);
    if (entry?.meaning === undefined) return null;
    const context = contextOf(entry, cell.context);
    const shape = isScalar(entry) ? [] : this.engine.shapeOf(cell.name, context);
    const fits =
      cell.index.length === shape.length && cell.index.every((at, axis) => at < (shape[axis] as number));
    return fits ? { ...cell, context } : null;
  }

  /** A cell read from another one, with the context it stands in. */
  place(cell: CellRef, from: Context): PlacedCell {
    return { ...cell, context: contextOf(entryOf(this.engine.kernel.ledger, cell.name), from) };
  }

  value(cell: PlacedCell): number {
    return this.engine.read(cell.name, cell.context).at(...cell.index);
  }

  masked(cell: PlacedCell): boolean {
    const entry = this.entry(cell.name);
    if (entry?.formula?.mask === undefined) return false;
    const [row = 0, source = 0] = cell.index;
    return source > this.engine.read("position", cell.context).at(row);
  }

  derive(cell: PlacedCell): Derivation {
    const entry = entryOf(this.engine.kernel.ledger, cell.name);
    const { formula, group } = entry;
    if (formula === undefined) {
      const ends: Readonly<Record<string, End>> = {
        parameter: "parameter",
        head: "parameter",
        optimizer: "stored",
        measure: "measured",
      };
      return { cell, entry, value: this.value(cell), end: ends[group] ?? "given", work: null };
    }
    if (this.masked(cell)) return { cell, entry, value: this.value(cell), end: "masked", work: null };
    const env: Env = Object.fromEntries(
      formula.index.map((variable, axis) => [variable, cell.index[axis] as number]),
    );
    // The value is read last: reading its terms may have brought other matrices up to date.
    const work = evaluate(formula.value, env, new ContextCells(this.engine, workingContext(cell)));
    return { cell, entry, value: this.value(cell), end: null, work };
  }
}
