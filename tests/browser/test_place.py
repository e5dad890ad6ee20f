"""The page opens with the first chapter laid out; the reader's place holds while the others follow."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from .conftest import Open, Site, wait_for_step

TOP = "id => document.getElementById(id).getBoundingClientRect().top"


#: The block of a chapter in the middle of the window: its chapter, the beginning of its text, its top.
BLOCK = """() => {
    const above = all => all.filter(one => one.getBoundingClientRect().top <= innerHeight / 2).at(-1);
    const chapter = above([...document.querySelectorAll('main > .chapter')]);
    const block = above([...chapter.children]);
    const text = block.tagName + block.innerText.slice(0, 12);
    return {chapter: chapter.getAttribute('aria-labelledby'), text, top: block.getBoundingClientRect().top};
}"""


def go_to(page: Page, chapter: str, further: int) -> None:
    """Scroll to a chapter's head and so many pixels further, and wait until nothing moves."""
    page.evaluate(
        "id => document.getElementById(id).scrollIntoView({block: 'start', behavior: 'instant'})", chapter
    )
    page.wait_for_timeout(700)
    page.evaluate("further => scrollBy({top: further, behavior: 'instant'})", further)
    page.wait_for_timeout(700)


def comes_back_to(page: Page, before: dict[str, Any]) -> None:
    """Wait until the same block stands at the same height as before."""
    after: dict[str, Any] = {}
    for _ in range(40):
        after = page.evaluate(BLOCK)
        if {**after, "top": 0} == {**before, "top": 0} and abs(after["top"] - before["top"]) < 60:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"the reader was at {before} and is now at {after}; see web/src/core/place.ts")


def settle(page: Page) -> None:
    """Wait until every chapter is laid out and the figures near the window have been drawn."""
    page.wait_for_function("() => document.documentElement.classList.contains('laid-out')")
    wait_for_step(page, 1)


def test_only_the_first_chapter_is_laid_out_at_first(visit: Open) -> None:
    watched = visit(step=-1)
    skipped = (
        "[...document.querySelectorAll('main > .chapter')].map(c => getComputedStyle(c).contentVisibility)"
    )
    settle(watched.page)
    assert set(watched.page.evaluate(skipped)) == {"visible"}
    watched.page.evaluate("document.documentElement.classList.remove('laid-out')")
    first, *others = watched.page.evaluate(skipped)
    assert first == "visible"
    assert set(others) == {"auto"}


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("chapter", ["c5", "c12", "c17"])
def test_a_link_to_a_chapter_shows_its_heading(visit: Open, width: int, chapter: str) -> None:
    page = visit("en", f"#{chapter}", step=-1, viewport={"width": width, "height": 800}).page
    settle(page)
    page.wait_for_timeout(300)
    assert 0 <= page.evaluate(TOP, chapter) < 60, f"a link to #{chapter} does not show its heading at the top"


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize(("chapter", "further"), [("c7", 40), ("c12", 900), ("c16", 1500)])
def test_a_reload_keeps_the_place(visit: Open, width: int, chapter: str, further: int) -> None:
    page = visit("en", step=-1, viewport={"width": width, "height": 800}).page
    settle(page)
    go_to(page, chapter, further)
    before = page.evaluate(BLOCK)
    page.reload()
    settle(page)
    comes_back_to(page, before)


def test_each_language_keeps_its_own_place(visit: Open) -> None:
    page = visit("en", step=-1, viewport={"width": 1280, "height": 800}).page
    settle(page)
    go_to(page, "c12", 300)
    before = page.evaluate(BLOCK)
    page.locator("a[data-language-link]").first.evaluate("link => link.click()")
    page.wait_for_url("**/zh/**")
    settle(page)
    go_to(page, "c3", 100)
    page.go_back()
    settle(page)
    comes_back_to(page, before)


def test_a_reader_who_goes_on_while_it_loads_stays_there(visit: Open) -> None:
    page = visit("en", step=-1, viewport={"width": 1280, "height": 800}).page
    settle(page)
    go_to(page, "c9", 100)
    page.route("**/assets/figures-*.js", lambda route: (time.sleep(1.5), route.continue_()))
    page.reload()
    page.locator(".contents a[href='#c3']").first.evaluate(
        "link => link.dispatchEvent(new Event('pointerdown'))"
    )
    page.evaluate("location.hash = '#c3'")
    settle(page)
    page.wait_for_timeout(300)
    assert 0 <= page.evaluate(TOP, "c3") < 60


def test_a_missing_script_of_the_figures_is_told(browser: Browser, site: Site) -> None:
    page = browser.new_page()
    page.route("**/assets/figures-*.js", lambda route: route.abort())
    page.goto(f"{site.address}en/index.html")
    page.wait_for_function("() => document.querySelector('main > .notice') !== null")
    assert "figures" in page.locator("main > .notice").inner_text()
    settled = "() => document.documentElement.classList.contains('laid-out')"
    page.wait_for_function(settled)
    page.close()
