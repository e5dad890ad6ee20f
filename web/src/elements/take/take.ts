/** `<abh-take>`: the commands that take this step and this text into other programs. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { t } from "../../i18n";
import { toClipboard } from "../clipboard";
import { Figure } from "../figure";
import "./take.css";

/** Export formats offered here; the command line knows more. */
const FORMATS = ["xlsx", "huggingface", "onnx"] as const;
type Offered = (typeof FORMATS)[number];

export class Take extends Figure {
  #said = "";

  protected override watch(app: App): void {
    const { prompt } = app.state.signals;
    const { seed, seedKnown } = app.session;
    void [app.step.value, prompt.value, app.target.value, seed.value, seedKnown.value];
  }

  protected override render(): TemplateResult {
    return html`<section class="panel take" aria-label=${t("take.title")}>
      <dl>${FORMATS.map((format) => this.#row(format))}</dl>
      <p class="note">${t("take.note")} <span role="status">${this.#said}</span></p>
    </section>`;
  }

  #row(format: Offered): TemplateResult {
    const command = this.#command(format);
    return html`<dt>${t(`take.${format}`)}</dt>
      <dd><code data-command=${format}>${command}</code>
        <button type="button" data-copy=${format} aria-label=${t("take.copy", { what: t(`take.${format}`) })}
          @click=${() => this.#copy(command)}>${t("copy.title")}</button></dd>`;
  }

  /** The command line that makes the same numbers: same seed, same step, same text, same target. */
  #command(format: Offered): string {
    const { app } = this;
    const { tokens, session } = app;
    const words = ["attention-by-hand", "export", "--to", format];
    if (format === "xlsx") {
      const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
      words.push("--prompt", `"${tokens.print(app.state.signals.prompt.value)}"`);
      words.push("--target", `"${tokens.names[app.target.value]}"`, "--language", language);
    }
    // A run that went on from a file is told by that file.
    if (session.seedKnown.value)
      words.push("--seed", String(session.seed.value), "--step", String(app.step.value));
    else words.push("--model", `"${t("take.file")}"`);
    return words.join(" ");
  }

  async #copy(command: string): Promise<void> {
    this.#said = t((await toClipboard(command)) ? "copy.done" : "copy.failed");
    this.requestUpdate();
  }
}

customElements.define("abh-take", Take);
