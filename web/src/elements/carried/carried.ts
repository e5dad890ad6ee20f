/**
 * `<abh-carried>`: what would be carried if K were also the content, beside what is carried with V. One knob makes a
 * source match better or worse: with K as content it changes what is handed over too.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { evaluate, type Node } from "../../core/evaluate";
import { percent } from "../../core/format";
import { entryOf } from "../../core/ledger";
import { WhatIf, withOther } from "../../core/whatif";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, sourceOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { triedCell } from "../plain";
import { chooseSource, standing } from "../standing";
import "./carried.css";

/** All that is worked out again when a score changes. */
const ANEW = ["S", "S.max", "S.exp", "S.exp.sum", "A", "H"];

export class Carried extends Figure {
  /** What the chosen source's row of K is multiplied by. */
  #factor = 1;

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value, app.state.signals.source.value];
    watchChoices(app, ["layer", "head", "receiver"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const base = `layer${layer.value}.head${head.value}`;
    const [row, source] = [receiverOf(app), sourceOf(app)];
    const token = app.tokens.names[prompt.value[source] as number] ?? "?";
    const receiver = app.tokens.names[prompt.value[row] as number] ?? "?";
    const keys = app.engine.read(`${base}.K`);
    const tried = new WhatIf(
      app.engine,
      (name, [at = 0, column = 0]) =>
        name === `${base}.K` && at === source ? keys.at(at, column) * this.#factor : undefined,
      ANEW.map((name) => `${base}.${name}`),
    );
    const columns = Array.from({ length: app.ledger.sizes.d_head ?? 0 }, (_, column) => column);
    const formula = entryOf(app.ledger, `${base}.H`).formula;
    if (formula === undefined) throw new Error(`${base}.H has no formula`);
    const [i = "", c = ""] = formula.index;
    const withKeys = withOther(formula.value, `${base}.V`, `${base}.K`);
    const ofKeys = columns.map((column) => evaluate(withKeys, { [i]: row, [c]: column }, tried));
    const ofValues = columns.map((column) => tried.node(`${base}.H`, [row, column]));
    const share = tried.value(`${base}.A`, [row, source]);
    const digits = app.digits.value;
    const values = app.engine.read(`${base}.V`);
    const handedKeys = columns.map((column) => triedCell(tried.value(`${base}.K`, [source, column]), digits));
    const handedValues = columns.map(
      (column) =>
        html`<td>${cell(`${base}.V`, [source, column], values.at(source, column), { digits })}</td>`,
    );
    return html`<figure class="panel carried" aria-label=${t("c5.title")}>
      ${standing(app)} ${choose(app, ["layer", "head", "receiver"])} ${chooseSource(app)}
      <label class="knob"><span>${t("c5.knob", { token })}</span>
        <input type="range" name="match" min="-2" max="4" step="0.1" .value=${String(this.#factor)} @input=${this.#turned}>
        <output data-factor>× ${this.#factor.toFixed(1)}</output></label>
      <p>${t("c5.share", { token, receiver })} <b data-share data-value=${share}>${percent(share)}</b></p>
      <div class="pair">
        ${this.#machine("K", t("c5.keys"), token, receiver, handedKeys, ofKeys)}
        ${this.#machine("V", t("c5.values"), token, receiver, handedValues, ofValues)}
      </div>
      <p class="said" role="status">${t(this.#factor === 1 ? "c5.said.still" : "c5.said.turned", { token })}</p>
    </figure>`;
  }

  #machine(
    kind: string,
    title: string,
    token: string,
    receiver: string,
    handed: readonly TemplateResult[],
    arrived: readonly Node[],
  ): TemplateResult {
    const digits = this.app.digits.value;
    return html`<div class="tight scroll" tabindex="0" role="group" aria-label=${title}><table class="matrix" data-machine=${kind}>
      <caption>${title}</caption>
      <thead><tr><td></td>${arrived.map((_, column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>
        <tr data-row="handed"><th scope="row">${t("c5.handed", { token })}</th>${handed}</tr>
        <tr data-row="arrived"><th scope="row">${t("c5.arrived", { receiver })}</th>${arrived.map((node) => triedCell(node.value, digits))}</tr>
      </tbody>
    </table></div>`;
  }

  #turned = (event: Event): void => {
    this.#factor = Number((event.target as HTMLInputElement).value);
    this.requestUpdate();
  };
}

customElements.define("abh-carried", Carried);
