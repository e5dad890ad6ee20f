/** `<abh-ledger>`: the index of every matrix there is, and the page of the one chosen. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { filtered, type Listed, listed, PARTS } from "../../core/parts";
import { t } from "../../i18n";
import { Figure } from "../figure";
import "./ledger.css";
import "./page";

export class LedgerIndex extends Figure {
  #all: Listed[] = [];
  #part = "";
  #layer = 0;
  #words = "";

  protected override watch(app: App): void {
    void app.state.signals.entry.value;
    if (this.#all.length === 0) this.#all = listed(app.ledger);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const chosen = app.state.signals.entry.value;
    const found = filtered(this.#all, this.#part, this.#layer, this.#words);
    return html`<div class="panel ledger" id="abh-ledger">
      <div class="index">
        <div class="filters">
          <label>${t("ledger.search")}<input type="search" name="words" autocomplete="off" @input=${this.#typed}></label>
          <label>${t("ledger.part")}<select name="part" @change=${this.#partChosen}>
            <option value="">${t("ledger.all")}</option>
            ${PARTS.map((part) => html`<option value=${part}>${t(`part.${part}`)}</option>`)}
          </select></label>
          <label>${t("ledger.layer")}<select name="layer" @change=${this.#layerChosen}>
            <option value="0">${t("ledger.all")}</option>
            ${Array.from({ length: app.ledger.sizes.layers ?? 0 }, (_, i) => html`<option value=${i + 1}>${i + 1}</option>`)}
          </select></label>
        </div>
        <p class="note" role="status">${t("ledger.count", { n: found.length, all: this.#all.length })}</p>
        <ul>
          ${found.map(
            ({
              name,
            }) => html`<li><button type="button" data-entry=${name} aria-current=${name === chosen ? "true" : "false"}
              @click=${() => app.state.set({ entry: name })}>${name}</button></li>`,
          )}
        </ul>
      </div>
      <abh-ledger-page></abh-ledger-page>
    </div>`;
  }

  #typed = (event: Event): void => {
    this.#words = (event.target as HTMLInputElement).value;
    this.requestUpdate();
  };

  #partChosen = (event: Event): void => {
    this.#part = (event.target as HTMLSelectElement).value;
    this.requestUpdate();
  };

  #layerChosen = (event: Event): void => {
    this.#layer = Number((event.target as HTMLSelectElement).value);
    this.requestUpdate();
  };
}

customElements.define("abh-ledger", LedgerIndex);
