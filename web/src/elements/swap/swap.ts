/** `<abh-swap>`: two digits change places. For each head: which column does the last row read most, and does that follow? */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { type Following, following, largestColumn, partnersFollowed } from "../../core/following";
import { percent } from "../../core/format";
import { DEFAULT_SEED } from "../../core/state";
import { t } from "../../i18n";
import { badge, smallBadge, type Verdict } from "../badge";
import { cell } from "../cell";
import { type Moment, moments } from "../columns";
import { digitList } from "../digits";
import { Figure } from "../figure";
import "../chapters.css";
import "./swap.css";

/** The digits for which the article makes its claim about the default seed. */
const ASKED = { other: 7, followed: 0 };

interface Head {
  readonly layer: number;
  readonly head: number;
  readonly now: Following;
  readonly start: Following;
  /** The columns read most now: in the first text, in the second. */
  readonly columns: readonly [number, number];
}

export class Swap extends Figure {
  /** The digit that is followed, and the one it changes places with. */
  #followed = ASKED.followed;
  #other = ASKED.other;

  protected override watch(app: App): void {
    void [app.scene.value, app.session.seed.value];
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const texts = [`${this.#other}×${this.#followed}=`, `${this.#followed}×${this.#other}=`] as const;
    const [first, second] = [moments(app, texts[0]), moments(app, texts[1])];
    const { layers = 0, heads = 0 } = app.ledger.sizes;
    const all: Head[] = Array.from({ length: layers * heads }, (_, i) => {
      const [layer, head] = [Math.floor(i / heads) + 1, (i % heads) + 1];
      const columns = (moment: 0 | 1): [number, number] => [
        largestColumn(first[moment].engine, layer, head),
        largestColumn(second[moment].engine, layer, head),
      ];
      return {
        layer,
        head,
        columns: columns(1),
        now: following(...columns(1)),
        start: following(...columns(0)),
      };
    });
    return html`<figure class="panel swap" aria-label=${t("c11.title")}>
      <div class="choose">
        ${digitList("c11-followed", t("c11.followed"), this.#followed, (digit) => this.#choose(digit, this.#other), [this.#other])}
        ${digitList("c11-other", t("c11.other"), this.#other, (digit) => this.#choose(this.#followed, digit), [this.#followed])}
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label=${this.#caption(texts)}>${this.#table(texts, [first[1], second[1]], all)}</div>
      ${this.#sentence(all)} ${this.#partners(all)}
    </figure>`;
  }

  #choose(followed: number, other: number): void {
    [this.#followed, this.#other] = [followed, other];
    this.requestUpdate();
  }

  #caption(texts: readonly [string, string]): string {
    return t("c11.caption", { first: texts[0], second: texts[1], step: this.app.step.peek() });
  }

  #table(
    texts: readonly [string, string],
    now: readonly [Moment, Moment],
    all: readonly Head[],
  ): TemplateResult {
    const { tokens } = this.app;
    const prompts = now.map(({ engine }) => engine.scene?.prompt ?? []);
    return html`<table class="numbers">
      <caption>${this.#caption(texts)}</caption>
      <thead>
        <tr><td></td>${texts.map((text, i) => html`<th scope="colgroup" colspan=${prompts[i]?.length ?? 0}><code>${text}</code></th>`)}<td></td><td></td></tr>
        <tr><th scope="col">${t("c11.head")}</th>${prompts.map((prompt) =>
          prompt.map(
            (id, at) =>
              html`<th scope="col"><span class="token">${tokens.names[id]}</span><small>${at}</small></th>`,
          ),
        )}<th scope="col" class="what">${t("c11.now", { step: this.app.step.peek() })}</th><th scope="col" class="what">${t("c11.start", { step: this.app.session.history.peek().first })}</th></tr>
      </thead>
      <tbody>${all.map(
        (head) => html`<tr data-head=${`layer${head.layer}.head${head.head}`}>
          <th scope="row">${t("c10.head", { layer: head.layer, head: head.head })}</th>
          ${now.map((moment, i) => this.#shares(head, moment, texts[i] ?? "", i))}
          <td class="what">${this.#verdict(head.now, head.columns)}</td>
          <td class="what">${t(`c11.short.${head.start}`, { followed: this.#followed, other: this.#other })}</td></tr>`,
      )}</tbody>
    </table>`;
  }

  #shares({ layer, head, columns }: Head, { engine }: Moment, text: string, which: number): TemplateResult[] {
    const name = `layer${layer}.head${head}.A`;
    const view = engine.read(name);
    const row = (engine.rows("prompt") ?? 1) - 1;
    return Array.from({ length: row + 1 }, (_, column) => {
      const share = view.at(row, column);
      const most = columns[which] === column;
      return html`<td class=${`${most ? "best" : ""}${column === 0 ? " first" : ""}`} data-text=${text} data-most=${most ? "true" : "false"}>${most ? html`<span class="mark" aria-label=${t("c11.largest")}>▲</span>` : ""}${cell(name, [row, column], share, { prompt: text, text: percent(share) })}</td>`;
    });
  }

  #verdict(what: Following, [inFirst, inSecond]: readonly [number, number]): TemplateResult {
    const verdict: Verdict = what === "follows" ? "yes" : "no";
    const values = {
      followed: this.#followed,
      other: this.#other,
      from: inFirst,
      to: inSecond,
    };
    return smallBadge(verdict, t(`c11.verdict.${what}`, values), `c11.${what}`);
  }

  /** The same asked of every digit, with each of its nine partners. */
  #partners(all: readonly Head[]): TemplateResult {
    const { app } = this;
    const rows = all.map(({ layer, head }) => ({
      layer,
      head,
      counts: partnersFollowed(app, layer, head),
    }));
    const digits = rows[0]?.counts.map((_, digit) => digit) ?? [];
    const caption = t("c11.partners", { step: app.step.peek() });
    return html`<h3 class="inner">${t("c11.partners.title")}</h3>
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}><table class="numbers partners">
      <caption>${caption}</caption>
      <thead><tr><th scope="col">${t("c11.head")}</th>${digits.map((digit) => html`<th scope="col" class="token">${digit}</th>`)}</tr></thead>
      <tbody>${rows.map(
        ({ layer, head, counts }) => html`<tr><th scope="row">${t("c10.head", { layer, head })}</th>
          ${counts.map((count, digit) => html`<td class=${count === digits.length - 1 ? "best" : ""} data-head=${`layer${layer}.head${head}`} data-digit=${digit} data-count=${count}>${count}</td>`)}</tr>`,
      )}</tbody></table></div>`;
  }

  /** What the table says, in one sentence, for this seed and this step. */
  #sentence(all: readonly Head[]): TemplateResult {
    const { app } = this;
    const names = (heads: readonly Head[]) =>
      heads.map(({ layer, head }) => t("c11.name", { layer, head })).join(t("c11.list.heads"));
    const follow = all.filter(({ now }) => now === "follows");
    const before = all.filter(({ start }) => start === "follows");
    const values = {
      seed: app.session.seed.value,
      step: app.step.peek(),
      followed: this.#followed,
      first: app.session.history.peek().first,
      heads: names(follow),
      before: names(before),
      n: all.length,
    };
    const past =
      values.step === values.first
        ? ""
        : before.length === 0
          ? t("c11.before.none", values)
          : t("c11.before.some", values);
    if (follow.length > 0) return badge("yes", `${t("c11.some", values)}${past}`, "c11.some");
    return html`${badge("no", `${t("c11.none", values)}${past}`, "c11.none")}${this.#offer()}`;
  }

  /** A seed for which the article's claim holds, where this one is another. */
  #offer(): TemplateResult {
    const { app } = this;
    const asked = this.#followed === ASKED.followed && this.#other === ASKED.other;
    if (!asked || (app.session.seed.value === DEFAULT_SEED && app.session.seedKnown.value)) return html``;
    return html`<p><button type="button" data-action="try-seed" @click=${() => app.restart(DEFAULT_SEED)}>${t("c11.try", { seed: DEFAULT_SEED })}</button></p>`;
  }
}

customElements.define("abh-swap", Swap);
