/** The service worker: keeps the whole page, so that it opens without a network after the first visit. */

/** Put in front of this script by the build: all files of the page, and a version that changes with any of them. */
export interface Precache {
  readonly version: string;
  readonly files: readonly string[];
}

const worker = self as unknown as ServiceWorkerGlobalScope & { readonly PRECACHE: Precache };
const root = worker.registration.scope;
/** Several copies of the page may live on one host, each with its own cache. */
const prefix = `attention-by-hand ${root} `;
const name = `${prefix}${worker.PRECACHE.version}`;

worker.addEventListener("install", (event) => {
  const files = worker.PRECACHE.files.map((file) => new Request(new URL(file, root), { cache: "no-cache" }));
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll(files))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const key of await caches.keys())
      if (key.startsWith(prefix) && key !== name) await caches.delete(key);
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(root)) return;
  // What stands behind ? is the state of the page, not another file; a folder means its index.
  const file = url.pathname.endsWith("/") ? `${url.pathname}index.html` : url.pathname;
  const answer = async () =>
    (await (await caches.open(name)).match(url.origin + file)) ?? fetch(event.request);
  event.respondWith(answer());
});
