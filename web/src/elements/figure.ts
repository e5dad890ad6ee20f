/** What all figures share: they wait for the kernel, draw once a frame, and do nothing while off screen. */

import { effect } from "@preact/signals-core";
import { LitElement } from "lit";
import { type App, ready } from "../core/app";

const seen = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) (target as Figure).onScreen = isIntersecting;
  },
  { rootMargin: "120px 0px" },
);

let printing = false;
const figures = new Set<Figure>();
addEventListener("beforeprint", () => {
  printing = true;
  for (const figure of figures) figure.drawNow();
});
addEventListener("afterprint", () => {
  printing = false;
});

/**
 * A figure lives in the page itself, not in a shadow tree, so that the page's styles, the reader's search and the
 * print-out reach it. What stands inside its tag is shown until the kernel is there.
 */
export abstract class Figure extends LitElement {
  /** How often this figure has been drawn. */
  updates = 0;
  #app: App | null = null;
  #onScreen = false;
  #stop: (() => void) | null = null;
  #wake: (() => void) | null = null;

  protected get app(): App {
    if (this.#app === null) throw new Error("the figure was drawn before the kernel was there");
    return this.#app;
  }

  /** A figure that stands in a bar or speaks to the reader is at work wherever the page is scrolled to. */
  protected readonly always: boolean = false;

  /** Reads the signals this figure depends on; it is drawn again when one of them changes. */
  protected abstract watch(app: App): void;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    figures.add(this);
    seen.observe(this);
    void ready.then((app) => {
      if (!this.isConnected) return;
      this.#stop ??= effect(() => {
        this.watch(app);
        // Before the first step there is nothing to draw.
        if (app.step.value >= 0) this.#draw(app);
      });
    });
  }

  #draw(app: App): void {
    if (this.#app === null) {
      this.#app = app;
      this.replaceChildren();
      super.connectedCallback();
    }
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    figures.delete(this);
    seen.unobserve(this);
    this.#stop?.();
    this.#stop = null;
  }

  get onScreen(): boolean {
    return this.#onScreen;
  }

  set onScreen(on: boolean) {
    this.#onScreen = on;
    if (on) this.#wake?.();
  }

  /** Draws what is pending without waiting for the screen: for printing. */
  drawNow(): void {
    this.#wake?.();
    if (this.#app !== null) this.performUpdate();
  }

  protected override async scheduleUpdate(): Promise<void> {
    // The first drawing is always made, so that the page keeps its length while the reader scrolls.
    if (this.updates > 0 && !this.#onScreen && !this.always && !printing) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
      this.#wake = null;
    }
    if (this.updates > 0 && !printing) await new Promise((frame) => requestAnimationFrame(frame));
    super.scheduleUpdate();
  }

  protected override performUpdate(): void {
    if (!this.isUpdatePending || this.#app === null) return;
    this.updates += 1;
    super.performUpdate();
  }
}
