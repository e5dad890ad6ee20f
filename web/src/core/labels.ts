/** What the rows and columns of a matrix are called. */

import type { App } from "./app";
import { type Context, contextOf, type Entry } from "./ledger";

/** The label of one place on an axis: a token where it stands for one, else its number. */
export function placeLabel(
  app: App,
  axis: string,
  context: Context,
  at: number,
  prompt: readonly number[] = app.state.signals.prompt.value,
): string {
  const { tokens, tree } = app;
  if (axis === "vocabulary") return tokens.names[at] ?? "?";
  if (axis === "n" && context === "batch") return tokens.print(tree.prefixes[at] ?? []);
  if ((axis === "n" || axis === "source") && context === "prompt")
    return tokens.names[prompt[at] ?? -1] ?? "?";
  return String(at);
}

/** Whether a place on this axis is a token, so that its number is worth telling too. */
export function isTokenAxis(axis: string, context: Context): boolean {
  return axis === "vocabulary" || ((axis === "n" || axis === "source") && context === "prompt");
}

export interface CellLabel {
  readonly axis: "receiver" | "source" | "row" | "token" | "prefix";
  readonly label: string;
}

/** The token labels of a cell's indices, where they stand for tokens: receiver "=", source "0". */
export function cellLabels(app: App, entry: Entry, index: readonly number[], context: Context): CellLabel[] {
  const where = contextOf(entry, context);
  return index.flatMap((at, place): CellLabel[] => {
    const axis = entry.axes[place] ?? "";
    const label = placeLabel(app, axis, where, at);
    if (axis === "vocabulary") return [{ axis: "token", label }];
    if (axis === "n" && where === "batch") return [{ axis: "prefix", label }];
    if (axis === "n") return [{ axis: entry.axes.includes("source") ? "receiver" : "row", label }];
    return axis === "source" && where === "prompt" ? [{ axis: "source", label }] : [];
  });
}
