/** Where the reader is in the article: kept while chapters get their real lengths, and over a reload. */

const KEY = "abh-place";

interface Place {
  /** Id of the chapter's heading. */
  readonly chapter: string;
  /** Where the chapter begins, in pixels below the top of the window. */
  readonly top: number;
}

const headingOf = (chapter: Element): string => chapter.getAttribute("aria-labelledby") ?? "";
const chapters = (): Element[] => [...document.querySelectorAll("main > .chapter")];

/** The chapter in the middle of the window; null at the very top, where nothing can move. */
function here(): Place | null {
  if (scrollY === 0) return null;
  const read = chapters().filter((chapter) => chapter.getBoundingClientRect().top <= innerHeight / 2);
  const chapter = read.at(-1);
  return chapter === undefined
    ? null
    : { chapter: headingOf(chapter), top: chapter.getBoundingClientRect().top };
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
 * length until this is called.
 */
export function layOutAll(): void {
  const place = before() ?? here();
  document.documentElement.classList.add("laid-out");
  const chapter = chapters().find((one) => headingOf(one) === place?.chapter);
  if (place === null || chapter === undefined) return;
  scrollBy({ top: chapter.getBoundingClientRect().top - place.top, behavior: "instant" });
}

addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(here()));
  } catch {
    // As above.
  }
});
