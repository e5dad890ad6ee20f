/** How far two texts, or two steps, are from each other: numbers of the same name, compared one by one. */

import type { Engine } from "./engine";

export interface Comparison {
  /** How many numbers were compared. */
  readonly numbers: number;
  /** How many of them are not the same. */
  readonly different: number;
  /** The largest difference there is. */
  readonly largest: number;
}

const GROUPS = new Set(["forward", "head"]);

/** Compares the first rows of every matrix that has a row for each token, as far as it is made without the target. */
export function compareRows(left: Engine, right: Engine, rows: number): Comparison {
  let numbers = 0;
  let different = 0;
  let largest = 0;
  for (const [name, entry] of Object.entries(left.kernel.ledger.entries)) {
    const isTable = entry.axes.length === 2 && entry.axes[0] === "n" && entry.dtype === "float32";
    if (!isTable || !GROUPS.has(entry.group) || entry.places.prompt === undefined) continue;
    const [a, b] = [left.read(name), right.read(name)];
    const columns = entry.axes[1] === "source" ? rows : (a.shape[1] ?? 0);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const [x, y] = [a.at(row, column), b.at(row, column)];
        numbers += 1;
        if (Object.is(x, y)) continue;
        different += 1;
        largest = Math.max(largest, Math.abs(x - y));
      }
    }
  }
  return { numbers, different, largest };
}

/** The differences right − left of one row each, and how many of them are not exactly 0. */
export function compareRow(left: readonly number[], right: readonly number[]) {
  const differences = left.map((x, i) => Math.fround((right[i] ?? Number.NaN) - x));
  return {
    differences,
    different: differences.filter((difference) => difference !== 0).length,
    largest: Math.max(...differences.map(Math.abs)),
  };
}

/** One row of a matrix of an engine. */
export function rowOf(engine: Engine, name: string, row: number): number[] {
  const view = engine.read(name);
  return Array.from({ length: view.shape[1] ?? 0 }, (_, column) => view.at(row, column));
}
