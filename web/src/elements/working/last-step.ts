/** `<abh-last-step>`: a row of Final times one column of LM, then the probability. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { percent } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { part, product, rounding, worked } from "./terms";
import "./working.css";

const CHOICES = ["receiver", "target"] as const;

export class LastStep extends Figure {
  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value, app.target.value];
    watchChoices(app, CHOICES);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const row = receiverOf(app);
    const token = app.target.value;
    const digits = app.digits.value;
    const logit = worked(app, "logits", [row, token]);
    const name = app.tokens.names[token] ?? "?";
    const caption = t("c13.last", {
      row: app.tokens.names[app.state.signals.prompt.value[row] ?? -1] ?? "?",
      token: name,
    });
    let running = 0;
    const rows = logit.products.map((node, k) => {
      running = Math.fround(running + node.value);
      return html`<tr><th scope="row">${k}</th><td>${product(node, logit, digits)}</td>
        <td>${part(running, logit, digits)}</td></tr>`;
    });
    return html`<figure class="panel working" aria-label=${caption}>
      ${choose(app, CHOICES)}
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}><table>
        <caption>${caption}</caption>
        <thead><tr>
          <th scope="col">${t("c13.column")}</th>
          <th scope="col">Final · LM</th>
          <th scope="col">${t("c13.so.far")}</th>
        </tr></thead>
        <tbody>${rows}</tbody>
        <tfoot>
          ${this.#foot(
            t("c13.logit"),
            "logits",
            [row, token],
            rounding(
              logit.products.map((node) => node.value),
              logit.value,
              digits,
            ),
          )}
          ${this.#foot(t("c13.logit.largest"), "logits.max", [row])}
          ${this.#foot(t("c13.logit.exp"), "logits.exp", [row, token])}
          ${this.#foot(t("c13.logit.sum", { n: app.tokens.names.length }), "logits.exp.sum", [row])}
          ${this.#foot(t("c13.probability", { token: name }), "P", [row, token], html`<small>${percent(app.engine.read("P").at(row, token))}</small>`)}
        </tfoot>
      </table></div>
    </figure>`;
  }

  #foot(
    label: string,
    name: string,
    index: readonly number[],
    more: TemplateResult = html``,
  ): TemplateResult {
    const { app } = this;
    const value = app.engine.read(name).at(...index);
    return html`<tr><th scope="row" colspan="2">${label}</th>
      <td>${cell(name, index, value, { digits: app.digits.value })} ${more}</td></tr>`;
  }
}

customElements.define("abh-last-step", LastStep);
