/** The prefix tree of the 100 problems, read from the kernel's memory: what training asks after which prefix. */

import type { Kernel } from "./kernel";

export class Tree {
  /** How many distinct prefixes there are. */
  readonly nodes: number;
  /** How many next-token targets there are. */
  readonly targets: number;
  /** No model can have a loss below this: the entropy of what follows each prefix. */
  readonly floor: number;
  /** The prefix of each node. */
  readonly prefixes: readonly (readonly number[])[];
  /** For each prefix, how often each token follows it. */
  readonly #followers = new Map<string, readonly number[]>();

  constructor(kernel: Kernel) {
    const token = kernel.view("token", "batch");
    const ancestors = kernel.view("ancestors", "batch");
    const position = kernel.view("position", "batch");
    const counts = kernel.view("counts", "batch");
    this.nodes = token.shape[0] ?? 0;
    const vocabulary = counts.shape[1] ?? 0;
    const prefixes: number[][] = [];
    let targets = 0;
    let bits = 0;
    for (let node = 0; node < this.nodes; node += 1) {
      const path: number[] = [];
      for (let at = 0; at < position.at(node); at += 1) path.push(token.at(ancestors.at(node, at)));
      path.push(token.at(node));
      prefixes.push(path);
      const row = Array.from({ length: vocabulary }, (_, c) => counts.at(node, c));
      const sum = row.reduce((total, count) => total + count, 0);
      targets += sum;
      for (const count of row) if (count > 0) bits += count * Math.log(sum / count);
      this.#followers.set(path.join(","), row);
    }
    this.prefixes = prefixes;
    this.targets = targets;
    this.floor = bits / targets;
  }

  /** How often each token follows this prefix in training, or null where the prefix never occurs. */
  followers(prefix: readonly number[]): readonly number[] | null {
    return this.#followers.get(prefix.join(",")) ?? null;
  }

  /** The prefix node's true next token; where several are equally frequent, the first of them. */
  follower(prefix: readonly number[]): number | null {
    const counts = this.followers(prefix);
    return counts === null ? null : counts.indexOf(Math.max(...counts));
  }
}
