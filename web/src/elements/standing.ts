/** What a figure stands on: the text being read, with a way back to the article's own. */

import { html, type TemplateResult } from "lit";
import type { App } from "../core/app";
import { DEFAULT_PROMPT } from "../core/state";
import { t } from "../i18n";
import { buttons, receiverOf, sourceOf } from "./choose";
import "./standing.css";

/** The text, and a button back to `7×0=` where the reader has typed another. */
export function standing(app: App): TemplateResult {
  const { tokens, state } = app;
  const text = tokens.print(state.signals.prompt.value);
  const back = () => {
    const parsed = tokens.parse(DEFAULT_PROMPT);
    if ("ids" in parsed) state.set({ prompt: parsed.ids, receiver: null, target: null });
  };
  return html`<p class="standing">${t("choices.text")} <code>${text}</code>
    ${
      text === DEFAULT_PROMPT
        ? ""
        : html`<button type="button" data-action="back-to-text" @click=${back}>${t("choices.back", { prompt: DEFAULT_PROMPT })}</button>`
    }</p>`;
}

/** Buttons for the source: the tokens the receiver can read. */
export function chooseSource(app: App): TemplateResult {
  const { tokens, state } = app;
  const at = sourceOf(app);
  const options = state.signals.prompt.value.slice(0, receiverOf(app) + 1).map((id, source) => ({
    text: tokens.names[id] ?? "?",
    on: source === at,
    choose: () => state.set({ source }),
  }));
  return html`<div class="choose">${buttons(t("choices.source"), options)}</div>`;
}
