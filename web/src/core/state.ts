/** The one state table of the page. Every figure watches it; a link holds it. */

import { batch, type Signal, signal } from "@preact/signals-core";
import { formatPlaced, type PlacedCell, parsePlaced } from "./cells";
import type { Tokens } from "./tokens";

/** The first seed a reader sees. */
export const DEFAULT_SEED = 1;
export const MOST_SEED = 2 ** 32 - 1;
export const DEFAULT_PROMPT = "7\u00d70=";
/** The connection the article follows: from the 0 of that text, through a head that comes to follow it. */
export const DEFAULT_HEAD = 2;
export const DEFAULT_SOURCE = 2;
export const DEFAULT_ENTRY = "layer1.head1.A";

export interface PageState {
  readonly seed: number;
  /** A step of the run, or null: the latest, live. */
  readonly step: number | null;
  readonly prompt: readonly number[];
  /** The token whose probability is asked about, or null: the one that follows in training. */
  readonly target: number | null;
  /** Layers and heads are counted from 1. */
  readonly layer: number;
  readonly head: number;
  /** A row of the prompt, or null: the last one. */
  readonly receiver: number | null;
  readonly source: number;
  readonly cell: PlacedCell | null;
  /** The page of the ledger that is open: the name of an entry. */
  readonly entry: string;
}

export type Field = keyof PageState;

/** Reads a whole number written in digits, within bounds; null where it is none. */
export function wholeNumber(text: string, least: number, most: number): number | null {
  const trimmed = text.trim();
  if (!/^\d{1,12}$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return value >= least && value <= most ? value : null;
}

/** How one field is written in a link. `read` answers undefined for a text that it cannot use. */
interface Codec<T> {
  readonly key: string;
  readonly initial: T;
  write(value: T): string | null;
  read(text: string): T | undefined;
}

type Codecs = { readonly [F in Field]: Codec<PageState[F]> };

function count(key: string, initial: number, least: number, most: number): Codec<number> {
  return { key, initial, write: String, read: (text) => wholeNumber(text, least, most) ?? undefined };
}

function countOrNull(key: string, least: number, most: number): Codec<number | null> {
  return {
    key,
    initial: null,
    write: (value) => (value === null ? null : String(value)),
    read: (text) => wholeNumber(text, least, most) ?? undefined,
  };
}

/** What bounds the fields: comes from the ledger. */
export interface Bounds {
  readonly tokens: Tokens;
  readonly layers: number;
  readonly heads: number;
  readonly mostSteps: number;
  /** Names of all entries of the ledger. */
  readonly entries: ReadonlySet<string>;
}

function codecs(bounds: Bounds): Codecs {
  const { tokens } = bounds;
  const initial = tokens.parse(DEFAULT_PROMPT);
  return {
    seed: count("seed", DEFAULT_SEED, 0, MOST_SEED),
    step: countOrNull("step", 0, bounds.mostSteps),
    prompt: {
      key: "prompt",
      initial: "ids" in initial ? initial.ids : [],
      write: (ids) => tokens.print(ids).replaceAll("\u00d7", "x"),
      read: (text) => {
        const parsed = tokens.parse(text);
        return "ids" in parsed ? parsed.ids : undefined;
      },
    },
    target: {
      key: "target",
      initial: null,
      write: (id) => (id === null ? null : (tokens.names[id] ?? null)),
      read: (text) => {
        const id = tokens.names.indexOf(text === "x" ? "\u00d7" : text);
        return id < 0 ? undefined : id;
      },
    },
    layer: count("layer", 1, 1, bounds.layers),
    head: count("head", DEFAULT_HEAD, 1, bounds.heads),
    receiver: countOrNull("receiver", 0, tokens.most - 1),
    source: count("source", DEFAULT_SOURCE, 0, tokens.most - 1),
    cell: {
      key: "cell",
      initial: null,
      write: (cell) => (cell === null ? null : formatPlaced(cell)),
      read: (text) => parsePlaced(text) ?? undefined,
    },
    entry: {
      key: "entry",
      initial: DEFAULT_ENTRY,
      write: (name) => name,
      read: (text) => (bounds.entries.has(text) ? text : undefined),
    },
  };
}

export class StateTable {
  readonly signals: { readonly [F in Field]: Signal<PageState[F]> };
  readonly #codecs: Codecs;

  constructor(bounds: Bounds) {
    this.#codecs = codecs(bounds);
    const entries = Object.entries(this.#codecs).map(([field, codec]) => [field, signal(codec.initial)]);
    this.signals = Object.fromEntries(entries);
  }

  get fields(): Field[] {
    return Object.keys(this.#codecs) as Field[];
  }

  /** Changes some fields at once. */
  set(changes: Partial<PageState>): void {
    batch(() => {
      for (const [field, value] of Object.entries(changes)) {
        (this.signals[field as Field] as Signal<unknown>).value = value;
      }
    });
  }

  /** The state as a query. Seed and prompt always stand in it: what they are when left out may change one day. */
  query(): string {
    const query = new URLSearchParams();
    for (const field of this.fields) {
      const codec = this.#codecs[field] as Codec<unknown>;
      const { value } = this.signals[field];
      const same = field !== "seed" && field !== "prompt" && value === codec.initial;
      const text = same ? null : codec.write(value);
      if (text !== null) query.set(codec.key, text);
    }
    return query.toString();
  }

  /** Takes over a query; fields it does not name go back to their initial values. Returns the keys it could not use. */
  read(search: string): string[] {
    const query = new URLSearchParams(search);
    const refused: string[] = [];
    batch(() => {
      for (const field of this.fields) {
        const codec = this.#codecs[field] as Codec<unknown>;
        const text = query.get(codec.key);
        const value = text === null ? codec.initial : codec.read(text);
        if (value === undefined) refused.push(codec.key);
        const next = value === undefined ? codec.initial : value;
        const target = this.signals[field] as Signal<unknown>;
        // Arrays and cells are new objects each time they are read: compared by what they say.
        if (JSON.stringify(target.peek()) !== JSON.stringify(next)) target.value = next;
      }
    });
    return refused;
  }
}
