/**
 * Writes a formula, in symbols or with its numbers, in a notation: plain text and LaTeX here, MathML in the elements.
 * The order of operations and where parentheses stand is decided once, for all of them.
 */

import type { Env, Node } from "./evaluate";
import { exact, shown } from "./format";
import type { Expression, Ledger } from "./ledger";

export type Sign = "add" | "sub" | "mul" | "equals";

/** How the parts of a formula are written; `T` is what a piece of writing is. */
export interface Notation<T> {
  cell(name: string, index: readonly string[]): T;
  /** A number that takes the place of a part of the formula. */
  number(value: number, from: Node): T;
  constant(value: number): T;
  group(inner: T): T;
  divide(a: T, b: T): T;
  call(name: "exp" | "ln" | "sqrt" | "max" | "clamp", inner: T): T;
  /** Several things with commas between them. */
  list(parts: readonly T[]): T;
  total(variable: string, inner: T): T;
  positive(test: T, inner: T): T;
  negate(inner: T): T;
  join(a: T, sign: Sign, b: T): T;
}

const OPEN = 0;
const ADD = 1;
const MULTIPLY = 2;
const NEGATE = 3;
const ATOM = 4;

interface Written<T> {
  readonly text: T;
  readonly rank: number;
}

/** Looks up whole numbers that stand in cells, for indices like the token of a row. */
export type Lookup = (name: string, index: readonly number[]) => number;

/** The formula with names; variables that have a value are replaced by it. */
export function symbolic<T>(expression: Expression, env: Env, notation: Notation<T>, look: Lookup | null): T {
  return write(expression, env, notation, look).text;
}

function write<T>(expression: Expression, env: Env, notation: Notation<T>, look: Lookup | null): Written<T> {
  const [kind, ...rest] = expression;
  const index = (parts: readonly unknown[]) => parts.map((at) => indexText(at, env, look));
  switch (kind) {
    case "cell":
      return { text: notation.cell(rest[0] as string, index(rest.slice(1))), rank: ATOM };
    case "head": {
      const [variable, width, names, ...others] = rest as [string, number, string[], ...unknown[]];
      const column = env[variable];
      const head = column === undefined ? 0 : Math.floor(column / width);
      const own = column === undefined ? variable : String(column % width);
      return { text: notation.cell(names[head] as string, [...index(others), own]), rank: ATOM };
    }
    case "number":
      return { text: notation.constant(rest[0] as number), rank: ATOM };
    case "sum": {
      const { text, rank } = write(rest[2] as Expression, env, notation, look);
      return {
        text: notation.total(rest[0] as string, rank > ADD ? text : notation.group(text)),
        rank: OPEN,
      };
    }
    case "max":
      return {
        text: notation.call("max", write(rest[2] as Expression, env, notation, look).text),
        rank: ATOM,
      };
    case "positive": {
      const [test, inner] = rest.map((part) => write(part as Expression, env, notation, look).text) as [T, T];
      return { text: notation.positive(test, inner), rank: OPEN };
    }
    case "cut":
    case "nudged":
      return write(rest[1] as Expression, env, notation, look);
    default: {
      const parts = rest.map((part) => write(part as Expression, env, notation, look));
      return combine(kind, parts, notation);
    }
  }
}

function indexText(at: unknown, env: Env, look: Lookup | null): string {
  if (typeof at === "number") return String(at);
  if (typeof at === "string") return String(env[at] ?? at);
  const [kind, name, ...rest] = at as [string, string, ...unknown[]];
  if (kind === "plus") {
    const known = env[name];
    return known === undefined ? `${name}+${rest[0]}` : String(known + (rest[0] as number));
  }
  const numbers = rest.map((part) => (typeof part === "string" ? env[part] : (part as number)));
  if (look !== null && numbers.every((part) => part !== undefined))
    return String(look(name, numbers as number[]));
  return `${name}[${rest.map((part) => indexText(part, env, look)).join(",")}]`;
}

/** The formula with numbers in place of names; a sum inside it appears as its value. */
export function numeric<T>(node: Node, notation: Notation<T>): T {
  return numbers(node, notation).text;
}

function numbers<T>(node: Node, notation: Notation<T>): Written<T> {
  switch (node.kind) {
    case "number":
      return { text: notation.constant(node.value), rank: ATOM };
    case "cell":
    case "sum":
    case "max":
      return { text: notation.number(node.value, node), rank: node.value < 0 ? NEGATE : ATOM };
    case "positive": {
      const [test, inner] = node.children.map((child) => numbers(child, notation).text) as [T, T];
      return { text: notation.positive(test, inner), rank: OPEN };
    }
    case "cut":
      if (node.value === Number.NEGATIVE_INFINITY)
        return { text: notation.number(node.value, node), rank: ATOM };
      return numbers(node.children[0] as Node, notation);
    default:
      return combine(
        node.kind,
        node.children.map((child) => numbers(child, notation)),
        notation,
      );
  }
}

function combine<T>(kind: string, parts: readonly Written<T>[], notation: Notation<T>): Written<T> {
  if (kind === "clamp") {
    return { text: notation.call("clamp", notation.list(parts.map((part) => part.text))), rank: ATOM };
  }
  const a = parts[0] as Written<T>;
  const inside = ({ text, rank }: Written<T>, least: number) => (rank >= least ? text : notation.group(text));
  if (kind === "exp" || kind === "ln" || kind === "sqrt")
    return { text: notation.call(kind, a.text), rank: ATOM };
  if (kind === "neg") return { text: notation.negate(inside(a, MULTIPLY)), rank: NEGATE };
  const b = parts[1] as Written<T>;
  if (kind === "div") return { text: notation.divide(inside(a, MULTIPLY), inside(b, ATOM)), rank: MULTIPLY };
  const rank = kind === "mul" ? MULTIPLY : ADD;
  const right = b.rank === NEGATE ? notation.group(b.text) : inside(b, kind === "mul" ? ATOM : MULTIPLY);
  return { text: notation.join(inside(a, rank), kind as Sign, right), rank };
}

export const TEXT: Notation<string> = {
  cell: (name, index) => (index.length === 0 ? name : `${name}[${index.join(",")}]`),
  number: (value) => shown(value, 4),
  constant: (value) => exact(Math.fround(value)),
  group: (inner) => `(${inner})`,
  divide: (a, b) => `${a} / ${b}`,
  call: (name, inner) => `${name === "sqrt" ? "√" : name}(${inner})`,
  list: (parts) => parts.join(", "),
  total: (variable, inner) => `Σ_${variable} ${inner}`,
  positive: (test, inner) => `${inner} if ${test} > 0 else 0`,
  negate: (inner) => `−${inner}`,
  join: (a, sign, b) => `${a} ${{ add: "+", sub: "−", mul: "·", equals: "=" }[sign]} ${b}`,
};

/** A printed number in LaTeX. */
export function latexNumber(text: string): string {
  const plain = text.replaceAll("−", "-").replace("∞", "\\infty").replace("NaN", "\\text{NaN}");
  const match = /^(-?[\d.]+)e(-?\d+)$/.exec(plain);
  return match === null ? plain : `${match[1]} \\cdot 10^{${match[2]}}`;
}

/** LaTeX, with the symbols that the ledger gives its entries. */
export function latexNotation(ledger: Ledger): Notation<string> {
  return {
    cell: (name, index) => {
      const symbol = ledger.entries[name]?.latex ?? `\\text{${name}}`;
      return index.length === 0 ? symbol : `{${symbol}}_{${index.join(",")}}`;
    },
    number: (value) => latexNumber(shown(value, 4)),
    constant: (value) => latexNumber(exact(Math.fround(value))),
    group: (inner) => `\\left(${inner}\\right)`,
    divide: (a, b) => `\\frac{${a}}{${b}}`,
    call: (name, inner) =>
      name === "sqrt" ? `\\sqrt{${inner}}` : `\\operatorname{${name}}\\left(${inner}\\right)`,
    list: (parts) => parts.join(", "),
    total: (variable, inner) => `\\sum_{${variable}} ${inner}`,
    positive: (test, inner) =>
      `\\begin{cases} ${inner} & ${test} > 0 \\\\ 0 & \\text{otherwise} \\end{cases}`,
    negate: (inner) => `-${inner}`,
    join: (a, sign, b) => `${a} ${{ add: "+", sub: "-", mul: "\\cdot", equals: "=" }[sign]} ${b}`,
  };
}
