/** The architecture as boxes and arrows: what stands where, bottom to top. No numbers, no DOM. */

export interface Box {
  /** The ledger entry this box opens; `{head}` stands for the head chosen. */
  readonly entry: string;
  readonly label: string;
  /** A weight is learned, a value is computed, an input is given. */
  readonly kind: "weight" | "value" | "input";
  readonly attention: boolean;
  /** Centre and width; all boxes are equally high. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Arrow {
  readonly path: string;
  /** What flows: its shape stands beside the arrow. */
  readonly shape: string;
  readonly x: number;
  readonly y: number;
}

/** The background of a part. */
export interface Region {
  readonly kind: "layer" | "attention" | "ffn";
  readonly layer: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Diagram {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly regions: readonly Region[];
}

export const BOX_HEIGHT = 28;
const PITCH = 47;
const WIDTH = 660;
const STREAM = 92;
const LEFT = 270;
const MIDDLE = 412;
const RIGHT = 554;
const WIDE = 132;
/** Rows of one layer, from its input to its output. */
const LAYER_ROWS = 12;
const BOTTOM_ROWS = 3;
const TOP_ROWS = 4;

export interface Shapes {
  readonly n: number;
  readonly width: number;
  readonly head: number;
  readonly hidden: number;
  readonly vocabulary: number;
}

export function diagramOf(layers: number, shapes: Shapes): Diagram {
  const rows = BOTTOM_ROWS + layers * LAYER_ROWS + TOP_ROWS;
  const height = rows * PITCH + 20;
  const drawing = new Drawing(height, shapes);
  drawing.bottom();
  for (let layer = 1; layer <= layers; layer += 1)
    drawing.layer(layer, BOTTOM_ROWS + (layer - 1) * LAYER_ROWS);
  drawing.top(layers, BOTTOM_ROWS + layers * LAYER_ROWS);
  return { width: WIDTH, height, boxes: drawing.boxes, arrows: drawing.arrows, regions: drawing.regions };
}

/** One layer alone, and below it what it is given. */
export function layerDiagramOf(layer: number, shapes: Shapes): Diagram {
  const height = (1 + LAYER_ROWS) * PITCH + 20;
  const drawing = new Drawing(height, shapes);
  drawing.given(layer);
  drawing.layer(layer, 1);
  return { width: WIDTH, height, boxes: drawing.boxes, arrows: drawing.arrows, regions: drawing.regions };
}

class Drawing {
  readonly boxes: Box[] = [];
  readonly arrows: Arrow[] = [];
  readonly regions: Region[] = [];
  readonly #height: number;
  readonly #rows: string;
  readonly #n: number;
  readonly #shapes: Shapes;

  constructor(height: number, shapes: Shapes) {
    this.#height = height;
    this.#shapes = shapes;
    this.#n = shapes.n;
    this.#rows = `${shapes.n}×${shapes.width}`;
  }

  #y(row: number): number {
    return this.#height - 24 - row * PITCH;
  }

  #box(entry: string, label: string, kind: Box["kind"], x: number, row: number, attention = false): Box {
    const box = { entry, label, kind, attention, x, y: this.#y(row), width: kind === "weight" ? 84 : WIDE };
    this.boxes.push(box);
    return box;
  }

  /** From the top of one box to the bottom of another: up, across half way, up. */
  #arrow(from: Box, to: Box, shape: string, at = to.x): void {
    const start = from.y - BOX_HEIGHT / 2;
    const end = to.y + BOX_HEIGHT / 2;
    const turn = end + 9;
    const path = from.x === at ? `M${at},${start}V${end}` : `M${from.x},${start}V${turn}H${at}V${end}`;
    this.arrows.push({ path, shape, x: from.x + 5, y: start - 4 });
  }

  /** Off the stream, to the right, into a box of the same height. */
  #branch(to: Box, from: number): void {
    const path = `M${from},${to.y}H${to.x - to.width / 2}`;
    this.arrows.push({ path, shape: this.#rows, x: STREAM + WIDE / 2 + 8, y: to.y - 4 });
  }

  /** From the side of a box into the side of another. */
  #side(from: Box, to: Box, shape: string): void {
    const start = from.x - from.width / 2;
    const end = to.x + to.width / 2;
    const path =
      from.y === to.y ? `M${start},${from.y}H${end}` : `M${from.x},${from.y - BOX_HEIGHT / 2}V${to.y}H${end}`;
    this.arrows.push({ path, shape, x: (start + end) / 2 - 12, y: to.y - 4 });
  }

  given(layer: number): void {
    const entry = layer === 1 ? "X" : `layer${layer - 1}.X_out`;
    this.#box(entry, layer === 1 ? "X" : "X_out", "value", STREAM, 0);
  }

  bottom(): void {
    const token = this.#box("token", "token", "input", STREAM, 0);
    const position = this.#box("position", "position", "input", MIDDLE, 0);
    const tokens = this.#box("TokenEmb", "TokenEmb", "weight", STREAM, 1);
    const places = this.#box("PosEmb", "PosEmb", "weight", MIDDLE, 1);
    const x = this.#box("X", "X", "value", STREAM, 2);
    this.#arrow(token, tokens, String(this.#n));
    this.#arrow(position, places, String(this.#n));
    this.#arrow(tokens, x, this.#rows);
    this.#side(places, x, this.#rows);
  }

  layer(layer: number, row: number): void {
    const at = `layer${layer}.`;
    const head = `layer${layer}.head{head}.`;
    const square = `${this.#n}×${this.#n}`;
    const part = `${this.#n}×${this.#shapes.head}`;
    const input = this.#box(`${at}X_in`, "X_in", "value", STREAM, row);
    this.#arrow(this.boxes.findLast((box) => box.x === STREAM && box !== input) as Box, input, this.#rows);
    const norm = this.#box(`${at}X_norm`, "X_norm", "value", MIDDLE, row);
    this.#branch(norm, STREAM + WIDE / 2);
    const threes = (
      [
        ["Q", LEFT],
        ["K", MIDDLE],
        ["V", RIGHT],
      ] as const
    ).map(([name, x]) => {
      const weight = this.#box(`${at}W${name}`, `W${name}`, "weight", x, row + 1, true);
      const value = this.#box(`${head}${name}`, name, "value", x, row + 2, true);
      this.#arrow(norm, weight, x === MIDDLE ? this.#rows : "");
      this.#arrow(weight, value, part);
      return value;
    });
    const [q, k, v] = threes as [Box, Box, Box];
    const s = this.#box(`${head}S`, "S", "value", LEFT, row + 3, true);
    const a = this.#box(`${head}A`, "A", "value", LEFT, row + 4, true);
    const h = this.#box(`${head}H`, "H", "value", MIDDLE, row + 5, true);
    const wo = this.#box(`${at}WO`, "WO", "weight", MIDDLE, row + 6, true);
    this.#arrow(q, s, part);
    this.#arrow(k, s, part, LEFT + 40);
    this.#arrow(s, a, square);
    this.#arrow(a, h, square, MIDDLE - 30);
    this.#arrow(v, h, part, MIDDLE + 30);
    this.#arrow(h, wo, part);
    const out = this.#box(`${at}AttnOut`, "AttnOut", "value", MIDDLE, row + 7);
    this.#arrow(wo, out, this.#rows);
    const mid = this.#box(`${at}X_mid`, "X_mid", "value", STREAM, row + 7);
    this.#arrow(input, mid, this.#rows);
    this.#side(out, mid, this.#rows);
    this.#region("attention", layer, row + 0.5, row + 6.5);
    this.#feedForward(layer, row, mid);
    this.regions.unshift({
      kind: "layer",
      layer,
      x: 8,
      y: this.#y(row + LAYER_ROWS - 1) - BOX_HEIGHT / 2 - 9,
      width: WIDTH - 16,
      height: (LAYER_ROWS - 1) * PITCH + BOX_HEIGHT + 18,
    });
  }

  #feedForward(layer: number, row: number, mid: Box): void {
    const at = `layer${layer}.`;
    const wide = `${this.#n}×${this.#shapes.hidden}`;
    const norm = this.#box(`${at}X_mid_norm`, "X_mid_norm", "value", MIDDLE, row + 8);
    this.#branch(norm, STREAM);
    const w1 = this.#box(`${at}W1`, "W1", "weight", MIDDLE, row + 9);
    const u = this.#box(`${at}U`, "U", "value", RIGHT, row + 9);
    const r = this.#box(`${at}R`, "R", "value", RIGHT, row + 10);
    const w2 = this.#box(`${at}W2`, "W2", "weight", MIDDLE, row + 10);
    const out = this.#box(`${at}FFNOut`, "FFNOut", "value", MIDDLE, row + 11);
    const end = this.#box(`${at}X_out`, "X_out", "value", STREAM, row + 11);
    this.#arrow(norm, w1, this.#rows);
    this.arrows.push({ path: `M${w1.x + 42},${w1.y}H${u.x - WIDE / 2}`, shape: "", x: 0, y: 0 });
    this.#arrow(u, r, wide);
    this.arrows.push({ path: `M${r.x - WIDE / 2},${r.y}H${w2.x + 42}`, shape: "", x: 0, y: 0 });
    this.#arrow(w2, out, this.#rows);
    this.#side(out, end, this.#rows);
    this.#arrow(mid, end, this.#rows);
    this.#region("ffn", layer, row + 8.5, row + 10.5);
  }

  #region(kind: Region["kind"], layer: number, from: number, to: number): void {
    const left = LEFT - WIDE / 2 - 10;
    const y = this.#y(to);
    this.regions.push({ kind, layer, x: left, y, width: WIDTH - 22 - left, height: this.#y(from) - y });
  }

  top(layers: number, row: number): void {
    const stream = this.boxes.find((box) => box.entry === `layer${layers}.X_out`) as Box;
    const vocabulary = `${this.#n}×${this.#shapes.vocabulary}`;
    const final = this.#box("Final", "Final", "value", STREAM, row);
    const lm = this.#box("LM", "LM", "weight", STREAM, row + 1);
    const logits = this.#box("logits", "logits", "value", STREAM, row + 2);
    const p = this.#box("P", "P", "value", STREAM, row + 3);
    this.#arrow(stream, final, this.#rows);
    this.#arrow(final, lm, this.#rows);
    this.#arrow(lm, logits, vocabulary);
    this.#arrow(logits, p, vocabulary);
  }
}

/** Bars for a row of numbers, up for positive and down for negative, as two SVG paths in a field of given size. */
export function barPaths(
  values: readonly number[],
  x: number,
  y: number,
  width: number,
  height: number,
): { up: string; down: string } {
  const most = values.reduce(
    (best, value) => (Number.isFinite(value) ? Math.max(best, Math.abs(value)) : best),
    0,
  );
  const step = width / Math.max(values.length, 1);
  const bar = Math.max(step - (step > 3 ? 1 : 0), 0.5);
  let up = "";
  let down = "";
  values.forEach((value, i) => {
    if (!Number.isFinite(value) || value === 0 || most === 0) return;
    const size = (Math.abs(value) / most) * (height / 2);
    const left = (x + i * step).toFixed(1);
    const end = (value > 0 ? y - size : y + size).toFixed(1);
    const path = `M${left},${y}V${end}h${bar.toFixed(1)}V${y}z`;
    if (value > 0) up += path;
    else down += path;
  });
  return { up, down };
}
