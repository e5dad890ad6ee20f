"""Where the build reads from and writes to."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent.parent
WEB = ROOT / "web"
CONTENT = ROOT / "content"

# Made by Vite: scripts, styles, kernel and ledger with a content hash in their names, and a manifest of them.
BUNDLE = ROOT / ".build" / "web"

# Package data, made by the build.
BUILT = PACKAGE / "_built"
KERNEL = BUILT / "kernel.wasm"
LEDGER = BUILT / "ledger.json"
PAGE = BUILT / "page"
