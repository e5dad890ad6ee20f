/** The gradient that each of the 100 problems makes on its own, on the scale of the training batch. */

import type { App } from "./app";
import { Kernel } from "./kernel";

/** A problem as training reads it: every token but the last is read, every token but the first is asked for. */
export interface Problem {
  readonly a: number;
  readonly b: number;
  readonly read: readonly number[];
  readonly asked: readonly number[];
}

/** The 100 problems in the order of the table of problems, taken from what training asks for. */
export function problemsOf(app: App): Problem[] {
  const { tokens, tree } = app;
  const digits = tokens.names.map((_, id) => id).filter((id) => /^\d$/.test(tokens.names[id] ?? ""));
  return digits.flatMap((first, a) =>
    digits.map((second, b) => {
      const text = [first, tokens.times, second, tokens.equals];
      while (text.at(-1) !== tokens.end) text.push(tree.follower(text) ?? tokens.end);
      return { a, b, read: text.slice(0, -1), asked: text.slice(1) };
    }),
  );
}

export class ProblemGradients {
  readonly #app: App;
  readonly #kernel: Kernel;
  readonly problems: readonly Problem[];
  #key = "";
  #found: readonly Float32Array[] = [];

  constructor(app: App) {
    this.#app = app;
    this.#kernel = new Kernel(app.module, app.ledger);
    this.problems = problemsOf(app);
  }

  /** The gradient of one parameter matrix for each problem, its cells in the order of memory. */
  of(name: string): readonly Float32Array[] {
    const { session, step } = this.#app;
    const key = [session.run.peek(), step.peek(), name].join("|");
    if (key === this.#key) return this.#found;
    this.#kernel.parameters.set(session.history.peek().parameters(step.peek()));
    this.#found = this.problems.map((problem) => this.#one(problem, name));
    this.#key = key;
    return this.#found;
  }

  /** A text whose every token is asked for its next one, each counting as one of all the targets of training. */
  #one({ read, asked }: Problem, name: string): Float32Array {
    const kernel = this.#kernel;
    const token = kernel.view("token", "prompt");
    const counts = kernel.view("counts", "prompt");
    counts.fill(0);
    read.forEach((id, row) => {
      token.set(id, row);
      counts.set(1, row, asked[row] as number);
    });
    kernel.run.prompt_forward(read.length);
    // The prompt divides by its own few targets; the batch divides by all of them.
    kernel.view("total", "prompt").set(this.#app.tree.targets);
    kernel.run.prompt_backward(read.length);
    return Float32Array.from(kernel.view(`grad.${name}`, "prompt").flat());
  }
}

/** Cell by cell, in double precision: rounding enters once, where a sum is shown. */
export function added(parts: readonly Float32Array[], cells: number): Float64Array {
  const sum = new Float64Array(cells);
  for (const part of parts) for (let i = 0; i < cells; i += 1) sum[i] = (sum[i] ?? 0) + (part[i] ?? 0);
  return sum;
}

/** The length of a matrix as an arrow: the root of the sum of its squares. */
export function lengthOf(cells: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < cells.length; i += 1) squares += (cells[i] ?? 0) ** 2;
  return Math.sqrt(squares);
}
