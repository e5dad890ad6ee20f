/** `<abh-walk>`: one way through the model, from one source to the answer, at the random start and now. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { Desk } from "../../core/desk";
import { exact, percent, shown } from "../../core/format";
import { t } from "../../i18n";
import { cell } from "../cell";
import { buttons } from "../choose";
import { columns, type Line, type Moment, moments, vector } from "../columns";
import { digitList } from "../digits";
import { Figure } from "../figure";
import "../chapters.css";
import "./walk.css";

interface Way {
  readonly text: string;
  readonly prompt: readonly number[];
  readonly layer: number;
  readonly head: number;
  /** The last row, and the source it reads. */
  readonly row: number;
  readonly source: number;
  readonly target: number;
}

export class Walk extends Figure {
  #a = 7;
  #b = 0;
  #layer = 1;
  #head = 2;
  #source = 2;

  protected override watch(app: App): void {
    void app.scene.value;
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { tokens } = app;
    const text = `${this.#a}×${this.#b}=`;
    const parsed = tokens.parse(text);
    const prompt = "ids" in parsed ? parsed.ids : [];
    const way: Way = {
      text,
      prompt,
      layer: this.#layer,
      head: this.#head,
      row: prompt.length - 1,
      source: this.#source,
      target: app.tree.follower(prompt) ?? 0,
    };
    const pair = moments(app, text);
    const caption = t("c10.caption", {
      text,
      layer: way.layer,
      head: way.head,
      source: this.#token(way, way.source),
      target: tokens.names[way.target] ?? "?",
    });
    return html`<figure class="panel walk" aria-label=${t("c10.title")}>
      ${this.#choices(way)}
      ${columns(caption, pair, this.#lines(way))}
      ${this.#sentence(way, pair)}
    </figure>`;
  }

  #token({ prompt }: Way, row: number): string {
    return this.app.tokens.names[prompt[row] ?? 0] ?? "?";
  }

  #choices(way: Way): TemplateResult {
    const { layers = 0, heads = 0 } = this.app.ledger.sizes;
    const redraw = (change: () => void) => () => {
      change();
      this.requestUpdate();
    };
    const everyHead = Array.from({ length: layers * heads }, (_, i) => {
      const [layer, head] = [Math.floor(i / heads) + 1, (i % heads) + 1];
      return {
        text: t("c10.head", { layer, head }),
        on: layer === way.layer && head === way.head,
        choose: redraw(() => {
          [this.#layer, this.#head] = [layer, head];
        }),
      };
    });
    const sources = way.prompt.map((_, source) => ({
      text: this.#token(way, source),
      on: source === way.source,
      choose: redraw(() => {
        this.#source = source;
      }),
    }));
    return html`<div class="choose">
      ${digitList("c10-a", t("c7.a"), this.#a, (a) => redraw(() => (this.#a = a))())}
      ${digitList("c10-b", t("c7.b"), this.#b, (b) => redraw(() => (this.#b = b))())}
      ${buttons(t("c10.heads"), everyHead)} ${buttons(t("choices.source"), sources)}
    </div>`;
  }

  #lines(way: Way): Line[] {
    const { text, row, source, target } = way;
    const layer = `layer${way.layer}`;
    const head = `${layer}.head${way.head}`;
    const last = `layer${this.app.ledger.sizes.layers}`;
    const [receiver, from] = [this.#token(way, row), this.#token(way, source)];
    const answer = this.app.tokens.names[target] ?? "?";
    const one = (name: string, index: readonly number[], as?: "percent") => (moment: Moment) => {
      const value = moment.engine.read(name).at(...index);
      const { step } = moment;
      return cell(name, index, value, {
        prompt: text,
        step,
        digits: 4,
        ...(as === "percent" ? { text: percent(value) } : {}),
      });
    };
    const many = (name: string, at: number) => (moment: Moment) => vector(text, moment, name, at);
    return [
      {
        name: "query",
        label: "q",
        note: t("c10.q", { receiver }),
        show: many(`${head}.Q`, row),
      },
      {
        name: "key",
        label: "k",
        note: t("c10.k", { source: from }),
        show: many(`${head}.K`, source),
      },
      { name: "score", label: "S = q·k / 2", note: t("c10.s"), show: one(`${head}.S`, [row, source]) },
      {
        name: "share",
        label: "A",
        note: t("c10.share", { receiver, source: from }),
        show: one(`${head}.A`, [row, source], "percent"),
      },
      { name: "value", label: "v", note: t("c10.v", { source: from }), show: many(`${head}.V`, source) },
      {
        name: "part",
        label: "A · v",
        note: t("c10.part"),
        show: (moment) => carried(moment, `${head}.H`, row, source),
      },
      { name: "gathered", label: "H", note: t("c10.h"), show: many(`${head}.H`, row) },
      { name: "write", label: "H · WO", note: t("c10.write"), show: many(`${head}.write`, row) },
      {
        name: "mid",
        label: "X_mid",
        note: t("c10.mid", { receiver }),
        show: many(`${layer}.X_mid`, row),
      },
      { name: "out", label: "X_out", note: t("c10.out"), show: many(`${last}.X_out`, row) },
      { name: "final", label: "Final", note: t("c10.final"), show: many("Final", row) },
      {
        name: "direct",
        label: "→ logit",
        note: t("c10.direct", { target: answer }),
        show: one(`logits.${head}`, [row, target]),
      },
      {
        name: "logit",
        label: "logit",
        note: t("c10.logit", { target: answer }),
        show: one("logits", [row, target]),
      },
      {
        name: "answer",
        label: `P(${answer})`,
        note: t("c10.p", { target: answer }),
        show: one("P", [row, target], "percent"),
      },
    ];
  }

  /** What has become of the way, in words. */
  #sentence(way: Way, [start, now]: readonly [Moment, Moment]): TemplateResult {
    if (start.engine.scene?.step === now.engine.scene?.step) {
      return html`<p class="verdict-line" data-way="same">${t("c10.same", { step: start.step ?? 0 })}</p>`;
    }
    const name = `layer${way.layer}.head${way.head}.A`;
    const share = ({ engine }: Moment) => engine.read(name).at(way.row, way.source);
    const chance = ({ engine }: Moment) => engine.read("P").at(way.row, way.target);
    const change = share(now) / share(start);
    const kind = change > 1.25 ? "more" : change < 0.8 ? "less" : "alike";
    const values = {
      source: this.#token(way, way.source),
      target: this.app.tokens.names[way.target] ?? "?",
      past: percent(share(start)),
      now: percent(share(now)),
      chancePast: percent(chance(start)),
      chanceNow: percent(chance(now)),
    };
    return html`<p class="verdict-line" data-way=${kind}>${t(`c10.way.${kind}`, values)}${t("c10.chance", values)}</p>`;
  }
}

/** The source's own part of H: the products of its share with its row of V, as the formula of H adds them. */
function carried({ engine }: Moment, name: string, row: number, source: number): TemplateResult {
  const desk = new Desk(engine);
  const width = engine.read(name).shape[1] ?? 0;
  const parts = Array.from({ length: width }, (_, c) => {
    const { work } = desk.derive({ name, index: [row, c], context: "prompt" });
    return work?.children[source]?.value ?? Number.NaN;
  });
  return html`<span class="vector">${parts.map(
    (part, c) => html`<data data-part=${c} value=${exact(part)}>${shown(part)}</data>`,
  )}</span>`;
}

customElements.define("abh-walk", Walk);
