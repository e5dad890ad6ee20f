/** The run being trained: talks to the worker and keeps what it sends. */

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals-core";
import { History } from "./history";
import { DEFAULT_SPEED, type FromWorker, type Rest, type Saved, type ToWorker } from "./protocol";

export interface TrainingWorker {
  postMessage(message: ToWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
}

/** Speeds on offer, in steps a second. */
export const SPEEDS: readonly number[] = [1, 2, 5, 10, 30, 60, 120, 240, 480, Number.POSITIVE_INFINITY];
export type Mode = "running" | "paused" | "resting";

export class Session {
  /** Counts the runs of this visit. */
  readonly run = signal(0);
  readonly seed = signal(0);
  /** False for a file whose parameters do not come from a seed. */
  readonly seedKnown = signal(true);
  /** The last step there is; -1 before the first. */
  readonly last = signal(-1);
  readonly mode = signal<Mode>("paused");
  readonly rest = signal<Rest | null>(null);
  readonly speed = signal<number>(DEFAULT_SPEED);
  readonly millisecondsPerStep = signal(Number.NaN);
  /** The file this run went on from, or null. */
  readonly file = signal<string | null>(null);
  readonly history: ReadonlySignal<History>;

  readonly #worker: TrainingWorker;
  readonly #history: { value: History };
  readonly #sizes: SessionSizes;
  #wanted: "running" | "paused" = "paused";
  /** The run asked for last. */
  #asked = 0;
  /** A run asked for of which no step has come yet: until then the old one is shown. */
  #next: { history: History; file: string | null } | null = null;

  /** The worker has been opened already. */
  constructor(worker: TrainingWorker, sizes: SessionSizes) {
    this.#worker = worker;
    this.#sizes = sizes;
    const history = signal(new History(sizes.parameters, sizes.problems));
    this.#history = history;
    this.history = computed(() => history.value);
    worker.onmessage = (event) => this.#receive(event.data);
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Begins a run at step 0 of a seed. */
  start(seed: number, hurryTo = 0): void {
    this.seedKnown.value = true;
    this.#begin(seed, null, null, hurryTo, true);
  }

  /** Begins a run at a saved state; it waits there until told to go on. */
  startFrom(seed: number | null, saved: Saved, file: string): void {
    this.seedKnown.value = seed !== null;
    this.#begin(seed ?? this.seed.value, saved, file, 0, false);
  }

  #begin(seed: number, from: Saved | null, file: string | null, hurryTo: number, running: boolean): void {
    this.#asked += 1;
    this.#next = {
      history: new History(this.#sizes.parameters, this.#sizes.problems, from?.step ?? 0),
      file,
    };
    this.#wanted = running ? "running" : "paused";
    batch(() => {
      this.seed.value = seed;
      this.rest.value = null;
      this.mode.value = running ? "running" : "paused";
    });
    this.#send({ kind: "start", run: this.#asked, seed, from, hurryTo, running });
  }

  /** Whether any run has been asked for. */
  get begun(): boolean {
    return this.#asked > 0;
  }

  go(): void {
    if (this.rest.value === "nan" || this.rest.value === "full") return;
    this.#wanted = "running";
    this.rest.value = null;
    this.mode.value = "running";
    this.#send({ kind: "go" });
  }

  /** Asks for a pause; it has come when the worker says so, and no step follows it. */
  pause(): void {
    this.#wanted = "paused";
    this.#send({ kind: "pause" });
  }

  /** Does one step and pauses. */
  one(): void {
    if (this.rest.value === "nan" || this.rest.value === "full") return;
    this.#wanted = "paused";
    this.rest.value = null;
    this.#send({ kind: "one" });
  }

  setSpeed(perSecond: number): void {
    this.speed.value = perSecond;
    this.#send({ kind: "speed", perSecond });
  }

  #receive(message: FromWorker): void {
    // What a run sent that has been given up since is of no use.
    if (message.run !== this.#asked) return;
    const paused = message.paused && this.#wanted === "paused";
    if (message.steps === null) {
      if (paused && this.mode.value === "running") this.mode.value = "paused";
      return;
    }
    const next = this.#next;
    const history = next?.history ?? this.#history.value;
    history.add(message.steps);
    batch(() => {
      this.millisecondsPerStep.value = message.millisecondsPerStep;
      if (paused) this.mode.value = "paused";
      if (message.rest !== null) {
        this.rest.value = message.rest;
        this.mode.value = "resting";
      }
      if (next !== null) {
        if (this.run.value === 0) performance.mark("abh-first-step");
        this.#next = null;
        this.#history.value = next.history;
        this.file.value = next.file;
        this.run.value = message.run;
      }
      this.last.value = history.last;
    });
  }
}

export interface SessionSizes {
  readonly parameters: number;
  readonly problems: number;
}
