/** Keeps the address of the page and the state table equal, and the links to the other language with them. */

import { effect } from "@preact/signals-core";
import type { App } from "./app";

/** Changes closer together than this make one entry in the browser's history. */
const SETTLE_MS = 400;

/** Follows the state into the address, and the reader's back and forward into the state. */
export function followAddress(app: App, links: Iterable<HTMLAnchorElement>): void {
  const languageLinks = [...links].map((link) => ({
    link,
    base: link.getAttribute("href")?.split(/[?#]/)[0] ?? "",
  }));
  let written = app.state.query();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    const query = app.state.query();
    if (query === written) return;
    const only = new URLSearchParams(written);
    const next = new URLSearchParams(query);
    only.delete("step");
    next.delete("step");
    // Scrubbing is looking around; it fills no history. Everything else can be gone back from.
    const change = only.toString() === next.toString() ? "replaceState" : "pushState";
    written = query;
    history[change](null, "", `?${query}${location.hash}`);
  };
  effect(() => {
    app.state.query();
    clearTimeout(timer);
    timer = setTimeout(write, SETTLE_MS);
  });
  effect(() => {
    const query = app.linkQuery();
    for (const { link, base } of languageLinks) link.href = `${base}?${query}${location.hash}`;
  });
  addEventListener("hashchange", () => {
    for (const { link, base } of languageLinks) link.href = `${base}?${app.linkQuery()}${location.hash}`;
  });
  addEventListener("popstate", () => {
    clearTimeout(timer);
    app.state.read(location.search);
    written = app.state.query();
  });
}
