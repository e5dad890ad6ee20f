/** Ordering of probabilities. */

/** The ids of the largest values, largest first; of equal ones the first, as the kernel decodes. */
export function largest(values: ArrayLike<number>, count: number): number[] {
  const ids = Array.from(values, (_, id) => id);
  const key = (id: number) => {
    const value = values[id] ?? Number.NaN;
    return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
  };
  return ids.sort((a, b) => key(b) - key(a) || a - b).slice(0, count);
}
