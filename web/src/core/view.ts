/** A window on the kernel's memory: reads the bytes that are there now, holds no copy. */

import type { Place } from "./ledger";

export class View {
  readonly shape: readonly number[];
  readonly #data: Float32Array | Uint32Array;
  readonly #base: number;
  readonly #steps: readonly number[];

  constructor(memory: ArrayBuffer, place: Place, dtype: "float32" | "uint32") {
    this.#data = dtype === "float32" ? new Float32Array(memory) : new Uint32Array(memory);
    this.#base = place.address / 4;
    this.shape = place.shape;
    this.#steps = place.strides.map((bytes) => bytes / 4);
  }

  /** How many cells there are. */
  get size(): number {
    return this.shape.reduce((product, length) => product * length, 1);
  }

  /** Where the cell of these indices stands in the memory, counted in words. */
  word(...index: number[]): number {
    let word = this.#base;
    for (let axis = 0; axis < this.#steps.length; axis += 1)
      word += (index[axis] ?? 0) * (this.#steps[axis] ?? 0);
    return word;
  }

  at(...index: number[]): number {
    return this.#data[this.word(...index)] ?? Number.NaN;
  }

  set(value: number, ...index: number[]): void {
    this.#data[this.word(...index)] = value;
  }

  /** Sets every cell to one value. */
  fill(value: number): void {
    for (const index of this.indices()) this.set(value, ...index);
  }

  /** The cells as one contiguous window; only for a matrix that lies in one piece. */
  flat(): Float32Array | Uint32Array {
    let expected = 1;
    for (let axis = this.shape.length - 1; axis >= 0; axis -= 1) {
      if (this.shape[axis] !== 1 && this.#steps[axis] !== expected)
        throw new Error("this matrix does not lie in one piece");
      expected *= this.shape[axis] ?? 1;
    }
    return this.#data.subarray(this.#base, this.#base + this.size);
  }

  /** All index tuples, the last axis fastest. */
  *indices(): Generator<number[]> {
    const count = this.size;
    for (let cell = 0; cell < count; cell += 1) {
      const index: number[] = [];
      let rest = cell;
      for (let axis = this.shape.length - 1; axis >= 0; axis -= 1) {
        const length = this.shape[axis] ?? 1;
        index.unshift(rest % length);
        rest = Math.floor(rest / length);
      }
      yield index;
    }
  }
}
