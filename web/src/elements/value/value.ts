/**
 * `<abh-value cell="layer1.head2.A[3,2]">`: a number of the model in a sentence, at the step the reader looks at. `prompt`
 * names the text where it is not the one typed; `start` takes the first step of the run; `digits` and `as="percent"` say
 * how it is written.
 */

import type { TemplateResult } from "lit";
import type { App } from "../../core/app";
import { benchOf } from "../../core/bench";
import { parseCell } from "../../core/cells";
import { percent } from "../../core/format";
import { contextOf, entryOf } from "../../core/ledger";
import { cell } from "../cell";
import { watchChoices } from "../choose";
import { Figure } from "../figure";
import "./value.css";

export class ValueInText extends Figure {
  protected override watch(app: App): void {
    void app.scene.value;
    watchChoices(app, ["layer", "head"]);
  }

  protected override render(): TemplateResult {
    const { app } = this;
    const { layer, head } = app.state.signals;
    const text = (this.getAttribute("cell") ?? "")
      .replace("{layer}", String(layer.value))
      .replace("{head}", String(head.value));
    const reference = parseCell(text);
    if (reference === null) throw new Error(`<abh-value cell="${text}"> names no cell`);
    const prompt = this.getAttribute("prompt");
    const start = this.hasAttribute("start");
    const engine =
      prompt === null && !start
        ? app.engine
        : benchOf(app).at(prompt ?? app.state.signals.prompt.value, start ? { step: "start" } : {});
    const context = contextOf(entryOf(app.ledger, reference.name), "prompt");
    const value = engine.read(reference.name, context).at(...reference.index);
    const digits = Number(this.getAttribute("digits") ?? 3);
    return cell(reference.name, reference.index, value, {
      context,
      digits,
      prompt: prompt ?? undefined,
      step: start ? engine.scene?.step : undefined,
      ...(this.getAttribute("as") === "percent" ? { text: percent(value) } : {}),
    });
  }
}

customElements.define("abh-value", ValueInText);
