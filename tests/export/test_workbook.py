"""The workbook: what is in it, and what an engine that is not ours makes of its formulas."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

import runs
from attention_by_hand.errors import InputError
from attention_by_hand.export import workbook
from attention_by_hand.export.workbook.readback import cells_of
from attention_by_hand.export.workbook.words import LANGUAGES
from attention_by_hand.ledger.trace import Ledger
from attention_by_hand.trained import Model
from export import workbooks

LIMIT = 1e-5
#: Structure and training: in the ledger of a prompt, but not in its workbook.
NOT_HELD = re.compile(r"ancestors|seed|adam\..*")


def model() -> Model:
    return runs.trained(1).model


def ledger() -> Ledger:
    return model().trace("7×8=", "5")


@cache
def made(language: str = "en") -> bytes:
    return workbook.contents(ledger(), language)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("workbook") / "book.xlsx"
    file.write_bytes(made())
    return file


# --- what is in it


def test_every_entry_is_there_under_one_of_its_names(path: Path) -> None:
    traced = ledger()
    held = workbooks.matrices(path, traced.names)
    for name in traced.names:
        if name not in held and not NOT_HELD.fullmatch(name):
            cells = traced.array(name)
            assert any(np.shares_memory(cells, traced.array(other)) for other in held), f"{name} is missing"


def test_parameters_are_numbers_of_the_same_bits_and_all_else_is_formulas(path: Path) -> None:
    traced, book = ledger(), openpyxl.load_workbook(path)
    parameters = formulas = 0
    for name, found in workbooks.matrices(path, traced.names).items():
        entry = traced.entry(name)
        for index, (sheet, row, column) in workbooks.places(traced, name, found).items():
            held = book[sheet].cell(row, column).value
            if entry.group == "parameter":
                assert np.float32(held) == traced.array(name)[index], f"{name}{index}"
                parameters += 1
            elif entry.formula is not None:
                masked = entry.formula.masked and index[1] > index[0]
                assert held == "masked" if masked else str(held).startswith("="), f"{name}{index}: {held!r}"
                formulas += not masked
    assert parameters == 3136
    assert formulas > 3136, "every parameter has a gradient, and there is a forward pass too"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_is_whole_and_links_to_nothing_outside(language: str) -> None:
    with zipfile.ZipFile(io.BytesIO(made(language))) as file:
        assert file.testzip() is None
        assert not [name for name in file.namelist() if "external" in name.lower() or "macro" in name.lower()]
        for name in file.namelist():
            if name.endswith(".rels"):
                assert b'TargetMode="External"' not in file.read(name), f"{name} links outside"


@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_of_excel(language: str) -> None:
    for sheet, cells in cells_of(made(language)).items():
        assert len(sheet) <= 31
        assert not set(sheet) & set("[]:*?/\\")
        assert max(len(cell) for cell in cells.values() if isinstance(cell, str)) <= 8192


def test_the_same_model_and_prompt_give_the_same_bytes() -> None:
    assert workbook.contents(ledger()) == made()


def test_the_two_languages_differ_in_words_only() -> None:
    english, chinese = (list(cells_of(made(language)).values()) for language in LANGUAGES)
    assert [cells.keys() for cells in english] == [cells.keys() for cells in chinese]
    numbers = [{at: cell for at, cell in sheet.items() if isinstance(cell, float)} for sheet in english]
    assert numbers == [
        {at: cell for at, cell in sheet.items() if isinstance(cell, float)} for sheet in chinese
    ]


def test_the_check_sheet_is_hidden_and_holds_the_kernels_numbers(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    assert [sheet.title for sheet in book if sheet.sheet_state != "visible"] == ["Check"]
    values = {cell.value for row in book["Check"].iter_rows(min_col=2) for cell in row}
    for name in ("Loss", "layer1.WQ", "layer2.head1.A"):
        wanted = ledger().array(f"grad.{name}" if name == "layer1.WQ" else name)
        held = {np.float32(value) for value in values if isinstance(value, float | int)}
        assert {x for x in wanted.flat if x != 0} <= held, f"the kernel's {name} is missing"


def test_without_a_target_there_is_a_forward_pass_only() -> None:
    sheets = cells_of(workbook.contents(model().trace("7×")))
    assert "Output" in sheets
    assert not [name for name in sheets if name.startswith("Back") or "gradient" in name]


@pytest.mark.parametrize("prompt", ["7", "0123456789×=×=01"])
def test_the_shortest_and_the_longest_prompt(prompt: str) -> None:
    sheets = cells_of(workbook.contents(model().trace(prompt, "END")))
    assert len(sheets["Embedding"]) > 8 * len(prompt)


def test_a_cut_connection_has_a_number_that_a_spreadsheet_can_hold() -> None:
    sheets = cells_of(workbook.contents(model().trace("7×0=", "0", cuts=[("layer1.head2", 3, 2)])))
    assert -1e300 in sheets["Check"].values(), "the kernel's −∞ stands in the hidden sheet as −1E+300"
    assert 1.0 in sheets["Layer 1 attention"].values(), "the cut itself"


def test_a_number_that_a_spreadsheet_cannot_hold_is_refused() -> None:
    broken = model().edited({"LM": np.full((8, 14), np.nan)})
    with pytest.raises(InputError, match=r"LM\[0,0\] is nan.*accepted: finite"):
        workbook.contents(broken.trace("7"))


def test_the_batch_and_an_unknown_language_are_refused() -> None:
    with pytest.raises(InputError, match="one prompt"):
        workbook.contents(model().batch())
    with pytest.raises(InputError, match="accepted: en, zh"):
        workbook.contents(ledger(), "de")


# --- recalculated by the package `formulas`; reading 9,000 formulas takes it half a minute of its own


class Engine:
    """The workbook in the package `formulas`, which knows nothing of this project."""

    def __init__(self, path: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import formulas

            self.model = formulas.ExcelModel().loads(str(path)).finish()
        self.book = path.name

    def key(self, sheet: str, row: int, column: int) -> str:
        letters = openpyxl.utils.get_column_letter(column)
        return f"'[{self.book}]{sheet.upper()}'!{letters}{row}"

    def calculate(self, changes: dict[tuple[str, int, int], float]) -> workbooks.Value:
        """Calculate with some cells changed; returns what looks up a value."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            inputs = {self.key(*place): value for place, value in changes.items()}
            solution = self.model.calculate(inputs=inputs)

        def value(sheet: str, row: int, column: int) -> Any:
            held = solution[self.key(sheet, row, column)].value[0, 0]
            return held.item() if isinstance(held, np.generic) else held

        return value


@pytest.fixture(scope="module")
def engine(path: Path) -> Engine:
    return Engine(path)


@pytest.fixture(scope="module")
def where(path: Path) -> dict[str, workbooks.Found]:
    return workbooks.matrices(path, ledger().names)


def assert_close(
    traced: Ledger, where: dict[str, workbooks.Found], value: workbooks.Value, by_matrix: bool = False
) -> None:
    count, worst, at = workbooks.worst_difference(traced, where, value, by_matrix)
    assert count > 8000, f"only {count} cells were compared"
    assert worst <= LIMIT, f"{at} is off by {worst:.1e}: the formula there is not the ledger's"


@pytest.mark.timeout(900)
def test_every_cell_recalculated_is_the_ledgers(engine: Engine, where: dict[str, workbooks.Found]) -> None:
    value = engine.calculate({})
    assert_close(ledger(), where, value)
    front = [value("Read me", row, 2) for row in range(8, 13)]
    assert front[0] == "5"
    assert front[1:3] == pytest.approx([float(ledger().array("P")[-1, 5])] * 2, abs=LIMIT)
    assert front[3] == pytest.approx(float(ledger().array("Loss")[0]), abs=LIMIT)
    assert 0 < front[4] <= LIMIT, "the largest difference is said on the first sheet"


@pytest.mark.timeout(900)
def test_after_editing_a_weight_all_is_the_edited_models(
    engine: Engine, where: dict[str, workbooks.Found]
) -> None:
    weights = model().parameter("layer1.WK").copy()
    weights[2, 5] = np.float32(1.25)
    edited = model().edited({"layer1.WK": weights}).trace("7×8=", "5")
    assert np.abs(edited.array("P") - ledger().array("P")).max() > 1e-3, "the edit has to be felt"
    found = where["layer1.WK"]
    value = engine.calculate({(found.sheet, found.row + 2, found.column + 5): 1.25})
    answer = {place: value(*place) for place in workbooks.places(edited, "P", where["P"]).values()}
    assert np.abs(np.reshape(list(answer.values()), (4, 14)) - edited.array("P")).max() <= LIMIT
    assert_close(edited, where, value, by_matrix=True)


@pytest.mark.timeout(900)
def test_other_tokens_another_target_and_a_cut_follow_too(
    engine: Engine, where: dict[str, workbooks.Found]
) -> None:
    tokens, cut = where["token"], where["layer1.head2.cut"]
    changes = {(tokens.sheet, tokens.row + i, 2): token for i, token in enumerate([0, 10, 7, 11])}
    changes |= {("Prompt", 7, 2): 0, (cut.sheet, cut.row + 3, cut.column + 1): 1}
    other = model().trace("0×7=", "0", cuts=[("layer1.head2", 3, 1)])
    value = engine.calculate(changes)
    # The counts are given numbers of the ledger, and formulas of the target here.
    assert_close(other, where, value, by_matrix=True)
    assert value("Read me", 3, 2) == "0", "labels show the tokens at hand"
