/** `<abh-push>`: what the loss asks of each score of one row, and a measurement that checks it. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import type { Engine } from "../../core/engine";
import { exact, percent, shown } from "../../core/format";
import { type Measured, measure, NUDGE, type Score, withNudge } from "../../core/nudge";
import { t } from "../../i18n";
import { badge, type Verdict } from "../badge";
import { cell } from "../cell";
import { choose, receiverOf, sourceOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { chooseSource, standing } from "../standing";
import "../chapters.css";
import "./push.css";

/** How far the slider goes. */
const FAR = 3;
const DIGITS = 4;

const VERDICTS: Readonly<Record<Measured["outcome"], Verdict>> = {
  agree: "yes",
  fan: "yes",
  flat: "yes",
  bend: "open",
  blur: "open",
};

export class Push extends Figure {
  #by = 0;

  protected override watch(app: App): void {
    void [app.scene.value, app.state.signals.source.value];
    watchChoices(app, ["layer", "head", "receiver", "target"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head } = app.state.signals;
    const score: Score = {
      head: `layer${layer.value}.head${head.value}`,
      row: receiverOf(app),
      source: sourceOf(app),
    };
    return html`<figure class="panel push" aria-label=${t("c8.title")}>
      ${standing(app)} ${choose(app, ["layer", "head", "receiver", "target"])}
      ${this.#loss()} ${this.#table(score)} ${this.#silent(score)} ${this.#nudge(score)}
    </figure>`;
  }

  #token(row: number): string {
    const { tokens, state } = this.app;
    return tokens.names[state.signals.prompt.value[row] ?? 0] ?? "?";
  }

  #loss(): TemplateResult {
    const { app } = this;
    const row = app.state.signals.prompt.value.length - 1;
    const target = app.target.value;
    const p = cell("P", [row, target], app.engine.read("P").at(row, target), { digits: DIGITS });
    const loss = cell("Loss", [], app.engine.read("Loss").at(), { digits: DIGITS });
    return html`<p class="loss">${t("c8.loss", { token: app.tokens.names[target] ?? "?" })} = −ln ${p} = ${loss}</p>`;
  }

  /** One line a source: what it offers, what the loss thinks of it, and where that sends its score. */
  #table({ head, row, source: chosen }: Score): TemplateResult {
    const { engine } = this.app;
    const read = (name: string) => engine.read(`${head}.${name}`);
    const [a, v, u, s] = [read("A"), read("V"), engine.read(`grad.${head}.A`), engine.read(`grad.${head}.S`)];
    const gradient = engine.read(`grad.${head}.H`);
    const mean = read("u_mean").at(row);
    const number = (name: string, index: readonly number[], value: number) =>
      cell(name, index, value, { digits: DIGITS });
    const vector = (name: string, view: typeof v, at: number) =>
      html`<span class="vector">${Array.from({ length: view.shape[1] ?? 0 }, (_, c) =>
        number(name, [at, c], view.at(at, c)),
      )}</span>`;
    const label = t("c8.table", { token: this.#token(row) });
    return html`<p class="from-above"><span>${t("c8.gradient", { token: this.#token(row) })}</span> G<sub>H</sub> =
        ${vector(`grad.${head}.H`, gradient, row)}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="numbers">
      <caption>${label}</caption>
      <thead><tr>
        <th scope="col">${t("c8.source")}</th><th scope="col">A<sub>j</sub></th><th scope="col">V<sub>j</sub></th>
        <th scope="col">u<sub>j</sub> = G<sub>H</sub>·V<sub>j</sub></th><th scope="col">u<sub>j</sub> − Σ A u</th>
        <th scope="col">A<sub>j</sub>(u<sub>j</sub> − Σ A u) = G<sub>S</sub></th><th scope="col">${t("c8.descent")}</th>
      </tr></thead>
      <tbody>${Array.from({ length: row + 1 }, (_, j) => {
        const slope = s.at(row, j);
        const beside = Math.fround(u.at(row, j) - mean);
        return html`<tr class=${j === chosen ? "chosen" : ""} data-source=${j}>
          <th scope="row"><span class="token">${this.#token(j)}</span><small>${j}</small></th>
          <td>${number(`${head}.A`, [row, j], a.at(row, j))}</td>
          <td>${vector(`${head}.V`, v, j)}</td>
          <td>${number(`grad.${head}.A`, [row, j], u.at(row, j))}</td>
          <td><data data-beside=${j} value=${exact(beside)}>${shown(beside, DIGITS)}</data></td>
          <td>${number(`grad.${head}.S`, [row, j], slope)}</td>
          <td class="way" data-way=${slope < 0 ? "up" : slope > 0 ? "down" : "still"}>${way(slope)}</td>
        </tr>`;
      })}</tbody>
      <tfoot><tr><th scope="row">Σ A u</th><td colspan="2"></td>
        <td>${number(`${head}.u_mean`, [row], mean)}</td><td colspan="3"></td></tr></tfoot>
    </table></div>`;
  }

  /** Rows that the loss of this text does not depend on at all. */
  #silent({ head, row }: Score): TemplateResult {
    const gradient = this.app.engine.read(`grad.${head}.H`);
    const silent = Array.from({ length: gradient.shape[1] ?? 0 }, (_, c) => gradient.at(row, c)).every(
      (value) => value === 0,
    );
    return silent
      ? html`<p class="note" data-silent>${t("c8.silent", { token: this.#token(row) })}</p>`
      : html``;
  }

  #nudge(score: Score): TemplateResult {
    const { app } = this;
    const { prompt } = app.state.signals;
    // An engine of its own: the nudge is taken back, but the page's own numbers are not to be touched even for a moment.
    const engine = benchOf(app).at(prompt.value, { target: app.target.value });
    return html`<h3 class="inner">${t("c8.nudge.title")}</h3>
      ${chooseSource(app)}
      ${this.#slider(engine, score)}
      ${this.#measured(measure(engine, score))}`;
  }

  #slider(engine: Engine, score: Score): TemplateResult {
    const { head, row, source } = score;
    const by = Math.fround(this.#by);
    const now = withNudge(engine, score, by, () => ({
      loss: engine.kernel.view("Loss", "prompt").at(),
      shares: Array.from({ length: row + 1 }, (_, j) => engine.kernel.view(`${head}.A`, "prompt").at(row, j)),
    }));
    const still = engine.read("Loss").at();
    const change = Math.fround(now.loss - still);
    const moved = (event: Event) => {
      this.#by = Number((event.target as HTMLInputElement).value);
      this.requestUpdate();
    };
    return html`<div class="nudge">
      <label><span>${t("c8.nudge", { score: `S[${row},${source}]` })}</span>
        <input type="range" name="nudge" min=${-FAR} max=${FAR} step=${NUDGE} .value=${String(this.#by)} @input=${moved}>
        <output data-nudge=${exact(by)}>${signed(by, 2)}</output></label>
      <button type="button" data-action="no-nudge" ?disabled=${this.#by === 0} @click=${() => {
        this.#by = 0;
        this.requestUpdate();
      }}>${t("c8.nudge.back")}</button>
      <p>${t("c8.nudge.row")} ${now.shares.map(
        (share, j) =>
          html`<span class="share"><span class="token">${this.#token(j)}</span> <data data-nudged=${j} value=${exact(share)}>${percent(share)}</data></span>`,
      )}</p>
      <p>${t("c8.nudge.loss")} <data data-nudged="loss" value=${exact(now.loss)}>${shown(now.loss, DIGITS)}</data>
        ${by === 0 ? "" : html`(${signed(change, DIGITS)})`}</p>
    </div>`;
  }

  #measured(found: Measured): TemplateResult {
    const { pair, fan, formula, outcome } = found;
    const digits = 6;
    const values = {
      difference: shareText(found.relative),
      blur: shareText(found.blur),
      n: found.switched,
      slope: shown(fan?.slope ?? pair.slope, digits),
      pairs: fan?.pairs ?? 1,
      reach: fan?.reach ?? NUDGE,
      agree: percent(0.01, 0),
    };
    const line = (name: string, label: string, value: number) =>
      html`<div><dt>${label}</dt><dd><data data-name=${name} value=${value}>${shown(value, digits)}</data></dd></div>`;
    return html`<dl class="measured" data-outcome=${outcome} data-relative=${found.relative}>
        ${line("minus", t("c8.minus", { by: NUDGE }), pair.minus)}
        ${line("plus", t("c8.plus", { by: NUDGE }), pair.plus)}
        ${line("slope", t("c8.slope", { width: 2 * NUDGE }), pair.slope)}
        ${fan === null ? "" : line("fan", t("c8.fan", { pairs: fan.pairs, reach: fan.reach }), fan.slope)}
        ${line("formula", t("c8.formula"), formula)}
      </dl>
      ${badge(VERDICTS[outcome], t(`c8.outcome.${outcome}`, values), "c8.slope")}`;
  }
}

/** A share that may be far above 1. */
function shareText(share: number): string {
  if (Number.isNaN(share)) return "";
  return Number.isFinite(share) ? percent(share, share < 0.01 ? 3 : 1) : "∞";
}

function signed(value: number, digits: number): string {
  return value > 0 ? `+${shown(value, digits)}` : shown(value, digits);
}

function way(slope: number): TemplateResult {
  if (slope === 0 || Number.isNaN(slope)) return html`<span>${t("c8.still")}</span>`;
  return slope < 0 ? html`<b>↑</b> ${t("c8.up")}` : html`<b>↓</b> ${t("c8.down")}`;
}

customElements.define("abh-push", Push);
