"""Serves the built page on this machine only."""

from __future__ import annotations

import errno
import os
import socketserver
import sys
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from .errors import InputError

HOST = "127.0.0.1"
PORT = 8765
LAST_PORT = 65535

# How many ports after the wanted one are tried when it is taken.
TRIES = 20

PAGE = Path(__file__).resolve().parent / "_built" / "page"

# Everything from the page's own host; WebAssembly may be compiled; nothing inline, nothing evaluated.
# The page says the same in a <meta> of its own; as a header it also covers what is no HTML.
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'none'"


class Handler(SimpleHTTPRequestHandler):
    """Gives out the files of one folder, and says nothing about it in the terminal."""

    protocol_version = "HTTP/1.1"
    server_version = "attention-by-hand"
    sys_version = ""
    # Written down because the machine's own types differ: some know no .wasm and serve .js as text.
    extensions_map: ClassVar[dict[str, str]] = {  # type: ignore[misc]
        "": "application/octet-stream",
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        """Add the headers that every answer carries."""
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        # Names in assets/ change with their content; everything else is asked for anew each time.
        hashed = self.path.startswith("/assets/")
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if hashed else "no-cache")
        super().end_headers()

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """List nothing: a folder without an index page is not found."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the standard library
        """Say nothing: the terminal shows the address and no more."""


class Server(ThreadingHTTPServer):
    """Answers each browser in a thread of its own."""

    daemon_threads = True
    # Off, so that a port another server listens on is seen as taken on every system.
    allow_reuse_port = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent about a browser that went away in the middle of an answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def server_bind(self) -> None:
        """Bind without looking up the machine's name, which takes seconds on some networks."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]


def open_server(port: int = PORT, folder: Path = PAGE) -> tuple[Server, list[int]]:
    """Listen on the wanted port, or the next free one.

    Parameters
    ----------
    port : int
        The wanted port, 0…65535; 0 takes any free one.
    folder : Path
        The page's folder.

    Returns
    -------
    server : Server
        Listening on 127.0.0.1; its port is ``server.server_port``.
    taken : list of int
        The ports that were tried before and are taken.

    Raises
    ------
    InputError
        If the port is out of range, may not be used, or too many in a row are taken; or if the page is not
        built.
    """
    if not 0 <= port <= LAST_PORT:
        raise InputError(f"port {port} does not exist; accepted is 0 to {LAST_PORT}")
    if not (folder / "index.html").is_file():
        raise InputError(f"the page is not built ({folder} has no index.html); build it: make serve")
    handler = partial(Handler, directory=str(folder))
    taken: list[int] = []
    for attempt in range(port, min(port + TRIES, LAST_PORT + 1)):
        try:
            return Server((HOST, attempt), handler), taken
        except OSError as error:
            if error.errno == errno.EACCES:
                message = f"port {attempt} needs rights you do not have; accepted is 1024 and above"
                raise InputError(message) from None
            if error.errno != errno.EADDRINUSE:
                raise
            taken.append(attempt)
    raise InputError(f"ports {taken[0]} to {taken[-1]} are all taken; give another one with --port")


def serve(port: int = PORT, *, ready: Callable[[str, list[int]], None], folder: Path = PAGE) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    port : int
        The wanted port; if it is taken, the next free one.
    ready : callable
        Called with the address and the ports that were taken, as soon as a browser may come.
    folder : Path
        The page's folder.
    """
    server, taken = open_server(port, folder)
    with server:
        ready(f"http://{HOST}:{server.server_port}/", taken)
        server.serve_forever()
