"""The built page on a small server under a sub-path, and a Chromium that watches what the page does."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import attention_by_hand as abh

if TYPE_CHECKING:
    from . import reading

PAGE = Path(__file__).parents[2] / "src" / "attention_by_hand" / "_built" / "page"
SUB_PATH = "/any/where/"
STEP = "abh-timeline [data-cell='adam.step']"
FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
# `make test` names a Firefox where there is one or one can be installed; elsewhere its tests cannot run.
collect_ignore = [] if FIREFOX else ["test_firefox.py"]
# A machine that does other work at the same time takes longer; a page that hangs still fails.
expect.set_options(timeout=30_000)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the page's folder under SUB_PATH and nothing else."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        """Map an address below SUB_PATH to a file."""
        plain = path.split("?")[0]
        return super().translate_path(plain[len(SUB_PATH) - 1 :] if plain.startswith(SUB_PATH) else "/none")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Site:
    """A server that can be stopped; `address` ends with a slash."""

    def __init__(self) -> None:
        handler = functools.partial(Handler, directory=str(PAGE))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.address = self.origin + SUB_PATH
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop serving; the port is closed afterwards."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@dataclass
class Watched:
    """A page, what it complained about, and what it asked the network for."""

    page: Page
    site: Site
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Fail if the page complained, broke its policy, or asked anyone but its own server."""
        elsewhere = [
            url for url in self.requests if not url.startswith((self.site.address, "blob:", "data:"))
        ]
        assert not elsewhere, f"the page must ask nobody but its own folder; it asked for {elsewhere}"
        assert not self.complaints, f"the browser complained; mend the page: {self.complaints}"


@pytest.fixture(scope="session")
def built() -> Path:
    """Return the page's folder."""
    assert (PAGE / "en" / "index.html").exists(), f"the page is not built: run `make dist` (looked in {PAGE})"
    return PAGE


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[Site]:
    """Serve the page."""
    site = Site()
    yield site
    site.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start one Chromium for all tests."""
    program = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    assert program, "the browser tests need Chromium: run them with `make test`, or set CHROMIUM to its path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module", params=["en", "zh"])
def shared(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[reading.Article]:
    """Open the article once a language, trained to its rest."""
    from .reading import opened

    with opened(browser, site, request.param) as article:
        yield article


@pytest.fixture
def article(shared: reading.Article) -> reading.Article:
    """Begin each test with the same text, layer and head, and with the pointer out of the way."""
    shared.afresh()
    # A pointer that rests where a figure scrolls to would point at one of its numbers.
    shared.page.mouse.move(0, 0)
    return shared


@pytest.fixture(scope="module")
def run(shared: reading.Article) -> abh.Run:
    """Train in Python as far as the page went."""
    from .article import SEED

    return abh.train(SEED, steps=shared.last)


Open = Callable[..., Watched]


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Open]:
    """Return a function that opens the page in a fresh profile; what it complains about fails the test."""
    contexts: list[BrowserContext] = []
    seen: list[Watched] = []

    def visit(
        language: str = "en",
        query: str = "",
        *,
        at: Site | None = None,
        script: str | None = None,
        step: int = 0,
        **options: Any,
    ) -> Watched:
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 900}, **options})
        contexts.append(context)
        if script is not None:
            context.add_init_script(script)
        page = context.new_page()
        watched = Watched(page, at or site)
        seen.append(watched)
        page.on(
            "console", lambda m: watched.complaints.append(m.text) if m.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: watched.complaints.append(str(error)))
        context.on("request", lambda request: watched.requests.append(request.url))
        page.goto(f"{watched.site.address}{language}/index.html{query}")
        if step >= 0:
            wait_for_step(page, step)
            # Figures off screen do nothing: what most tests look at is brought into view.
            page.locator("abh-training").evaluate("panel => panel.scrollIntoView()")
        return watched

    yield visit
    for watched in seen:
        watched.check()
    for context in contexts:
        context.close()


def wait_for_step(page: Page, step: int) -> None:
    """Wait until the bar shows at least this step."""
    page.wait_for_function(
        f"step => Number(document.querySelector(`{STEP}`)?.dataset.value ?? -1) >= step",
        arg=step,
        timeout=60_000,
    )


def shown_step(page: Page) -> int:
    """Return the step the page shows."""
    return int(page.locator(STEP).get_attribute("data-value") or -1)


def press(page: Page, action: str) -> None:
    """Press the button with this action."""
    page.locator(f"[data-action='{action}']").click()


def full_speed(page: Page) -> None:
    """Set the slider of the speed to its fastest end."""
    page.locator("abh-training input[name='speed']").focus()
    page.keyboard.press("End")


def pause(page: Page) -> int:
    """Pause if running; return the step it stopped at."""
    page.wait_for_function("() => document.querySelector('abh-training [data-action=run]') !== null")
    if page.locator("abh-training [data-action='run']").inner_text().strip() in ("Pause", "暂停"):
        press(page, "run")
        # The button changes when the worker has stopped; until then steps that were under way still arrive.
        page.wait_for_function(
            "() => !/Pause|暂停/.test(document.querySelector('abh-training [data-action=run]').textContent)"
        )
    # Each figure draws in a frame of its own: the time machine may be one behind the panel.
    page.wait_for_function(
        "() => new Set(['abh-training', 'abh-timeline'].map((figure) =>"
        " document.querySelector(`${figure} [data-cell='adam.step']`)?.dataset.value)).size === 1"
    )
    page.wait_for_function(
        "() => document.querySelector('abh-training code[data-digest]')?.dataset.digest.length === 16",
        timeout=10_000,
    )
    return shown_step(page)


def wait_for_rest(page: Page) -> int:
    """Wait until training rests by itself; return its last step."""
    page.wait_for_function(
        "() => /Resting|停下/.test(document.querySelector('abh-status')?.textContent ?? '')", timeout=120_000
    )
    return shown_step(page)
