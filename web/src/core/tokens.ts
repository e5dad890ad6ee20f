/** Text to token ids and back, with the rules of the Python package. */

/** What is wrong with a text, as data: the page puts it into the reader's language. */
export type TokenError =
  | { readonly kind: "empty" }
  | { readonly kind: "long"; readonly count: number }
  | { readonly kind: "character"; readonly character: string; readonly position: number };

export type Parsed = { readonly ids: readonly number[] } | { readonly error: TokenError };

const TIMES = new Set("xX*\u00d7\u2715\u2716\u2a2f\uff0a\uff58\uff38");
const EQUALS = new Set("=\uff1d");

export class Tokens {
  readonly names: readonly string[];
  readonly most: number;
  readonly times: number;
  readonly equals: number;
  readonly end: number;
  readonly pad: number;

  /** The names in ledger order, and how many tokens a prompt may have. */
  constructor(names: readonly string[], most: number) {
    this.names = names;
    this.most = most;
    this.times = names.indexOf("\u00d7");
    this.equals = names.indexOf("=");
    this.end = names.indexOf("END");
    this.pad = names.indexOf("PAD");
  }

  /** The tokens offered as buttons: all but END, which closes an answer, and PAD, which never occurs. */
  get offered(): readonly number[] {
    return this.names.map((_, id) => id).filter((id) => id !== this.end && id !== this.pad);
  }

  /** Reads a text. Positions count characters from 1, spaces included; END and PAD are written as words. */
  parse(text: string): Parsed {
    const characters = Array.from(text);
    const ids: number[] = [];
    let at = 0;
    while (at < characters.length) {
      const character = characters[at] as string;
      const word = characters.slice(at, at + 3).join("");
      const id = word === "END" ? this.end : word === "PAD" ? this.pad : this.#idOf(character);
      if (id !== null) ids.push(id);
      else if (!/\s/u.test(character)) return { error: { kind: "character", character, position: at + 1 } };
      at += word === "END" || word === "PAD" ? 3 : 1;
    }
    if (ids.length === 0) return { error: { kind: "empty" } };
    if (ids.length > this.most) return { error: { kind: "long", count: ids.length } };
    return { ids };
  }

  print(ids: readonly number[]): string {
    return ids.map((id) => this.names[id] ?? "?").join("");
  }

  #idOf(character: string): number | null {
    if (TIMES.has(character)) return this.times;
    if (EQUALS.has(character)) return this.equals;
    const code = character.codePointAt(0) ?? 0;
    const digit = code >= 0xff10 && code <= 0xff19 ? String(code - 0xff10) : character;
    return /^[0-9]$/.test(digit) ? this.names.indexOf(digit) : null;
  }
}
