"""What all tests need."""

from __future__ import annotations

import os

from hypothesis import settings

from attention_by_hand.build.node import node_folder

# Playwright brings a Node of its own, which wants a library that a small Debian lacks (libatomic). The Node
# that builds the page runs there, so Playwright takes that one.
os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node_folder() / "node"))

# How long one example takes says more about what else the machine is doing than about the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
