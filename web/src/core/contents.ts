/** Marks in the list of chapters the one that is being read. */

export function followChapters(links: Iterable<HTMLAnchorElement>): void {
  const byId = new Map([...links].map((link) => [link.hash.slice(1), link]));
  // A chapter is being read while it crosses a line a little below the top of the window.
  const seen = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const link = byId.get(target.getAttribute("aria-labelledby") ?? "");
        if (isIntersecting) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-25% 0px -75% 0px" },
  );
  for (const chapter of document.querySelectorAll("section.chapter")) seen.observe(chapter);
}
