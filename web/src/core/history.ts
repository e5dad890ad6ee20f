/** Every step of one run: parameters, loss, solved problems; optimizer state every few steps. */

/** Steps in one block of memory. */
const CHUNK = 64;
/** The optimizer's state is kept this often; steps in between are found by training on from there. */
export const KEEP_OPTIMIZER_EVERY = 16;

/** Some consecutive steps on their way from the worker. */
export interface Steps {
  /** The step of the first row. */
  readonly first: number;
  readonly loss: Float32Array;
  /** [steps, parameters]; there may be room left behind the last row, here and in `solved`. */
  readonly parameters: Float32Array;
  /** [steps, problems], 1 = solved */
  readonly solved: Uint8Array;
  /** Optimizer states at some of these steps. */
  readonly optimizer: readonly { readonly step: number; readonly state: Float32Array }[];
}

export class History {
  readonly parameterCount: number;
  readonly problemCount: number;
  /** The first step there is: 0, or the step of the file this run went on from. */
  readonly first: number;
  #count = 0;
  readonly #parameters: Float32Array[] = [];
  readonly #solved: Uint8Array[] = [];
  readonly #optimizer = new Map<number, Float32Array>();
  #loss = new Float32Array(1024);
  #solvedCount = new Uint16Array(1024);
  #allSolvedAt: number | null = null;

  constructor(parameterCount: number, problemCount: number, first = 0) {
    this.parameterCount = parameterCount;
    this.problemCount = problemCount;
    this.first = first;
  }

  /** How many steps are kept. */
  get count(): number {
    return this.#count;
  }

  /** The last step there is; below `first` while there is none. */
  get last(): number {
    return this.first + this.#count - 1;
  }

  /** The first step at which every problem was solved, or null. */
  get allSolvedAt(): number | null {
    return this.#allSolvedAt;
  }

  has(step: number): boolean {
    return step >= this.first && step <= this.last;
  }

  add(steps: Steps): void {
    if (steps.first !== this.last + 1) throw new Error(`step ${steps.first} came after step ${this.last}`);
    const { parameterCount: n, problemCount: p } = this;
    for (let row = 0; row < steps.loss.length; row += 1) {
      const slot = this.#count % CHUNK;
      if (slot === 0) {
        this.#parameters.push(new Float32Array(CHUNK * n));
        this.#solved.push(new Uint8Array(CHUNK * p));
      }
      this.#parameters.at(-1)?.set(steps.parameters.subarray(row * n, (row + 1) * n), slot * n);
      const solved = steps.solved.subarray(row * p, (row + 1) * p);
      this.#solved.at(-1)?.set(solved, slot * p);
      this.#grow();
      const count = solved.reduce((sum, one) => sum + one, 0);
      this.#loss[this.#count] = steps.loss[row] ?? Number.NaN;
      this.#solvedCount[this.#count] = count;
      if (count === p && this.#allSolvedAt === null) this.#allSolvedAt = this.first + this.#count;
      this.#count += 1;
    }
    for (const { step, state } of steps.optimizer) this.#optimizer.set(step, state);
  }

  #grow(): void {
    if (this.#count < this.#loss.length) return;
    const loss = new Float32Array(2 * this.#loss.length);
    loss.set(this.#loss);
    this.#loss = loss;
    const counts = new Uint16Array(2 * this.#solvedCount.length);
    counts.set(this.#solvedCount);
    this.#solvedCount = counts;
  }

  #slot(step: number): [chunk: number, slot: number] {
    if (!this.has(step)) throw new Error(`step ${step} is not kept: there are ${this.first} to ${this.last}`);
    const row = step - this.first;
    return [Math.floor(row / CHUNK), row % CHUNK];
  }

  /** All parameters at a step. */
  parameters(step: number): Float32Array {
    const [chunk, slot] = this.#slot(step);
    const n = this.parameterCount;
    return (this.#parameters[chunk] as Float32Array).subarray(slot * n, (slot + 1) * n);
  }

  /** 1 for each problem solved at a step. */
  solved(step: number): Uint8Array {
    const [chunk, slot] = this.#slot(step);
    const p = this.problemCount;
    return (this.#solved[chunk] as Uint8Array).subarray(slot * p, (slot + 1) * p);
  }

  loss(step: number): number {
    this.#slot(step);
    return this.#loss[step - this.first] as number;
  }

  solvedCount(step: number): number {
    this.#slot(step);
    return this.#solvedCount[step - this.first] as number;
  }

  /** The latest kept optimizer state at or before a step. */
  optimizerBefore(step: number): { step: number; state: Float32Array } {
    this.#slot(step);
    for (let at = step; at >= this.first; at -= 1) {
      const state = this.#optimizer.get(at);
      if (state !== undefined) return { step: at, state };
    }
    throw new Error(`no optimizer state is kept at or before step ${step}`);
  }
}
