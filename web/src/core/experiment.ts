/**
 * The model of the step on show, altered: connections cut, heads silenced, rows of the two tables exchanged. It stands in
 * a kernel of its own; nothing done here reaches the run or any other figure.
 */

import type { App } from "./app";
import { Kernel } from "./kernel";

/** A connection: in this head, rows at this position no longer read this position. */
export interface Cut {
  readonly layer: number;
  readonly head: number;
  readonly receiver: number;
  readonly source: number;
}

export interface HeadRef {
  readonly layer: number;
  readonly head: number;
}

/** Two rows of a table that change places. */
export interface RowSwap {
  readonly table: "TokenEmb" | "PosEmb";
  readonly rows: readonly [number, number];
}

export interface Changes {
  readonly cuts: readonly Cut[];
  readonly silenced: readonly HeadRef[];
  /** One after the other. */
  readonly swaps: readonly RowSwap[];
}

export interface Outcome {
  /** The probabilities after the prompt's last token. */
  readonly p: readonly number[];
  /** 1 for each of the problems that is still solved; the cuts hold for all of them at once. Empty if not asked for. */
  readonly solved: Uint8Array;
}

export const sameCut = (a: Cut, b: Cut): boolean =>
  a.layer === b.layer && a.head === b.head && a.receiver === b.receiver && a.source === b.source;

export class Experiment {
  readonly #app: App;
  readonly #kernel: Kernel;
  /** The step whose parameters are in the kernel, unchanged. */
  #loaded = "";

  constructor(app: App) {
    this.#app = app;
    this.#kernel = new Kernel(app.module, app.ledger);
  }

  /** What comes out; with `all` also on every problem. A cut that a text is too short for changes nothing there. */
  run(changes: Changes, all: boolean): Outcome {
    const kernel = this.#kernel;
    const prompt = this.#app.state.signals.prompt.peek();
    this.#load();
    for (const { layer, head } of changes.silenced) kernel.view(`layer${layer}.head${head}.WO`).fill(0);
    for (const swap of changes.swaps) this.#exchange(swap);
    for (const cut of changes.cuts) this.#mark(cut, 1);
    const token = kernel.view("token", "prompt");
    prompt.forEach((id, row) => {
      token.set(id, row);
    });
    kernel.run.prompt_forward(prompt.length);
    if (all) kernel.run.batch_forward();
    for (const cut of changes.cuts) this.#mark(cut, 0);
    if (changes.silenced.length + changes.swaps.length > 0) this.#loaded = "";
    const view = kernel.view("P", "prompt");
    const p = this.#app.tokens.names.map((_, id) => view.at(prompt.length - 1, id));
    return { p, solved: all ? Uint8Array.from(kernel.view("solved").flat()) : new Uint8Array() };
  }

  #load(): void {
    const { session, step } = this.#app;
    const wanted = `${session.run.peek()}, ${step.peek()}`;
    if (wanted === this.#loaded) return;
    this.#kernel.parameters.set(session.history.peek().parameters(step.peek()));
    this.#loaded = wanted;
  }

  #exchange({ table, rows: [first, second] }: RowSwap): void {
    const view = this.#kernel.view(table);
    for (let column = 0; column < (view.shape[1] ?? 0); column += 1) {
      const kept = view.at(first, column);
      view.set(view.at(second, column), first, column);
      view.set(kept, second, column);
    }
  }

  /** Marks a connection in the prompt, and in all prefixes of training whose last token stands at that position. */
  #mark({ layer, head, receiver, source }: Cut, on: number): void {
    const kernel = this.#kernel;
    const name = `layer${layer}.head${head}.cut`;
    kernel.view(name, "prompt").set(on, receiver, source);
    const batch = kernel.view(name, "batch");
    const position = kernel.view("position", "batch");
    const [nodes = 0, sources = 0] = batch.shape;
    if (source >= sources) return;
    for (let node = 0; node < nodes; node += 1)
      if (position.at(node) === receiver) batch.set(on, node, source);
  }
}

/** The token with the largest probability; of equal ones the first. */
export function mostLikely(p: readonly number[]): number {
  return p.reduce((best, value, id) => (value > (p[best] as number) ? id : best), 0);
}
