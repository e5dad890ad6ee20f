/** Buttons for what the reader can choose in many figures: layer, head, row of the prompt, target. */

import { html, type TemplateResult } from "lit";
import type { App } from "../core/app";
import { t } from "../i18n";
import "./choose.css";

export type Choice = "layer" | "head" | "receiver" | "target";

/** The row chosen; the last one unless the reader chose another that this prompt has. */
export function receiverOf(app: App): number {
  const { prompt, receiver } = app.state.signals;
  const last = prompt.value.length - 1;
  return Math.min(receiver.value ?? last, last);
}

/** The source chosen, as far as the receiver can read it. */
export function sourceOf(app: App): number {
  return Math.min(app.state.signals.source.value, receiverOf(app));
}

/** Reads the signals behind some choices, so that a figure is drawn again when they change. */
export function watchChoices(app: App, choices: readonly Choice[]): void {
  for (const choice of choices) void app.state.signals[choice].value;
}

export function choose(app: App, choices: readonly Choice[]): TemplateResult {
  return html`<div class="choose">${choices.map((choice) => one(app, choice))}</div>`;
}

function one(app: App, choice: Choice): TemplateResult {
  const { state, ledger, tokens } = app;
  const { signals } = state;
  if (choice === "target") return targets(app);
  if (choice === "receiver") {
    const at = receiverOf(app);
    const last = signals.prompt.value.length - 1;
    const rows = signals.prompt.value.map((id, row) => ({
      text: tokens.names[id] ?? "?",
      on: row === at,
      choose: () => state.set({ receiver: row === last ? null : row }),
    }));
    return buttons(t("choose.receiver"), rows);
  }
  const count = (choice === "layer" ? ledger.sizes.layers : ledger.sizes.heads) ?? 0;
  const options = Array.from({ length: count }, (_, i) => ({
    text: String(i + 1),
    on: signals[choice].value === i + 1,
    choose: () => state.set({ [choice]: i + 1 }),
  }));
  return buttons(t(`choose.${choice}`), options);
}

export interface Option {
  readonly text: string;
  readonly on: boolean;
  readonly choose: () => void;
}

/** A row of buttons of which one is pressed. */
export function buttons(label: string, options: readonly Option[]): TemplateResult {
  return html`<div role="group" aria-label=${label}><span>${label}</span>${options.map(
    (option) =>
      html`<button type="button" aria-pressed=${option.on ? "true" : "false"} @click=${option.choose}>${option.text}</button>`,
  )}</div>`;
}

function targets(app: App): TemplateResult {
  const { signals } = app.state;
  const follower = app.tree.follower(signals.prompt.value);
  const chosen = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    app.state.set({ target: value === "" ? null : Number(value) });
  };
  const natural = t(follower === null ? "choose.target.untaught" : "choose.target.training", {
    token: app.tokens.names[follower ?? 0] ?? "?",
  });
  return html`<label><span>${t("choose.target")}</span><select name="target" @change=${chosen}>
    <option value="" .selected=${signals.target.value === null}>${natural}</option>
    ${app.tokens.names.map(
      (name, id) => html`<option value=${id} .selected=${signals.target.value === id}>${name}</option>`,
    )}
  </select></label>`;
}
