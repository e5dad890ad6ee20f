/** Draws the loss curve. */

import { html, svg, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { axesOf, curvePath, type Frame, xOf, yOf } from "../../core/curve";
import { t } from "../../i18n";

const WIDTH = 420;
const HEIGHT = 250;
const FRAME: Frame = { left: 40, right: WIDTH - 12, top: 12, bottom: HEIGHT - 36 };

const label = (value: number): string => Number(value.toPrecision(6)).toString();

/** The curve of the run so far, its floor, and the step on show. */
export function curve(app: App): TemplateResult {
  const history = app.session.history.value;
  const last = history.last;
  const step = app.step.value;
  const axes = axesOf(history, last);
  const floorY = yOf(axes, FRAME, app.tree.floor);
  const at = { x: xOf(axes, FRAME, step), y: yOf(axes, FRAME, history.loss(step)) };
  const all = history.allSolvedAt;
  const summary = t("training.curve.summary", {
    first: history.loss(history.first).toFixed(3),
    from: history.first,
    last: history.loss(last).toFixed(3),
    to: last,
  });
  return html`<figure class="curve">
    <figcaption>${t("training.curve.title")}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${t("training.curve.title")}. ${summary}`}>
      ${axes.yTicks.map((tick) => {
        const y = yOf(axes, FRAME, tick);
        return svg`<line class="grid" x1=${FRAME.left} x2=${FRAME.right} y1=${y} y2=${y}></line>
          <text class="tick" x=${FRAME.left - 6} y=${y + 4} text-anchor="end">${label(tick)}</text>`;
      })}
      ${axes.xTicks.map(
        (tick) =>
          svg`<text class="tick" x=${xOf(axes, FRAME, tick)} y=${FRAME.bottom + 16} text-anchor="middle">${label(tick)}</text>`,
      )}
      <text class="axis" x=${(FRAME.left + FRAME.right) / 2} y=${HEIGHT - 4} text-anchor="middle">${t("training.curve.x")}</text>
      <text class="axis" x=${FRAME.left + 6} y=${FRAME.top + 8}>${t("training.curve.y")}</text>
      <line class="floor" x1=${FRAME.left} x2=${FRAME.right} y1=${floorY} y2=${floorY}></line>
      <text class="floor-label" x=${FRAME.right} y=${floorY + 15} text-anchor="end">${t("training.curve.floor")} ${app.tree.floor.toFixed(6)}</text>
      <path class="line" d=${curvePath(history, last, axes, FRAME)}></path>
      ${
        Number.isFinite(at.y)
          ? svg`<line class="now" x1=${at.x} x2=${at.x} y1=${FRAME.top} y2=${FRAME.bottom}></line>
            <circle class="dot" cx=${at.x} cy=${at.y} r="4"></circle>`
          : ""
      }
      ${all === null ? "" : allSolved(xOf(axes, FRAME, all), t("training.curve.all", { n: history.problemCount }))}
    </svg>
  </figure>`;
}

function allSolved(x: number, text: string): TemplateResult {
  const left = x > WIDTH / 2;
  return svg`<line class="all" x1=${x} x2=${x} y1=${FRAME.top} y2=${FRAME.bottom}></line>
    <text class="all-label" x=${left ? x - 5 : x + 5} y=${FRAME.top + 24} text-anchor=${left ? "end" : "start"}>${text}</text>`;
}
