/** Who reads a cell: the formulas of the ledger, asked the other way round. */

import type { CellRef, PlacedCell } from "./cells";
import { ContextCells, workingContext } from "./desk";
import type { Engine } from "./engine";
import { type Cells, type Env, indexOf, range } from "./evaluate";
import {
  contextOf,
  type Entry,
  type Expression,
  type Formula,
  isScalar,
  type Ledger,
  placeOf,
} from "./ledger";

/** A place in a formula where an entry is read, with the sums around it. */
interface Use {
  readonly reader: string;
  readonly formula: Formula;
  readonly indices: readonly unknown[];
  readonly sums: readonly { readonly variable: string; readonly over: Expression }[];
  /** For a whole made of its heads: the variable of its columns, and the first of this head's. */
  readonly head: { readonly variable: string; readonly first: number } | null;
}

const indexes = new WeakMap<Ledger, ReadonlyMap<string, readonly Use[]>>();

/** All uses of all entries; made once. */
function usesOf(ledger: Ledger): ReadonlyMap<string, readonly Use[]> {
  const known = indexes.get(ledger);
  if (known !== undefined) return known;
  const found = new Map<string, Use[]>();
  const note = (name: string, use: Use) => {
    const uses = found.get(name);
    if (uses === undefined) found.set(name, [use]);
    else uses.push(use);
  };
  for (const [reader, { formula }] of Object.entries(ledger.entries)) {
    if (formula === undefined) continue;
    const walk = (node: unknown, sums: Use["sums"]): void => {
      if (!Array.isArray(node)) return;
      const [kind, ...rest] = node as [string, ...unknown[]];
      if (kind === "cell") {
        note(rest[0] as string, { reader, formula, indices: rest.slice(1), sums, head: null });
      } else if (kind === "head") {
        const [variable, width, names, ...index] = rest as [string, number, string[], ...unknown[]];
        names.forEach((name, at) => {
          note(name, { reader, formula, indices: index, sums, head: { variable, first: at * width } });
        });
      } else if (kind === "sum" || kind === "max") {
        walk(rest[2], [...sums, { variable: rest[0] as string, over: rest[1] as Expression }]);
      } else {
        for (const part of rest) walk(part, sums);
      }
    };
    walk(formula.value, []);
  }
  indexes.set(ledger, found);
  return found;
}

/** The entries that read an entry, in the order of the ledger. */
export function readingEntries(ledger: Ledger, name: string): string[] {
  return [...new Set((usesOf(ledger).get(name) ?? []).map((use) => use.reader))];
}

/** The cells of other entries that are the same place in memory: a head's columns are part of the whole. */
export function alsoCalled(engine: Engine, cell: PlacedCell): PlacedCell[] {
  const { ledger } = engine.kernel;
  const word = engine.kernel.view(cell.name, cell.context).word(...cell.index);
  const found: PlacedCell[] = [];
  for (const [name, entry] of Object.entries(ledger.entries)) {
    if (name === cell.name || entry.meaning === undefined || entry.places[cell.context] === undefined)
      continue;
    const place = placeOf(ledger, name, cell.context);
    let rest = word * 4 - place.address;
    const index = place.strides.map((stride) => {
      const at = Math.floor(rest / stride);
      rest -= at * stride;
      return at;
    });
    const inside = rest === 0 && index.every((at, axis) => at >= 0 && at < (place.shape[axis] as number));
    if (inside) found.push({ name, index: isScalar(entry) ? [] : index, context: cell.context });
  }
  return found;
}

/** The cells that read a cell under any of its names, at most so many, and whether there are more. */
export function readersOf(
  engine: Engine,
  cell: PlacedCell,
  most: number,
): { cells: PlacedCell[]; more: boolean } {
  const { ledger } = engine.kernel;
  const found = new Map<string, PlacedCell>();
  const names = [cell, ...alsoCalled(engine, cell)];
  for (const [at, use] of names.flatMap((at) =>
    (usesOf(ledger).get(at.name) ?? []).map((use) => [at, use] as const),
  )) {
    const entry = ledger.entries[use.reader];
    if (entry === undefined) continue;
    // A parameter is read by prompt and batch alike: shown are the readers of the prompt, and of training where only it reads.
    const from =
      cell.context === "model" && entry.places.prompt !== undefined ? "prompt" : workingContext(cell);
    const context = contextOf(entry, from);
    const cells = new ContextCells(engine, context === "model" ? "batch" : context);
    for (const index of matches(use, at, cells, entry)) {
      const reader = { name: use.reader, index, context };
      found.set(`${reader.name}[${index.join()}]`, reader);
      if (found.size > most) return { cells: [...found.values()].slice(0, most), more: true };
    }
  }
  return { cells: [...found.values()], more: false };
}

/** The indices of the reader's cells that read the given cell in this use. */
function* matches(use: Use, cell: CellRef, cells: Cells, entry: Entry): Generator<number[]> {
  const { formula, head } = use;
  // What the indices say outright about the variables.
  const known: Record<string, number> = {};
  const pairs = use.indices.map((at, axis) => [at, cell.index[axis] as number] as const);
  for (const [at, value] of pairs) if (typeof at === "string") known[at] = value;
  for (const [at, value] of pairs) {
    if (Array.isArray(at) && at[0] === "plus") known[at[1] as string] = value - (at[2] as number);
  }
  if (head !== null) known[head.variable] = head.first + (cell.index.at(-1) as number);

  function* walk(axis: number, env: Env): Generator<number[]> {
    const variable = formula.index[axis];
    if (variable === undefined) {
      const [, row, source] = formula.mask ?? [];
      const future =
        row !== undefined &&
        source !== undefined &&
        (env[source] ?? 0) > cells.value("position", [env[row] ?? 0]);
      if (future) return;
      if (summed(0, env)) yield isScalar(entry) ? [] : formula.index.map((name) => env[name] as number);
      return;
    }
    const extent = cells.extent(entry.axes[axis] as string);
    const fixed = known[variable];
    if (fixed === undefined) {
      for (let at = 0; at < extent; at += 1) yield* walk(axis + 1, { ...env, [variable]: at });
    } else if (fixed >= 0 && fixed < extent) {
      yield* walk(axis + 1, { ...env, [variable]: fixed });
    }
  }

  /** Whether some value of the sums' variables leads to the cell. */
  function summed(depth: number, env: Env): boolean {
    const sum = use.sums[depth];
    if (sum === undefined) {
      return pairs.every(([at, value]) => indexOf(at, env, cells) === value);
    }
    const values = range(sum.over, env, cells);
    const fixed = known[sum.variable];
    if (fixed !== undefined && !(sum.variable in env)) {
      return values.includes(fixed) && summed(depth + 1, { ...env, [sum.variable]: fixed });
    }
    return values.some((value) => summed(depth + 1, { ...env, [sum.variable]: value }));
  }

  yield* walk(0, {});
}
