/** What the page and the worker that trains with problems held out say to each other. */

import type { Ledger } from "./ledger";

/** Entries that the worker reads and writes. */
export const HOLDOUT_ENTRIES = [
  "parameters",
  "adam.step",
  "Loss",
  "floor",
  "total",
  "solved",
  "counts",
  "ancestors",
  "position",
  "token",
  "answer_nodes",
  "P",
] as const;

export type ToHoldout =
  | { readonly kind: "open"; readonly module: WebAssembly.Module; readonly ledger: Ledger }
  /** Begin at step 0 of a seed without the problems numbered 10·a + b. */
  | {
      readonly kind: "start";
      readonly run: number;
      readonly seed: number;
      readonly heldOut: readonly number[];
    }
  /** Go on after it is done. */
  | { readonly kind: "more"; readonly steps: number }
  | { readonly kind: "stop" };

/** What a problem's answer should be, and what the model wrote: token ids without END. */
export interface Answer {
  readonly problem: number;
  readonly written: readonly number[];
}

export interface FromHoldout {
  readonly run: number;
  readonly step: number;
  readonly loss: number;
  readonly floor: number;
  /** How many targets are left to train on. */
  readonly targets: number;
  readonly solved: Uint8Array;
  readonly done: boolean;
  /** Once it is done: what it writes for the problems it never saw. */
  readonly answers: readonly Answer[];
}
