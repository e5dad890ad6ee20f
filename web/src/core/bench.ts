/**
 * Several texts side by side: each stands in a kernel of its own and follows the run on show, at the reader's step or
 * at one that is asked for. A figure asks again each time it draws; that is what brings an engine up to date.
 *
 *     const left = benchOf(app).at("7×0=");
 *     const before = benchOf(app).at("7×0=", { step: "start" });
 *     left.read("layer1.head2.A").at(3, 2);
 */

import type { App } from "./app";
import { Engine } from "./engine";
import { Kernel } from "./kernel";

export interface Wanted {
  /** A step of the run on show, or `start`: its first. Left out: the step the reader looks at. */
  readonly step?: number | "start";
  /** The token whose probability is asked about. Left out: the one that follows in training. */
  readonly target?: number;
}

/** A kernel takes some 2 MB: of those not asked for in a while, so many are kept. */
const MOST_KEPT = 16;

export class Bench {
  readonly #app: App;
  /** The one asked for last stands last. */
  readonly #engines = new Map<string, Engine>();

  constructor(app: App) {
    this.#app = app;
  }

  /** An engine that shows this text, up to date. It stays the same one for the same text, step and target. */
  at(prompt: string | readonly number[], wanted: Wanted = {}): Engine {
    const ids = typeof prompt === "string" ? this.#read(prompt) : prompt;
    const key = [ids.join(), wanted.step ?? "", wanted.target ?? ""].join("|");
    const engine = this.#engines.get(key) ?? new Engine(new Kernel(this.#app.module, this.#app.ledger));
    this.#engines.delete(key);
    this.#engines.set(key, engine);
    this.#forget();
    const { session, tree } = this.#app;
    const history = session.history.peek();
    const step = wanted.step === "start" ? history.first : (wanted.step ?? this.#app.step.peek());
    const target = wanted.target ?? tree.follower(ids) ?? 0;
    const [run, seed] = [session.run.peek(), session.seed.peek()];
    engine.show({ run, seed, step, prompt: ids, target }, history);
    return engine;
  }

  /** A text written into a figure: one that cannot be read is a mistake in the page, so it stops loudly. */
  #read(text: string): readonly number[] {
    const parsed = this.#app.tokens.parse(text);
    if ("error" in parsed) throw new Error(`the figure's text ${text} is none: ${parsed.error.kind}`);
    return parsed.ids;
  }

  /** Lets go of engines beyond the bound; a figure that still holds one keeps it until it asks again. */
  #forget(): void {
    const beyond = this.#engines.size - MOST_KEPT;
    for (const key of [...this.#engines.keys()].slice(0, Math.max(0, beyond))) this.#engines.delete(key);
  }
}

const benches = new WeakMap<App, Bench>();

/** The bench of a page: one for all its figures. */
export function benchOf(app: App): Bench {
  let bench = benches.get(app);
  if (bench === undefined) {
    bench = new Bench(app);
    benches.set(app, bench);
  }
  return bench;
}
