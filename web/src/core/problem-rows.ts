/** The rows of the training tree that belong to the text `a×b=` of each problem. */

import type { Tokens } from "./tokens";
import type { Tree } from "./tree";
import type { View } from "./view";

/** For each problem the nodes of `a`, `a×`, `a×b`, `a×b=`, in this order. */
export function problemRows(tree: Tree, tokens: Tokens): number[][] {
  const nodes = new Map(tree.prefixes.map((prefix, node) => [prefix.join(), node]));
  return tree.prefixes
    .filter((prefix) => prefix.at(-1) === tokens.equals)
    .map((prefix) => prefix.map((_, place) => nodes.get(prefix.slice(0, place + 1).join()) as number));
}

/** How many different rows of a matrix stand among these, bit for bit. */
export function distinctRows(view: View, rows: readonly number[]): number {
  const [, columns = 0] = view.shape;
  const found = new Set<string>();
  for (const row of rows)
    found.add(Array.from({ length: columns }, (_, column) => view.at(row, column)).join());
  return found.size;
}
