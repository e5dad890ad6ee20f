/**
 * `<abh-stored>`: a table that is stored beside one that is worked out, on two texts that hold the same tokens in another
 * order. The stored one reads the same column whatever stands there; what the worked-out one does, this run says.
 */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import type { Engine } from "../../core/engine";
import { handRow, WHOLE } from "../../core/hand";
import { largest } from "../../core/rank";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, watchChoices } from "../choose";
import { Figure } from "../figure";
import "./stored.css";

const TEXTS = ["7×0=", "0×7="] as const;

interface Reading {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly engine: Engine;
  readonly shares: readonly number[];
  /** The column of the largest share. */
  readonly at: number;
}

export class Stored extends Figure {
  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value, handRow.value];
    watchChoices(app, ["layer", "head"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const readings = TEXTS.map((text) => this.#read(text));
    const [first, second] = readings as [Reading, Reading];
    const stored = handRow.value.map((share) => share / WHOLE);
    const fixed = largest(stored, 1)[0] ?? 0;
    const verdict =
      first.at === second.at
        ? first.tokens[first.at] === second.tokens[second.at]
          ? "still"
          : "column"
        : first.tokens[first.at] === second.tokens[second.at]
          ? "token"
          : "neither";
    const same = first.shares.every((share, source) => Object.is(share, second.shares[source]));
    return html`<figure class="panel stored" aria-label=${t("c3.title")}>
      ${choose(app, ["layer", "head"])}
      <div class="pair">
        <div class="kind"><p class="title">${t("c3.stored")}</p>
          ${readings.map((reading) => this.#table(reading, stored, fixed, null))}
          <p class="said" data-verdict="stored">${t("c3.stored.said", {
            column: fixed,
            first: first.tokens[fixed] ?? "?",
            second: second.tokens[fixed] ?? "?",
          })}</p></div>
        <div class="kind"><p class="title">${t("c3.computed")}</p>
          ${readings.map((reading) => this.#table(reading, reading.shares, reading.at, reading.engine))}
          <p class="said" data-verdict=${verdict} data-equal=${same ? "yes" : "no"}>${t(same ? "c3.computed.same" : "c3.computed.differ")}
            ${t(`c3.computed.${verdict}`, {
              first: first.tokens[first.at] ?? "?",
              second: second.tokens[second.at] ?? "?",
              from: first.at,
              to: second.at,
            })}</p></div>
      </div>
    </figure>`;
  }

  get #entry(): string {
    const { layer, head } = this.app.state.signals;
    return `layer${layer.value}.head${head.value}.A`;
  }

  #read(text: string): Reading {
    const { app } = this;
    const engine = benchOf(app).at(text);
    const prompt = engine.scene?.prompt ?? [];
    const view = engine.read(this.#entry);
    const shares = prompt.map((_, source) => view.at(prompt.length - 1, source));
    return {
      text,
      tokens: prompt.map((id) => app.tokens.names[id] ?? "?"),
      engine,
      shares,
      at: largest(shares, 1)[0] ?? 0,
    };
  }

  /** One text: its tokens, and the share of each; from an engine as cells of the ledger, else as made by hand. */
  #table(reading: Reading, shares: readonly number[], most: number, engine: Engine | null): TemplateResult {
    const { app } = this;
    const digits = engine === null ? 2 : app.digits.value;
    const row = shares.length - 1;
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${reading.text}><table>
      <caption><code>${reading.text}</code></caption>
      <thead><tr><th scope="col">${t("choices.source")}</th>${reading.tokens.map(
        (token, source) => html`<th scope="col" class="token">${token}<small>${source}</small></th>`,
      )}</tr></thead>
      <tbody><tr><th scope="row">${t("c3.share")}</th>${shares.map(
        (share, source) =>
          html`<td class=${source === most ? "most" : ""} data-column=${source}>${
            engine === null
              ? html`<span data-value=${share}>${share.toFixed(digits)}</span>`
              : cell(this.#entry, [row, source], share, { digits, prompt: reading.text })
          }${source === most ? html`<span class="peak" aria-label=${t("c3.most")}>▲</span>` : ""}</td>`,
      )}</tr></tbody>
    </table></div>`;
  }
}

customElements.define("abh-stored", Stored);
