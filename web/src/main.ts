/** Loads the kernel, starts training, then brings the figures to life. */

import { effect } from "@preact/signals-core";
import { missing, start } from "./boot";
import { App, open, publish } from "./core/app";
import { followChapters } from "./core/contents";
import { followAddress } from "./core/link";
import { layOutAll } from "./core/place";
import type { TrainingWorker } from "./core/session";
import { t } from "./i18n";
import "./styles/page.css";
import "./styles/contents.css";
import "./styles/prose.css";
import "./styles/controls.css";

/** Resolves once the whole article has been read; this script may run before that. */
const parsed = new Promise<void>((done) => {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => done());
  else done();
});

/** Says at the head of the page why the figures stay empty. */
async function giveUp(message: string): Promise<void> {
  await parsed;
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "alert");
  notice.textContent = message;
  document.querySelector("main")?.prepend(notice);
  document.documentElement.classList.add("no-figures");
  layOutAll();
}

/** Resolves once a first step has been trained. */
function firstStep(app: App): Promise<void> {
  return new Promise((done) => {
    const stop = effect(() => {
      if (app.step.value < 0) return;
      done();
      queueMicrotask(() => stop());
    });
  });
}

async function begin(): Promise<void> {
  if (start === null) {
    await giveUp(t(missing === "wasm" ? "missing.wasm" : "missing.simd"));
    return;
  }
  const { worker } = start;
  worker.onerror = (event) => void giveUp(t("missing.files", { file: event.message || "trainer" }));
  let parts: Awaited<typeof start.parts>;
  try {
    parts = await start.parts;
  } catch (error) {
    await giveUp(t("missing.files", { file: error instanceof Error ? error.message : String(error) }));
    return;
  }
  const app = new App(...parts, worker as TrainingWorker);
  open(app, location.search);
  publish(app);
  await Promise.all([firstStep(app), parsed]);
  followAddress(app, document.querySelectorAll<HTMLAnchorElement>("a[data-language-link]"));
  // Training is under way; the figures follow.
  try {
    await import("./figures");
  } catch {
    await giveUp(t("missing.files", { file: "figures" }));
    return;
  }
  layOutAll();
}

/** Keeps the page for the next visit without a network, once the first step is on show. */
function keepOffline(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register(new URL("../sw.js", location.href)).catch(() => {
    // A browser that keeps nothing (private windows, some settings) still shows everything now.
  });
}

void parsed.then(() => followChapters(document.querySelectorAll<HTMLAnchorElement>(".contents a")));
void begin().then(keepOffline);
