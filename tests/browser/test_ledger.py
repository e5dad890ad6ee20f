"""The page's ledger is Python's: every cell of every entry, and what its formula gives, to the last bit."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import attention_by_hand as abh

from .conftest import Open

SEED, STEP = 5, 70
# Prompt and target; the last two never occur in training.
PROMPTS = [("7×0=", "0"), ("7×8=5", "6"), ("9", "×"), ("=×=×", "3"), ("1234567890123456", "END")]

# Reads every entry of a context through the page's own means: the stored number of each cell, and the number
# its formula gives. Both come back as the bytes of float64, which holds float32 and whole numbers alike.
READ_ALL = """
(context) => {
  const app = document.querySelector('abh-timeline').app;
  const bytes = values => {
    const all = new Uint8Array(Float64Array.from(values).buffer);
    let text = '';
    for (let i = 0; i < all.length; i += 8192) text += String.fromCharCode(...all.subarray(i, i + 8192));
    return btoa(text);
  };
  const found = {};
  for (const [name, entry] of Object.entries(app.ledger.entries)) {
    if (entry.meaning === undefined || entry.places[context] === undefined) continue;
    const scalar = entry.axes.length === 1 && entry.axes[0] === 'one';
    const shape = scalar ? [] : app.engine.shapeOf(name, context);
    const stored = [], evaluated = [];
    let indices = [[]];
    for (const length of shape) {
      indices = indices.flatMap(index => Array.from({length}, (_, at) => [...index, at]));
    }
    for (const index of indices) {
      const {value, work} = app.desk.derive({name, index, context});
      stored.push(value);
      evaluated.push(work === null ? value : work.value);
    }
    found[name] = {shape, stored: bytes(stored), evaluated: bytes(evaluated)};
  }
  return found;
}
"""


def numbers(text: str, shape: list[int]) -> np.ndarray[Any, Any]:
    """Return the float64 array behind a base64 text."""
    return np.frombuffer(base64.b64decode(text), np.float64).reshape(shape)


def address(prompt: str, target: str) -> str:
    """Return the query of a link to a prompt and target at the step of these tests."""
    text = prompt.replace("×", "x").replace("=", "%3D")
    return f"?seed={SEED}&step={STEP}&prompt={text}&target={target.replace('×', 'x')}"


def check(found: dict[str, Any], ledger: Any, *, at_least: int) -> None:
    """Compare what the page read with a ledger of Python."""
    cells = 0
    for name, page in found.items():
        stored, evaluated = (numbers(page[key], page["shape"]) for key in ("stored", "evaluated"))
        expected = np.asarray(ledger.array(name), np.float64).reshape(stored.shape)
        np.testing.assert_array_equal(stored, expected, err_msg=f"{name}: the page and Python differ")
        np.testing.assert_array_equal(
            evaluated, stored, err_msg=f"{name}: the page's formula gives other bits"
        )
        cells += stored.size
    assert cells >= at_least, f"only {cells} cells were compared"


@pytest.mark.parametrize(("prompt", "target"), PROMPTS)
def test_every_cell_of_a_prompt(visit: Open, prompt: str, target: str) -> None:
    page = visit(query=address(prompt, target), step=STEP).page
    ledger = abh.train(SEED, steps=STEP).model.trace(prompt, target)
    found = page.evaluate(READ_ALL, "prompt")
    # Masked cells hold −∞ in S on both sides and 0 elsewhere: they are compared like all others.
    check(found, ledger, at_least=4000)


def test_every_cell_of_the_model_and_of_the_next_step(visit: Open) -> None:
    page = visit(query=address("7×0=", "0"), step=STEP).page
    found = page.evaluate(READ_ALL, "model")
    ledger = abh.train(SEED, steps=STEP).model.batch()
    assert {"next.layer1.WQ", "adam.v.LM", "layer2.head2.OV"} <= found.keys()
    check(found, ledger, at_least=6 * 3136)


def test_gradients_of_all_training(visit: Open) -> None:
    page = visit(query=address("7×0=", "0"), step=STEP).page
    ledger = abh.train(SEED, steps=STEP).model.batch()
    for name in (
        "Loss",
        "grad.layer1.WQ",
        "grad.TokenEmb",
        "grad.LM",
        "layer2.head1.A",
        "grad.layer1.head2.S",
    ):
        script = READ_ALL.replace(
            "Object.entries(app.ledger.entries)", f"[['{name}', app.ledger.entries['{name}']]]"
        )
        check(page.evaluate(script, "batch"), ledger, at_least=1)


def shown_cells(page: Page) -> dict[str, str]:
    """Return the cells of the matrix on the ledger's page, by name."""
    cells: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('abh-ledger-page td[data-cell]')]"
        ".map(td => [td.dataset.cell, td.dataset.value]))"
    )
    return cells


OPEN_ENTRY = """
async (name) => {
  const app = document.querySelector('abh-timeline').app;
  app.state.set({entry: name});
  const shown = () => document.querySelector('abh-ledger-page td[data-cell]')?.dataset.cell.split('[')[0];
  for (let i = 0; i < 100 && shown() !== name; i++) {
    await new Promise(frame => requestAnimationFrame(frame));
  }
}
"""


def test_the_tables_show_what_the_kernel_holds(visit: Open) -> None:
    page = visit(query=address("7×0=", "0"), step=STEP).page
    page.locator("abh-ledger").scroll_into_view_if_needed()
    ledger = abh.train(SEED, steps=STEP).model.trace("7×0=", "0")
    names = [
        "TokenEmb",
        "layer1.LN1.mean",
        "layer1.head1.S",
        "layer1.head2.A",
        "layer2.U",
        "grad.layer2.WK",
        "Loss",
        "P",
    ]
    for name in names:
        page.evaluate(OPEN_ENTRY, name)
        shown = shown_cells(page)
        array = ledger.array(name)
        assert len(shown) == array.size, f"{name}: the table has {len(shown)} cells, the matrix {array.size}"
        for index in np.ndindex(array.shape):
            cell = name if array.shape == (1,) else f"{name}[{','.join(map(str, index))}]"
            assert np.float32(shown[cell]) == array[index], (
                f"{cell}: shown {shown[cell]}, held {array[index]}"
            )


def test_masked_zero_and_tiny_look_different(visit: Open) -> None:
    page = visit(query=address("7×0=", "0"), step=STEP).page
    page.locator("abh-ledger").scroll_into_view_if_needed()
    page.evaluate(OPEN_ENTRY, "layer1.head1.A")
    masked = page.locator("abh-ledger-page td[data-cell='layer1.head1.A[0,3]']")
    assert masked.get_attribute("data-kind") == "masked"
    assert masked.get_attribute("aria-label") == "masked"
    assert masked.inner_text() == "·"
    page.evaluate(OPEN_ENTRY, "layer1.R")
    zero = page.locator("abh-ledger-page td[data-kind='zero']").first
    assert zero.inner_text() == "0"
    page.evaluate(OPEN_ENTRY, "P")
    for cell in page.locator("abh-ledger-page td[data-kind='tiny']").all():
        assert "e−" in cell.inner_text(), "a small number must not look like 0"


def test_readers_are_those_whose_formula_reads_the_cell(visit: Open) -> None:
    page = visit(query=address("7×0=", "0"), step=STEP).page
    page.evaluate(
        "() => document.querySelector('abh-timeline').app.state.set("
        "{cell: {name: 'layer1.head2.A', index: [3, 2], context: 'prompt'}})"
    )
    readers = page.locator("abh-drawer .readers .cell-link")
    readers.first.wait_for()
    names = readers.all_inner_texts()
    assert {"layer1.head2.H[3,0]", "layer1.head2.H[3,3]", "grad.layer1.head2.V[2,1]"} <= set(names)
    # Asked the other way round: Python's derivation of each reader names the cell.
    ledger = abh.train(SEED, steps=STEP).model.trace("7×0=", "0")
    for name in names:
        references = [str(cell) for cell in ledger.explain(name).references()]
        assert "layer1.head2.A[3,2]" in references, f"{name} does not read the cell"
