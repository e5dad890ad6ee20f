/** A matrix as a real table whose cells are changed in place: only those whose bits changed are touched. */

import type { App } from "../../core/app";
import { formatCell } from "../../core/cells";
import type { Engine } from "../../core/engine";
import { exact, kindOf, shown } from "../../core/format";
import { moveInGrid } from "../../core/grid";
import { isTokenAxis, placeLabel } from "../../core/labels";
import { type Context, type Entry, entryOf, isScalar } from "../../core/ledger";

/** Shades on each side of 0. */
const SHADES = 4;

export interface GridOptions {
  readonly name: string;
  readonly context: Context;
  readonly digits: number;
  /** The first row shown, and how many. */
  readonly from: number;
  readonly rows: number;
  readonly caption: string;
  readonly maskedLabel: string;
  /** Rows drawn as columns, for the right side of a product. */
  readonly transposed?: boolean;
  /** Another prompt or step than the page's: its cells, once pressed, take the page there. */
  readonly elsewhere?: Elsewhere;
}

/** What an engine of its own shows. */
export interface Elsewhere {
  readonly engine: Engine;
  readonly prompt?: readonly number[];
  readonly step?: number;
}

interface Slot {
  readonly td: HTMLTableCellElement;
  readonly index: readonly number[];
  value: number;
  masked: boolean;
  shade: string;
}

export class Grid {
  readonly table = document.createElement("table");
  readonly options: GridOptions;
  readonly #app: App;
  readonly engine: Engine;
  readonly #entry: Entry;
  readonly #slots: Slot[] = [];
  readonly #columns: number;
  #focus = 0;

  constructor(app: App, options: GridOptions) {
    this.#app = app;
    this.engine = options.elsewhere?.engine ?? app.engine;
    this.options = options;
    this.#entry = entryOf(app.ledger, options.name);
    const shape = isScalar(this.#entry) ? [] : this.engine.shapeOf(options.name, options.context);
    const axes = layOutAxes(this.#entry, shape.length);
    const [rowAxis, columnAxis] = options.transposed === true ? ([axes[1], axes[0]] as const) : axes;
    this.#columns = columnAxis === null ? 1 : (shape[columnAxis] as number);
    this.table.className = "matrix";
    this.table.setAttribute("role", "grid");
    this.table.createCaption().textContent = options.caption;
    if (columnAxis !== null) this.#head(columnAxis, rowAxis !== null);
    const body = this.table.createTBody();
    const last = rowAxis === null ? 1 : Math.min(shape[rowAxis] as number, options.from + options.rows);
    for (let row = rowAxis === null ? 0 : options.from; row < last; row += 1) {
      const tr = body.insertRow();
      if (rowAxis !== null) tr.append(this.#header(rowAxis, row, "row"));
      for (let column = 0; column < this.#columns; column += 1) {
        const index: number[] = [];
        if (rowAxis !== null) index[rowAxis] = row;
        if (columnAxis !== null) index[columnAxis] = column;
        this.#slot(tr.insertCell(), index);
      }
    }
    this.table.addEventListener("keydown", this.#key);
    this.table.addEventListener("focusin", (event) => this.#focused(event.target as HTMLElement));
    this.update();
  }

  #head(axis: number, corner: boolean): void {
    const tr = this.table.createTHead().insertRow();
    if (corner) tr.append(document.createElement("td"));
    for (let column = 0; column < this.#columns; column += 1) tr.append(this.#header(axis, column, "col"));
  }

  #header(axis: number, at: number, scope: "row" | "col"): HTMLTableCellElement {
    const th = document.createElement("th");
    th.scope = scope;
    const symbol = this.#entry.axes[axis] ?? "";
    th.textContent = placeLabel(this.#app, symbol, this.options.context, at, this.options.elsewhere?.prompt);
    if (isTokenAxis(symbol, this.options.context)) {
      th.classList.add("token");
      const place = document.createElement("small");
      place.textContent = String(at);
      if (symbol !== "vocabulary") th.append(place);
    }
    return th;
  }

  #slot(td: HTMLTableCellElement, index: readonly number[]): void {
    td.dataset.cell = formatCell(this.options.name, index);
    td.dataset.context = this.options.context;
    const { prompt, step } = this.options.elsewhere ?? {};
    if (prompt !== undefined) td.dataset.prompt = this.#app.tokens.print(prompt);
    if (step !== undefined) td.dataset.step = String(step);
    td.tabIndex = this.#slots.length === 0 ? 0 : -1;
    this.#slots.push({ td, index, value: Number.NaN, masked: false, shade: "unset" });
  }

  /** Brings the numbers up to date. */
  update(): void {
    const { name, context, digits } = this.options;
    const view = this.engine.read(name, context);
    const masks = this.#entry.formula?.mask === undefined ? null : this.engine.read("position", context);
    let most = 0;
    for (const slot of this.#slots) {
      const value = Math.abs(view.at(...slot.index));
      if (Number.isFinite(value) && value > most) most = value;
    }
    for (const slot of this.#slots) {
      const value = view.at(...slot.index);
      const [row = 0, source = 0] = slot.index;
      const masked = masks !== null && source > masks.at(row);
      if (!Object.is(value, slot.value) || masked !== slot.masked || slot.shade === "unset") {
        slot.value = value;
        slot.masked = masked;
        slot.td.textContent = shown(value, digits, masked);
        slot.td.dataset.value = exact(value);
        slot.td.dataset.kind = kindOf(value, digits, masked);
        if (masked) slot.td.setAttribute("aria-label", this.options.maskedLabel);
        else slot.td.removeAttribute("aria-label");
      }
      const shade = masked ? "" : shadeOf(value, most);
      if (shade !== slot.shade) {
        slot.shade = shade;
        slot.td.dataset.shade = shade;
      }
    }
  }

  /** Puts a mark on cells: `mark` answers its name, or nothing for a cell without one. */
  mark(mark: (index: readonly number[]) => string | null): void {
    for (const { td, index } of this.#slots) {
      const name = mark(index);
      if (name === null) delete td.dataset.mark;
      else td.dataset.mark = name;
    }
  }

  /** The index of the cell an event came from, or null. */
  indexOf(target: EventTarget | null): readonly number[] | null {
    return this.#slots.find((slot) => slot.td === target)?.index ?? null;
  }

  #focused(on: HTMLElement): void {
    const at = this.#slots.findIndex((slot) => slot.td === on);
    if (at < 0) return;
    const old = this.#slots[this.#focus];
    if (old !== undefined) old.td.tabIndex = -1;
    on.tabIndex = 0;
    this.#focus = at;
  }

  #key = (event: KeyboardEvent): void => {
    const at = this.#slots.findIndex((slot) => slot.td === event.target);
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#slots[at]?.td.click();
      return;
    }
    const place: [number, number] = [Math.floor(at / this.#columns), at % this.#columns];
    const next = moveInGrid(place, event.key, this.#slots.length / this.#columns, this.#columns);
    if (next === null) return;
    event.preventDefault();
    this.#slots[next[0] * this.#columns + next[1]]?.td.focus();
  };
}

/** Which axis runs down and which across: a row for each token, else a vector lies flat. */
function layOutAxes(entry: Entry, dimensions: number): [number | null, number | null] {
  if (dimensions === 2) return [0, 1];
  if (dimensions === 0) return [null, null];
  return entry.axes[0] === "n" ? [0, null] : [null, 0];
}

/** `+1` to `+4` and `-1` to `-4`: how large a number is beside the largest of its matrix. */
export function shadeOf(value: number, most: number): string {
  if (!Number.isFinite(value) || value === 0 || most === 0) return "";
  const shade = Math.ceil((Math.abs(value) / most) * SHADES);
  return `${value > 0 ? "+" : "-"}${shade}`;
}
