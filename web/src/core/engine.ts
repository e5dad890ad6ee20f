/**
 * One kernel that shows one step of the run for one prompt. It computes what is asked for and no more: the matrices
 * of a group are brought up to date when a figure first needs them.
 */

import type { History } from "./history";
import type { Kernel } from "./kernel";
import { type Context, entryOf, type Place } from "./ledger";
import type { View } from "./view";

/** What an engine shows. */
export interface Scene {
  /** Names the run: the same step of another run is another scene. */
  readonly run: number;
  readonly seed: number;
  readonly step: number;
  readonly prompt: readonly number[];
  readonly target: number;
}

/** Groups of matrices that are computed together. */
type Part =
  | "forward"
  | "backward"
  | "inspect"
  | "batch"
  | "batchBackward"
  | "batchInspect"
  | "circuits"
  | "adam"
  | "next";

export class Engine {
  readonly kernel: Kernel;
  #scene: Scene | null = null;
  #history: History | null = null;
  #ready = new Set<Part>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  get scene(): Scene | null {
    return this.#scene;
  }

  /** Says what is to be shown from now on. */
  show(scene: Scene, history: History): void {
    const old = this.#scene;
    this.#scene = scene;
    this.#history = history;
    if (old === null || old.run !== scene.run || old.step !== scene.step) {
      this.kernel.parameters.set(history.parameters(scene.step));
      this.kernel.step = scene.step;
      this.kernel.view("seed").set(scene.seed);
      this.#ready.clear();
      return;
    }
    const samePrompt =
      old.prompt.length === scene.prompt.length && old.prompt.every((id, i) => id === scene.prompt[i]);
    if (samePrompt && old.target === scene.target) return;
    // The loss stands in the forward part and depends on the target.
    for (const part of ["forward", "backward", "inspect"] as const) this.#ready.delete(part);
  }

  /** How many rows a matrix of this context has that mean something. */
  rows(context: Context): number | null {
    return context === "prompt" ? (this.#scene?.prompt.length ?? 0) : null;
  }

  /** The shape of a matrix as the reader sees it: of the prompt's 16 rows only those in use, and as many sources. */
  shapeOf(name: string, context: Context): number[] {
    const entry = entryOf(this.kernel.ledger, name);
    const place = (entry.places[context] ?? entry.places.model) as Place;
    const n = this.rows(context);
    if (n === null || entry.places.prompt === undefined) return [...place.shape];
    return place.shape.map((length, axis) => {
      const symbol = entry.axes[axis];
      return symbol === "n" || symbol === "source" ? n : length;
    });
  }

  /** The matrix of that name, up to date. */
  read(name: string, context: Context = "prompt"): View {
    this.#need(this.#partOf(name, context));
    return this.kernel.view(name, context);
  }

  /** Which part an entry belongs to: follows from its group and its context. */
  #partOf(name: string, context: Context): Part | null {
    const { group, places } = entryOf(this.kernel.ledger, name);
    const batch = context === "batch" || places.prompt === undefined;
    if (group === "parameter" || group === "task" || name === "parameters") return null;
    if (group === "next" || name.startsWith("next.")) return "next";
    if (group === "optimizer" || name.startsWith("adam.")) return "adam";
    if (group === "circuit" || (group === "contribution" && places.model !== undefined)) return "circuits";
    if (group === "contribution" || name.endsWith(".write") || name === "grad.P")
      return batch ? "batchInspect" : "inspect";
    if (group === "gradient" || name === "grad.parameters") return batch ? "batchBackward" : "backward";
    return batch ? "batch" : "forward";
  }

  #need(part: Part | null): void {
    if (part === null || this.#ready.has(part) || this.#scene === null) return;
    const { run } = this.kernel;
    const n = this.#scene.prompt.length;
    switch (part) {
      case "forward":
        this.#writePrompt(this.#scene);
        run.prompt_forward(n);
        break;
      case "backward":
        this.#need("forward");
        run.prompt_backward(n);
        break;
      case "inspect":
        this.#need("forward");
        run.prompt_inspect(n);
        break;
      case "batch":
        run.batch_forward();
        break;
      case "batchBackward":
        this.#need("batch");
        run.batch_backward();
        break;
      case "batchInspect":
        this.#need("batch");
        run.batch_inspect();
        break;
      case "circuits":
        run.circuits();
        break;
      case "adam":
        this.#loadAdam(this.#scene.step);
        break;
      case "next":
        this.#need("adam");
        this.#need("batchBackward");
        run.batch_update();
        break;
    }
    this.#ready.add(part);
  }

  #writePrompt(scene: Scene): void {
    const token = this.kernel.view("token", "prompt");
    scene.prompt.forEach((id, row) => {
      token.set(id, row);
    });
    // The loss of a prompt is that of one target after its last token.
    const counts = this.kernel.view("counts", "prompt");
    counts.fill(0);
    counts.set(1, scene.prompt.length - 1, scene.target);
  }

  /** Puts the optimizer's state of a step into memory: the last one kept, and training on from there. */
  #loadAdam(step: number): void {
    const history = this.#history as History;
    const kept = history.optimizerBefore(step);
    const { kernel } = this;
    kernel.parameters.set(history.parameters(kept.step));
    kernel.setOptimizer(kept.state);
    kernel.step = kept.step;
    if (kept.step === step) return;
    for (let at = kept.step; at < step; at += 1) kernel.run.train_step();
    // Training on has filled the batch matrices with those of the step before.
    for (const part of ["batch", "batchBackward", "batchInspect", "next"] as const) this.#ready.delete(part);
  }
}
