"""The article in one language, trained to its rest, and how the figures of its last chapters are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Locator

import attention_by_hand as abh

from .article import MIDDLE, SEED, trained
from .conftest import Site, Watched

STATE = "changes => document.querySelector('abh-timeline').app.state.set(changes)"
QUIET = "figure => figure.onScreen && !figure.isUpdatePending"
CELLS = """(figures, name) => figures.flatMap(figure => [...figure.querySelectorAll('[data-cell]')]
    .filter(cell => cell.dataset.cell.split('[')[0] === name)
    .map(cell => [cell.dataset.cell, cell.dataset.value, cell.dataset.step ?? '']))"""


class Article:
    """One page in one language, resting at step `last`; figures are scrolled to before they are read."""

    def __init__(self, watched: Watched, last: int) -> None:
        self.page = watched.page
        self.last = last

    @property
    def steps(self) -> list[int]:
        """The steps at which the figures are looked at: start, middle, end."""
        return [0, MIDDLE, self.last]

    def set(self, **changes: Any) -> None:
        """Change the page's state, e.g. ``step=60, layer=2``."""
        self.page.evaluate(STATE, changes)

    def afresh(self) -> None:
        """Go back to the text, layer and head that a test begins with."""
        prompt = [abh.TOKENS.index(token) for token in "7×0="]
        self.set(step=None, prompt=prompt, target=None, layer=1, head=2, receiver=None, source=2, cell=None)

    def figure(self, chapter: str, element: str, which: int = 0) -> Locator:
        """Return a figure once it is on screen and up to date."""
        figure = self.page.locator(f"section:has(> #{chapter}) {element}").nth(which)
        figure.scroll_into_view_if_needed()
        self.page.wait_for_function(QUIET, arg=figure.element_handle())
        return figure


@contextmanager
def opened(browser: Browser, site: Site, language: str) -> Iterator[Article]:
    """Open the article in a fresh profile; what the page complains about fails the test."""
    for page in trained(browser, site, language, SEED):
        yield Article(page.watched, page.end)


def matrix(figure: Locator, name: str, step: str = "") -> NDArray[np.float32]:
    """Return an entry as the figure shows it, at the page's step or at one of its own; fails on gaps."""
    found = {
        tuple(json.loads(cell[cell.index("[") :])): np.float32(value)
        for cell, value, at in figure.evaluate_all(CELLS, name)
        if at == step
    }
    assert found, f"the figure shows no cell of {name}; see what its element draws"
    shape = np.max(np.array(list(found)), axis=0) + 1
    assert len(found) == np.prod(shape), f"{name}: {len(found)} cells are shown, {shape} are needed"
    result = np.empty(shape, np.float32)
    for index, value in found.items():
        result[index] = value
    return result


def numbers(figure: Locator, selector: str) -> NDArray[np.float64]:
    """Return the numbers behind some elements, in the order they stand."""
    found = figure.locator(selector).evaluate_all(
        "all => all.map(one => Number(one.dataset.value ?? one.value))"
    )
    return np.array(found, np.float64)
