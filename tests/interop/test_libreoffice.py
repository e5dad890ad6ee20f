"""The workbook in LibreOffice, which is made to calculate every formula anew."""

from __future__ import annotations

import io
import os
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from attention_by_hand.export import workbook
from attention_by_hand.trained import Model
from export import workbooks
from interop import prompts

LIMIT = 1e-5
OFFICE = os.environ["OFFICE"]

#: Files of other programs are calculated when they are opened, whatever values they carry.
_ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""


def calculated(content: bytes, folder: Path) -> Path:
    """Open a workbook in LibreOffice, without the values it carries, and save it again."""
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "registrymodifications.xcu").write_text(_ALWAYS)
    file = folder / "book.xlsx"
    file.write_bytes(without_values(content))
    done = subprocess.run(
        [
            OFFICE,
            f"-env:UserInstallation={profile.parent.as_uri()}",
            "--headless",
            *("--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out"), str(file)),
        ],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (folder / "out" / "book.xlsx").exists(), done.stdout + done.stderr
    return folder / "out" / "book.xlsx"


def without_values(content: bytes) -> bytes:
    """The same file, the value of every formula taken out: what is read back was calculated."""
    result = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            data = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                data, count = re.subn(rb"</f><v>[^<]*</v>", b"</f>", data)
                assert count or b"<f>" not in data
            new.writestr(name, data)
    return result.getvalue()


def reader(file: Path) -> workbooks.Value:
    """What looks up a calculated value."""
    book = openpyxl.load_workbook(file, data_only=True)

    def value(sheet: str, row: int, column: int) -> Any:
        return book[sheet].cell(row, column).value

    return value


def changed(content: bytes, changes: dict[tuple[str, int, int], float], folder: Path) -> bytes:
    """The same workbook with some cells changed, by openpyxl."""
    (folder / "before.xlsx").write_bytes(content)
    book = openpyxl.load_workbook(folder / "before.xlsx")
    for (sheet, row, column), number in changes.items():
        assert isinstance(book[sheet].cell(row, column).value, int | float), "only given numbers are changed"
        book[sheet].cell(row, column).value = number
    book.save(folder / "after.xlsx")
    return (folder / "after.xlsx").read_bytes()


def trained() -> Model:
    return prompts.models()["trained"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("prompt", "target"),
    [("7", "×"), ("7×8=", "5"), ("7×0=", "0"), ("9×9=81", "END"), ("0123456789×=×=01", "5")],
)
def test_every_cell_is_the_ledgers(prompt: str, target: str, language: str, tmp_path: Path) -> None:
    ledger = trained().trace(prompt, target)
    content = workbook.contents(ledger, language)
    file = calculated(content, tmp_path)
    where = workbooks.matrices(tmp_path / "book.xlsx", ledger.names)
    value = reader(file)
    count, worst, at = workbooks.worst_difference(ledger, where, value)
    print(
        f"\nLibreOffice: {prompt} {language}: {count} cells, largest difference {worst:.1e} at {at}", end=""
    )
    assert count > 6000
    assert worst <= LIMIT, f"{at} is off by {worst:.1e}: the formula there is not the ledger's"
    errors = [
        cell.coordinate
        for sheet in openpyxl.load_workbook(file, data_only=True)
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "e"
    ]
    assert not errors, f"LibreOffice shows errors in {errors[:5]}"


@pytest.mark.parametrize(("name", "index"), [("layer1.WK", (2, 5)), ("layer2.WV", (0, 1)), ("LM", (1, 5))])
def test_after_editing_a_weight_p_is_the_edited_models(
    name: str, index: tuple[int, int], tmp_path: Path
) -> None:
    ledger = trained().trace("7×8=", "5")
    weights = trained().parameter(name).copy()
    weights[index] += np.float32(0.75)
    edited = trained().edited({name: weights}).trace("7×8=", "5")
    assert np.abs(edited.array("P") - ledger.array("P")).max() > 1e-4, "the edit has to be felt"
    (tmp_path / "first.xlsx").write_bytes(workbook.contents(ledger))
    where = workbooks.matrices(tmp_path / "first.xlsx", ledger.names)
    place = workbooks.places(ledger, name, where[name])[index]
    content = changed(workbook.contents(ledger), {place: float(weights[index])}, tmp_path)
    value = reader(calculated(content, tmp_path))
    found = [value(*at) for at in workbooks.places(edited, "P", where["P"]).values()]
    off = float(np.abs(np.reshape(found, (4, 14)) - edited.array("P")).max())
    print(f"\nLibreOffice: {name}{list(index)} edited: P off by {off:.1e}", end="")
    assert off <= LIMIT
    _, worst, at = workbooks.worst_difference(edited, where, value, by_matrix=True)
    assert worst <= LIMIT, f"{at} is off by {worst:.1e} after the edit"
