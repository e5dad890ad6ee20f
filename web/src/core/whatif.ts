/**
 * What would come out if some numbers were others: the formulas of ledger.json, evaluated with given numbers in place of
 * the kernel's. Nothing here reaches the kernel.
 */

import { ContextCells } from "./desk";
import type { Engine } from "./engine";
import { type Cells, type Env, evaluate, type Node } from "./evaluate";
import { type Expression, entryOf } from "./ledger";

/** A number to be used in place of the kernel's, or undefined. */
export type Given = (name: string, index: readonly number[]) => number | undefined;

export class WhatIf implements Cells {
  readonly #engine: Engine;
  readonly #cells: ContextCells;
  readonly #given: Given;
  readonly #anew: ReadonlySet<string>;
  readonly #found = new Map<string, number>();

  /** `anew` names the entries that are worked out again because something below them was given. */
  constructor(engine: Engine, given: Given, anew: Iterable<string> = []) {
    this.#engine = engine;
    this.#cells = new ContextCells(engine, "prompt");
    this.#given = given;
    this.#anew = new Set(anew);
  }

  value(name: string, index: readonly number[]): number {
    const given = this.#given(name, index);
    if (given !== undefined) return Math.fround(given);
    if (!this.#anew.has(name)) return this.#cells.value(name, index);
    const key = `${name}[${index.join()}]`;
    let value = this.#found.get(key);
    if (value === undefined) {
      value = this.node(name, index).value;
      this.#found.set(key, value);
    }
    return value;
  }

  /** A cell with what it is made from. */
  node(name: string, index: readonly number[]): Node {
    const { formula } = entryOf(this.#engine.kernel.ledger, name);
    if (formula === undefined) throw new Error(`${name} has no formula to work out again`);
    const env: Env = Object.fromEntries(
      formula.index.map((variable, axis) => [variable, index[axis] as number]),
    );
    return evaluate(formula.value, env, this);
  }

  extent(symbol: string): number {
    return this.#cells.extent(symbol);
  }

  exp(x: number): number {
    return this.#cells.exp(x);
  }

  ln(x: number): number {
    return this.#cells.ln(x);
  }
}

/** A formula that reads one entry where it read another. */
export function withOther(expression: Expression, from: string, to: string): Expression {
  const swap = (part: unknown): unknown => (Array.isArray(part) ? part.map(swap) : part === from ? to : part);
  return swap(expression) as Expression;
}
