/**
 * `<abh-diagram>`: the architecture, bottom to top. Every box shows the row the reader has chosen, and opens its page.
 * With the attribute `one-layer` only the layer the reader has chosen is drawn.
 */

import { html, svg, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import {
  BOX_HEIGHT,
  type Box,
  barPaths,
  type Diagram,
  diagramOf,
  layerDiagramOf,
  type Region,
} from "../../core/diagram";
import { entryOf } from "../../core/ledger";
import { language, t } from "../../i18n";
import { Figure } from "../figure";
import "./diagram.css";

/** Arrow tips have an id, and a page may hold several diagrams. */
let diagrams = 0;

export class DiagramFigure extends Figure {
  #diagram: Diagram | null = null;
  #drawn = "";
  readonly #tip = `abh-tip-${++diagrams}`;

  protected override watch(app: App): void {
    const { head, receiver, layer } = app.state.signals;
    void [app.scene.value, head.value, receiver.value, this.#oneLayer && layer.value];
  }

  get #oneLayer(): boolean {
    return this.hasAttribute("one-layer");
  }

  protected override render(): TemplateResult {
    const diagram = this.#layOut();
    const { signals } = this.app.state;
    const heads = Array.from({ length: this.app.ledger.sizes.heads ?? 0 }, (_, i) => i + 1);
    const layers = Array.from({ length: this.app.ledger.sizes.layers ?? 0 }, (_, i) => i + 1);
    const title = this.#oneLayer ? t("diagram.layer", { n: signals.layer.value }) : t("diagram.title");
    return html`<figure class="panel diagram">
      <figcaption>${t(this.#oneLayer ? "c14.caption" : "diagram.caption")}</figcaption>
      <div class="choices">
        ${
          this.#oneLayer
            ? this.#choice(
                t("choose.layer"),
                layers.map((layer) => ({
                  text: String(layer),
                  on: signals.layer.value === layer,
                  choose: () => this.app.state.set({ layer }),
                })),
              )
            : ""
        }
        ${this.#choice(
          t("diagram.head"),
          heads.map((head) => ({
            text: String(head),
            on: signals.head.value === head,
            choose: () => this.app.state.set({ head }),
          })),
        )}
        ${this.#choice(t("diagram.row"), this.#rows())}
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label=${title}>
        <svg viewBox="0 0 ${diagram.width} ${diagram.height}" width=${diagram.width} height=${diagram.height}
          role="group" aria-label=${title}>
          <defs><marker id=${this.#tip} viewBox="0 0 6 6" refX="5.4" refY="3" markerWidth="6" markerHeight="6" orient="auto">
            <path d="M0,0L6,3L0,6z"></path></marker></defs>
          ${diagram.regions.map((region) => this.#region(region))}
          ${diagram.arrows.map(
            (arrow) => svg`<path class="arrow" d=${arrow.path} marker-end=${`url(#${this.#tip})`}></path>
              ${arrow.shape === "" ? "" : svg`<text class="shape" x=${arrow.x} y=${arrow.y}>${arrow.shape}</text>`}`,
          )}
          ${diagram.boxes.map((box) => this.#box(box))}
        </svg>
      </div>
    </figure>`;
  }

  #layOut(): Diagram {
    const { ledger, state } = this.app;
    const n = state.signals.prompt.value.length;
    const alone = this.#oneLayer ? state.signals.layer.value : 0;
    const wanted = `${n}, ${alone}`;
    if (this.#diagram === null || wanted !== this.#drawn) {
      this.#drawn = wanted;
      const {
        layers = 0,
        d_model: width = 0,
        d_head: head = 0,
        d_ff: hidden = 0,
        vocabulary = 0,
      } = ledger.sizes;
      const shapes = { n, width, head, hidden, vocabulary };
      this.#diagram = alone > 0 ? layerDiagramOf(alone, shapes) : diagramOf(layers, shapes);
    }
    return this.#diagram;
  }

  get #row(): number {
    const last = this.app.state.signals.prompt.value.length - 1;
    return Math.min(this.app.state.signals.receiver.value ?? last, last);
  }

  #rows(): { text: string; on: boolean; choose: () => void }[] {
    const { tokens, state } = this.app;
    const prompt = state.signals.prompt.value;
    const last = prompt.length - 1;
    return prompt.map((id, row) => ({
      text: tokens.names[id] ?? "?",
      on: row === this.#row,
      choose: () => state.set({ receiver: row === last ? null : row }),
    }));
  }

  #choice(
    label: string,
    options: readonly { text: string; on: boolean; choose: () => void }[],
  ): TemplateResult {
    return html`<div role="group" aria-label=${label}><span>${label}</span>${options.map(
      (option) =>
        html`<button type="button" aria-pressed=${option.on ? "true" : "false"} @click=${option.choose}>${option.text}</button>`,
    )}</div>`;
  }

  #region(region: Region): TemplateResult {
    const label =
      region.kind === "layer" ? t("diagram.layer", { n: region.layer }) : t(`diagram.${region.kind}`);
    return svg`<rect class=${`region ${region.kind}`} x=${region.x} y=${region.y} width=${region.width} height=${region.height} rx="8"></rect>
      <text class=${`region-label ${region.kind}`} x=${region.kind === "ffn" ? region.x + 8 : region.x + region.width - 8}
        y=${region.y + 16} text-anchor=${region.kind === "ffn" ? "start" : "end"}>${label}</text>`;
  }

  #box(box: Box): TemplateResult {
    const name = box.entry.replace("{head}", String(this.app.state.signals.head.value));
    const left = box.x - box.width / 2;
    const top = box.y - BOX_HEIGHT / 2;
    const kind = `box ${box.kind}${box.attention ? " attention" : ""}`;
    const meaning = entryOf(this.app.ledger, name).meaning?.[language] ?? "";
    return svg`<a class=${kind} href="#abh-ledger" data-entry=${name} @click=${(event: Event) => this.#open(event, name)}>
      <title>${name}. ${meaning}</title>
      <rect x=${left} y=${top} width=${box.width} height=${BOX_HEIGHT} rx=${box.kind === "weight" ? 14 : 4}></rect>
      <text class=${box.label.length > 9 ? "name long" : "name"} x=${box.kind === "weight" ? box.x : left + 7} y=${box.y + 4} text-anchor=${box.kind === "weight" ? "middle" : "start"}>${box.label}</text>
      ${box.kind === "weight" ? "" : this.#bars(name, box)}
    </a>`;
  }

  /** The row's numbers as small bars; for an input the token or position itself. */
  #bars(name: string, box: Box): TemplateResult {
    const { engine, tokens } = this.app;
    const view = engine.read(name);
    const right = box.x + box.width / 2 - 6;
    if (box.kind === "input") {
      const id = view.at(this.#row);
      return svg`<text class="given" x=${right} y=${box.y + 4} text-anchor="end">${name === "token" ? tokens.names[id] : id}</text>`;
    }
    const [, columns = 0] = engine.shapeOf(name, "prompt");
    const values = Array.from({ length: columns }, (_, column) => view.at(this.#row, column));
    const width = 44;
    const { up, down } = barPaths(values, right - width, box.y, width, BOX_HEIGHT - 6);
    return svg`<path class="zero" d=${`M${right - width},${box.y}h${width}`}></path><path class="up" d=${up}></path><path class="down" d=${down}></path>`;
  }

  #open(event: Event, entry: string): void {
    event.preventDefault();
    this.app.state.set({ entry });
    const page = document.querySelector<HTMLElement>("abh-ledger");
    page?.scrollIntoView();
    page?.querySelector<HTMLElement>("abh-ledger-page h3")?.focus({ preventScroll: true });
  }
}

customElements.define("abh-diagram", DiagramFigure);
