/** The loss curve as geometry: where its points, ticks and marks stand. */

import type { History } from "./history";

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** At most so many points are drawn; between two of them the curve is narrower than a pixel. */
const MOST_POINTS = 360;

/** A length that ticks divide evenly, at least `value`: 1, 2 or 5 times a power of ten. */
export function tickStep(value: number, ticks: number): number {
  const rough = value / ticks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((f) => f * power >= rough) ?? 10;
  return factor * power;
}

/** Where the axes end and where their ticks stand. */
export interface Axes {
  readonly from: number;
  readonly to: number;
  readonly xTicks: readonly number[];
  readonly top: number;
  readonly yTicks: readonly number[];
}

/** A run shorter than this does not fill the width: the curve must be seen to move on. */
const SHORTEST = 250;

export function axesOf(history: History, last: number): Axes {
  const span = Math.max(SHORTEST, last - history.first);
  const xStep = tickStep(span, 5);
  const to = history.first + Math.ceil(span / xStep) * xStep;
  let highest = 1;
  for (let step = history.first; step <= Math.min(last, history.first + 100); step += 1) {
    const loss = history.loss(step);
    if (Number.isFinite(loss)) highest = Math.max(highest, loss);
  }
  const yStep = tickStep(highest, 6);
  const yCount = Math.ceil(highest / yStep);
  return {
    from: history.first,
    to,
    xTicks: Array.from(
      { length: Math.floor((to - history.first) / xStep) + 1 },
      (_, i) => history.first + i * xStep,
    ),
    top: yCount * yStep,
    yTicks: Array.from({ length: yCount + 1 }, (_, i) => i * yStep),
  };
}

export const xOf = (axes: Axes, frame: Frame, step: number): number =>
  frame.left + ((step - axes.from) / (axes.to - axes.from)) * (frame.right - frame.left);

export const yOf = (axes: Axes, frame: Frame, loss: number): number =>
  frame.bottom - (Math.min(loss, axes.top) / axes.top) * (frame.bottom - frame.top);

/** The curve as an SVG path. */
export function curvePath(history: History, last: number, axes: Axes, frame: Frame): string {
  if (last < history.first) return "";
  const stride = Math.max(1, Math.ceil((last - history.first + 1) / MOST_POINTS));
  const points: string[] = [];
  for (
    let step = history.first;
    step <= last;
    step = step < last ? Math.min(step + stride, last) : last + 1
  ) {
    const loss = history.loss(step);
    if (!Number.isFinite(loss)) break;
    points.push(`${xOf(axes, frame, step).toFixed(1)},${yOf(axes, frame, loss).toFixed(1)}`);
  }
  return points.length === 0 ? "" : `M${points.join("L")}`;
}
