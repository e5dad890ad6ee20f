/** `<abh-number of="parameters">3,136</abh-number>`: a number in a sentence, taken from the kernel. */

import type { TemplateResult } from "lit";
import { html } from "lit";
import type { App } from "../../core/app";
import { grouped } from "../../core/format";
import { Figure } from "../figure";

const SOURCES: Readonly<Record<string, (app: App) => string>> = {
  parameters: (app) => grouped(app.parameterCount),
  targets: (app) => grouped(app.tree.targets),
  nodes: (app) => grouped(app.tree.nodes),
  floor: (app) => app.tree.floor.toFixed(6),
  width: (app) => grouped(app.ledger.sizes.d_model ?? 0),
  vocabulary: (app) => grouped(app.ledger.tokens.length),
  positions: (app) => grouped(app.ledger.sizes.positions ?? 0),
  hidden: (app) => grouped(app.ledger.sizes.d_ff ?? 0),
  layers: (app) => grouped(app.ledger.sizes.layers ?? 0),
  heads: (app) => grouped(app.ledger.sizes.heads ?? 0),
  uniform: (app) => Math.log(app.ledger.tokens.length).toFixed(3),
};

export class NumberInText extends Figure {
  // A word in a sentence: drawn at once, and hardly ever again.
  protected override readonly always = true;

  protected override watch(): void {
    // These numbers hold for every run.
  }

  protected override render(): TemplateResult {
    const of = this.getAttribute("of") ?? "";
    const source = SOURCES[of];
    if (source === undefined) throw new Error(`<abh-number of="${of}"> names no number`);
    return html`<data value=${source(this.app).replaceAll(",", "")}>${source(this.app)}</data>`;
  }
}

customElements.define("abh-number", NumberInText);
