/** A derivation written out: sums as tables of terms, and what rounding for print leaves over. */

import type { Derivation } from "./desk";
import type { Node } from "./evaluate";
import { shown } from "./format";

export interface Term {
  /** The value of the sum's variable. */
  readonly at: number;
  readonly node: Node;
}

export interface Sum {
  readonly kind: "sum" | "max";
  readonly variable: string;
  readonly over: string;
  readonly terms: readonly Term[];
  readonly value: number;
  /** By how much the printed terms miss the printed result; null where they agree. */
  readonly remainder: string | null;
}

/** The sums in a derivation, inner ones first. */
export function sumsOf(work: Node, digits: number): Sum[] {
  const found: Sum[] = [];
  const walk = (node: Node): void => {
    if (node.kind !== "sum" && node.kind !== "max") {
      for (const child of node.children) walk(child);
      return;
    }
    const terms = node.children.map((child, i) => ({ at: node.at?.[i] ?? i, node: child }));
    const plain = node.children.map((child) => shown(child.value, digits));
    const over = node.kind === "sum" ? remainder(plain, shown(node.value, digits), digits) : null;
    found.push({
      kind: node.kind,
      variable: node.variable ?? "",
      over: node.over ?? "",
      terms,
      value: node.value,
      remainder: over,
    });
  };
  walk(work);
  return found;
}

/** What rounding leaves over in a cell that is made by adding or subtracting a few numbers. */
export function remainderOf(derivation: Derivation, digits: number): string | null {
  const { work } = derivation;
  if (work === null || (work.kind !== "add" && work.kind !== "sub")) return null;
  return remainder(signed(work, digits), shown(derivation.value, digits), digits);
}

function signed(node: Node, digits: number): string[] {
  if (node.kind !== "add" && node.kind !== "sub") return [shown(node.value, digits)];
  const [left, right] = node.children as [Node, Node];
  const after = signed(right, digits);
  const negated = after.map((text) => (text.startsWith("−") ? text.slice(1) : `−${text}`));
  return [...signed(left, digits), ...(node.kind === "sub" ? negated : after)];
}

/** Printed numbers as whole multiples of 10^-PLACES: exact, so that the remainder itself needs no rounding. */
const PLACES = 60;

function printed(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:e(-?\d+))?$/.exec(text.replaceAll("−", "-"));
  if (match === null) return null;
  const [, sign, whole = "", part = "", power = "0"] = match;
  const shift = PLACES - part.length + Number(power);
  if (shift < 0) return 0n;
  const value = BigInt(whole + part) * 10n ** BigInt(shift);
  return sign === "-" ? -value : value;
}

/** By how much a printed result differs from the sum of its printed terms; null where they agree or are not finite. */
export function remainder(terms: readonly string[], result: string, digits: number): string | null {
  const numbers = terms.map(printed);
  const goal = printed(result);
  if (goal === null || numbers.some((number) => number === null)) return null;
  const difference = goal - numbers.reduce<bigint>((sum, number) => sum + (number as bigint), 0n);
  const size = difference < 0n ? -difference : difference;
  const unit = 10n ** BigInt(PLACES - digits);
  // Tiny terms are printed to fewer digits than they have; what they miss lies below the last digit shown.
  if (size * 2n < unit) return null;
  const rounded = (size * 2n + unit) / (unit * 2n);
  const text = rounded.toString().padStart(digits + 1, "0");
  const point = text.length - digits;
  return `${difference < 0n ? "−" : "+"}${text.slice(0, point)}.${text.slice(point)}`;
}
