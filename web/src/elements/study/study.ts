/** `<abh-study>`: how often a head follows the 0, over many seeds: from the study that the project keeps, with its command. */

import { html, type TemplateResult } from "lit";
import { commands, count, heads, seeds, some_head, verdicts } from "../../../../content/study.json";
import { grouped, percent } from "../../core/format";
import { t } from "../../i18n";
import { Figure } from "../figure";
import "../chapters.css";
import "./study.css";

interface Share {
  readonly yes: number;
  readonly of: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const ONE_PAIR = "follows_zero.7";
const ALL_PAIRS = "follows_zero.all";

export class Study extends Figure {
  protected override watch(): void {
    // A study that is over.
  }

  protected override render(): TemplateResult {
    const some = some_head[ONE_PAIR];
    const all = some_head[ALL_PAIRS];
    const values = { count: grouped(count), seeds: seeds.replace(":", "–") };
    const found = {
      yes: grouped(some.end.yes),
      count: grouped(some.end.of),
      share: percent(some.end.share),
      low: percent(some.end.low),
      high: percent(some.end.high),
      before: percent(some.start.share),
      none: some.end.of - some.end.yes,
    };
    const label = t("c11.study.caption", values);
    return html`<figure class="panel study" aria-label=${label}>
      <p data-yes=${some.end.yes} data-of=${some.end.of}>${t("c11.study.some", found)}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="numbers">
        <caption>${label}</caption>
        <thead><tr><td></td><th scope="col">${t("c11.study.start")}</th><th scope="col">${t("c11.study.end")}</th></tr></thead>
        <tbody>
          ${line(t("c11.study.any"), some)}
          ${Object.entries(heads).map(([name, measured]) => {
            const [layer = "", head = ""] = name.match(/\d+/g) ?? [];
            return line(t("c10.head", { layer, head }), measured[ONE_PAIR]);
          })}
          ${line(t("c11.study.all"), all)}
        </tbody>
      </table></div>
      <p class="note">${t("c11.study.interval")}</p>
      <p class="note command">${t("c11.study.command")}<br>${commands.map((command) => html`<code>${command}</code>`)}</p>
      ${this.#seeds(found.none)}
    </figure>`;
  }

  /** Ways into the study: a seed where a head follows, and one where none does. */
  #seeds(none: number): TemplateResult {
    const first = Number(seeds.split(":")[0]);
    const at = (wanted: (verdict: string) => boolean) => {
      const place = Array.from(verdicts).findIndex(wanted);
      return place < 0 ? null : first + place;
    };
    const [with0, without] = [at((verdict) => verdict !== "0"), at((verdict) => verdict === "0")];
    const button = (seed: number | null, action: string, text: "c11.study.with" | "c11.study.without") =>
      seed === null
        ? ""
        : html`<button type="button" data-action=${action} data-seed=${seed} @click=${() => this.app.restart(seed)}>${t(text, { seed })}</button>`;
    return html`<p class="choose">${button(with0, "seed-with", "c11.study.with")}
      ${none === 0 ? "" : button(without, "seed-without", "c11.study.without")}</p>`;
  }
}

function line(label: string, { start, end }: { start: Share; end: Share }): TemplateResult {
  return html`<tr><th scope="row">${label}</th>${[start, end].map(
    ({ yes, share, low, high }) =>
      html`<td data-yes=${yes}>${percent(share)} <small>${percent(low)} – ${percent(high)}</small></td>`,
  )}</tr>`;
}

customElements.define("abh-study", Study);
