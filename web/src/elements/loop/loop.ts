/** `<abh-loop>`: the text typed, written on token by token. Each line is one run of the same machine. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { Engine } from "../../core/engine";
import { percent } from "../../core/format";
import { Kernel } from "../../core/kernel";
import { t } from "../../i18n";
import { cell } from "../cell";
import { Figure } from "../figure";
import "./loop.css";

interface Line {
  readonly read: readonly number[];
  readonly best: number;
  readonly p: number;
}

export class Loop extends Figure {
  #engine: Engine | null = null;

  protected override watch(app: App): void {
    void app.scene.value;
  }

  protected override render(): TemplateResult {
    const { tokens } = this.app;
    const lines = this.#write();
    const last = lines.at(-1);
    const ended = last?.best === tokens.end;
    return html`<figure class="panel working loop" aria-label=${t("c15.caption")}>
      <figcaption>${t("c15.caption")}</figcaption>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("c15.caption")}><table>
        <thead><tr>
          <th scope="col">${t("c15.read")}</th><th scope="col">${t("c15.next")}</th>
          <th scope="col">${t("c15.p")}</th><th scope="col">${t("c15.then")}</th>
        </tr></thead>
        <tbody>${lines.map((line) => this.#line(line))}</tbody>
      </table></div>
      <p class="note">${ended ? t("c15.ended", { n: lines.length }) : t("prompt.full", { most: tokens.most })}</p>
    </figure>`;
  }

  #line({ read, best, p }: Line): TemplateResult {
    const { tokens } = this.app;
    const text = tokens.print(read);
    const token = tokens.names[best] ?? "?";
    return html`<tr data-read=${text} data-next=${token}>
      <th scope="row" class="token">${text}</th>
      <td class="token">${token}</td>
      <td>${cell("P", [read.length - 1, best], p, { prompt: text, text: percent(p) })}</td>
      <td>${best === tokens.end ? t("c15.stop") : t("c15.append", { token })}</td>
    </tr>`;
  }

  /** Takes the most likely token and appends it, until END or until the text is full. */
  #write(): Line[] {
    const { app } = this;
    const { session, tokens } = app;
    this.#engine ??= new Engine(new Kernel(app.module, app.ledger));
    const lines: Line[] = [];
    let read = app.state.signals.prompt.peek();
    for (;;) {
      const scene = { run: session.run.peek(), seed: session.seed.peek(), step: app.step.peek() };
      this.#engine.show({ ...scene, prompt: read, target: 0 }, session.history.peek());
      const view = this.#engine.read("P");
      const row = read.length - 1;
      let best = 0;
      for (let token = 1; token < tokens.names.length; token += 1)
        if (view.at(row, token) > view.at(row, best)) best = token;
      lines.push({ read, best, p: view.at(row, best) });
      if (best === tokens.end || read.length >= tokens.most) return lines;
      read = [...read, best];
    }
  }
}

customElements.define("abh-loop", Loop);
