/** `<abh-facts>`: this model beside two that everyone has heard of. */

import { html, type TemplateResult } from "lit";
import { grouped } from "../../core/format";
import { t } from "../../i18n";
import { Figure } from "../figure";
import "./facts.css";

/** Published figures of GPT-3 (Brown et al. 2020, table 2.1, 175B). The GPT-4 report gives none. */
const GPT3 = { layers: 96, heads: 96, width: 12288 };

export class Facts extends Figure {
  protected override watch(): void {
    // Nothing here changes while the page is open.
  }

  protected override render(): TemplateResult {
    const { ledger, parameterCount } = this.app;
    const { layers = 0, heads = 0, d_model: width = 0 } = ledger.sizes;
    const none = t("facts.undisclosed");
    const rows = [
      [t("facts.parameters"), grouped(parameterCount), t("facts.gpt3.parameters"), none],
      [t("facts.layers"), layers, GPT3.layers, none],
      [t("facts.heads"), heads, GPT3.heads, none],
      [t("facts.width"), grouped(width), grouped(GPT3.width), none],
    ];
    return html`<table class="facts">
      <caption>${t("facts.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">${t("facts.size")}</th>
          <th scope="col">${t("facts.this")}</th>
          <th scope="col">GPT-3</th>
          <th scope="col">GPT-4</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...values]) => html`<tr>
            <th scope="row">${name}</th>
            ${values.map((value) => html`<td>${value}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define("abh-facts", Facts);
