/** Where the reader is in the article: kept while chapters get their real lengths, and over a reload. */

/** Each page of this window has its own: the article in another language is another page. */
const KEY = `abh-place ${location.pathname}`;

/** A block of the article, and where it stands in the window. */
interface Place {
  /** Number of the chapter, and of the block in it. */
  readonly chapter: number;
  readonly block: number;
  /** Pixels from the top of the window to the block. */
  readonly top: number;
}

/** So long after the start a restored place is held, unless the reader moves. */
const GROWING_MS = 3000;

let moved = false;
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"])
  addEventListener(
    kind,
    () => {
      moved = true;
    },
    { once: true, passive: true, capture: true },
  );

const topOf = (element: Element): number => element.getBoundingClientRect().top;

/** Number of the last element that begins in the upper half of the window, -1 if none does. */
function lastAbove(elements: readonly Element[]): number {
  return elements.findLastIndex((element) => topOf(element) <= innerHeight / 2);
}

const chapters = (): Element[] => [...document.querySelectorAll("main > .chapter")];

/** The block in the middle of the window; null at the very top, where nothing can move. */
function here(): Place | null {
  if (scrollY === 0) return null;
  const all = chapters();
  const chapter = lastAbove(all);
  const blocks = [...(all[chapter]?.children ?? [])];
  const block = Math.max(lastAbove(blocks), 0);
  const element = blocks[block];
  return element === undefined ? null : { chapter, block, top: topOf(element) };
}

/** Where the reader was before a reload or before going back to this page. */
function before(): Place | null {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (navigation?.type !== "reload" && navigation?.type !== "back_forward") return null;
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Place | null;
  } catch {
    // Some settings keep nothing for a page; the browser's own memory has to do then.
    return null;
  }
}

/**
 * The first picture of the page lays out the first chapter only (styles/page.css says so); the others have a guessed
 * length until this is called. A reader who has gone somewhere meanwhile stays there.
 */
export function layOutAll(): void {
  const restored = moved ? null : before();
  const place = restored ?? here();
  document.documentElement.classList.add("laid-out");
  if (place === null) return;
  const element = chapters()[place.chapter]?.children[place.block];
  if (element === undefined) return;
  const align = () => scrollBy({ top: topOf(element) - place.top, behavior: "instant" });
  align();
  if (restored !== null) whileFiguresGrow(align);
}

/** Figures are empty when they come back and get their height as they are drawn, also the one being looked at. */
function whileFiguresGrow(align: () => void): void {
  const article = document.querySelector("main");
  if (article === null) return;
  const until = performance.now() + GROWING_MS;
  const observer = new ResizeObserver(() => {
    if (moved || performance.now() > until) observer.disconnect();
    else align();
  });
  observer.observe(article);
}

addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(here()));
  } catch {
    // As above.
  }
});
