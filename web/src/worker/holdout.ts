/** Trains apart from the page's run, on the problems that are left when some are held out. */

import type { FromHoldout, ToHoldout } from "../core/holdout";
import { Kernel } from "../core/kernel";
import type { Ledger } from "../core/ledger";
import { REST_AFTER } from "../core/protocol";

const TURN_MS = 40;

class Holdout {
  readonly #kernel: Kernel;
  readonly #counts: Float32Array;
  readonly #end: number;
  readonly #tokens: readonly string[];
  #run = 0;
  #heldOut: readonly number[] = [];
  #working = false;
  /** Where it stops at the latest, and whether it stops before once all it is trained on is solved. */
  #stopAt = REST_AFTER;
  #stopWhenSolved = true;

  constructor(module: WebAssembly.Module, ledger: Ledger) {
    this.#kernel = new Kernel(module, ledger);
    this.#tokens = ledger.tokens;
    this.#end = ledger.tokens.indexOf("END");
    // The counts of all problems, to begin from each time.
    this.#counts = (this.#kernel.view("counts", "batch").flat() as Float32Array).slice();
  }

  start(run: number, seed: number, heldOut: readonly number[]): void {
    const { run: kernel } = this.#kernel;
    this.#run = run;
    this.#heldOut = heldOut;
    (this.#kernel.view("counts", "batch").flat() as Float32Array).set(this.#counts);
    for (const problem of heldOut) this.#remove(problem);
    kernel.batch_targets();
    kernel.initialize(seed);
    this.#stopAt = REST_AFTER;
    this.#stopWhenSolved = true;
    this.#working = true;
    this.#turn(run);
  }

  /** So many steps more, whatever is solved. */
  more(steps: number): void {
    if (this.#working) return;
    this.#stopAt = this.#kernel.step + steps;
    this.#stopWhenSolved = false;
    this.#working = true;
    this.#turn(this.#run);
  }

  stop(): void {
    if (!this.#working) return;
    this.#working = false;
    this.#send(true);
  }

  /** Takes one problem's targets out of the counts: what follows each of its prefixes, once. */
  #remove(problem: number): void {
    const view = (name: string) => this.#kernel.view(name, "batch");
    const answers = view("answer_nodes");
    const last = answers.at(problem, (answers.shape[1] ?? 1) - 1);
    const path = Array.from({ length: view("position").at(last) + 1 }, (_, place) =>
      view("ancestors").at(last, place),
    );
    path.forEach((node, place) => {
      const next = path[place + 1];
      const following = next === undefined ? this.#end : view("token").at(next);
      view("counts").set(view("counts").at(node, following) - 1, node, following);
    });
  }

  #turn(run: number): void {
    if (!this.#working || run !== this.#run) return;
    const begun = performance.now();
    let done = false;
    while (!done && performance.now() - begun < TURN_MS) done = this.#step();
    this.#working = !done;
    this.#send(done);
    if (!done) setTimeout(() => this.#turn(run));
  }

  /** One step, unless this is where it stops; says whether it is. */
  #step(): boolean {
    const { run } = this.#kernel;
    run.batch_forward();
    const solved = this.#kernel.view("solved").flat();
    const all = solved.every((one, problem) => one === 1 || this.#heldOut.includes(problem));
    if (this.#kernel.step >= this.#stopAt || (all && this.#stopWhenSolved)) return true;
    if (Number.isNaN(this.#number("Loss"))) return true;
    run.batch_backward();
    run.batch_update();
    run.advance();
    return false;
  }

  #number(name: string): number {
    return this.#kernel.view(name, "batch").at();
  }

  #send(done: boolean): void {
    if (done) this.#kernel.run.batch_forward();
    const message: FromHoldout = {
      run: this.#run,
      step: this.#kernel.step,
      loss: this.#number("Loss"),
      floor: this.#number("floor"),
      targets: this.#number("total"),
      solved: Uint8Array.from(this.#kernel.view("solved").flat()),
      done,
      answers: done ? this.#heldOut.map((problem) => ({ problem, written: this.#write(problem) })) : [],
    };
    postMessage(message);
  }

  /** The tokens the model writes after `a×b=`, as many as an answer can have. */
  #write(problem: number): number[] {
    const token = this.#kernel.view("token", "prompt");
    const p = this.#kernel.view("P", "prompt");
    const text = [
      Math.floor(problem / 10),
      this.#tokens.indexOf("\u00d7"),
      problem % 10,
      this.#tokens.indexOf("="),
    ];
    const asked = text.length;
    while (text.length < asked + 3) {
      text.forEach((id, row) => {
        token.set(id, row);
      });
      this.#kernel.run.prompt_forward(text.length);
      let best = 0;
      for (let id = 1; id < this.#tokens.length; id += 1)
        if (p.at(text.length - 1, id) > p.at(text.length - 1, best)) best = id;
      if (best === this.#end) break;
      text.push(best);
    }
    return text.slice(asked);
  }
}

let holdout: Holdout | null = null;

self.onmessage = ({ data }: MessageEvent<ToHoldout>) => {
  if (data.kind === "open") {
    holdout = new Holdout(data.module, data.ledger);
    return;
  }
  if (holdout === null) throw new Error("the worker was spoken to before it was opened");
  if (data.kind === "start") holdout.start(data.run, data.seed, data.heldOut);
  else if (data.kind === "more") holdout.more(data.steps);
  else holdout.stop();
};
