"""The command line, ``attention-by-hand``."""

from .app import main

__all__ = ["main"]
