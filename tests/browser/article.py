"""What tests of the article share: one page a language, trained to its end, sent to steps and texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Locator, Page

from .conftest import Site, Watched, full_speed, wait_for_rest, wait_for_step

#: The seed the article speaks of.
SEED = 1
#: A step in the middle of its run.
MIDDLE = 60


@dataclass
class Article:
    """A page whose run is over."""

    watched: Watched
    #: The last step.
    end: int
    seed: int = SEED

    @property
    def page(self) -> Page:
        """The browser's page."""
        return self.watched.page

    @property
    def steps(self) -> tuple[int, int, int]:
        """The start, the middle and the end."""
        return 0, MIDDLE, self.end

    def go(self, step: int, **state: Any) -> None:
        """Show a step, and whatever else a link can hold, as the browser's back button would."""
        query = urlencode({"seed": self.seed, "step": step, "prompt": "7x0=", **state})
        self.page.evaluate(
            "query => { history.pushState(null, '', '?' + query); dispatchEvent(new Event('popstate')); }",
            query,
        )

    def figure(self, name: str) -> Locator:
        """Return a figure, drawn for what is shown now."""
        figure = self.page.locator(name).first
        figure.scroll_into_view_if_needed()
        figure.evaluate("figure => { figure.requestUpdate(); figure.drawNow(); }")
        return figure

    def choose(self, figure: Locator, **digits: int) -> None:
        """Choose in lists of digits by their names, `_` for `-`."""
        for name, digit in digits.items():
            figure.locator(f"select[name='{name.replace('_', '-')}']").select_option(str(digit))
        figure.evaluate("figure => figure.drawNow()")


def trained(browser: Browser, site: Site, language: str, seed: int = SEED) -> Iterator[Article]:
    """Open the page, train as fast as it goes until it rests; fail if the page complained meanwhile."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    watched = Watched(page, site)
    page.on(
        "console", lambda m: watched.complaints.append(m.text) if m.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    context.on("request", lambda request: watched.requests.append(request.url))
    page.goto(f"{site.address}{language}/index.html?seed={seed}")
    wait_for_step(page, 0)
    full_speed(page)
    yield Article(watched, wait_for_rest(page), seed)
    watched.check()
    context.close()


def cells(figure: Locator, where: str = "") -> dict[tuple[str, str, str], float]:
    """All cells of a figure: (text, step, reference) → value; "" for the text and step of the page."""
    found = figure.evaluate(
        "(figure, where) => [...figure.querySelectorAll(`${where} [data-cell]`)].map("
        "e => [e.dataset.prompt ?? '', e.dataset.step ?? '', e.dataset.cell, e.dataset.value])",
        where,
    )
    return {(text, step, name): float(value) for text, step, name, value in found}


def values(figure: Locator, attribute: str) -> dict[str, float]:
    """Numbers worked out from cells: the value of a data attribute → the number."""
    found = figure.evaluate(
        "(figure, name) => [...figure.querySelectorAll(`[data-${name}]`)].map("
        "e => [e.getAttribute(`data-${name}`), e.getAttribute('value')])",
        attribute,
    )
    return {key: float(value) for key, value in found}


def verdict(figure: Locator, name: str) -> str:
    """What a badge says: yes, no or open."""
    return figure.locator(f".badge[data-name='{name}']").first.get_attribute("data-verdict") or ""
