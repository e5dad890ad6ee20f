/**
 * Puts numbers into the formulas of ledger.json: every operation is rounded to float32 in the written order, so that
 * the result is the kernel's, bit for bit. This is the only thing on the page that computes, and it knows kinds of
 * operations, not the model.
 */

import type { CellRef } from "./cells";
import type { Expression } from "./ledger";

/** What an evaluation reads from. */
export interface Cells {
  /** The number in a cell, float32 or a whole number. */
  value(name: string, index: readonly number[]): number;
  /** Length of an axis: `n`, `source`, `d_model`, … */
  extent(symbol: string): number;
  /** The kernel's own exp and ln. */
  exp(x: number): number;
  ln(x: number): number;
}

export type Env = Readonly<Record<string, number>>;

/** An expression with its numbers: the operation, its value, and what it was made from. */
export interface Node {
  readonly kind: string;
  readonly value: number;
  readonly children: readonly Node[];
  /** For a cell: which. */
  readonly cell?: CellRef;
  /** For a row chosen by a token or position: the cell that chose it. */
  readonly via?: CellRef;
  /** For a sum or a largest: its variable, and the variable's value for each child. */
  readonly variable?: string;
  readonly at?: readonly number[];
  /** What the variable runs over: an axis, or `sources`, `readers`, `rows`, `counted`. */
  readonly over?: string;
}

const UNARY: Readonly<Record<string, (a: number, cells: Cells) => number>> = {
  neg: (a) => -a,
  sqrt: (a) => Math.fround(Math.sqrt(a)),
  exp: (a, cells) => cells.exp(a),
  ln: (a, cells) => cells.ln(a),
};

// In double precision and then rounded to float32: for these four the same as rounding once.
const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => Math.fround(a + b),
  sub: (a, b) => Math.fround(a - b),
  mul: (a, b) => Math.fround(a * b),
  div: (a, b) => Math.fround(a / b),
};

export function evaluate(expression: Expression, env: Env, cells: Cells): Node {
  const [kind, ...rest] = expression;
  const unary = UNARY[kind];
  if (unary !== undefined) {
    const child = evaluate(rest[0] as Expression, env, cells);
    return { kind, value: unary(child.value, cells), children: [child] };
  }
  const binary = BINARY[kind];
  if (binary !== undefined) {
    const a = evaluate(rest[0] as Expression, env, cells);
    const b = evaluate(rest[1] as Expression, env, cells);
    return { kind, value: binary(a.value, b.value), children: [a, b] };
  }
  switch (kind) {
    case "cell":
      return cellNode(rest[0] as string, rest.slice(1), env, cells);
    case "number":
      return { kind, value: Math.fround(rest[0] as number), children: [] };
    case "sum":
    case "max":
      return many(kind, rest, env, cells);
    case "head": {
      const [variable, width, names, ...index] = rest as [string, number, string[], ...unknown[]];
      const column = env[variable] ?? 0;
      const name = names[Math.floor(column / width)] as string;
      return cellNode(name, [...index, column % width], env, cells);
    }
    case "clamp":
      return clamp(rest as readonly Expression[], env, cells);
    case "positive":
    case "cut":
    case "nudged":
      return choice(kind, rest, env, cells);
    default:
      throw new Error(`ledger.json has an expression of a kind this page does not know: ${kind}`);
  }
}

function cellNode(name: string, indices: readonly unknown[], env: Env, cells: Cells): Node {
  const index = indices.map((at) => indexOf(at, env, cells));
  const node = { kind: "cell", value: cells.value(name, index), children: [], cell: { name, index } };
  const chosen = indices.find(
    (at) => Array.isArray(at) && at[0] === "value" && (at[1] === "token" || at[1] === "position"),
  );
  if (chosen === undefined) return node;
  const [, by, ...where] = chosen as [string, string, ...unknown[]];
  return { ...node, via: { name: by, index: where.map((at) => indexOf(at, env, cells)) } };
}

function many(kind: string, rest: readonly unknown[], env: Env, cells: Cells): Node {
  const [variable, over, term] = rest as [string, Expression, Expression];
  const at = range(over, env, cells);
  const children = at.map((value) => evaluate(term, { ...env, [variable]: value }, cells));
  let value = kind === "sum" ? 0 : (children[0]?.value ?? Number.NaN);
  for (const child of children) {
    if (kind === "sum") value = Math.fround(value + child.value);
    else if (child.value > value) value = child.value;
  }
  return { kind, value, children, variable, at, over: over[0] === "axis" ? (over[1] as string) : over[0] };
}

function clamp(parts: readonly Expression[], env: Env, cells: Cells): Node {
  const children = parts.map((part) => evaluate(part, env, cells));
  const [a, low, high] = children.map((child) => child.value) as [number, number, number];
  let value = a;
  if (value < low) value = low;
  if (value > high) value = high;
  return { kind: "clamp", value, children };
}

function choice(kind: string, rest: readonly unknown[], env: Env, cells: Cells): Node {
  const test = evaluate(rest[0] as Expression, env, cells);
  if (kind === "cut" && test.value !== 0) return { kind, value: Number.NEGATIVE_INFINITY, children: [test] };
  const chosen = evaluate(rest[1] as Expression, env, cells);
  if (kind === "cut") return { kind, value: chosen.value, children: [chosen] };
  // A nudge of 0 is not worth a reader's time.
  if (kind === "nudged" && test.value === 0) return chosen;
  if (kind === "nudged")
    return { kind: "add", value: Math.fround(chosen.value + test.value), children: [chosen, test] };
  return { kind, value: test.value <= 0 ? 0 : chosen.value, children: [test, chosen] };
}

/** The whole number an index stands for. */
export function indexOf(at: unknown, env: Env, cells: Cells): number {
  if (typeof at === "number") return at;
  if (typeof at === "string") return env[at] as number;
  const [kind, name, ...rest] = at as [string, string, ...unknown[]];
  if (kind === "plus") return (env[name] as number) + (rest[0] as number);
  return cells.value(
    name,
    rest.map((part) => indexOf(part, env, cells)),
  );
}

const count = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** The values a variable runs through, in order. */
export function range(over: Expression, env: Env, cells: Cells): number[] {
  const [kind, first, second] = over;
  if (kind === "axis") return count(cells.extent(first as string));
  const row = indexOf(kind === "rows" ? second : first, env, cells);
  switch (kind) {
    case "sources":
      return count(cells.value("position", [row]) + 1);
    case "readers": {
      const place = cells.value("position", [row]);
      return count(cells.extent("n")).filter(
        (i) => cells.value("position", [i]) >= place && cells.value("ancestors", [i, place]) === row,
      );
    }
    case "rows":
      return count(cells.extent("n")).filter((i) => cells.value(first as string, [i]) === row);
    case "counted":
      return count(cells.extent("vocabulary")).filter((c) => cells.value("counts", [row, c]) > 0);
    default:
      throw new Error(`ledger.json has a range of a kind this page does not know: ${kind}`);
  }
}

/** The cells an evaluated expression reads, in order, each once. */
export function references(node: Node): CellRef[] {
  const found = new Map<string, CellRef>();
  const walk = (at: Node) => {
    for (const cell of [at.cell, at.via])
      if (cell !== undefined) found.set(`${cell.name}[${cell.index.join()}]`, cell);
    for (const child of at.children) walk(child);
  };
  walk(node);
  return [...found.values()];
}
