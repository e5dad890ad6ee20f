/** `<abh-balance>`: equal prefixes add up their wishes. Where ten different tokens follow, the shares settle between them. */

import { html, svg, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { exact, percent, shown } from "../../core/format";
import { t } from "../../i18n";
import { badge } from "../badge";
import { cell } from "../cell";
import { buttons } from "../choose";
import { digitList } from "../digits";
import { Figure } from "../figure";
import "../chapters.css";
import "./balance.css";

/** So near to the balance, in shares, counts as settled: two percentage points. */
const SETTLED = 0.02;
/** The bars reach at least this share. */
const LEAST_SCALE = 0.2;

export class Balance extends Figure {
  #a = 7;
  /** Whether the sign × stands after the digit. */
  #long = true;

  protected override watch(app: App): void {
    void app.scene.value;
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { tokens, tree } = app;
    const digit = tokens.names.indexOf(String(this.#a));
    const prefix = this.#long ? [digit, tokens.times] : [digit];
    const text = tokens.print(prefix);
    const node = tree.prefixes.findIndex((other) => other.join() === prefix.join());
    const counts = tree.followers(prefix) ?? [];
    const total = counts.reduce((sum, count) => sum + count, 0);
    const p = app.engine.read("P", "batch");
    const shares = tokens.names.map((_, id) => p.at(node, id));
    const scale = Math.max(LEAST_SCALE, ...shares.filter(Number.isFinite));
    // What the rows of one prefix ask together of each logit, before the division by all targets.
    const pushes = shares.map((share, id) => Math.fround(Math.fround(total * share) - (counts[id] ?? 0)));
    const gradient = app.engine.read("grad.logits", "batch");
    return html`<figure class="panel balance" aria-label=${t("c9.balance.title", { text })}>
      <div class="choose">
        ${digitList("c9-digit", t("c9.digit"), this.#a, (a) => {
          this.#a = a;
          this.requestUpdate();
        })}
        ${buttons(
          t("c9.after"),
          [false, true].map((long) => ({
            text: `${this.#a}${long ? "×" : ""}`,
            on: long === this.#long,
            choose: () => {
              this.#long = long;
              this.requestUpdate();
            },
          })),
        )}
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c9.balance.caption", { text, n: total })}><table class="numbers">
        <caption>${t("c9.balance.caption", { text, n: total })}</caption>
        <thead><tr><th scope="col">${t("c7.token")}</th><th scope="col">P(c)</th><td class="scale"></td>
          <th scope="col">${t("c9.asked")}</th><th scope="col">${t("c9.push", { n: total })}</th>
          <th scope="col">${t("c9.direction")}</th><th scope="col">${t("c9.of.all", { targets: tree.targets })}</th></tr></thead>
        <tbody>${tokens.names.map((token, id) => {
          const [share = 0, push = 0, count = 0] = [shares[id], pushes[id], counts[id]];
          return html`<tr data-token=${token}><th scope="row" class="token">${token}</th>
            <td>${cell("P", [node, id], share, { context: "batch", text: percent(share, 2) })}</td>
            <td class="scale">${bar(share / scale, count / total / scale)}</td>
            <td>${count}</td>
            <td><data data-push=${token} value=${exact(push)}>${push > 0 ? "+" : ""}${shown(push, 3)}</data></td>
            <td class="way" data-way=${push > 0 ? "down" : push < 0 ? "up" : "still"}>${direction(push)}</td>
            <td>${cell("grad.logits", [node, id], gradient.at(node, id), { context: "batch", digits: 5 })}</td></tr>`;
        })}</tbody>
      </table></div>
      ${this.#sums(shares, pushes, counts, total)}
    </figure>`;
  }

  /** What the pushes add up to over the tokens that do follow, and whether the shares stand where they balance. */
  #sums(
    shares: readonly number[],
    pushes: readonly number[],
    counts: readonly number[],
    total: number,
  ): TemplateResult {
    const following = counts.flatMap((count, id) => (count > 0 ? [id] : []));
    const others = counts.flatMap((count, id) => (count > 0 ? [] : [id]));
    const add = (ids: readonly number[], of: readonly number[]) =>
      ids.reduce((sum, id) => sum + (of[id] ?? 0), 0);
    const sum = add(following, pushes);
    const rest = add(others, shares);
    const farthest = Math.max(
      ...following.map((id) => Math.abs((shares[id] ?? 0) - (counts[id] ?? 0) / total)),
    );
    const goal = percent((counts[following[0] ?? 0] ?? 0) / total, 0);
    const settled = farthest <= SETTLED;
    const values = { goal, far: shown(100 * farthest, 2), n: following.length };
    return html`<p>${t("c9.sum.following", { n: following.length })} <data data-sum="following" value=${sum}>${shown(sum, 4)}</data>${t("sentence.stop")}${t("c9.sum.others", { n: others.length, count: total })} <data data-sum="others" value=${rest}>${percent(rest, 3)}</data>${t("sentence.stop")}</p>
      ${badge(settled ? "yes" : "open", t(settled ? "c9.settled" : "c9.unsettled", values), "c9.settled")}`;
  }
}

/** A bar, and a stroke where it would be in balance. */
function bar(share: number, goal: number): TemplateResult {
  const width = Number.isFinite(share) ? 100 * share : 0;
  return html`<svg class="bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect width=${width} height="10"></rect>`}
    ${goal > 0 ? svg`<line class="goal" x1=${100 * goal} x2=${100 * goal} y1="0" y2="10"></line>` : ""}
  </svg>`;
}

function direction(push: number): TemplateResult {
  if (push === 0) return html`${t("c8.still")}`;
  return push > 0 ? html`<b>↓</b> ${t("c9.down")}` : html`<b>↑</b> ${t("c9.up")}`;
}

customElements.define("abh-balance", Balance);
