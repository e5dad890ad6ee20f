/** References to single cells, as written in links and in `data-cell`: `layer1.head2.A[3,2]`, `Loss`. */

import type { Context } from "./ledger";

export interface CellRef {
  readonly name: string;
  readonly index: readonly number[];
}

export interface PlacedCell extends CellRef {
  readonly context: Context;
}

export function formatCell(name: string, index: readonly number[]): string {
  return index.length === 0 ? name : `${name}[${index.join(",")}]`;
}

/** Reads a reference; null where it is none. */
export function parseCell(text: string): CellRef | null {
  const match = /^([A-Za-z][\w.]*)(?:\[(\d+(?:,\d+)*)\])?$/.exec(text.replaceAll(" ", ""));
  if (match === null) return null;
  const index = match[2] === undefined ? [] : match[2].split(",").map(Number);
  return { name: match[1] as string, index };
}

/** With its context in front where that is not the prompt: `batch:Loss`. */
export function formatPlaced(cell: PlacedCell): string {
  const text = formatCell(cell.name, cell.index);
  return cell.context === "prompt" ? text : `${cell.context}:${text}`;
}

export function parsePlaced(text: string): PlacedCell | null {
  const match = /^(?:(model|batch|prompt):)?(.+)$/.exec(text);
  const cell = match === null ? null : parseCell(match[2] as string);
  return cell === null ? null : { ...cell, context: (match?.[1] ?? "prompt") as Context };
}
