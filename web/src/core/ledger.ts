/** The shape of ledger.json, and the few questions the page asks of it. */

/** Where a matrix stands: `model` for parameters and optimizer, `batch` for the prefix tree, `prompt` for one text. */
export type Context = "model" | "batch" | "prompt";

export interface Place {
  /** Byte address in the kernel's memory. */
  readonly address: number;
  readonly shape: readonly number[];
  /** Bytes from one cell to the next along each axis. */
  readonly strides: readonly number[];
}

export interface Entry {
  readonly axes: readonly string[];
  readonly dtype: "float32" | "uint32";
  readonly group: string;
  readonly places: Readonly<Partial<Record<Context, Place>>>;
  /** Absent from blocks: all parameters, gradients or averages as one row of cells. */
  readonly meaning?: Readonly<Record<"en" | "zh", string>>;
  readonly latex?: string;
  readonly layer?: number;
  readonly head?: number;
  readonly aliases?: Readonly<Record<string, string>>;
  /** `loss`: exists once a target is given; `update`: exists for the training batch only. */
  readonly needs?: "loss" | "update";
  readonly formula?: Formula;
}

/** An expression of docs/ledger-format.md: a nested list whose first item says its kind. */
export type Expression = readonly [string, ...unknown[]];

export interface Formula {
  /** The variables that stand for the indices of a cell. */
  readonly index: readonly string[];
  readonly value: Expression;
  /** Set where cells in the future are masked. */
  readonly mask?: readonly [string, ...string[]];
}

export interface Ledger {
  readonly version: number;
  readonly sizes: Readonly<Record<string, number>>;
  readonly recipe: Readonly<Record<string, number>>;
  readonly tokens: readonly string[];
  /** Bytes of the kernel's memory that the entries cover. */
  readonly bytes: number;
  /** Names of the parameters in the order of their memory. */
  readonly parameters: readonly string[];
  readonly entries: Readonly<Record<string, Entry>>;
}

/** The ledger with some of its entries only: all that a worker needs of it. */
export function only(ledger: Ledger, names: readonly string[]): Ledger {
  return { ...ledger, entries: Object.fromEntries(names.map((name) => [name, entryOf(ledger, name)])) };
}

/** The entry of that name; a name that is not there is a mistake in the page, so it stops loudly. */
export function entryOf(ledger: Ledger, name: string): Entry {
  const entry = ledger.entries[name];
  if (entry === undefined) throw new Error(`ledger.json has no entry ${name}`);
  return entry;
}

/** Whether an entry is a single cell, written without an index. */
export function isScalar(entry: Entry): boolean {
  return entry.axes.length === 1 && entry.axes[0] === "one";
}

/** Where an entry stands when it is read from a context: parameters are shared, and what only training has is the batch's. */
export function contextOf(entry: Entry, context: Context): Context {
  if (entry.places[context] !== undefined) return context;
  return entry.places.model !== undefined ? "model" : "batch";
}

/** The place of an entry in a context; parameters stand in `model` whichever context is asked for. */
export function placeOf(ledger: Ledger, name: string, context: Context): Place {
  const { places } = entryOf(ledger, name);
  const place = places[context] ?? places.model;
  if (place === undefined) throw new Error(`${name} has no place in ${context}`);
  return place;
}
