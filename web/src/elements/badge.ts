/** A verdict that was worked out here and now: a sign, a colour and a sentence. */

import { html, type TemplateResult } from "lit";
import "./badge.css";

/** `open`: neither held nor broken, or not to be decided. */
export type Verdict = "yes" | "no" | "open";

const SIGNS: Readonly<Record<Verdict, string>> = { yes: "✓", no: "✗", open: "○" };

export function badge(verdict: Verdict, text: unknown, name = ""): TemplateResult {
  return html`<p class="badge" data-verdict=${verdict} data-name=${name}><span aria-hidden="true">${SIGNS[verdict]}</span>
    <span>${text}</span></p>`;
}

/** The same inside a table cell. */
export function smallBadge(verdict: Verdict, text: unknown, name = ""): TemplateResult {
  return html`<span class="badge small" data-verdict=${verdict} data-name=${name}><span aria-hidden="true">${SIGNS[verdict]}</span>
    <span>${text}</span></span>`;
}
