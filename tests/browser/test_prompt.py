"""Asking the model: every token's expectations, all probabilities, errors, writing on."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import attention_by_hand as abh

from .conftest import Open, press, wait_for_step


def at(page: Page, step: int) -> None:
    """Wait until the prompt's figure shows a step."""
    wait_for_step(page, step)
    page.locator("abh-prompt").scroll_into_view_if_needed()
    expect(page.locator("abh-prompt .top caption")).to_contain_text(f"at step {step}")


def exact(page: Page, row: int, token: int, inside: str) -> np.float32:
    """Return a probability as the page holds it."""
    cell = page.locator(f"abh-prompt {inside} [data-cell='P[{row},{token}]']")
    return np.float32(cell.first.get_attribute("data-value"))


@pytest.mark.parametrize("prompt", ["7×8=", "0", "9x9=81", "=×=×", "1234567890123456"])
def test_every_probability_is_that_of_python(visit: Open, prompt: str) -> None:
    page = visit(query=f"?seed=3&step=60&prompt={prompt.replace('=', '%3D').replace('×', 'x')}", step=60).page
    at(page, 60)
    expected = abh.train(3, steps=60).model.probabilities(prompt)
    last = len(expected) - 1
    for row in range(len(expected)):
        order = np.argsort(-expected[row], kind="stable")[:3]
        cells = page.locator("abh-prompt .top tbody tr").nth(row).locator("[data-cell]")
        for rank, token in enumerate(order):
            cell = cells.nth(rank)
            assert cell.get_attribute("data-cell") == f"P[{row},{token}]", (
                f"choice {rank + 1} after token {row}"
            )
            assert np.float32(cell.get_attribute("data-value")) == expected[row, token]
    for token in range(14):
        assert exact(page, last, token, ".bars") == expected[last, token]
    if last == 0:
        return
    page.locator("abh-prompt .top .prefix").first.click()
    expect(page.locator("abh-prompt .bars [data-cell='P[0,0]']")).to_be_visible()
    for token in range(14):
        assert exact(page, 0, token, ".bars") == expected[0, token]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("7+8", "Character 2, “+”, is not a token"),
        ("7 x  8 ？", "Character 8, “？”, is not a token"),
        ("", "Nothing is typed; accepted: 1 to 16 tokens"),
        ("   ", "Nothing is typed"),
        ("1" * 17, "That is 17 tokens; accepted: 1 to 16"),
        ("7😀", "Character 2, “😀”, is not a token"),
    ],
)
def test_a_wrong_prompt_is_told_and_loses_nothing(visit: Open, text: str, told: str) -> None:
    page = visit(step=3).page
    field = page.locator("input[name='prompt']")
    field.fill(text)
    error = page.locator("#abh-prompt-error")
    expect(error).to_contain_text(told)
    expect(error).to_contain_text("The figures keep showing 7×0=")
    assert field.input_value() == text
    assert page.locator("abh-prompt .top tbody tr").count() == 4
    field.fill("7×8=")
    expect(error).to_have_text("")


@pytest.mark.parametrize("text", ["7x8=", "7X8=", "7*8=", "７×８＝", " 7 ＊ 8 = ", "7ｘ8="])
def test_all_ways_of_writing_a_problem_are_one(visit: Open, text: str) -> None:
    page = visit(step=3).page
    page.locator("input[name='prompt']").fill(text)
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("7×8=")
    expect(page.locator("#abh-prompt-error")).to_have_text("")


def test_token_buttons_and_back(visit: Open) -> None:
    page = visit(step=3).page
    page.locator("input[name='prompt']").fill("8")
    for token in ("×", "9", "="):
        page.locator(f"abh-prompt [data-token='{token}']").click()
    field = page.locator("input[name='prompt']")
    # A click is answered with the next frame.
    expect(field).to_have_value("8×9=")
    page.locator("[data-action='back']").click()
    expect(field).to_have_value("8×9")
    expect(page.locator("abh-prompt .top tbody tr")).to_have_count(3)


def test_it_writes_on_until_end(visit: Open) -> None:
    page = visit(query="?seed=1&step=300&prompt=7x8%3D", step=250).page
    press(page, "write")
    expect(page.locator("abh-prompt .entry .note")).to_contain_text("END", timeout=10_000)
    expected = abh.train(1).model.generate("7×8=")
    assert page.locator("input[name='prompt']").input_value() == f"7×8={expected}" == "7×8=56"


def test_prefixes_outside_training_are_marked(visit: Open) -> None:
    page = visit(step=3).page
    expect(page.locator("abh-prompt .unseen")).to_have_count(0)
    page.locator("input[name='prompt']").fill("77=")
    expect(page.locator("abh-prompt .unseen")).to_be_visible()
    expect(page.locator("abh-prompt .top tbody tr").nth(0)).to_contain_text("×")
    expect(page.locator("abh-prompt .top tbody tr").nth(2).locator(".truth")).to_have_text("never occurs")
    expect(page.locator("abh-prompt")).to_contain_text("PAD is a reserved token")


def test_a_problem_of_the_table_can_be_asked(visit: Open) -> None:
    page = visit(step=3).page
    page.locator(".problems [data-cell='solved[6,7]']").click()
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("6×7=")
