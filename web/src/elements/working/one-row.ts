/** What `<abh-scores>` and `<abh-mix>` share: one receiver's row of one head, worked out in a table. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { t } from "../../i18n";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import "./working.css";

const CHOICES = ["layer", "head", "receiver"] as const;

export abstract class OneRow extends Figure {
  /** Key of the caption, which speaks of {token}, {layer} and {head}. */
  protected abstract readonly caption: "c13.mix" | "c13.scores";

  /** The table without its caption, and what stands below it; `of` is the head's prefix in the ledger. */
  protected abstract table(of: string, row: number): { parts: TemplateResult; note?: TemplateResult };

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, CHOICES);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const row = receiverOf(app);
    const caption = t(this.caption, {
      token: app.tokens.names[prompt.value[row] ?? -1] ?? "?",
      layer: layer.value,
      head: head.value,
    });
    const { parts, note = html`` } = this.table(`layer${layer.value}.head${head.value}.`, row);
    return html`<figure class="panel working" aria-label=${caption}>
      ${choose(app, CHOICES)}
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}><table>
        <caption>${caption}</caption>
        ${parts}
      </table></div>
      ${note}
    </figure>`;
  }
}
