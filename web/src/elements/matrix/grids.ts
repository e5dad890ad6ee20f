/** The tables of a figure that shows several matrices and does no more with them than show them. */

import type { App } from "../../core/app";
import type { Context } from "../../core/ledger";
import type { Elsewhere } from "./grid";
import { Tables } from "./tables";

export interface GridRequest {
  readonly name: string;
  readonly context?: Context;
  readonly caption?: string;
  readonly digits?: number;
  readonly elsewhere?: Elsewhere;
}

export class Grids {
  readonly #tables = new Tables();

  /** The table in a slot of the figure, brought up to date. */
  table(app: App, slot: string, { name, ...options }: GridRequest): HTMLTableElement {
    return this.#tables.table(app, slot, name, options).table;
  }
}
