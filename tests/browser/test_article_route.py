"""The route of a source: it lights up where one points, its parts add up, it follows another text."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

import attention_by_hand as abh

from .reading import Article, matrix, numbers


def test_the_route_lights_up_what_is_pointed_at(article: Article) -> None:
    for chapter, ends in (("c4", "A"), ("c5", "H"), ("c6", "write")):
        article.page.mouse.move(0, 0)
        figure = article.figure(chapter, "abh-route")
        lit = figure.locator("[data-mark=way]")
        names = lit.evaluate_all("all => [...new Set(all.map(td => (td.dataset.cell ?? '').split('[')[0]))]")
        expected = ["layer1.X_norm", *(f"layer1.head2.{name}" for name in "KQSA")]
        expected += [f"layer1.head2.{name}" for name in "VH"] if ends != "A" else []
        expected += ["layer1.head2.write"] if ends == "write" else []
        assert set(expected) <= set(names), f"{chapter}: the way must pass {expected}, it passes {names}"
        joints = {"A": 5, "H": 9, "write": 10}[ends]
        assert figure.locator("svg.way path").count() == joints, f"{chapter}: the line has {joints} parts"
        expect(figure.locator("[data-mark=way][data-cell^='layer1.X_norm[2,']")).to_have_count(8)
        # By keyboard: a cell of another row.
        figure.locator("td[data-cell='layer1.head2.K[2,0]']").focus()
        article.page.keyboard.press("ArrowUp")
        expect(figure.locator("figure")).to_have_attribute("data-lit", "1")
        article.page.keyboard.press("Tab")
        # By mouse.
        figure.locator("td[data-cell='layer1.head2.A[3,0]']").hover()
        expect(figure.locator("figure")).to_have_attribute("data-lit", "0")
        figure.locator(".choose").first.hover()
        expect(figure.locator("figure")).to_have_attribute("data-lit", "2")
        # For good.
        figure.locator(".choose").last.locator("button").nth(3).click()
        expect(figure.locator("figure")).to_have_attribute("data-lit", "3")
        article.set(source=2)


def test_the_parts_on_the_way_add_up_to_what_arrives(article: Article) -> None:
    for step in article.steps:
        article.set(step=step)
        figure = article.figure("c6", "abh-route")
        parts = numbers(figure, "[data-stage=part] tbody [data-value]").reshape(4, 4)
        arrived = numbers(figure, "td[data-cell^='layer1.head2.H[3,']")
        np.testing.assert_allclose(parts.sum(axis=0), arrived, atol=1e-5, err_msg="parts add up to H")


def test_figures_follow_another_text_and_lead_back(article: Article) -> None:
    article.set(prompt=[abh.TOKENS.index("3"), abh.TOKENS.index("×")], receiver=None)
    figure = article.figure("c4", "abh-route")
    assert matrix(figure, "layer1.X_norm").shape == (2, 8), "a text of two tokens has two rows"
    figure.locator("[data-action=back-to-text]").click()
    figure = article.figure("c4", "abh-route")
    assert matrix(figure, "layer1.X_norm").shape == (4, 8)
