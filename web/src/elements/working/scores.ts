/** `<abh-scores>`: one row of S, product by product, then the mask and the shares. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { part, product, rounding, rowLabel, type Worked, worked } from "./terms";
import "./working.css";

const CHOICES = ["layer", "head", "receiver"] as const;

export class Scores extends Figure {
  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, CHOICES);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const row = receiverOf(app);
    const of = `layer${layer.value}.head${head.value}.`;
    const columns = Array.from({ length: app.ledger.sizes.d_head ?? 0 }, (_, c) => c);
    const sources = prompt.value.map((_, source) => source);
    const caption = t("c13.scores", {
      token: app.tokens.names[prompt.value[row] ?? -1] ?? "?",
      layer: layer.value,
      head: head.value,
    });
    return html`<figure class="panel working" aria-label=${caption}>
      ${choose(app, CHOICES)}
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}><table>
        <caption>${caption}</caption>
        <thead><tr>
          <th scope="col">${t("c13.source")}</th>
          ${columns.map((c) => html`<th scope="col">Q<sub>${c}</sub> · K<sub>${c}</sub></th>`)}
          <th scope="col">${t("c13.sum")}</th>
          <th scope="col">S = ${t("c13.sum")} ÷ √${columns.length}</th>
          <th scope="col">${t("c13.exp")}</th>
          <th scope="col">A</th>
        </tr></thead>
        <tbody>${sources.map((source) => this.#row(of, row, source, columns.length))}</tbody>
        <tfoot><tr>
          <th scope="row" colspan=${columns.length + 3}>${t("c13.together")}</th>
          <td>${this.#cell(`${of}S.exp.sum`, [row])}</td>
          <td>${this.#shares(of, row)}</td>
        </tr></tfoot>
      </table></div>
      <p class="note">${t("c13.largest")} ${this.#cell(`${of}S.max`, [row])}</p>
    </figure>`;
  }

  #cell(name: string, index: readonly number[]): TemplateResult {
    const { app } = this;
    return cell(name, index, app.engine.read(name).at(...index), { digits: app.digits.value });
  }

  #row(of: string, row: number, source: number, width: number): TemplateResult {
    const { app } = this;
    const digits = app.digits.value;
    const score = worked(app, `${of}S`, [row, source]);
    if (score.masked) return this.#masked(of, row, source, width);
    return html`<tr>
      <th scope="row">${rowLabel(app, source)}</th>
      ${score.products.map((node) => html`<td>${product(node, score, digits)}</td>`)}
      <td>${this.#sum(score, digits)}</td>
      <td>${cell(score.name, score.index, score.value, { digits })}</td>
      <td>${this.#cell(`${of}S.exp`, [row, source])}</td>
      <td>${this.#cell(`${of}A`, [row, source])}</td>
    </tr>`;
  }

  #sum(score: Worked, digits: number): TemplateResult {
    const terms = score.products.map((node) => node.value);
    return html`${part(score.sum, score, digits)} ${rounding(terms, score.sum, digits)}`;
  }

  #masked(of: string, row: number, source: number, width: number): TemplateResult {
    const options = { masked: true } as const;
    return html`<tr class="masked">
      <th scope="row">${rowLabel(this.app, source)}</th>
      <td colspan=${width + 1}>${t("c13.masked")}</td>
      <td>${cell(`${of}S`, [row, source], Number.NEGATIVE_INFINITY, options)}</td>
      <td>${cell(`${of}S.exp`, [row, source], 0, options)}</td>
      <td>${cell(`${of}A`, [row, source], 0, options)}</td>
    </tr>`;
  }

  /** The shares of the row added up: by softmax they make one whole. */
  #shares(of: string, row: number): TemplateResult {
    const view = this.app.engine.read(`${of}A`);
    let total = 0;
    for (let source = 0; source <= row; source += 1) total += view.at(row, source);
    return html`<data data-shares value=${total}>${total.toFixed(this.app.digits.value)}</data>`;
  }
}

customElements.define("abh-scores", Scores);
