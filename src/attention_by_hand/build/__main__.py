"""``python -m attention_by_hand.build kernel|page|all``, and the wheel's npm and the tools of the page."""

from __future__ import annotations

import sys
from importlib import import_module

from attention_by_hand.errors import InputError

USAGE = "python -m attention_by_hand.build kernel | page | all | npm ARGUMENTS | tool NAME ARGUMENTS"


def run(part: str) -> None:
    """Run one part of the build. Imported only now: the page needs no compiler, the kernel no Node."""
    import_module(f"attention_by_hand.build.{part}").main()


def build(arguments: list[str]) -> int:
    """Do what the command line says and return the exit code."""
    match arguments:
        case ["kernel" | "page" as part]:
            run(part)
        case ["all"]:
            from attention_by_hand.build import node

            run("kernel")
            if node.npm("ci") != 0:
                raise InputError("npm could not install the page's packages; its lines above say why")
            run("page")
        case ["npm", *rest]:
            from attention_by_hand.build import node

            return node.npm(*rest)
        case ["tool", name, *rest]:
            from attention_by_hand.build import node

            return node.tool(name, *rest)
        case _:
            raise InputError(f"accepted is: {USAGE}")
    return 0


def main() -> None:
    """Leave with the exit code; 2 and one line for what can be mended by the person who called."""
    try:
        raise SystemExit(build(sys.argv[1:]))
    except InputError as error:
        print(f"attention-by-hand: {error}", file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
