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

const still = matchMedia("(prefers-reduced-motion: reduce)");
const CALM_MS = 500;

/** So many figures are drawn in one idle moment. */
const AT_ONCE = 3;
const waiting: (() => void)[] = [];

/** Resolves when the browser has nothing better to do, for a few callers at a time. */
function spareTime(): Promise<void> {
  return new Promise((done) => {
    waiting.push(done);
    if (waiting.length === 1) soon(next);
  });
}

function next(): void {
  for (const done of waiting.splice(0, AT_ONCE)) done();
  if (waiting.length > 0) soon(next);
}

/** Safari knows no idle time; a pause between two drawings does there. */
const soon = (call: () => void): void => {
  if ("requestIdleCallback" in window) requestIdleCallback(call, { timeout: 300 });
  else setTimeout(call, 30);
};

/** Milliseconds of one frame that figures may draw in; what does not fit waits for the next frame. */
const BUDGET = 9;
const queue: (() => void)[] = [];

/** Draws in one of the coming frames. However many figures follow the slider, no frame is held up by all of them. */
function turn(draw: () => void): Promise<void> {
  return new Promise((done) => {
    if (queue.length === 0) requestAnimationFrame(drawSome);
    queue.push(() => {
      draw();
      done();
    });
  });
}

function drawSome(): void {
  const begun = performance.now();
  do queue.shift()?.();
  while (queue.length > 0 && performance.now() - begun < BUDGET);
  if (queue.length > 0) requestAnimationFrame(drawSome);
}

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
    if (!this.#onScreen && !this.always && !printing) {
      const wake = new Promise<void>((done) => {
        this.#wake = done;
      });
      // The first drawing is made even off screen, so that the page keeps its length while the reader scrolls; but
      // only when there is time. After that a figure that is not seen waits until it is.
      await (this.updates > 0 ? wake : Promise.race([wake, spareTime()]));
      this.#wake = null;
    }
    if (this.updates > 0 && !printing) {
      await this.#calm();
      await turn(() => super.scheduleUpdate());
    } else {
      super.scheduleUpdate();
    }
  }

  /** For a reader who wants no motion, figures that follow a running training change seldom. */
  async #calm(): Promise<void> {
    const app = this.#app;
    const live =
      app !== null && app.session.mode.peek() === "running" && app.state.signals.step.peek() === null;
    if (!still.matches || !live) return;
    await new Promise((done) => setTimeout(done, CALM_MS));
  }

  protected override performUpdate(): void {
    if (!this.isUpdatePending || this.#app === null) return;
    // What the article wrote inside the tag stands until there is something better.
    if (this.updates === 0) this.replaceChildren();
    this.updates += 1;
    super.performUpdate();
  }
}
