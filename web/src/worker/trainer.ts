/** Trains in the background and sends every step. */

import { KEEP_OPTIMIZER_EVERY, type Steps } from "../core/history";
import { Kernel } from "../core/kernel";
import {
  DEFAULT_SPEED,
  type FromWorker,
  MOST_STEPS,
  REST_AFTER,
  REST_WITHIN,
  type Rest,
  type Saved,
  type ToWorker,
} from "../core/protocol";

/** A turn of work lasts about this long, so that there is at most one message a frame. */
const TURN_MS = 15;
/** A turn makes room for so many steps, and does no more. */
const MOST_A_TURN = 64;
/** After sleeping longer than planned (a closed lid), the steps missed are not made up for. */
const OVERSLEPT_MS = 100;

type Start = Extract<ToWorker, { kind: "start" }>;

class Trainer {
  readonly #kernel: Kernel;
  readonly #floor: number;
  #run = 0;
  /** The first step of this run. */
  #first = 0;
  #running = false;
  #perSecond = DEFAULT_SPEED;
  #hurryTo = 0;
  /** Where it rests unless the reader asks it to go on. */
  #restAt = REST_AFTER;
  #atFloor = false;
  #credit = 0;
  #then = 0;
  #turn = 0;
  /** How long the turn to come was to be waited for. */
  #planned = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#floor = kernel.view("floor", "batch").at();
  }

  start(message: Start): void {
    this.#run = message.run;
    this.#first = message.from?.step ?? 0;
    this.#hurryTo = message.hurryTo;
    this.#restAt = Math.max(REST_AFTER, message.hurryTo);
    this.#atFloor = false;
    this.#kernel.run.initialize(message.seed);
    if (message.from !== null) this.#restore(message.from);
    this.#running = message.running;
    // The first step is shown at once, whatever the speed.
    this.#do(1);
    this.#begin();
  }

  #restore(saved: Saved): void {
    this.#kernel.parameters.set(saved.parameters);
    // A file without optimizer state: training goes on as if the optimizer began there.
    if (saved.optimizer !== null) this.#kernel.setOptimizer(saved.optimizer);
    this.#kernel.step = saved.step;
    this.#restAt = Math.max(this.#restAt, saved.step + 1);
  }

  go(): void {
    // Asked to go on after a rest: as many steps again.
    if (this.#kernel.step >= this.#restAt || this.#atFloor) this.#restAt = this.#kernel.step + REST_AFTER;
    this.#running = true;
    this.#begin();
  }

  pause(): void {
    this.#stop();
    postMessage({
      run: this.#run,
      steps: null,
      millisecondsPerStep: Number.NaN,
      rest: null,
      paused: true,
    } satisfies FromWorker);
  }

  one(): void {
    this.#stop();
    this.#do(1);
  }

  #stop(): void {
    this.#running = false;
    this.#hurryTo = 0;
  }

  set speed(perSecond: number) {
    this.#perSecond = perSecond;
    this.#begin();
  }

  #begin(): void {
    this.#then = performance.now();
    this.#credit = 0;
    this.#schedule(0);
  }

  /** Plans the next turn and forgets any other: there is one row of turns only. */
  #schedule(wait: number): void {
    this.#turn += 1;
    this.#planned = wait;
    const turn = this.#turn;
    if (!this.#running) return;
    const next = () => {
      if (turn === this.#turn) this.#work();
    };
    if (wait > 0) setTimeout(next, wait);
    else soon(next);
  }

  #work(): void {
    const now = performance.now();
    const hurry = this.#kernel.step <= this.#hurryTo;
    const fast = hurry || this.#perSecond === Number.POSITIVE_INFINITY;
    const slept = Math.min(now - this.#then, this.#planned + OVERSLEPT_MS);
    this.#credit += (slept * this.#perSecond) / 1000;
    this.#then = now;
    let most = Math.floor(this.#credit);
    if (fast) most = hurry ? this.#hurryTo + 1 - this.#kernel.step : MOST_STEPS;
    this.#credit = fast ? 0 : this.#credit - most;
    if (most > 0) this.#do(most);
    if (fast) this.#schedule(0);
    else this.#schedule(Math.max(TURN_MS, (1000 * (1 - this.#credit)) / this.#perSecond));
  }

  /** Does up to so many steps, as many as fit into one turn, and sends them. */
  #do(most: number): void {
    const { run, parameters } = this.#kernel;
    const loss = this.#kernel.view("Loss", "batch");
    const solved = this.#kernel.view("solved", "batch").flat();
    const room = Math.min(most, MOST_A_TURN);
    const rows = {
      loss: new Float32Array(room),
      parameters: new Float32Array(room * parameters.length),
      solved: new Uint8Array(room * solved.length),
    };
    const optimizer: { step: number; state: Float32Array }[] = [];
    const first = this.#kernel.step;
    const begun = performance.now();
    let done = 0;
    let rest: Rest | null = null;
    while (done < room && rest === null && performance.now() - begun < TURN_MS) {
      const step = first + done;
      if (step === this.#first || step % KEEP_OPTIMIZER_EVERY === 0) {
        optimizer.push({ step, state: this.#kernel.optimizer() });
      }
      rows.parameters.set(parameters, done * parameters.length);
      run.train_step();
      // Loss and solved problems are those of the parameters before this step changed them.
      rows.loss[done] = loss.at();
      rows.solved.set(solved, done * solved.length);
      const row = rows.solved.subarray(done * solved.length, (done + 1) * solved.length);
      rest = this.#restAfter(step, loss.at(), row);
      done += 1;
    }
    if (rest !== null) this.#running = false;
    const took = performance.now() - begun;
    const steps: Steps = { first, ...rows, loss: rows.loss.slice(0, done), optimizer };
    const answer: FromWorker = {
      run: this.#run,
      steps,
      millisecondsPerStep: took / done,
      rest,
      paused: !this.#running && rest === null,
    };
    const states = optimizer.map(({ state }) => state.buffer);
    postMessage(answer, {
      transfer: [steps.parameters.buffer, steps.loss.buffer, steps.solved.buffer, ...states],
    });
  }

  #restAfter(step: number, loss: number, solved: Uint8Array): Rest | null {
    if (Number.isNaN(loss)) return "nan";
    if (step - this.#first + 1 >= MOST_STEPS) return "full";
    if (step >= this.#restAt) return "limit";
    const close = loss - this.#floor <= REST_WITHIN && solved.every((one) => one === 1);
    if (!close || this.#atFloor || step < this.#hurryTo) return null;
    this.#atFloor = true;
    return "floor";
  }
}

/** Calls back after the messages that are waiting have been read; timers would wait longer. */
function soon(next: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    next();
  };
  port2.postMessage(null);
}

let trainer: Trainer | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "open") {
    trainer = new Trainer(new Kernel(data.module, data.ledger));
    return;
  }
  if (trainer === null) throw new Error("the worker was spoken to before it was opened");
  if (data.kind === "start") trainer.start(data);
  else if (data.kind === "go") trainer.go();
  else if (data.kind === "pause") trainer.pause();
  else if (data.kind === "one") trainer.one();
  else trainer.speed = data.perSecond;
};
