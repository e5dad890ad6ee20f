/** Which source takes the largest share of the last row, and whether that follows a token that changes its place. */

import type { App } from "./app";
import type { Engine } from "./engine";
import { problemRows } from "./problem-rows";

/** In `x×z=` the token z stands in column 2, in `z×x=` in column 0. */
const FIRST = 0;
const SECOND = 2;

/**
 * `follows`: the largest share is on z in both texts. `other`: on x in both. `column`: on the same column in both, whatever
 * stands there. `neither`: it moves, but not with z and not with x.
 */
export type Following = "follows" | "other" | "column" | "neither";

/** The column with the largest share in the last row; of equal ones the first. */
export function largestColumn(engine: Engine, layer: number, head: number): number {
  const shares = engine.read(`layer${layer}.head${head}.A`);
  const row = (engine.rows("prompt") ?? 1) - 1;
  let best = 0;
  for (let column = 1; column <= row; column += 1) {
    if (shares.at(row, column) > shares.at(row, best)) best = column;
  }
  return best;
}

/** What a head does with z, given the columns it reads most in `x×z=` and in `z×x=`. */
export function following(inSecond: number, inFirst: number): Following {
  if (inSecond === SECOND && inFirst === FIRST) return "follows";
  if (inSecond === FIRST && inFirst === SECOND) return "other";
  return inSecond === inFirst ? "column" : "neither";
}

/** For each digit: with how many of its nine partners the largest share of the row "=" follows it. Read off the batch. */
export function partnersFollowed(app: App, layer: number, head: number): number[] {
  const { tokens, tree } = app;
  const shares = app.engine.read(`layer${layer}.head${head}.A`, "batch");
  const most = new Map<string, number>();
  for (const rows of problemRows(tree, tokens)) {
    const node = rows.at(-1) as number;
    let best = 0;
    for (let column = 1; column < rows.length; column += 1) {
      if (shares.at(node, column) > shares.at(node, best)) best = column;
    }
    most.set((tree.prefixes[node] ?? []).join(), best);
  }
  const digits = tokens.offered.filter((id) => /^\d$/.test(tokens.names[id] ?? ""));
  const column = (a: number, b: number) => most.get([a, tokens.times, b, tokens.equals].join()) ?? -1;
  return digits.map(
    (z) => digits.filter((x) => x !== z && following(column(x, z), column(z, x)) === "follows").length,
  );
}
