/** Checkpoints: the same files the command line writes and reads. */

import type { App } from "./app";
import { digestOf, sha256 } from "./digest";
import { Kernel, OPTIMIZER_ENTRIES } from "./kernel";
import { entryOf } from "./ledger";
import type { Saved } from "./protocol";
import { type Floats, readTensors, type Tensor, writeTensors } from "./safetensors";
import { MOST_SEED, wholeNumber } from "./state";

const FORMAT = "attention-by-hand";
const VERSION = "1";
const MOST_STEP = 1_000_000;
/** The parts of a file: parameters, and the optimizer's two averages of each. */
const BLOCKS = ["", "adam.m.", "adam.v."] as const;

/** What is wrong with a file, as data: the page puts it into the reader's language. */
export type FileError =
  | { readonly kind: "whole" | "format" | "vocabulary" | "origin" | "digest" }
  | { readonly kind: "missing" | "extra"; readonly name: string }
  | {
      readonly kind: "dtype" | "shape";
      readonly name: string;
      readonly found: string;
      readonly wanted: string;
    }
  | { readonly kind: "number"; readonly name: string; readonly found: string };

export interface Checkpoint {
  /** Null where the parameters do not come from a seed. */
  readonly seed: number | null;
  readonly saved: Saved;
}

/** Writes the step on show. */
export function writeCheckpoint(app: App): ArrayBuffer {
  const tensors: Floats[] = [];
  for (const block of BLOCKS) {
    for (const name of app.ledger.parameters) {
      const view = app.engine.read(block + name, "model");
      tensors.push({ name: block + name, shape: view.shape, values: (view.flat() as Float32Array).slice() });
    }
  }
  const { session } = app;
  const step = app.step.value;
  const seed = session.seedKnown.value ? session.seed.value : null;
  return writeTensors(tensors, {
    format: FORMAT,
    version: VERSION,
    seed: seed === null ? "" : String(seed),
    step: String(step),
    digest: digestOf(session.history.value.parameters(step)),
    whole: wholeOf(
      tensors.map((tensor) => tensor.values),
      seed,
      step,
    ),
    tokens: tokenText(app.ledger.tokens),
  });
}

/** SHA-256 over everything a file says, so that a flipped bit anywhere is noticed. */
function wholeOf(blocks: readonly Float32Array[], seed: number | null, step: number): string {
  const numbers = blocks.reduce((size, block) => size + block.length, 0);
  // Python writes None where there is no seed.
  const text = new TextEncoder().encode(`${seed ?? "None"} ${step}`);
  const bytes = new Uint8Array(4 * numbers + text.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const block of blocks) {
    for (const value of block) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  bytes.set(text, at);
  return sha256(bytes);
}

/** As Python's json writes a list. */
const tokenText = (tokens: readonly string[]): string =>
  `[${tokens.map((token) => JSON.stringify(token)).join(", ")}]`;

/** Reads and checks a file; nothing of it is used unless all of it is right. */
export function readCheckpoint(app: App, file: ArrayBuffer): Checkpoint | { error: FileError } {
  const read = readTensors(file);
  if (read === null) return { error: { kind: "whole" } };
  const { metadata } = read;
  if (metadata.format !== FORMAT || metadata.version !== VERSION) return { error: { kind: "format" } };
  if (metadata.tokens !== tokenText(app.ledger.tokens)) return { error: { kind: "vocabulary" } };
  const step = wholeNumber(metadata.step ?? "", 0, MOST_STEP);
  const seed = metadata.seed === "" ? null : wholeNumber(metadata.seed ?? "?", 0, MOST_SEED);
  if (step === null || (seed === null && metadata.seed !== "") || metadata.digest === undefined) {
    return { error: { kind: "origin" } };
  }
  const rest = new Map(read.tensors);
  const blocks: Float32Array[] = [];
  for (const block of BLOCKS) {
    const values = new Float32Array(app.parameterCount);
    let at = 0;
    for (const parameter of app.ledger.parameters) {
      const name = block + parameter;
      const tensor = rest.get(name);
      rest.delete(name);
      const found = floatsOf(app, name, parameter, tensor);
      if (!(found instanceof Float32Array)) return { error: found };
      values.set(found, at);
      at += found.length;
    }
    blocks.push(values);
  }
  const [extra] = rest.keys();
  if (extra !== undefined) return { error: { kind: "extra", name: extra } };
  const [parameters, m, v] = blocks as [Float32Array, Float32Array, Float32Array];
  const whole = wholeOf(blocks, seed, step);
  if (digestOf(parameters) !== metadata.digest || (metadata.whole ?? whole) !== whole) {
    return { error: { kind: "digest" } };
  }
  return { seed, saved: { step, parameters, optimizer: optimizerOf(app, step, m, v) } };
}

function floatsOf(
  app: App,
  name: string,
  parameter: string,
  tensor: Tensor | undefined,
): Float32Array | FileError {
  if (tensor === undefined) return { kind: "missing", name };
  const shape = entryOf(app.ledger, parameter).places.model?.shape ?? [];
  if (tensor.dtype !== "F32") return { kind: "dtype", name, found: tensor.dtype, wanted: "F32" };
  const size = shape.reduce((product, length) => product * length, 1);
  if (tensor.shape.join() !== shape.join() || tensor.bytes.length !== 4 * size) {
    return { kind: "shape", name, found: tensor.shape.join("×"), wanted: shape.join("×") };
  }
  const view = new DataView(tensor.bytes.buffer, tensor.bytes.byteOffset, tensor.bytes.byteLength);
  const values = Float32Array.from({ length: size }, (_, i) => view.getFloat32(4 * i, true));
  const wrong = values.findIndex((value) => !Number.isFinite(value));
  return wrong < 0 ? values : { kind: "number", name: `${name}, ${wrong}`, found: String(values[wrong]) };
}

/**
 * The optimizer's state at a step. A file holds its averages but not the running powers of its two constants: the
 * kernel multiplies those up itself, on a memory of its own, until they are those of the step or no longer change.
 */
function optimizerOf(app: App, step: number, m: Float32Array, v: Float32Array): Float32Array {
  const kernel = new Kernel(app.module, app.ledger);
  const powers = OPTIMIZER_ENTRIES.slice(2).map((name) => kernel.view(name));
  kernel.run.initialize(0);
  for (let at = 0; at < step; at += 1) {
    const before = powers.map((power) => power.at());
    kernel.run.batch_update();
    kernel.run.advance();
    if (powers.every((power, i) => Object.is(power.at(), before[i]))) break;
  }
  (kernel.view("adam.m").flat() as Float32Array).set(m);
  (kernel.view("adam.v").flat() as Float32Array).set(v);
  return kernel.optimizer();
}
