/** What has to be under way before anything else: the worker, the kernel and the ledger. Imported first. */

import kernelUrl from "#built/kernel.wasm?url";
import ledgerUrl from "#built/ledger.json?url";
import { missingFeature } from "./core/kernel";
import { type Ledger, only } from "./core/ledger";
import { type ToWorker, WORKER_ENTRIES } from "./core/protocol";

export interface Start {
  readonly worker: Worker;
  /** Kernel and ledger; rejects with the address that could not be had. */
  readonly parts: Promise<[WebAssembly.Module, Ledger]>;
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

function begin(): Start {
  // Created first: the browser fetches the worker's script while the kernel is on its way.
  const worker = new Worker(new URL("./worker/trainer.ts", import.meta.url), { type: "module" });
  const parts = Promise.all([
    fetched(kernelUrl)
      .then((response) => response.arrayBuffer())
      .then((bytes) => WebAssembly.compile(bytes)),
    fetched(ledgerUrl).then((response) => response.json() as Promise<Ledger>),
  ]);
  parts.then(
    ([module, ledger]) => {
      worker.postMessage({ kind: "open", module, ledger: only(ledger, WORKER_ENTRIES) } satisfies ToWorker);
    },
    () => {
      // Whoever waits for the parts says what is wrong.
    },
  );
  return { worker, parts };
}

/** What this browser lacks, or null. */
export const missing = missingFeature();
export const start: Start | null = missing === null ? begin() : null;
