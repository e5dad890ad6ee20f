"""The commands, and what a person sees when something is wrong.

Every command imports what it needs when it runs: a command starts in the time its own work takes.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Annotated

import typer

from ..errors import InputError
from .output import fail, print_json

# One line an error, no boxes: messages are read by people and by scripts alike.
app = typer.Typer(
    name="attention-by-hand",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(version("attention-by-hand"))
        raise typer.Exit


@app.callback(invoke_without_command=True)
def page(
    context: typer.Context,
    port: Annotated[str, typer.Option(metavar="NUMBER", help="Port to serve on; if taken, the next.")] = "8765",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Serve only; open no browser.")] = False,
    json: Json = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Serve the page on this machine and open it. The commands below work without it.

    \b
    Examples:
      attention-by-hand
      attention-by-hand --port 9000 --no-browser
    """
    if context.invoked_subcommand is None:
        from .page import serve_page

        serve_page(port, browser=not no_browser, json=json)


def main() -> None:
    """Run the command line and leave: 0 done, 2 bad input, 130 stopped by Ctrl-C."""
    try:
        code = app(standalone_mode=False)
    except InputError as error:
        fail(str(error))
    except typer.TyperException as error:
        # What Typer itself refuses: an unknown option, a missing argument.
        fail(f"{error.format_message().rstrip('.')}; see attention-by-hand --help")
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output left, as `head` does. Python would complain when it flushes at exit.
        sys.stderr.close()
        sys.exit(1)
    sys.exit(code)
