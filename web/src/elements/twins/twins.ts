/** `<abh-twins>`: the row "=" of two texts with the same digits in another order, before rows read each other and after. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import { compareRow, rowOf } from "../../core/compare";
import type { Engine } from "../../core/engine";
import { exact, kindOf, percent, shown } from "../../core/format";
import { type Key, t } from "../../i18n";
import { badge } from "../badge";
import { cell } from "../cell";
import { digitList } from "../digits";
import { Figure } from "../figure";
import "../chapters.css";
import "./twins.css";

const DIGITS = 4;

/** Where the row is looked at: before any row has read another, and after. */
const PLACES: readonly { name: string; says: Key; before: boolean }[] = [
  { name: "X", says: "c12.x", before: true },
  { name: "layer1.X_norm", says: "c12.norm", before: true },
  { name: "layer1.Q", says: "c12.q", before: true },
  { name: "layer1.AttnOut", says: "c12.gathered", before: false },
  { name: "layer1.X_mid", says: "c12.mid", before: false },
  { name: "layer2.X_out", says: "c12.out", before: false },
];

export class Twins extends Figure {
  #a = 7;
  #b = 8;

  protected override watch(app: App): void {
    void app.scene.value;
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const texts = [`${this.#a}×${this.#b}=`, `${this.#b}×${this.#a}=`] as const;
    const engines = [benchOf(app).at(texts[0]), benchOf(app).at(texts[1])] as const;
    const row = (engines[0].rows("prompt") ?? 1) - 1;
    const set = (a: number, b: number) => {
      [this.#a, this.#b] = [a, b];
      this.requestUpdate();
    };
    return html`<figure class="panel twins" aria-label=${t("c12.title")}>
      <div class="choose">
        ${digitList("c12-a", t("c7.a"), this.#a, (a) => set(a, this.#b), [this.#b])}
        ${digitList("c12-b", t("c7.b"), this.#b, (b) => set(this.#a, b), [this.#a])}
      </div>
      ${this.#part(true, texts, engines, row)} ${this.#part(false, texts, engines, row)}
      ${this.#answers(texts, engines, row)}
    </figure>`;
  }

  #part(
    before: boolean,
    texts: readonly [string, string],
    engines: readonly [Engine, Engine],
    row: number,
  ): TemplateResult {
    const places = PLACES.filter((place) => place.before === before);
    const found = places.map((place) => ({
      ...place,
      ...compareRow(rowOf(engines[0], place.name, row), rowOf(engines[1], place.name, row)),
    }));
    const label = t(before ? "c12.before" : "c12.after");
    const different = found.reduce((sum, place) => sum + place.different, 0);
    const all = found.reduce((sum, place) => sum + place.differences.length, 0);
    const largest = Math.max(...found.map((place) => place.largest));
    const values = { different, all, largest: shown(largest, DIGITS) };
    return html`<h3 class="inner">${label}</h3>
      <div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="numbers">
      ${found.map(
        ({ name, says, differences }) => html`<tbody data-place=${name}>
          ${texts.map((text, i) => {
            const numbers = rowOf(engines[i as 0 | 1], name, row);
            return html`<tr><th scope="row">${i === 0 ? html`${t(says)}<br>` : ""}<code>${text}</code> <code>${name}</code></th>
              ${numbers.map((value, d) => html`<td>${cell(name, [row, d], value, { prompt: text, digits: DIGITS })}</td>`)}</tr>`;
          })}
          <tr class="difference"><th scope="row">${t("c12.difference")}</th>${differences.map(
            (value, d) =>
              html`<td data-kind=${kindOf(value, DIGITS)}><data data-difference=${d} value=${exact(value)}>${shown(value, DIGITS)}</data></td>`,
          )}</tr></tbody>`,
      )}
      </table></div>
      ${
        before
          ? badge(
              different === 0 ? "yes" : "no",
              t(different === 0 ? "c12.zero" : "c12.notzero", values),
              "c12.before",
            )
          : badge(
              different > 0 ? "yes" : "open",
              t(different > 0 ? "c12.differs" : "c12.same", values),
              "c12.after",
            )
      }`;
  }

  /** Different rows, and what is read from them. */
  #answers(
    texts: readonly [string, string],
    engines: readonly [Engine, Engine],
    row: number,
  ): TemplateResult {
    const { tokens, tree } = this.app;
    return html`<p>${texts.map((text, i) => {
      const engine = engines[i as 0 | 1];
      const target = tree.follower(engine.scene?.prompt ?? []) ?? 0;
      const share = engine.read("P").at(row, target);
      return html`${i === 0 ? "" : t("c11.list")}<code>${text}</code>: P(${tokens.names[target]}) = ${cell("P", [row, target], share, { prompt: text, text: percent(share) })}`;
    })}${t("sentence.stop")}${t("c12.answers")}</p>`;
  }
}

customElements.define("abh-twins", Twins);
