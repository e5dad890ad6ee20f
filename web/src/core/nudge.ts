/**
 * Measures the slope of the loss in one score: the score is nudged, the kernel runs, the loss is read. Nothing here
 * knows how the loss is made.
 */

import type { Engine } from "./engine";

/** One score: `layer1.head2`, receiver, source. */
export interface Score {
  readonly head: string;
  readonly row: number;
  readonly source: number;
}

/** The nudge that is shown. */
export const NUDGE = 0.01;
/** The formula and the measurement agree within this share. */
export const AGREE = 0.01;
/** Pairs of nudges of the finer measurement, and how far it reaches: as far as no hidden unit switches. */
const PAIRS = 64;
const REACHES = [0.1, 0.05, 0.02, NUDGE] as const;

export interface Pair {
  readonly minus: number;
  readonly plus: number;
  readonly slope: number;
}

export interface Fan {
  readonly slope: number;
  readonly pairs: number;
  readonly reach: number;
}

/**
 * `agree`: the pair at ±0.01 does. `fan`: rounding blurs the pair, many nudges together agree. `flat`: both are
 * exactly 0. `bend`: a hidden unit switches on or off within ±0.01, so there is no one slope. `blur`: the slope is too
 * small for float32 to show.
 */
export type Outcome = "agree" | "fan" | "flat" | "bend" | "blur";

export interface Measured {
  readonly formula: number;
  readonly pair: Pair;
  /** Many pairs fitted; null where the one pair is enough. */
  readonly fan: Fan | null;
  /** How much the rounding of float32 alone blurs the slope of the pair; NaN where it was not asked for. */
  readonly blur: number;
  /** Hidden units that switch between −0.01 and +0.01. */
  readonly switched: number;
  /** The measured slope that counts, beside the formula: |measured / formula − 1|. */
  readonly relative: number;
  readonly outcome: Outcome;
}

/** Runs the text with one score nudged, hands over to `look`, and puts everything back. */
export function withNudge<T>(engine: Engine, score: Score, by: number, look: () => T): T {
  engine.read("Loss");
  const { kernel } = engine;
  const nudge = kernel.view(`${score.head}.nudge`, "prompt");
  const rows = engine.rows("prompt") ?? 0;
  nudge.set(by, score.row, score.source);
  kernel.run.prompt_forward(rows);
  try {
    return look();
  } finally {
    nudge.set(0, score.row, score.source);
    kernel.run.prompt_forward(rows);
  }
}

export function lossAt(engine: Engine, score: Score, by: number): number {
  return withNudge(engine, score, by, () => engine.kernel.view("Loss", "prompt").at());
}

/** Which hidden units are on, in every layer and row. */
function unitsOn(engine: Engine, score: Score, by: number): boolean[] {
  return withNudge(engine, score, by, () => {
    const { kernel } = engine;
    const on: boolean[] = [];
    for (let layer = 1; layer <= (kernel.ledger.sizes.layers ?? 0); layer += 1) {
      const u = kernel.view(`layer${layer}.U`, "prompt");
      for (let row = 0; row < (engine.rows("prompt") ?? 0); row += 1) {
        for (let unit = 0; unit < (u.shape[1] ?? 0); unit += 1) on.push(u.at(row, unit) > 0);
      }
    }
    return on;
  });
}

function switchedWithin(engine: Engine, score: Score, reach: number): number {
  const below = unitsOn(engine, score, -reach);
  return unitsOn(engine, score, reach).filter((on, unit) => on !== below[unit]).length;
}

function pairAt(engine: Engine, score: Score, by: number): Pair {
  const [minus, plus] = [lossAt(engine, score, -by), lossAt(engine, score, by)];
  return { minus, plus, slope: (plus - minus) / (2 * Math.fround(by)) };
}

/** Fits slope · h + bend · h³ to half the difference of many pairs; `scatter` is what is left, the noise of one pair. */
function fanOf(engine: Engine, score: Score, reach: number): Fan & { scatter: number } {
  const points = Array.from({ length: PAIRS }, (_, i) => {
    const h = Math.fround((reach * (i + 1)) / PAIRS);
    const { minus, plus } = pairAt(engine, score, h);
    return { h, y: (plus - minus) / 2 };
  });
  const sum = (term: (at: { h: number; y: number }) => number) =>
    points.reduce((total, at) => total + term(at), 0);
  const [h2, h4, h6] = [sum(({ h }) => h ** 2), sum(({ h }) => h ** 4), sum(({ h }) => h ** 6)];
  const [hy, h3y] = [sum(({ h, y }) => h * y), sum(({ h, y }) => h ** 3 * y)];
  const determinant = h2 * h6 - h4 * h4;
  const slope = (hy * h6 - h3y * h4) / determinant;
  const bend = (h3y * h2 - hy * h4) / determinant;
  const left = sum(({ h, y }) => (y - slope * h - bend * h ** 3) ** 2);
  return { slope, pairs: PAIRS, reach, scatter: Math.sqrt(left / (PAIRS - 2)) };
}

/** How far a measured slope is from the formula's, as a share of it. */
export function relativeDifference(measured: number, formula: number): number {
  return measured === formula ? 0 : Math.abs(measured - formula) / Math.abs(formula);
}

/** The slope by the formula, `grad.….S`, and by nudging. */
export function measure(engine: Engine, score: Score): Measured {
  const formula = engine.read(`grad.${score.head}.S`).at(score.row, score.source);
  const pair = pairAt(engine, score, NUDGE);
  const common = { formula, pair };
  const relative = relativeDifference(pair.slope, formula);
  if (formula === 0 && pair.slope === 0) {
    return { ...common, fan: null, blur: Number.NaN, switched: 0, relative, outcome: "flat" };
  }
  if (relative <= AGREE)
    return { ...common, fan: null, blur: Number.NaN, switched: 0, relative, outcome: "agree" };
  const switched = switchedWithin(engine, score, NUDGE);
  const reach = REACHES.find((one) => switchedWithin(engine, score, one) === 0) ?? NUDGE;
  const { scatter, ...fan } = fanOf(engine, score, reach);
  const blur = scatter / NUDGE / Math.abs(formula);
  const finer = relativeDifference(fan.slope, formula);
  const outcome = finer <= AGREE ? "fan" : switched > 0 ? "bend" : "blur";
  return { ...common, fan, blur, switched, relative: finer, outcome };
}
