"""axe-core finds nothing to complain about: both languages, light and dark, drawer open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Open, pause

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe(visit: Open, language: str, scheme: str) -> None:
    page = visit(
        language, "?seed=1&step=40&prompt=7x8%3D&cell=layer1.head2.A[3,2]", step=40, color_scheme=scheme
    ).page
    pause(page)
    for figure in page.locator("abh-training, abh-prompt, abh-diagram, abh-ledger").all():
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(100)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    told = [f"{v['id']}: {v['help']} ({v['nodes'][0]['html'][:120]})" for v in found["violations"]]
    assert not told, "\n".join(told)
