/** The page's one script: loads the kernel, starts training, brings the figures to life. */

import { missing, start } from "./boot";
import { App, open, publish } from "./core/app";
import { followChapters } from "./core/contents";
import { followAddress } from "./core/link";
import type { TrainingWorker } from "./core/session";
import { t } from "./i18n";
import "./styles/page.css";
import "./styles/contents.css";
import "./styles/prose.css";
import "./styles/controls.css";
import "./elements/carried/carried";
import "./elements/cut/cut";
import "./elements/cut/each";
import "./elements/diagram/diagram";
import "./elements/drawer/drawer";
import "./elements/embeddings/embeddings";
import "./elements/facts/facts";
import "./elements/fold/fold";
import "./elements/glossary/glossary";
import "./elements/holdout/holdout";
import "./elements/layer/layer";
import "./elements/ledger/ledger";
import "./elements/loop/loop";
import "./elements/matrices/matrices";
import "./elements/matrix/matrix";
import "./elements/mixing/mixing";
import "./elements/number/number";
import "./elements/product/product";
import "./elements/prompt/prompt";
import "./elements/route/route";
import "./elements/rows/rows";
import "./elements/shares/shares";
import "./elements/status/status";
import "./elements/stored/stored";
import "./elements/tidy/tidy";
import "./elements/timeline/timeline";
import "./elements/training/training";
import "./elements/balance/balance";
import "./elements/pair/pair";
import "./elements/push/push";
import "./elements/study/study";
import "./elements/swap/swap";
import "./elements/take/take";
import "./elements/tree/tree";
import "./elements/twins/twins";
import "./elements/votes/votes";
import "./elements/walk/walk";
import "./elements/untouched/untouched";
import "./elements/value/value";
import "./elements/working/last-step";
import "./elements/working/mix";
import "./elements/working/scores";

/** Says at the head of the page why the figures stay empty. */
function giveUp(message: string): void {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "alert");
  notice.textContent = message;
  document.querySelector("main")?.prepend(notice);
  document.documentElement.classList.add("no-figures");
}

async function begin(): Promise<void> {
  if (start === null) {
    giveUp(t(missing === "wasm" ? "missing.wasm" : "missing.simd"));
    return;
  }
  const { worker } = start;
  worker.onerror = (event) => giveUp(t("missing.files", { file: event.message || "trainer" }));
  let parts: Awaited<typeof start.parts>;
  try {
    parts = await start.parts;
  } catch (error) {
    giveUp(t("missing.files", { file: error instanceof Error ? error.message : String(error) }));
    return;
  }
  const app = new App(...parts, worker as TrainingWorker);
  open(app, location.search);
  publish(app);
  followAddress(app, document.querySelectorAll<HTMLAnchorElement>("a[data-language-link]"));
}

/** Keeps the page for the next visit without a network, once the first step is on show. */
function keepOffline(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register(new URL("../sw.js", location.href)).catch(() => {
    // A browser that keeps nothing (private windows, some settings) still shows everything now.
  });
}

followChapters(document.querySelectorAll<HTMLAnchorElement>(".contents a"));
void begin().then(keepOffline);
