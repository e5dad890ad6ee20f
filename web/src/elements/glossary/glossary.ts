/** `<abh-glossary>`: our names beside those of the paper, TransformerLens and nanoGPT. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { entryOf } from "../../core/ledger";
import { language, t } from "../../i18n";
import { choose, watchChoices } from "../choose";
import { Figure } from "../figure";
import "./glossary.css";

const CHOICES = ["layer", "head"] as const;
const LIBRARIES = ["TransformerLens", "nanoGPT"] as const;

/** Our names, and how "Attention Is All You Need" writes the same thing; empty where it has no sign for it. */
const NAMES: readonly (readonly [name: string, paper: TemplateResult | ""])[] = [
  ["TokenEmb", html`Embedding`],
  ["PosEmb", html`PE`],
  ["layer{layer}.X_in", html`x`],
  ["layer{layer}.X_norm", html`LayerNorm(x)`],
  ["layer{layer}.WQ", html`W<sub>i</sub><sup>Q</sup>`],
  ["layer{layer}.WK", html`W<sub>i</sub><sup>K</sup>`],
  ["layer{layer}.WV", html`W<sub>i</sub><sup>V</sup>`],
  ["layer{layer}.head{head}.Q", html`Q`],
  ["layer{layer}.head{head}.K", html`K`],
  ["layer{layer}.head{head}.V", html`V`],
  ["layer{layer}.head{head}.S", html`QK<sup>T</sup> / √d<sub>k</sub>`],
  ["layer{layer}.head{head}.A", html`softmax(QK<sup>T</sup> / √d<sub>k</sub>)`],
  ["layer{layer}.head{head}.H", html`head<sub>i</sub>`],
  ["layer{layer}.H", html`Concat(head<sub>1</sub>, …, head<sub>h</sub>)`],
  ["layer{layer}.WO", html`W<sup>O</sup>`],
  ["layer{layer}.AttnOut", html`MultiHead(Q, K, V)`],
  ["layer{layer}.X_mid", html`x + Sublayer(x)`],
  ["layer{layer}.W1", html`W<sub>1</sub>`],
  ["layer{layer}.b1", html`b<sub>1</sub>`],
  ["layer{layer}.U", html`xW<sub>1</sub> + b<sub>1</sub>`],
  ["layer{layer}.R", html`max(0, xW<sub>1</sub> + b<sub>1</sub>)`],
  ["layer{layer}.W2", html`W<sub>2</sub>`],
  ["layer{layer}.b2", html`b<sub>2</sub>`],
  ["layer{layer}.FFNOut", html`FFN(x)`],
  ["layer{layer}.X_out", html`x + Sublayer(x)`],
  ["layer{layer}.head{head}.QK", ""],
  ["layer{layer}.head{head}.OV", ""],
  ["layer{layer}.head{head}.write", ""],
  ["Final", ""],
  ["LM", html`Linear`],
  ["logits", ""],
  ["P", html`softmax`],
  ["Loss", ""],
];

export class Glossary extends Figure {
  protected override watch(app: App): void {
    watchChoices(app, CHOICES);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    return html`<figure class="panel glossary" aria-label=${t("c17.names")}>
      ${choose(app, CHOICES)}
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c17.names")}><table>
        <caption>${t("c17.names")}</caption>
        <thead><tr>
          <th scope="col">${t("c17.here")}</th><th scope="col">${t("c17.paper")}</th>
          ${LIBRARIES.map((library) => html`<th scope="col">${library}</th>`)}
        </tr></thead>
        <tbody>${NAMES.map(([pattern, paper]) => this.#row(pattern, paper))}</tbody>
      </table></div>
    </figure>`;
  }

  #row(pattern: string, paper: TemplateResult | ""): TemplateResult {
    const { app } = this;
    const { layer, head } = app.state.signals;
    const name = pattern.replace("{layer}", String(layer.value)).replace("{head}", String(head.value));
    const entry = entryOf(app.ledger, name);
    return html`<tr>
      <th scope="row"><button type="button" class="name" title=${entry.meaning?.[language] ?? ""} data-entry=${name} @click=${() => this.#open(name)}>${name}</button></th>
      <td>${paper === "" ? t("c17.no.name") : paper}</td>
      ${LIBRARIES.map((library) => {
        const alias = entry.aliases?.[library];
        return html`<td>${alias === undefined ? t("c17.no.name") : html`<code>${alias}</code>`}</td>`;
      })}
    </tr>`;
  }

  #open(entry: string): void {
    this.app.state.set({ entry });
    const page = document.querySelector<HTMLElement>("abh-ledger");
    page?.scrollIntoView();
    page?.querySelector<HTMLElement>("abh-ledger-page h3")?.focus({ preventScroll: true });
  }
}

customElements.define("abh-glossary", Glossary);
