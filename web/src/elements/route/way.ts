/** The line that joins the lit numbers of a route, from table to table. */

const NAMESPACE = "http://www.w3.org/2000/svg";
/** From which stage to which, and which of several tables in a stage; the receiver's own way is drawn apart. */
const JOINTS: readonly (readonly [from: string, to: string, mark?: string])[] = [
  ["X_norm:0", "K:1", "receiver"],
  ["X_norm:0", "K:0"],
  ["X_norm:0", "V:0"],
  ["K:0", "S:0"],
  ["K:1", "S:0"],
  ["S:0", "S:1"],
  ["S:1", "part:0"],
  ["V:0", "part:0"],
  ["part:0", "H:0"],
  ["H:0", "H:1"],
];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The lit cells of one table as one box, cut off where the table scrolls in its frame. */
function lit(stages: HTMLElement, place: string, mark = "way"): Box | null {
  const [stage, which = "0"] = place.split(":");
  const frame = stages.querySelectorAll<HTMLElement>(`[data-stage="${stage}"] > .scroll`)[Number(which)];
  const cells = [...(frame?.querySelectorAll<HTMLElement>(`[data-mark="${mark}"]`) ?? [])];
  if (frame === undefined || cells.length === 0) return null;
  const origin = stages.getBoundingClientRect();
  const edge = frame.getBoundingClientRect();
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const clamp = (x: number) => Math.max(edge.left, Math.min(edge.right, x)) - origin.left;
  return {
    left: clamp(Math.min(...boxes.map((box) => box.left))),
    right: clamp(Math.max(...boxes.map((box) => box.right))),
    top: Math.min(...boxes.map((box) => box.top)) - origin.top,
    bottom: Math.max(...boxes.map((box) => box.bottom)) - origin.top,
  };
}

/** A curve from one box to the next: sideways where they stand side by side, downwards where one stands below. */
function curve(from: Box, to: Box): string {
  const middle = (box: Box) => (box.top + box.bottom) / 2;
  if (to.left >= from.right) {
    const half = (from.right + to.left) / 2;
    return `M${from.right},${middle(from)}C${half},${middle(from)} ${half},${middle(to)} ${to.left},${middle(to)}`;
  }
  if (to.right <= from.left && to.top >= from.bottom) {
    const half = (from.left + to.right) / 2;
    return `M${from.left},${middle(from)}C${half},${middle(from)} ${half},${middle(to)} ${to.right},${middle(to)}`;
  }
  const down = to.top >= from.bottom;
  const [y0, y1] = down ? [from.bottom, to.top] : [from.top, to.bottom];
  const [x0, x1] = [(from.left + from.right) / 2, (to.left + to.right) / 2];
  return `M${x0},${y0}C${x0},${(y0 + y1) / 2} ${x1},${(y0 + y1) / 2} ${x1},${y1}`;
}

export function drawWay(stages: HTMLElement): void {
  const svg = stages.querySelector<SVGSVGElement>("svg.way");
  if (svg === null) return;
  const paths = JOINTS.flatMap(([from, to, mark = ""]) => {
    // A row that reads itself is source and receiver at once.
    const a = (mark === "" ? null : lit(stages, from, mark)) ?? lit(stages, from);
    const b = lit(stages, to);
    return a === null || b === null ? [] : [{ d: curve(a, b), mark }];
  });
  svg.replaceChildren(
    ...paths.map(({ d, mark }) => {
      const path = document.createElementNS(NAMESPACE, "path");
      path.setAttribute("d", d);
      path.setAttribute("class", mark);
      return path;
    }),
  );
}
