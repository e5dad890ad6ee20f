/** Moving through a grid by keyboard. */

/** The cell a key leads to, or null where the key does not move. */
export function moveInGrid(
  at: readonly [number, number],
  key: string,
  rows: number,
  columns: number,
): [number, number] | null {
  const [row, column] = at;
  const clamp = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));
  switch (key) {
    case "ArrowUp":
      return [clamp(row - 1, rows), column];
    case "ArrowDown":
      return [clamp(row + 1, rows), column];
    case "ArrowLeft":
      return [row, clamp(column - 1, columns)];
    case "ArrowRight":
      return [row, clamp(column + 1, columns)];
    case "Home":
      return [row, 0];
    case "End":
      return [row, columns - 1];
    case "PageUp":
      return [0, column];
    case "PageDown":
      return [rows - 1, column];
    default:
      return null;
  }
}
