"""The server behind the bare command: what it gives out, what it refuses, how it starts and stops."""

from __future__ import annotations

import json
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from attention_by_hand.cli.page import has_screen
from attention_by_hand.errors import InputError
from attention_by_hand.serve import HOST, POLICY, Server, open_server
from command import assert_refused, command, start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page as small as can be, in a folder that has a neighbour."""
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>page</title>")
    for name in ("kernel-1.wasm", "main-1.js", "main-1.css", "ledger-1.json", "icon-1.svg"):
        (page / "assets" / name).write_text(name)
    (tmp_path / "secret.txt").write_text("not part of the page")
    return page


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    """The server, answering on a free port."""
    opened, _ = open_server(0, folder)
    thread = threading.Thread(target=opened.serve_forever)
    thread.start()
    yield opened
    opened.shutdown()
    thread.join()
    opened.server_close()


def get(server: Server, path: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(HOST, server.server_port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/assets/kernel-1.wasm", "application/wasm"),
        ("/assets/main-1.js", "text/javascript; charset=utf-8"),
        ("/assets/main-1.css", "text/css; charset=utf-8"),
        ("/assets/ledger-1.json", "application/json"),
        ("/assets/icon-1.svg", "image/svg+xml"),
    ],
)
def test_type_and_policy_of_every_file(server: Server, path: str, type_: str) -> None:
    answer, content = get(server, path)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == type_
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert len(content) == int(answer.headers["Content-Length"])


def test_only_names_with_a_hash_are_kept_by_browsers(server: Server) -> None:
    assert "immutable" in get(server, "/assets/main-1.js")[0].headers["Cache-Control"]
    assert get(server, "/")[0].headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/assets/", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/nothing"],
)
def test_nothing_but_the_page_is_found(server: Server, path: str) -> None:
    answer, content = get(server, path)
    assert answer.status == 404
    assert b"not part of the page" not in content
    assert b"kernel-1.wasm" not in content


def test_it_listens_on_this_machine_only(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_a_taken_port_gives_the_next_one(folder: Path, server: Server) -> None:
    second, taken = open_server(server.server_port, folder)
    second.server_close()
    assert taken[0] == server.server_port
    assert second.server_port == taken[-1] + 1


def test_a_page_that_is_not_built_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not built.*make serve"):
        open_server(0, tmp_path)


def test_ports_that_are_all_taken_are_said(folder: Path) -> None:
    # At the top the ports end before the tries do: three to hold are enough.
    with ExitStack() as held:
        for port in (65533, 65534, 65535):
            held.enter_context(socket.create_server((HOST, port)))
        with pytest.raises(InputError, match=r"65533 to 65535 are all taken; give another one with --port"):
            open_server(65533, folder)


def test_the_command_serves_the_built_page_and_ctrl_c_stops_it() -> None:
    process = start("--no-browser", "--port", "0", "--json")
    assert process.stdout is not None
    address = json.loads(process.stdout.readline())["address"]
    port = int(address.rstrip("/").rpartition(":")[2])
    connection = HTTPConnection(HOST, port, timeout=10)
    connection.request("GET", "/en/index.html")
    content = connection.getresponse().read().decode()
    connection.close()
    assert '<script type="module"' in content
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (0, "", "")


def test_the_command_says_which_port_it_takes_instead() -> None:
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        process = start("--no-browser", "--port", str(port))
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
    assert lines[0].startswith(f"Port {port}")
    assert "taken" in lines[0]
    assert lines[1].startswith("Serving on http://127.0.0.1:")


@pytest.mark.parametrize("port", ["eighty", "-1", "65536", "1_000", "８０"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    assert_refused(command("--no-browser", "--port", port), "port", port, "0 to 65535")


@pytest.mark.parametrize(("screen", "opened"), [(":0", True), (None, False)])
def test_a_browser_is_opened_where_there_is_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, screen: str | None, opened: bool
) -> None:
    # Python takes $BROWSER for the command that opens an address; this one writes down what it was given.
    note = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {note}\n')
    browser.chmod(0o755)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", screen)
        monkeypatch.setenv("BROWSER", str(browser))
    if sys.platform != "linux" and not opened:
        # A Mac has its screen without any of these.
        opened = True
    assert has_screen() is opened
    if not screen:
        monkeypatch.setenv("BROWSER", str(browser) if opened else "")
    process = start("--port", "0")
    assert process.stdout is not None
    address = re.search(r"http://\S+", process.stdout.readline())
    assert address
    if opened:
        for _ in range(100):
            if note.exists() and note.read_text().strip():
                break
            time.sleep(0.1)
        assert note.read_text().strip() == address[0]
    else:
        assert "no screen" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
