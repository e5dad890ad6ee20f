/** kernel.wasm and ledger.json together: the only place where the page meets the model's arithmetic. */

import { type Context, entryOf, type Ledger, placeOf } from "./ledger";
import { View } from "./view";

export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  start(): void;
  initialize(seed: number): void;
  /** To be called after a change of the batch's counts. */
  batch_targets(): void;
  batch_forward(): void;
  batch_backward(): void;
  batch_update(): void;
  advance(): void;
  train_step(): void;
  prompt_forward(rows: number): void;
  prompt_backward(rows: number): void;
  batch_inspect(): void;
  prompt_inspect(rows: number): void;
  circuits(): void;
  exp(x: number): number;
  ln(x: number): number;
}

/** Moments and running powers: what Adam carries from step to step. */
export const OPTIMIZER_ENTRIES = ["adam.m", "adam.v", "adam.beta1_power", "adam.beta2_power"] as const;

/** One instance of the compiled kernel: its own memory, its own parameters. */
export class Kernel {
  readonly run: KernelExports;
  readonly ledger: Ledger;
  readonly #views = new Map<string, View>();
  #buffer: ArrayBuffer;

  constructor(module: WebAssembly.Module, ledger: Ledger) {
    const instance = new WebAssembly.Instance(module);
    this.run = instance.exports as unknown as KernelExports;
    this.ledger = ledger;
    this.#buffer = this.run.memory.buffer;
    this.run.start();
  }

  /** The matrix of that ledger name in a context. */
  view(name: string, context: Context = "model"): View {
    if (this.#buffer !== this.run.memory.buffer) {
      // A memory that has grown leaves old windows empty; the kernel does not grow it, but nothing here relies on that.
      this.#buffer = this.run.memory.buffer;
      this.#views.clear();
    }
    const key = `${context}:${name}`;
    let view = this.#views.get(key);
    if (view === undefined) {
      view = new View(this.#buffer, placeOf(this.ledger, name, context), entryOf(this.ledger, name).dtype);
      this.#views.set(key, view);
    }
    return view;
  }

  /** All parameters, in the order of the ledger's table. */
  get parameters(): Float32Array {
    return this.view("parameters").flat() as Float32Array;
  }

  /** A copy of all the optimizer carries from step to step, besides the step's number. */
  optimizer(): Float32Array {
    const parts = OPTIMIZER_ENTRIES.map((name) => this.view(name).flat() as Float32Array);
    const state = new Float32Array(parts.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of parts) {
      state.set(part, at);
      at += part.length;
    }
    return state;
  }

  /** Puts back what `optimizer` gave. */
  setOptimizer(state: Float32Array): void {
    let at = 0;
    for (const name of OPTIMIZER_ENTRIES) {
      const part = this.view(name).flat() as Float32Array;
      part.set(state.subarray(at, at + part.length));
      at += part.length;
    }
  }

  get step(): number {
    return this.view("adam.step").at();
  }

  set step(step: number) {
    this.view("adam.step").set(step);
  }
}

// (module (func (result v128) i32.const 0 i8x16.splat)): valid exactly where 128-bit SIMD is known.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** What this browser lacks for running the kernel, or null. */
export function missingFeature(): "wasm" | "simd" | null {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.validate !== "function") return "wasm";
  return WebAssembly.validate(SIMD_PROBE) ? null : "simd";
}
