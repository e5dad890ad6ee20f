/** A cell or a matrix as text to take along: plain, LaTeX, CSV, NumPy. */

import type { App } from "./app";
import { formatCell, type PlacedCell } from "./cells";
import type { Derivation } from "./desk";
import { exact, shown } from "./format";
import { placeLabel } from "./labels";
import { sumsOf } from "./layout";
import { type Context, contextOf, entryOf, isScalar } from "./ledger";
import { latexNotation, latexNumber, type Notation, numeric, symbolic, TEXT } from "./notation";

export const FORMATS = ["text", "latex", "csv", "numpy"] as const;
export type Format = (typeof FORMATS)[number];

const DIGITS = 4;

/** Where the numbers come from: the first line of every copy. */
export function origin(app: App, context: Context): string {
  const { signals } = app.state;
  const prompt = app.tokens.print(signals.prompt.value);
  const target = app.tokens.names[app.target.value] ?? "?";
  const about =
    context === "prompt"
      ? `, prompt ${prompt}, target ${target}`
      : context === "batch"
        ? ", all training"
        : "";
  return `seed ${app.session.seed.value}, step ${app.step.value}${about}`;
}

/** One cell with its derivation. */
export function copyCell(app: App, derivation: Derivation, format: Format): string {
  const { cell, value } = derivation;
  const name = formatCell(cell.name, cell.index);
  switch (format) {
    case "text":
      return [
        `${name} = ${exact(value)}   (${origin(app, cell.context)})`,
        ...work(app, derivation, TEXT, " = "),
      ].join("\n");
    case "latex":
      return latexOf(app, derivation);
    case "csv":
      return `cell,value\n"${name}",${exact(value)}`;
    case "numpy":
      return `np.float32(${numpyNumber(value)})  # ${name}, ${origin(app, cell.context)}`;
  }
}

function look(app: App, context: Context) {
  return (name: string, index: readonly number[]) => {
    const place = contextOf(entryOf(app.ledger, name), context === "model" ? "batch" : context);
    return app.engine.read(name, place).at(...index);
  };
}

/** The lines of a derivation in a notation of texts. */
function work(app: App, derivation: Derivation, notation: Notation<string>, equals: string): string[] {
  const { entry, cell, work: node } = derivation;
  if (node === null || entry.formula === undefined) return [];
  const env = Object.fromEntries(
    entry.formula.index.map((variable, axis) => [variable, cell.index[axis] ?? 0]),
  );
  const lines = [`${equals}${symbolic(entry.formula.value, env, notation, look(app, cell.context))}`];
  for (const sum of sumsOf(node, DIGITS)) {
    const terms = sum.terms.map((term) => numeric(term.node, notation));
    lines.push(
      `${equals}${sum.kind === "sum" ? terms.map((term) => `(${term})`).join(" + ") : `max(${terms.join(", ")})`}`,
    );
  }
  if (node.kind !== "sum" && node.kind !== "max") lines.push(`${equals}${numeric(node, notation)}`);
  return lines;
}

function latexOf(app: App, derivation: Derivation): string {
  const { cell, value, entry, end } = derivation;
  const notation = latexNotation(app.ledger);
  const head = notation.cell(cell.name, cell.index.map(String));
  const result = end === "masked" ? "\\text{masked}" : latexNumber(shown(value, DIGITS));
  const rows = work(app, derivation, notation, "&= ");
  if (rows.length === 0) return `% ${origin(app, cell.context)}\n\\[ ${head} = ${result} \\]`;
  rows[0] = `${head} ${rows[0]}`;
  const lines = [...rows, `&= ${result}`].join(" \\\\\n");
  return `% ${formatCell(cell.name, cell.index)}, ${origin(app, cell.context)}\n% ${entry.meaning?.en ?? ""}\n\\begin{align*}\n${lines}\n\\end{align*}`;
}

function numpyNumber(value: number): string {
  if (Number.isNaN(value)) return "np.nan";
  if (!Number.isFinite(value)) return value > 0 ? "np.inf" : "-np.inf";
  return exact(value);
}

/** A whole matrix. */
export function copyMatrix(app: App, cell: PlacedCell, format: Format): string {
  const { name, context } = cell;
  const entry = entryOf(app.ledger, name);
  const shape = isScalar(entry) ? [] : app.engine.shapeOf(name, context);
  const view = app.engine.read(name, context);
  const rows = shape.length === 2 ? (shape[0] as number) : 1;
  const columns = (shape.length === 2 ? shape[1] : shape[0]) ?? 1;
  const at = (row: number, column: number) =>
    view.at(...(shape.length === 2 ? [row, column] : shape.length === 1 ? [column] : []));
  const masked = (row: number, column: number) => app.desk.masked({ name, context, index: [row, column] });
  const table = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_c, column) => at(row, column)),
  );
  const rowLabel = (row: number) =>
    shape.length === 2 ? placeLabel(app, entry.axes[0] ?? "", context, row) : name;
  const columnAxis = entry.axes.at(-1) ?? "";
  const labels = Array.from({ length: columns }, (_, column) => placeLabel(app, columnAxis, context, column));
  const quote = (text: string) => `"${text}"`;
  switch (format) {
    case "text": {
      const texts = table.map((row, i) => row.map((value, j) => shown(value, DIGITS, masked(i, j))));
      const width = Math.max(
        ...texts.flat().map((text) => text.length),
        ...labels.map((text) => text.length),
      );
      const side = Math.max(...table.map((_, row) => rowLabel(row).length));
      const line = (head: string, cells: readonly string[]) =>
        `${head.padEnd(side)}  ${cells.map((text) => text.padStart(width)).join("  ")}`.trimEnd();
      return [
        `${name}   (${origin(app, context)})`,
        line("", labels),
        ...texts.map((row, i) => line(rowLabel(i), row)),
      ].join("\n");
    }
    case "csv":
      return [
        ["", ...labels].map(quote).join(","),
        ...table.map((row, i) => [quote(rowLabel(i)), ...row.map(exact)].join(",")),
      ].join("\n");
    case "numpy": {
      const body = table.map((row) => `[${row.map(numpyNumber).join(", ")}]`);
      const inner = shape.length === 2 ? `[\n    ${body.join(",\n    ")},\n]` : (body[0] ?? "[]");
      const type = entry.dtype === "float32" ? "np.float32" : "np.uint32";
      return `# ${name}, ${origin(app, context)}\nnp.array(${inner}, dtype=${type})`;
    }
    case "latex": {
      const lines = table.map((row, i) =>
        row.map((value, j) => (masked(i, j) ? "\\cdot" : latexNumber(shown(value, DIGITS)))).join(" & "),
      );
      return `% ${name}, ${origin(app, context)}\n${entry.latex ?? name} = \\begin{bmatrix}\n${lines.join(" \\\\\n")}\n\\end{bmatrix}`;
    }
  }
}
