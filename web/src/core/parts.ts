/** The parts into which the ledger's index is ordered. */

import type { Entry, Ledger } from "./ledger";

export const PARTS = [
  "parameter",
  "input",
  "forward",
  "head",
  "circuit",
  "contribution",
  "gradient",
  "optimizer",
  "next",
  "measure",
] as const;
export type Part = (typeof PARTS)[number];

export interface Listed {
  readonly name: string;
  readonly entry: Entry;
}

/** All entries with a page of their own, in the order of the ledger. */
export function listed(ledger: Ledger): Listed[] {
  return Object.entries(ledger.entries).flatMap(([name, entry]) =>
    entry.meaning === undefined ? [] : [{ name, entry }],
  );
}

/** The entries that fit a part ("" for all), a layer (0 for all) and some words. */
export function filtered(all: readonly Listed[], part: string, layer: number, words: string): Listed[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ name, entry }) => {
    if (part !== "" && entry.group !== part) return false;
    if (layer > 0 && entry.layer !== layer) return false;
    const aliases = Object.values(entry.aliases ?? {}).join(" ");
    const text = `${name} ${entry.meaning?.en} ${entry.meaning?.zh} ${aliases}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
