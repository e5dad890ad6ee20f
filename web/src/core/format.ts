/** How a float32 is written: exactly for machines, honestly rounded for people. */

/** The shortest decimal text that reads back to the same 32 bits. */
export function exact(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (value === Number.POSITIVE_INFINITY) return "inf";
  if (value === Number.NEGATIVE_INFINITY) return "-inf";
  if (Object.is(value, -0)) return "-0";
  // Most numbers need seven digits or more; only short ones are searched downwards.
  let digits = 7;
  if (reads(value, 7)) while (digits > 1 && reads(value, digits - 1)) digits -= 1;
  else while (digits < 9 && !reads(value, digits)) digits += 1;
  return Number(value.toPrecision(digits)).toString();
}

const reads = (value: number, digits: number): boolean =>
  Math.fround(Number(value.toPrecision(digits))) === value;

/** Reads a text written by `exact`. */
export function parseExact(text: string): number {
  if (text === "inf") return Number.POSITIVE_INFINITY;
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  return Math.fround(Number(text));
}

export type Kind = "number" | "zero" | "tiny" | "nan" | "infinite" | "masked";

/** What sort of thing a cell holds, at so many digits after the point: an exact 0 is not a small number that prints as 0. */
export function kindOf(value: number, digits: number, masked = false): Kind {
  if (masked) return "masked";
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return "infinite";
  if (value === 0) return "zero";
  return Math.abs(value) < 0.5 * 10 ** -digits ? "tiny" : "number";
}

const MINUS = "\u2212";
/** Numbers from here on are written with their power of ten. */
const LARGE = 1e6;

/** A number for people. A value too small for the digits asked for is written with its power of ten. */
export function shown(value: number, digits = 3, masked = false): string {
  switch (kindOf(value, digits, masked)) {
    case "masked":
      return "\u00b7";
    case "nan":
      return "NaN";
    case "infinite":
      return value > 0 ? "\u221e" : `${MINUS}\u221e`;
    case "zero":
      return "0";
    case "tiny":
      return power(value);
    default:
      if (Math.abs(value) >= LARGE) return power(value);
      return (Number.isInteger(value) ? String(value) : value.toFixed(digits)).replace("-", MINUS);
  }
}

/** `3.1e−7`: two digits and the power, with a real minus sign. */
function power(value: number): string {
  return value.toExponential(1).replaceAll("-", MINUS).replace("e+", "e");
}

/** Shares below this percentage are written with a power of ten. */
const SMALL_PERCENT = 1e-4;

/** A share as a percentage: `12.3 %`, `0.004 %`, `5.1e−7 %`. A share that is not 0 is never written as 0. */
export function percent(value: number, digits = 1): string {
  const hundredfold = value * 100;
  const kind = kindOf(hundredfold, digits);
  if (kind === "number") return `${hundredfold.toFixed(digits)} %`;
  if (kind === "zero") return "0 %";
  if (kind !== "tiny") return shown(value, digits);
  if (Math.abs(hundredfold) < SMALL_PERCENT) return `${power(hundredfold)} %`;
  return `${hundredfold.toFixed(Math.ceil(-Math.log10(Math.abs(hundredfold))))} %`;
}

/** A whole number with commas between thousands. */
export function grouped(value: number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}
