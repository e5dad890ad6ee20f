/** All probabilities after one prefix, as bars with their numbers. */

import { html, svg, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { percent } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";

/** The bars for one row of the prompt. */
export function bars(app: App, row: number): TemplateResult {
  const { tokens, engine, tree } = app;
  const prompt = app.state.signals.prompt.value;
  const prefix = prompt.slice(0, row + 1);
  const p = engine.read("P");
  const truth = tree.followers(prefix);
  const shares = tokens.names.map((_, id) => p.at(row, id));
  const best = shares.indexOf(Math.max(...shares));
  return html`<table class="bars">
    <caption>${t("prompt.bars.caption", { n: shares.length, prefix: tokens.print(prefix) })}</caption>
    <thead class="visually-hidden">
      <tr><th scope="col">${t("prompt.bars.token")}</th><th scope="col">${t("prompt.bars.share")}</th></tr>
    </thead>
    <tbody>
      ${shares.map(
        (share, id) => html`<tr class=${id === best ? "best" : ""}>
          <th scope="row">${tokens.names[id]}${(truth?.[id] ?? 0) > 0 ? html`<span class="truth" title=${t("prompt.top.truth")}>●</span>` : ""}</th>
          <td>
            <svg class="bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              ${svg`<rect width=${Number.isFinite(share) ? 100 * share : 0} height="10"></rect>`}
            </svg>
            ${cell("P", [row, id], share, { text: percent(share, 2) })}
          </td>
        </tr>`,
      )}
    </tbody>
  </table>
  <p class="note">${t("prompt.pad")}</p>`;
}
