"""The ledger drawer: opens from any cell, leads on, comes back, copies; all of it without a mouse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import attention_by_hand as abh

from .conftest import Open, pause, press, wait_for_step

LINK = "?seed=5&step=70&prompt=7x0%3D"
GRANT = {"permissions": ["clipboard-read", "clipboard-write"]}


def title(page: Page) -> str:
    """Return the cell that is open."""
    return page.locator("abh-drawer h2").inner_text()


def clipboard(page: Page) -> str:
    """Return what was copied."""
    expect(page.locator("abh-drawer .copy [role='status']")).to_have_text("Copied.")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_by_keyboard_open_follow_go_back_copy(visit: Open) -> None:
    page = visit(query=LINK, step=70, **GRANT).page
    page.locator("abh-prompt .bars [data-cell='P[3,0]']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("abh-drawer h2")).to_have_text("P[3,0]")
    expect(page.locator("abh-drawer h2")).to_be_focused()
    for _ in range(3):
        before = title(page)
        # The first number in the drawer that can be followed.
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('abh-drawer .cell')"):
                break
        page.keyboard.press("Enter")
        page.wait_for_function("t => document.querySelector('abh-drawer h2').textContent !== t", arg=before)
    assert page.locator("abh-drawer nav li").count() == 4
    deepest = title(page)
    page.go_back()
    page.wait_for_function("t => document.querySelector('abh-drawer h2').textContent !== t", arg=deepest)
    page.locator("abh-drawer nav .crumb").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("abh-drawer h2")).to_have_text("P[3,0]")
    page.locator("abh-drawer [data-copy='text']").focus()
    page.keyboard.press("Enter")
    assert clipboard(page).startswith("P[3,0] = ")
    page.keyboard.press("Escape")
    expect(page.locator("abh-drawer .drawer")).to_have_count(0)
    expect(page.locator("abh-prompt .bars [data-cell='P[3,0]']")).to_be_focused()


def test_copies_can_be_used(visit: Open) -> None:
    page = visit(query=f"{LINK}&cell=layer1.head2.A[3,2]", step=70, **GRANT).page
    value = abh.train(5, steps=70).model.trace("7×0=").array("layer1.head2.A")[3, 2]
    press_copy(page, "numpy")
    names: dict[str, Any] = {"np": np}
    assert eval(clipboard(page), names) == value
    press_copy(page, "csv")
    name, number = clipboard(page).splitlines()[1].rsplit(",", 1)
    assert name == '"layer1.head2.A[3,2]"'
    assert np.float32(number) == value
    press_copy(page, "latex")
    assert r"\begin{align*}" in clipboard(page)
    press_copy(page, "link")
    assert "cell=layer1.head2.A" in clipboard(page)


def press_copy(page: Page, kind: str) -> None:
    """Press a copy button of the drawer and wait until it has been done."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.locator(f"abh-drawer [data-copy='{kind}']").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")


def test_a_whole_matrix_can_be_copied(visit: Open) -> None:
    page = visit(query=f"{LINK}&entry=layer2.WV", step=70, **GRANT).page
    page.locator("abh-ledger").scroll_into_view_if_needed()
    page.locator("abh-ledger-page [data-copy='numpy']").click()
    expect(page.locator("abh-ledger-page .copy [role='status']")).to_have_text("Copied.")
    names: dict[str, Any] = {"np": np}
    copied = eval(page.evaluate("navigator.clipboard.readText()").split("\n", 1)[1], names)
    np.testing.assert_array_equal(copied, abh.train(5, steps=70).model.parameter("layer2.WV"))


def test_a_link_to_a_gradient_opens_on_the_same_value(visit: Open) -> None:
    page = visit(query="?seed=12345&prompt=7x8%3D", step=60, **GRANT).page
    pause(page)
    page.evaluate(
        "() => document.querySelector('abh-timeline').app.state.set("
        "{step: 57, cell: {name: 'grad.layer1.WQ', index: [2, 5], context: 'prompt'}})"
    )
    page.wait_for_function("() => location.search.includes('step=57')")
    page.wait_for_function("() => location.search.includes('cell=')")
    here = page.locator("abh-drawer .result [data-cell]").get_attribute("data-value")
    link = page.url
    # Another profile: nothing is shared but the address.
    query = link[link.index("?") :]
    other = visit(query=query, step=57).page
    there = other.locator("abh-drawer .result [data-cell]")
    expect(there).to_have_attribute("data-cell", "grad.layer1.WQ[2,5]")
    assert there.get_attribute("data-value") == here
    expected = abh.train(12345, steps=57).model.trace("7×8=", "5").array("grad.layer1.WQ")[2, 5]
    assert np.float32(here) == expected
    zh = visit("zh", query=query, step=57).page
    expect(zh.locator("abh-drawer .result [data-cell]")).to_have_attribute("data-value", here or "")


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("layer1.head1.A[0,2]", "Masked. This source stands after the receiver."),
        ("layer1.WQ[0,0]", "A parameter."),
        ("adam.m.layer1.WQ[0,0]", "Kept by the optimizer"),
        ("token[0]", "Given"),
        ("next.layer1.WQ[0,0]", "the same 32 bits"),
        ("batch:grad.layer1.WQ[0,0]", "378 terms, added in this order"),
        ("batch:Loss", "the same 32 bits"),
        ("layer1.LN1.rstd[2]", "the same 32 bits"),
    ],
)
def test_every_kind_of_cell_is_explained(visit: Open, cell: str, words: str) -> None:
    page = visit(query=f"{LINK}&cell={cell}", step=70).page
    expect(page.locator("abh-drawer")).to_contain_text(words)
    expect(page.locator("abh-drawer .recomputed.other")).to_have_count(0)


def test_printed_terms_add_up_or_the_remainder_is_printed(visit: Open) -> None:
    page = visit(query=f"{LINK}&cell=layer1.Q[3,1]", step=70).page
    rows = page.locator("abh-drawer .terms tbody tr")
    rows.first.wait_for()
    values = [text.replace("−", "-") for text in page.locator("abh-drawer .terms td.value").all_inner_texts()]
    *terms, total = [float(value) for value in values]
    assert sum(terms) == pytest.approx(total, abs=1e-9), "terms and remainder must give the printed sum"


def test_a_prompt_that_no_longer_has_the_cell(visit: Open) -> None:
    page = visit(query=f"{LINK}&cell=P[3,0]", step=70).page
    page.locator("input[name='prompt']").fill("7")
    expect(page.locator("abh-drawer")).to_contain_text("There is no such cell")
    page.locator("input[name='prompt']").fill("7×8=")
    expect(page.locator("abh-drawer .recomputed.same")).to_be_visible()


def test_it_follows_the_time_machine(visit: Open) -> None:
    page = visit(query=f"{LINK}&cell=layer1.head1.S[3,0]", step=70).page
    before = page.locator("abh-drawer .result [data-cell]").get_attribute("data-value")
    press(page, "start")
    page.wait_for_function(
        "v => document.querySelector('abh-drawer .result [data-cell]').dataset.value !== v", arg=before
    )
    expected = abh.train(5, steps=0).model.trace("7×0=").array("layer1.head1.S")[3, 0]
    shown = page.locator("abh-drawer .result [data-cell]").get_attribute("data-value")
    assert np.float32(shown) == expected


def test_diagram_and_index_lead_to_the_same_page(visit: Open) -> None:
    page = visit(step=3).page
    wait_for_step(page, 3)
    page.locator("abh-diagram a[data-entry='layer2.head2.A']").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("abh-ledger-page h3")).to_have_text("layer2.head2.A")
    page.locator("abh-ledger input[name='words']").fill("hook_pattern")
    expect(page.locator("abh-ledger .index li")).to_have_count(4)
    page.locator("abh-ledger .index li button").first.click()
    expect(page.locator("abh-ledger-page h3")).to_have_text("layer1.head1.A")
    known = page.evaluate("() => Object.keys(document.querySelector('abh-timeline').app.ledger.entries)")
    boxes = page.evaluate("() => [...document.querySelectorAll('abh-diagram a')].map(a => a.dataset.entry)")
    assert len(boxes) > 40
    assert set(boxes) <= set(known)
