/** `<abh-mixing>`: a reading table made by hand. The reader moves the four shares of the last row; its mixture follows. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import { handRow, WHOLE, withShare } from "../../core/hand";
import { WhatIf } from "../../core/whatif";
import { t } from "../../i18n";
import { buttons, choose, watchChoices } from "../choose";
import { Figure } from "../figure";
import { Tables } from "../matrix/tables";
import { triedTable } from "../plain";
import "./mixing.css";

const TEXT = "7×0=";

export class Mixing extends Figure {
  readonly #tables = new Tables();

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value, handRow.value];
    watchChoices(app, ["layer", "head"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head } = app.state.signals;
    const base = `layer${layer.value}.head${head.value}`;
    const engine = benchOf(app).at(TEXT);
    const prompt = engine.scene?.prompt ?? [];
    const tokens = prompt.map((id) => app.tokens.names[id] ?? "?");
    const hand = handRow.value;
    const last = prompt.length - 1;
    const digits = app.digits.value;
    // Every other row reads only itself: it takes its own offer, whole.
    const table = prompt.map((_, row) =>
      prompt.map((_, source) => (row === last ? (hand[source] ?? 0) / WHOLE : Number(row === source))),
    );
    const tried = new WhatIf(engine, (name, [row = 0, source = 0]) =>
      name === `${base}.A` ? table[row]?.[source] : undefined,
    );
    const width = app.ledger.sizes.d_head ?? 0;
    const columns = Array.from({ length: width }, (_, column) => column);
    const mixed = prompt.map((_, row) => columns.map((column) => tried.node(`${base}.H`, [row, column])));
    const offered = this.#tables.table(app, "offered", `${base}.V`, { engine, caption: t("c2.offered") });
    const places = columns.map(String);
    const terms = mixed[last]?.map((node) => node.children.map((child) => child.value)) ?? [];
    const parts = [
      ...prompt.map((_, source) => columns.map((column) => terms[column]?.[source] ?? 0)),
      columns.map((column) => mixed[last]?.[column]?.value ?? 0),
    ];
    const rowOf = (row: number) => (row === last ? "line" : "");
    return html`<figure class="panel mixing" aria-label=${t("c2.title")}>
      ${choose(app, ["layer", "head"])}
      ${this.#sliders(tokens, hand)}
      <div class="factors">
        <div class="scroll" tabindex="0" role="group" aria-label="A">${triedTable({ caption: t("c2.table"), rows: tokens, columns: tokens }, table, 2, rowOf)}</div>
        <span class="sign" aria-hidden="true">·</span>
        <div class="scroll">${offered.table}</div>
        <span class="sign" aria-hidden="true">=</span>
        <div class="scroll" tabindex="0" role="group" aria-label="H">${triedTable(
          { caption: t("c2.mixed"), rows: tokens, columns: places },
          mixed.map((row) => row.map((node) => node.value)),
          digits,
          rowOf,
        )}</div>
      </div>
      <div class="tight scroll parts" tabindex="0" role="group" aria-label=${t("c2.parts")}>${triedTable(
        {
          caption: t("c2.parts"),
          rows: tokens.map((token, source) => `${((hand[source] ?? 0) / WHOLE).toFixed(2)}·V(${token})`),
          phrases: true,
          columns: places,
          last: "H(=)",
        },
        parts,
        digits,
        (row) => (row === parts.length - 1 ? "line" : ""),
      )}</div>
      <p class="said" role="status">${this.#said(tokens, hand)}</p>
    </figure>`;
  }

  #sliders(tokens: readonly string[], hand: readonly number[]): TemplateResult {
    const set = (row: readonly number[]) => () => {
      handRow.value = row;
    };
    const only = (at: number) => hand.map((_, source) => (source === at ? WHOLE : 0));
    const even = hand.map(() => WHOLE / hand.length);
    const same = (row: readonly number[]) => row.every((share, source) => share === hand[source]);
    return html`<fieldset class="hand"><legend>${t("c2.legend")}</legend>
      ${tokens.map(
        (token, source) => html`<label>
          <span><span class="token">${token}</span> <small>${source}</small></span>
          <input type="range" min="0" max=${WHOLE} step="1" name=${`share-${source}`} .value=${String(hand[source])}
            aria-label=${t("c2.share", { token, source })} @input=${this.#moved(source)}>
          <output data-hand=${source} data-value=${(hand[source] ?? 0) / WHOLE}>${((hand[source] ?? 0) / WHOLE).toFixed(2)}</output>
        </label>`,
      )}
      <p class="sum">${t("c2.sum")} <b data-hand-sum>${(hand.reduce((sum, share) => sum + share, 0) / WHOLE).toFixed(2)}</b></p>
      <div class="choose">${buttons(t("c2.try"), [
        ...tokens.map((token, source) => ({
          text: t("c2.only", { token }),
          on: same(only(source)),
          choose: set(only(source)),
        })),
        { text: t("c2.even"), on: same(even), choose: set(even) },
      ])}</div>
    </fieldset>`;
  }

  #moved = (source: number) => (event: Event) => {
    handRow.value = withShare(handRow.value, source, Number((event.target as HTMLInputElement).value));
  };

  #said(tokens: readonly string[], hand: readonly number[]): string {
    const all = hand.indexOf(WHOLE);
    if (all >= 0)
      return t(all === hand.length - 1 ? "c2.said.self" : "c2.said.one", { token: tokens[all] ?? "?" });
    return t("c2.said.mix", { n: hand.filter((share) => share > 0).length });
  }
}

customElements.define("abh-mixing", Mixing);
