/** `<abh-ledger-page>`: one entry of the ledger. What it is, how it is made, who reads it, its numbers. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { type Context, type Entry, entryOf, isScalar } from "../../core/ledger";
import { symbolic } from "../../core/notation";
import { readingEntries } from "../../core/readers";
import { language, t } from "../../i18n";
import { Figure } from "../figure";
import { math, mathNotation, placePrefix } from "../mathml";
import "../matrix/matrix";

export class LedgerPage extends Figure {
  #context: Context = "prompt";

  protected override watch(app: App): void {
    // The numbers are the matrix's own affair; the page changes with the entry, and its shape with the prompt.
    void [app.state.signals.entry.value, app.state.signals.prompt.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const name = app.state.signals.entry.value;
    const entry = entryOf(app.ledger, name);
    const contexts = (["prompt", "batch"] as const).filter((context) => entry.places[context] !== undefined);
    const context = entry.places[this.#context] === undefined ? (contexts[0] ?? "model") : this.#context;
    return html`<h3 tabindex="-1"><code>${name}</code></h3>
      <p>${entry.meaning?.[language]}</p>
      <p class="note">${this.#shape(name, entry, context)}${this.#aliases(entry)}</p>
      ${
        contexts.length > 1
          ? html`<div class="contexts" role="group" aria-label=${t("ledger.context")}>${contexts.map(
              (
                one,
              ) => html`<button type="button" data-context-choice=${one} aria-pressed=${one === context ? "true" : "false"}
                @click=${() => this.#choose(one)}>${t(`drawer.context.${one}`)}</button>`,
            )}</div>`
          : ""
      }
      ${this.#formula(name, entry)}
      <abh-matrix .name=${name} .context=${context}></abh-matrix>
      ${this.#links(t("ledger.reads"), readBy(entry))}
      ${this.#links(t("ledger.readers"), readingEntries(app.ledger, name))}`;
  }

  #choose(context: Context): void {
    this.#context = context;
    this.requestUpdate();
  }

  #shape(name: string, entry: Entry, context: Context): string {
    if (isScalar(entry)) return t("ledger.scalar");
    const lengths = this.app.engine.shapeOf(name, context);
    return t("ledger.shape", { lengths: lengths.join("×"), axes: entry.axes.join("×") });
  }

  #aliases(entry: Entry): string {
    return Object.entries(entry.aliases ?? {})
      .map(([library, alias]) => ` · ${library}: ${alias}`)
      .join("");
  }

  #formula(name: string, entry: Entry): TemplateResult {
    if (entry.formula === undefined) return html``;
    const notation = mathNotation(placePrefix(name));
    const left = notation.cell(name, entry.formula.index);
    const right = symbolic(entry.formula.value, {}, notation, null);
    return html`<div class="scroll formula" tabindex="0" role="group" aria-label=${t("drawer.formula")}>
      ${math(notation.join(left, "equals", right))}</div>`;
  }

  #links(title: string, names: readonly string[]): TemplateResult {
    if (names.length === 0) return html``;
    return html`<h4>${title}</h4>
      <ul class="links">${names.map(
        (name) =>
          html`<li><button type="button" data-entry=${name} @click=${() => this.app.state.set({ entry: name })}>${name}</button></li>`,
      )}</ul>`;
  }
}

/** The entries that a formula reads, each once. */
function readBy(entry: Entry): string[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    if (node[0] === "cell" || node[0] === "value") found.add(node[1] as string);
    if (node[0] === "head") for (const name of node[3] as string[]) found.add(name);
    for (const part of node.slice(1)) walk(part);
  };
  walk(entry.formula?.value);
  return [...found];
}

customElements.define("abh-ledger-page", LedgerPage);
