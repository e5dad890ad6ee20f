/** What the page and its training worker say to each other. */

import type { Steps } from "./history";
import { OPTIMIZER_ENTRIES } from "./kernel";
import type { Ledger } from "./ledger";

/** The ledger entries the worker reads and writes. */
export const WORKER_ENTRIES = [
  "parameters",
  ...OPTIMIZER_ENTRIES,
  "adam.step",
  "Loss",
  "floor",
  "solved",
] as const;

/** Steps a second at the start: fast enough to reach 100/100 in about two seconds, slow enough to be watched. */
export const DEFAULT_SPEED = 60;
/** How many steps of training a worker does at most before it rests. */
export const REST_AFTER = 2000;
/** So close to the floor, training rests. */
export const REST_WITHIN = 0.002;
/** More steps than this are not kept: the memory of a phone ends somewhere. */
export const MOST_STEPS = 10_000;

/** Why training came to rest. `full`: as many steps as are kept. */
export type Rest = "floor" | "limit" | "nan" | "full";

/** A state to train on from. */
export interface Saved {
  readonly step: number;
  readonly parameters: Float32Array;
  /** The optimizer's state as `Kernel.optimizer` writes it; null where the file holds none. */
  readonly optimizer: Float32Array | null;
}

export type ToWorker =
  | {
      readonly kind: "open";
      readonly module: WebAssembly.Module;
      readonly ledger: Ledger;
    }
  /** Begin at step 0 of a seed, or at a saved state; `run` names this run in every answer. */
  | {
      readonly kind: "start";
      readonly run: number;
      readonly seed: number;
      readonly from: Saved | null;
      /** Go as fast as possible up to this step, then at the chosen speed. */
      readonly hurryTo: number;
      readonly running: boolean;
    }
  | { readonly kind: "go" }
  | { readonly kind: "pause" }
  | { readonly kind: "one" }
  /** Steps a second; Infinity: as fast as it goes. */
  | { readonly kind: "speed"; readonly perSecond: number };

export interface FromWorker {
  readonly run: number;
  /** Milliseconds a step took, averaged over this message. */
  readonly millisecondsPerStep: number;
  /** Null in an answer that only says that training stands still now. */
  readonly steps: Steps | null;
  /** Whether training stands still after these steps because it was told to. */
  readonly paused: boolean;
  /** Set when training came to rest with the last of these steps. */
  readonly rest: Rest | null;
}
