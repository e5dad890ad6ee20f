/** Everything the page's figures share, put together once. */

import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import { Desk } from "./desk";
import { Engine } from "./engine";
import { Kernel } from "./kernel";
import type { Ledger } from "./ledger";
import { MOST_STEPS, type Saved } from "./protocol";
import { Session, type TrainingWorker } from "./session";
import { StateTable } from "./state";
import { Tokens } from "./tokens";
import { Tree } from "./tree";

/** Where a NaN is looked for: what the loss is made from. */
const NAN_GROUPS = new Set(["parameter", "input", "forward", "head"]);

export class App {
  readonly ledger: Ledger;
  readonly module: WebAssembly.Module;
  readonly tokens: Tokens;
  readonly tree: Tree;
  readonly state: StateTable;
  readonly session: Session;
  /** The kernel that shows the chosen step and prompt. */
  readonly engine: Engine;
  /** Answers questions about single cells. */
  readonly desk: Desk;
  /** Digits after the point in matrices. */
  readonly digits = signal(3);
  /** The step on show; -1 before there is one. */
  readonly step: ReadonlySignal<number>;
  /** The token whose probability is asked about. */
  readonly target: ReadonlySignal<number>;
  /** Changes whenever what the engine shows changes. */
  readonly scene: ReadonlySignal<number>;
  /** How many parameters there are. */
  readonly parameterCount: number;
  /** Keys of the address that could not be used. */
  readonly refused = signal<readonly string[]>([]);
  /** Whether a link asked for a step that has not been trained yet. */
  readonly waiting: ReadonlySignal<boolean>;

  constructor(module: WebAssembly.Module, ledger: Ledger, worker: TrainingWorker) {
    this.module = module;
    this.ledger = ledger;
    const kernel = new Kernel(module, ledger);
    this.engine = new Engine(kernel);
    this.desk = new Desk(this.engine);
    this.tree = new Tree(kernel);
    const { positions = 0, layers = 0, heads = 0 } = ledger.sizes;
    this.tokens = new Tokens(ledger.tokens, positions);
    const entries = new Set(
      Object.keys(ledger.entries).filter((name) => ledger.entries[name]?.meaning !== undefined),
    );
    this.state = new StateTable({ tokens: this.tokens, layers, heads, mostSteps: MOST_STEPS, entries });
    this.parameterCount = kernel.parameters.length;
    const problems = kernel.view("solved", "batch").size;
    this.session = new Session(worker, { parameters: this.parameterCount, problems });

    const { signals } = this.state;
    const { session } = this;
    this.step = computed(() => {
      const last = session.last.value;
      const wanted = signals.step.value;
      return wanted === null
        ? last
        : Math.max(Math.min(wanted, last), Math.min(session.history.value.first, last));
    });
    this.waiting = computed(
      () => (signals.step.value ?? -1) > session.last.value && session.mode.value === "running",
    );
    this.target = computed(() => signals.target.value ?? this.tree.follower(signals.prompt.value) ?? 0);
    const scene = signal(0);
    this.scene = scene;
    effect(() => {
      const step = this.step.value;
      const prompt = signals.prompt.value;
      const target = this.target.value;
      if (step < 0) return;
      const [run, seed] = [session.run.peek(), session.seed.peek()];
      this.engine.show({ run, seed, step, prompt, target }, session.history.peek());
      scene.value = scene.peek() + 1;
    });
  }

  /** The first matrix, in the order of computation, that holds a NaN at the step on show; null if none does. */
  firstNaN(): string | null {
    for (const [name, entry] of Object.entries(this.ledger.entries)) {
      if (entry.dtype !== "float32" || !NAN_GROUPS.has(entry.group)) continue;
      const view = this.engine.read(name, entry.places.batch === undefined ? "model" : "batch");
      for (const index of view.indices())
        if (Number.isNaN(view.at(...index))) return `${name}[${index.join(",")}]`;
    }
    return null;
  }

  /** The state as a link holds it. A run that is paused is linked at its step: opened elsewhere it shows the same. */
  linkQuery(): string {
    const query = new URLSearchParams(this.state.query());
    if (!query.has("step") && this.session.mode.value === "paused" && this.step.value >= 0) {
      query.set("step", String(this.step.value));
    }
    return query.toString();
  }

  /** Shows a saved state, and waits there to be told to go on. */
  goOnFrom(seed: number | null, saved: Saved, file: string): void {
    batch(() => {
      this.session.startFrom(seed, saved, file);
      this.state.set({ seed: this.session.seed.value, step: null });
    });
  }

  /** Begins again from the random numbers of a seed, live. */
  restart(seed: number): void {
    batch(() => {
      this.session.start(seed);
      this.state.set({ seed, step: null });
    });
  }
}

/** Opens the page's state from an address and begins training. */
export function open(app: App, search: string): void {
  app.refused.value = app.state.read(search);
  effect(() => {
    const seed = app.state.signals.seed.value;
    if (app.session.begun && seed === app.session.seed.peek()) return;
    app.session.start(seed, app.state.signals.step.peek() ?? 0);
  });
}

let made: (app: App) => void;
/** Resolves once kernel and ledger are there. */
export const ready: Promise<App> = new Promise((resolve) => {
  made = resolve;
});

export function publish(app: App): void {
  made(app);
}
