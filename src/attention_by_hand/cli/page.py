"""The bare command: serve the page and open it."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser

from ..serve import serve
from .output import print_json
from .values import whole_number


def has_screen() -> bool:
    """Say whether a browser with a window can be opened here.

    Without a screen Python would start a text browser, which takes over the terminal and shows no figure.
    """
    named = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    return named or not sys.platform.startswith(("linux", "freebsd", "openbsd"))


def serve_page(port: str, *, browser: bool, json: bool) -> None:
    """Serve until Ctrl-C.

    Parameters
    ----------
    port : str
        As it was typed.
    browser : bool
        Whether to open the page in the person's browser.
    json : bool
        Whether to print the address as JSON.
    """

    def ready(address: str, taken: list[int]) -> None:
        if json:
            print_json({"address": address, "taken": taken})
        else:
            if taken:
                print(f"Port {', '.join(map(str, taken))} is taken; this is the next free one.")
            print(f"Serving on {address}  (Ctrl-C stops)", flush=True)
        if browser and not has_screen() and not json:
            print("There is no screen here to open it on; open this address in a browser.", flush=True)
        elif browser and has_screen():
            # In a thread: some systems wait until the browser has started, and it asks for the page at once.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        serve(whole_number(port, "port", 0, 65535), ready=ready)
    except KeyboardInterrupt:
        # Ctrl-C is how the server is meant to be stopped.
        if not json:
            print("\nStopped.")
