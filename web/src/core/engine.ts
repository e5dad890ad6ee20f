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
  readonly step: number;
  readonly prompt: readonly number[];
  readonly target: number;
}

/** Groups of matrices that are computed together. */
type Part = "forward" | "backward" | "batch" | "batchBackward" | "circuits" | "adam" | "next";

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
      this.#ready.clear();
      return;
    }
    const samePrompt =
      old.prompt.length === scene.prompt.length && old.prompt.every((id, i) => id === scene.prompt[i]);
    if (!samePrompt) this.#ready.delete("forward");
    if (!samePrompt || old.target !== scene.target) this.#ready.delete("backward");
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
      return symbol === "n" || symbol === "T" ? n : length;
    });
  }

  /** The matrix of that name, up to date. */
  read(name: string, context: Context = "prompt"): View {
    this.#need(this.#partOf(name, context));
    return this.kernel.view(name, context);
  }

  /** Prompt probabilities etc. are forward, gradients backward; the rest follows from the entry's group. */
  #partOf(name: string, context: Context): Part | null {
    const entry = entryOf(this.kernel.ledger, name);
    const batch = context === "batch";
    switch (entry.group) {
      case "parameter":
        return null;
      case "gradient":
        return batch || entry.places.prompt === undefined ? "batchBackward" : "backward";
      case "circuit":
        return "circuits";
      case "optimizer":
        return "adam";
      case "next":
        return "next";
      default:
        return batch || entry.places.prompt === undefined ? "batch" : "forward";
    }
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
        this.#writeTarget(this.#scene);
        // The loss of the prompt depends on the target: forward once more, with the target in place.
        run.prompt_forward(n);
        run.prompt_backward(n);
        break;
      case "batch":
        run.batch_forward();
        break;
      case "batchBackward":
        this.#need("batch");
        run.batch_backward();
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
    this.#writeTarget(scene);
  }

  /** The loss of a prompt is that of one target after its last token. */
  #writeTarget(scene: Scene): void {
    const counts = this.kernel.view("counts", "prompt");
    counts.fill(0);
    counts.set(1, scene.prompt.length - 1, scene.target);
    this.kernel.view("total", "prompt").set(1);
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
    for (const part of ["batch", "batchBackward", "next", "circuits"] as const) this.#ready.delete(part);
  }
}
