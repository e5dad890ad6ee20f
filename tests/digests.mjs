// Trains with the kernel module under Node and prints what it found, as JSON.
// Usage: node digests.mjs kernel.wasm ledger.json SEED,SEED… STEP,STEP…
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [kernelFile, ledgerFile, seeds, steps] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(kernelFile));
const { entries } = JSON.parse(readFileSync(ledgerFile, "utf8"));

const place = (name, context) => entries[name].places[context];

function digestOfParameters(memory) {
  const { address, shape } = place("parameters", "model");
  const bytes = new Uint8Array(memory.buffer, address, 4 * shape[0]);
  return createHash("sha256").update(bytes).digest("hex");
}

const found = { imports: WebAssembly.Module.imports(module).length, digests: {}, losses: {} };
for (const seed of seeds.split(",").map(Number)) {
  // A fresh instance for each seed: nothing may be left over from the one before.
  const { exports: kernel } = new WebAssembly.Instance(module, {});
  kernel.start();
  kernel.initialize(seed);
  let step = 0;
  for (const stop of steps.split(",").map(Number)) {
    for (; step < stop; step += 1) kernel.train_step();
    kernel.batch_forward();
    const loss = new DataView(kernel.memory.buffer).getUint32(place("Loss", "batch").address, true);
    found.digests[`${seed},${step}`] = digestOfParameters(kernel.memory);
    found.losses[`${seed},${step}`] = loss; // the float32's bits
  }
}
process.stdout.write(JSON.stringify(found));
