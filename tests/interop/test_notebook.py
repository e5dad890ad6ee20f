"""The example notebook, run in a real kernel."""

from __future__ import annotations

import nbclient
import nbformat
import pytest

from attention_by_hand.build.places import ROOT

pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ipynb")), ids=lambda path: path.name)
def test_it_runs_and_shows_tables_and_formulas(path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [
        output["data"]["text/html"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    assert any("<table" in text for text in shown), "a matrix has to show as a table"
    assert any("<math" in text for text in shown), "a derivation has to show as a formula"
