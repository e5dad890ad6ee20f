"""What commands print: errors, JSON, and text that is coloured in a terminal only."""

from __future__ import annotations

import json
import sys
from typing import NoReturn


def fail(line: str) -> NoReturn:
    """Say in one line on standard error what was wrong, and leave with exit code 2."""
    print(f"attention-by-hand: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(2)


def print_json(value: object) -> None:
    """Print a value as one line of JSON. Numbers JSON does not have (NaN, infinity) are refused."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)
