/** Keeps the address of the page and the state table equal, and the links to the other language with them. */

import { effect } from "@preact/signals-core";
import type { App } from "./app";

/** Changes closer together than this make one entry in the browser's history. */
const SETTLE_MS = 400;

/** The keys in which two queries differ. */
function changed(before: string, after: string): Set<string> {
  const [old, now] = [new URLSearchParams(before), new URLSearchParams(after)];
  return new Set([...old.keys(), ...now.keys()].filter((key) => old.get(key) !== now.get(key)));
}

/** Follows the state into the address, and the reader's back and forward into the state. */
export function followAddress(app: App, links: Iterable<HTMLAnchorElement>): void {
  const languageLinks = [...links].map((link) => ({
    link,
    base: link.getAttribute("href")?.split(/[?#]/)[0] ?? "",
  }));
  let written = app.state.query();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    clearTimeout(timer);
    const query = app.state.query();
    if (query === written) return;
    // Scrubbing is looking around; it fills no history. Everything else can be gone back from.
    const change = [...changed(written, query)].some((key) => key !== "step") ? "pushState" : "replaceState";
    written = query;
    history[change](null, "", `?${query}${location.hash}`);
  };
  effect(() => {
    const keys = changed(written, app.state.query());
    clearTimeout(timer);
    // Text and steps change many times in a row: they are written once they have settled.
    if ([...keys].every((key) => key === "step" || key === "prompt")) timer = setTimeout(write, SETTLE_MS);
    else write();
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
