"""The commands, and what a person sees when something is wrong.

Every command imports what it needs when it runs: a command starts in the time its own work takes.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError
from .output import fail
from .study import study_app

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
    port: Annotated[str, typer.Option(metavar="NUMBER", help="Port; if taken, the next free one.")] = "8765",
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


@app.command()
def train(
    seed: Annotated[str, typer.Option(metavar="NUMBER", help="Seed, 0 to 4294967295.")] = "1",
    steps: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="Take exactly this many; else stop when all 100 are solved."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the model here, as safetensors.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    json: Json = False,
) -> None:
    """Train from random numbers until all 100 problems are solved.

    Ctrl-C stops after the step at hand; with --out the model so far is saved.

    \b
    Examples:
      attention-by-hand train --seed 1 --out model.safetensors
      attention-by-hand train --seed 7 --steps 50 --json
    """
    from .train import train_model

    raise typer.Exit(train_model(seed, steps, out, force=force, json=json))


@app.command()
def ask(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="1 to 16 tokens, such as 7x8= or 7×8=5.")],
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A checkpoint that train --out wrote.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="Without a checkpoint: the seed to train first; 1 if not given."),
    ] = None,
    step: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Ask the model as it was after this many steps.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all 14 probabilities, not three.")] = False,
    json: Json = False,
) -> None:
    """Show the three most likely next tokens after each token of PROMPT, and what the model writes.

    \b
    Examples:
      attention-by-hand ask "7x8="
      attention-by-hand ask "7x8=" --model model.safetensors --json
      attention-by-hand ask "7x8=" --seed 1 --step 50
    """
    from .ask import ask_model

    ask_model(prompt, model, seed, step, everything=everything, json=json)


Model = Annotated[
    Path | None, typer.Option("--model", metavar="FILE", help="A checkpoint that train --out wrote.")
]
Seed = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="NUMBER", help="Without a checkpoint: the seed to train first; 1 if not given."
    ),
]
Step = Annotated[
    str | None, typer.Option("--step", metavar="NUMBER", help="The model as it was after this many steps.")
]
Target = Annotated[
    str | None,
    typer.Option("--target", metavar="TOKEN", help="The token that should come next; gradients need it."),
]
Batch = Annotated[
    bool, typer.Option("--batch", help="The training batch, 378 rows and 558 targets, instead of a prompt.")
]
Digits = Annotated[str, typer.Option("--digits", metavar="NUMBER", help="Digits after the point.")]
Language = Annotated[str, typer.Option("--language", metavar="en|zh", help="Language of explanations.")]


@app.command()
def explain(
    words: Annotated[
        list[str], typer.Argument(metavar="[PROMPT] CELL", help="A prompt, and the cell to explain.")
    ],
    target: Target = None,
    depth: Annotated[
        str, typer.Option(metavar="NUMBER", help="How many levels down; all: to the parameters.")
    ] = "1",
    batch: Batch = False,
    model: Model = None,
    seed: Seed = None,
    step: Step = None,
    form: Annotated[
        str, typer.Option("--format", metavar="text|latex|html|json", help="How to print it.")
    ] = "text",
    digits: Digits = "4",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Explain one number: its formula, the numbers in it, and the cells they come from.

    \b
    Examples:
      attention-by-hand explain "7×0=" 'layer1.head2.A["=","0"]' --depth 2
      attention-by-hand explain "7×8=" 'grad.layer1.WQ[0,0]' --target 5 --format latex
      attention-by-hand explain --batch 'next.layer1.WQ[0,0]' --step 10
    """
    from .ledger import explain_cell

    explain_cell(words, batch, target, depth, "json" if json else form, digits, language, (model, seed, step))


@app.command()
def gradients(
    prompt: Annotated[str | None, typer.Argument(metavar="PROMPT", help="1 to 16 tokens.")] = None,
    target: Target = None,
    of: Annotated[
        str | None, typer.Option(metavar="ENTRY", help="Show this entry's gradient in full.")
    ] = None,
    batch: Batch = False,
    model: Model = None,
    seed: Seed = None,
    step: Step = None,
    digits: Digits = "4",
    json: Json = False,
) -> None:
    """Show how the loss of one prompt and target, or of the training batch, depends on every matrix.

    \b
    Examples:
      attention-by-hand gradients "7×8=" --target 5
      attention-by-hand gradients "7×8=" --target 5 --of layer1.WQ
      attention-by-hand gradients --batch --step 0 --json
    """
    from .ledger import show_gradients

    show_gradients(prompt, batch, target, of, digits, (model, seed, step), json=json)


@app.command()
def ledger(
    pattern: Annotated[
        str | None, typer.Argument(metavar="[ENTRY]", help="A name, or a pattern with *.")
    ] = None,
    prompt: Annotated[
        str | None, typer.Option(metavar="PROMPT", help="Show the numbers for this prompt.")
    ] = None,
    target: Target = None,
    batch: Batch = False,
    group: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Only this part: parameter, head, gradient, …")
    ] = None,
    model: Model = None,
    seed: Seed = None,
    step: Step = None,
    digits: Digits = "4",
    language: Language = "en",
    json: Json = False,
) -> None:
    """List every matrix by name, or show the numbers of some.

    \b
    Examples:
      attention-by-hand ledger
      attention-by-hand ledger 'layer1.head2.*' --language zh
      attention-by-hand ledger layer1.head2.A --prompt "7×0="
    """
    from .ledger import list_ledger

    list_ledger(pattern, prompt, batch, target, group, language, digits, (model, seed, step), json=json)


app.add_typer(study_app, name="study")


@app.command()
def export(
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help="xlsx, huggingface, transformer-lens, onnx, safetensors, json, csv or latex.",
        ),
    ],
    prompt: Annotated[str | None, typer.Option(metavar="PROMPT", help="1 to 16 tokens.")] = None,
    target: Target = None,
    batch: Batch = False,
    entries: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Names or patterns with *, separated by commas.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option(metavar="CELL", help="The cell that --to latex derives.")
    ] = None,
    depth: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Levels that --to latex follows; 1 if not given.")
    ] = None,
    model: Model = None,
    seed: Seed = None,
    step: Step = None,
    language: Annotated[str | None, typer.Option(metavar="LANGUAGE", help="en or zh, for --to xlsx.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="PATH", help="File or folder to write.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    json: Json = False,
) -> None:
    """Write the model for another library, a prompt as a workbook, matrices as data, a derivation as LaTeX.

    Without --out, json, csv and latex are printed and the others get a name of their own in this folder.

    \b
    Examples:
      attention-by-hand export --to xlsx --prompt "7×8=" --target 5
      attention-by-hand export --to huggingface --seed 1 --out my-gpt2
      attention-by-hand export --to onnx --model model.safetensors
      attention-by-hand export --to csv --prompt "7×0=" --entries 'layer1.head2.*'
      attention-by-hand export --to latex --prompt "7×0=" --cell 'layer1.head2.A[3,2]' --depth 2
    """
    from .export import Wish
    from .export import export as write

    where = (model, seed, step)
    write(Wish(to, prompt, batch, target, entries, cell, depth, language, out, force, json, where))


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
