/** `<abh-shares>`: the scores of one receiver become shares: exponential, sum, division; the future stays masked. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { percent } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { standing } from "../standing";
import "./shares.css";

export class Shares extends Figure {
  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value, app.state.signals.source.value];
    watchChoices(app, ["layer", "head", "receiver"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const base = `layer${layer.value}.head${head.value}`;
    const row = receiverOf(app);
    const label = app.tokens.names[prompt.value[row] as number] ?? "?";
    return html`<figure class="panel shares" aria-label=${t("c4.shares.title")}>
      ${standing(app)} ${choose(app, ["layer", "head", "receiver"])}
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c4.shares.title")}><table>
        <caption>${t("c4.shares.caption", { token: label, row })}</caption>
        <thead><tr>
          <th scope="col">${t("choices.source")}</th><th scope="col">S</th>
          <th scope="col">${t("c4.shares.exp")}</th><th scope="col">A</th><td></td>
        </tr></thead>
        <tbody>${prompt.value.map((id, source) => this.#line(base, row, source, app.tokens.names[id] ?? "?"))}</tbody>
        <tfoot>${this.#sums(base, row)}</tfoot>
      </table></div>
      <p class="said">${t(row === prompt.value.length - 1 ? "c4.shares.last" : "c4.shares.future", {
        token: label,
        n: row + 1,
        hidden: prompt.value.length - 1 - row,
      })}</p>
    </figure>`;
  }

  #line(base: string, row: number, source: number, label: string): TemplateResult {
    const { app } = this;
    const digits = app.digits.value;
    const masked = source > row;
    const number = (name: string) =>
      cell(`${base}.${name}`, [row, source], app.engine.read(`${base}.${name}`).at(row, source), {
        digits,
        masked,
      });
    const share = app.engine.read(`${base}.A`).at(row, source);
    return html`<tr class=${masked ? "masked" : ""}>
      <th scope="row" class="token">${label}<small>${source}</small></th>
      <td>${number("S")}</td><td>${number("S.exp")}</td><td>${number("A")}</td>
      <td class="share">${masked ? t("drawer.masked") : html`<meter min="0" max="1" .value=${share} aria-label=${percent(share)}></meter>`}</td>
    </tr>`;
  }

  #sums(base: string, row: number): TemplateResult {
    const { app } = this;
    const digits = app.digits.value;
    const a = app.engine.read(`${base}.A`);
    // Adding up what stands in the column: float32 leaves a last bit over now and then, and that is shown too.
    let sum = 0;
    for (let source = 0; source <= row; source += 1) sum = Math.fround(sum + a.at(row, source));
    const most = app.engine.read(`${base}.S.max`).at(row);
    const total = app.engine.read(`${base}.S.exp.sum`).at(row);
    return html`<tr>
      <th scope="row">${t("c4.shares.foot")}</th>
      <td>${t("drawer.most")} ${cell(`${base}.S.max`, [row], most, { digits })}</td>
      <td>${t("drawer.total")} ${cell(`${base}.S.exp.sum`, [row], total, { digits })}</td>
      <td>${t("drawer.total")} <data data-sum value=${sum}>${sum.toFixed(digits)}</data></td><td></td>
    </tr>`;
  }
}

customElements.define("abh-shares", Shares);
