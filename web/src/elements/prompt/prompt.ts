/** `<abh-prompt>`: type a text, see what the model expects after each of its tokens, let it write on. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { percent } from "../../core/format";
import { largest } from "../../core/rank";
import { t, tokenErrorText } from "../../i18n";
import { cell } from "../cell";
import { Figure } from "../figure";
import { bars } from "./bars";
import "./prompt.css";

/** How long the reader sees each token the model writes. */
const WRITE_MS = 450;
const TOP = 3;

export class Prompt extends Figure {
  #text = "";
  #error = "";
  #note = "";
  /** The prompt that #text was last set from: a change from elsewhere is written into the field. */
  #known: readonly number[] | null = null;
  #writing: ReturnType<typeof setTimeout> | null = null;

  protected override watch(app: App): void {
    void [app.scene.value, app.state.signals.receiver.value];
    if (app.state.signals.prompt.value === this.#known) return;
    this.#known = app.state.signals.prompt.value;
    this.#text = app.tokens.print(this.#known);
    this.#error = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWriting();
  }

  protected override render(): TemplateResult {
    const { app } = this;
    return html`<section class="panel" id="abh-prompt" aria-label=${t("prompt.title")}>
      ${this.#field()} ${this.#top()} ${bars(app, this.#row)}
    </section>`;
  }

  /** The row whose probabilities are shown in full: the receiver of the state, else the last. */
  get #row(): number {
    const last = this.app.state.signals.prompt.value.length - 1;
    return Math.min(this.app.state.signals.receiver.value ?? last, last);
  }

  #field(): TemplateResult {
    const { tokens } = this.app;
    const writing = this.#writing !== null;
    return html`<div class="entry">
      <label class="field">${t("prompt.field")}
        <input name="prompt" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go" .value=${this.#text}
          aria-invalid=${this.#error === "" ? "false" : "true"} aria-describedby="abh-prompt-error" @input=${this.#typed}
          @keydown=${this.#enter}>
      </label>
      <button type="button" class="primary" data-action="write" @click=${this.#write}>
        ${t(writing ? "prompt.stop" : "prompt.write")}
      </button>
      <p class="error" id="abh-prompt-error" role="alert">${this.#error}</p>
      <div class="tokens" role="group" aria-label=${t("prompt.tokens")}>
        ${tokens.offered.map(
          (id) =>
            html`<button type="button" data-token=${tokens.names[id]} @click=${() => this.#append(id)}>${tokens.names[id]}</button>`,
        )}
        <button type="button" data-action="back" aria-label=${t("prompt.back")} title=${t("prompt.back")} @click=${this.#back}>⌫</button>
      </div>
      <p class="note" role="status">${this.#note}</p>
    </div>`;
  }

  #top(): TemplateResult {
    const { app } = this;
    const { tokens, engine } = app;
    const prompt = app.state.signals.prompt.value;
    const p = engine.read("P");
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${t("prompt.top.caption", { step: app.step.value })}><table class="top">
      <caption>${t("prompt.top.caption", { step: app.step.value })}</caption>
      <thead>
        <tr>
          <th scope="col">${t("prompt.top.read")}</th>
          ${Array.from({ length: TOP }, (_, i) => html`<th scope="col">${t("prompt.top.rank", { n: i + 1 })}</th>`)}
          <th scope="col">${t("prompt.top.truth")}</th>
        </tr>
      </thead>
      <tbody>
        ${prompt.map((_, row) => {
          const shares = tokens.names.map((_name, id) => p.at(row, id));
          const prefix = tokens.print(prompt.slice(0, row + 1));
          const chosen = row === this.#row;
          return html`<tr class=${chosen ? "chosen" : ""}>
            <th scope="row"><button type="button" class="prefix" aria-pressed=${chosen ? "true" : "false"}
              aria-label=${t("prompt.show", { n: tokens.names.length, prefix })} @click=${() => this.#choose(row)}
              ><span class="before">${tokens.print(prompt.slice(0, row))}</span>${tokens.names[prompt[row] ?? 0]}</button></th>
            ${largest(shares, TOP).map(
              (id) =>
                html`<td><b class="token">${tokens.names[id]}</b> ${cell("P", [row, id], shares[id] ?? 0, {
                  text: percent(shares[id] ?? 0),
                })}</td>`,
            )}
            <td class="truth">${this.#truth(prompt.slice(0, row + 1))}</td>
          </tr>`;
        })}
      </tbody>
    </table></div>
    ${app.tree.followers(prompt) === null ? html`<p class="note unseen">${t("prompt.unseen")}</p>` : ""}`;
  }

  /** What follows this prefix in training. */
  #truth(prefix: readonly number[]): string {
    const { tokens, tree } = this.app;
    const followers = tree.followers(prefix);
    if (followers === null) return t("prompt.never");
    const ids = followers.flatMap((count, id) => (count > 0 ? [id] : []));
    return ids.length > 3 ? t("prompt.any") : ids.map((id) => tokens.names[id]).join(" ");
  }

  #choose(row: number): void {
    const last = this.app.state.signals.prompt.value.length - 1;
    this.app.state.set({ receiver: row === last ? null : row });
  }

  #typed = (event: Event): void => {
    this.#stopWriting();
    this.#text = (event.target as HTMLInputElement).value;
    this.#use();
  };

  /** Takes the typed text over if it can be read; else says why not, and all figures stay as they are. */
  #use(): void {
    const { tokens, state } = this.app;
    const parsed = tokens.parse(this.#text);
    this.#note = "";
    if ("error" in parsed) {
      const kept = t("prompt.kept", { prompt: tokens.print(state.signals.prompt.value) });
      this.#error = `${tokenErrorText(parsed.error, tokens.most)} ${kept}`;
    } else {
      this.#error = "";
      this.#known = parsed.ids;
      state.set({ prompt: parsed.ids, receiver: null, target: null });
    }
    this.requestUpdate();
  }

  #enter = (event: KeyboardEvent): void => {
    if (event.key === "Enter") this.#write();
  };

  #append(id: number): void {
    this.#stopWriting();
    this.#text = `${this.#text}${this.app.tokens.names[id]}`;
    this.#use();
  }

  #back = (): void => {
    this.#stopWriting();
    const { tokens } = this.app;
    const parsed = tokens.parse(this.#text);
    this.#text = "ids" in parsed ? tokens.print(parsed.ids.slice(0, -1)) : this.#text.slice(0, -1);
    this.#use();
  };

  #write = (): void => {
    if (this.#writing !== null) {
      this.#stopWriting();
      this.requestUpdate();
      return;
    }
    if (this.#error === "") this.#writeOne(this.app.state.signals.prompt.value.length);
  };

  /** Appends the most likely token, and goes on until END or until the text is full. */
  #writeOne(from: number): void {
    const { tokens, engine, state } = this.app;
    this.#writing = null;
    const prompt = state.signals.prompt.value;
    const p = engine.read("P");
    const row = prompt.length - 1;
    const [next] = largest(
      tokens.names.map((_, id) => p.at(row, id)),
      1,
    );
    const text = t("prompt.written", { text: tokens.print(prompt.slice(from)) });
    if (next === undefined || next === tokens.end) {
      this.#note = `${prompt.length > from ? `${text} ` : ""}${t("prompt.ended")}`;
    } else if (prompt.length === tokens.most) {
      this.#note = `${text} ${t("prompt.full", { most: tokens.most })}`;
    } else {
      const longer = [...prompt, next];
      this.#known = longer;
      this.#text = tokens.print(longer);
      this.#note = t("prompt.written", { text: tokens.print(longer.slice(from)) });
      state.set({ prompt: longer, receiver: null, target: null });
      this.#writing = setTimeout(() => this.#writeOne(from), WRITE_MS);
    }
    this.requestUpdate();
  }

  #stopWriting(): void {
    if (this.#writing !== null) clearTimeout(this.#writing);
    this.#writing = null;
  }
}

customElements.define("abh-prompt", Prompt);
