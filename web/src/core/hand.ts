/** A row of reading proportions made by hand, in hundredths, so that what is printed adds up exactly. */

import { signal } from "@preact/signals-core";

export const WHOLE = 100;
/** Mostly the third of four sources. */
const FIRST: readonly number[] = [10, 10, 70, 10];

/** The row the reader has made: one for all figures that use it. */
export const handRow = signal<readonly number[]>(FIRST);

/** The row with one share changed; the others give or take in proportion to what they have, so that the sum stays whole. */
export function withShare(row: readonly number[], at: number, share: number): number[] {
  const wanted = Math.max(0, Math.min(WHOLE, Math.round(share)));
  const rest = WHOLE - wanted;
  const others = row.reduce((sum, part, i) => (i === at ? sum : sum + part), 0);
  const even = 1 / (row.length - 1);
  const exact = row.map((part, i) => (i === at ? wanted : rest * (others === 0 ? even : part / others)));
  const whole = exact.map(Math.floor);
  // What rounding down left over goes to those it took most from.
  const byLoss = exact
    .map((part, i) => ({ i, loss: part - Math.floor(part) }))
    .filter(({ i }) => i !== at)
    .sort((a, b) => b.loss - a.loss);
  let left = WHOLE - whole.reduce((sum, part) => sum + part, 0);
  for (const { i } of byLoss) {
    if (left === 0) break;
    whole[i] = (whole[i] as number) + 1;
    left -= 1;
  }
  return whole;
}
