// Times training steps of kernel.wasm and prints the milliseconds a step of each round, as JSON.
// Usage: node node_steps.mjs kernel.wasm STEPS ROUNDS
import { readFileSync } from "node:fs";

const [file, steps, rounds] = process.argv.slice(2);
const { exports: kernel } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {});
kernel.start();
kernel.initialize(1);

const times = [];
// One more than asked for: in the first the engine is still compiling.
for (let round = 0; round <= Number(rounds); round += 1) {
  const begun = performance.now();
  for (let step = 0; step < Number(steps); step += 1) kernel.train_step();
  times.push((performance.now() - begun) / Number(steps));
}
process.stdout.write(JSON.stringify(times));
