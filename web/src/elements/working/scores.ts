/** `<abh-scores>`: one row of S, product by product, then the mask and the shares. */

import { html, type TemplateResult } from "lit";
import { t } from "../../i18n";
import { cell } from "../cell";
import { OneRow } from "./one-row";
import { part, product, rounding, rowLabel, type Worked, worked } from "./terms";

export class Scores extends OneRow {
  protected override readonly caption = "c13.scores";

  protected override table(of: string, row: number): { parts: TemplateResult; note: TemplateResult } {
    const { app } = this;
    const columns = Array.from({ length: app.ledger.sizes.d_head ?? 0 }, (_, c) => c);
    const sources = app.state.signals.prompt.value.map((_, source) => source);
    const parts = html`<thead><tr>
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
      </tr></tfoot>`;
    const note = html`<p class="note">${t("c13.largest")} ${this.#cell(`${of}S.max`, [row])}</p>`;
    return { parts, note };
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
