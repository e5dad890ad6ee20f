"""The page opens with the first chapter laid out; the reader's place holds while the others follow."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from .conftest import Open, wait_for_step

TOP = "id => document.getElementById(id).getBoundingClientRect().top"


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
def test_a_link_to_a_chapter_shows_it(visit: Open, width: int) -> None:
    page = visit("en", "#c9", step=-1, viewport={"width": width, "height": 800}).page
    settle(page)
    page.wait_for_timeout(300)
    assert -80 < page.evaluate(TOP, "c9") < 300, "a link to #c9 does not show the head of chapter 9"


@pytest.mark.parametrize("width", [1280, 360])
def test_a_reload_keeps_the_place(visit: Open, width: int) -> None:
    page = visit("en", step=-1, viewport={"width": width, "height": 800}).page
    settle(page)
    page.evaluate("document.getElementById('c7').scrollIntoView({block: 'start', behavior: 'instant'})")
    page.mouse.wheel(0, 40)
    page.wait_for_timeout(500)
    before = page.evaluate(TOP, "c7")
    page.reload()
    settle(page)
    assert abs(page.evaluate(TOP, "c7") - before) < 60, "after a reload the reader is somewhere else"
