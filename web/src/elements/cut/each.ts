/** `<abh-each-cut>`: every connection of a row cut in turn. Is the largest share also the one that matters most? */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { type Cut, Experiment } from "../../core/experiment";
import { exact, percent } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";
import { choose, receiverOf, watchChoices } from "../choose";
import { Figure } from "../figure";
import { rowLabel } from "../working/terms";
import "../working/working.css";
import "./cut.css";

const CHOICES = ["layer", "head", "receiver", "target"] as const;

interface Tried {
  readonly source: number;
  readonly share: number;
  /** The target's probability with this connection cut, and how many problems are then solved. */
  readonly p: number;
  readonly solved: number;
}

export class EachCut extends Figure {
  #experiment: Experiment | null = null;

  protected override watch(app: App): void {
    void [app.scene.value, app.digits.value];
    watchChoices(app, CHOICES);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head, prompt } = app.state.signals;
    const row = receiverOf(app);
    const target = app.target.value;
    const last = prompt.value.length - 1;
    const before = app.engine.read("P").at(last, target);
    const solved = app.session.history.peek().solvedCount(app.step.peek());
    const tried = this.#tryAll(layer.value, head.value, row, true);
    const name = app.tokens.names[target] ?? "?";
    const caption = t("c16.each", {
      layer: layer.value,
      head: head.value,
      row: app.tokens.names[prompt.value[row] ?? -1] ?? "?",
    });
    return html`<figure class="panel working cuts" aria-label=${caption}>
      ${choose(app, CHOICES)}
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}><table>
        <caption>${caption}</caption>
        <thead><tr>
          <th scope="col">${t("c16.source")}</th><th scope="col">${t("c16.share")}</th>
          <th scope="col">${t("c16.p", { token: name })}</th><th scope="col">${t("c16.points")}</th>
          <th scope="col">${t("c16.solved")}</th>
        </tr></thead>
        <tbody>
          <tr><th scope="row">${t("c16.nothing")}</th><td></td>
            <td>${cell("P", [last, target], before, { text: percent(before) })}</td><td></td><td>${solved}</td></tr>
          ${tried.map((one) => this.#line(one, row, before))}
        </tbody>
      </table></div>
      ${this.#verdict(tried, before)}
    </figure>`;
  }

  #line(one: Tried, row: number, before: number): TemplateResult {
    const { layer, head } = this.app.state.signals;
    const name = `layer${layer.value}.head${head.value}.A`;
    return html`<tr data-source=${one.source} data-p=${exact(one.p)} data-solved=${one.solved}>
      <th scope="row">${rowLabel(this.app, one.source)}</th>
      <td>${cell(name, [row, one.source], one.share, { text: percent(one.share) })}</td>
      <td><data class="altered" value=${exact(one.p)}>${percent(one.p)}</data></td>
      <td>${points(one.p - before)}</td>
      <td><data class="altered" value=${one.solved}>${one.solved}</data></td>
    </tr>`;
  }

  /** A row that reads only itself has nothing left when that is cut; it is not tried. */
  #tryAll(layer: number, head: number, row: number, all: boolean): Tried[] {
    const { app } = this;
    if (row === 0) return [];
    this.#experiment ??= new Experiment(app);
    const experiment = this.#experiment;
    const shares = app.engine.read(`layer${layer}.head${head}.A`);
    return Array.from({ length: row + 1 }, (_, source) => {
      const cut: Cut = { layer, head, receiver: row, source };
      const outcome = experiment.run({ cuts: [cut], silenced: [], swaps: [] }, all);
      return {
        source,
        share: shares.at(row, source),
        p: outcome.p[app.target.peek()] as number,
        solved: outcome.solved.reduce((sum, one) => sum + one, 0),
      };
    });
  }

  #verdict(tried: readonly Tried[], before: number): TemplateResult {
    if (tried.length === 0) return html`<p class="note">${t("c16.alone")}</p>`;
    const { app } = this;
    const { sizes } = app.ledger;
    const row = receiverOf(app);
    const here = extremes(tried);
    const label = (source: number) => app.tokens.names[app.state.signals.prompt.peek()[source] ?? -1] ?? "?";
    let agreeing = 0;
    let heads = 0;
    for (let layer = 1; layer <= (sizes.layers ?? 0); layer += 1) {
      for (let head = 1; head <= (sizes.heads ?? 0); head += 1) {
        const { largest, costliest } = extremes(this.#tryAll(layer, head, row, false));
        heads += 1;
        if (largest.source === costliest.source && costliest.p < before) agreeing += 1;
      }
    }
    const helps = here.costliest.p < before;
    const same = helps && here.largest.source === here.costliest.source;
    const key = !helps ? "c16.verdict.none" : same ? "c16.verdict.same" : "c16.verdict.other";
    const values = {
      largest: label(here.largest.source),
      place: here.largest.source,
      costliest: label(here.costliest.source),
      costliestPlace: here.costliest.source,
    };
    return html`<p class="conclusion" data-verdict=${helps ? (same ? "same" : "other") : "none"}
        data-largest=${here.largest.source} data-costliest=${here.costliest.source}>${t(key, values)}</p>
      <p class="note" data-agreeing=${agreeing}>${t("c16.heads", { agreeing, heads })}</p>`;
  }
}

/** The source with the largest share, and the one whose cut leaves the target least likely. */
function extremes(tried: readonly Tried[]): { largest: Tried; costliest: Tried } {
  const pick = (better: (a: Tried, b: Tried) => boolean) =>
    tried.reduce((best, one) => (better(one, best) ? one : best));
  return { largest: pick((a, b) => a.share > b.share), costliest: pick((a, b) => a.p < b.p) };
}

/** A difference of two probabilities, in percentage points, always with its sign. */
export function points(difference: number): string {
  if (difference === 0) return "0";
  return `${difference > 0 ? "+" : "−"}${percent(Math.abs(difference)).replace(" %", "")}`;
}

customElements.define("abh-each-cut", EachCut);
