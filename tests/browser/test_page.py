"""The page as a whole: weight, policy, languages, phones, keyboard, browsers without WebAssembly."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import Open, Watched, pause, shown_step, wait_for_step

CATALOGUES = Path(__file__).parents[2] / "web" / "src" / "i18n"
POLICY = {"default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"}


def test_first_load_is_light(visit: Open, built: Path) -> None:
    watched = visit(step=1)
    asked = {url.removeprefix(watched.site.address).split("?")[0] for url in watched.requests}
    sizes = {
        name: len(gzip.compress((built / name).read_bytes())) for name in asked if (built / name).is_file()
    }
    assert any(name.endswith(".wasm") for name in sizes)
    assert sum(sizes.values()) < 300_000, f"the first load must stay under 300 KB compressed: {sizes}"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_policy_is_strict_and_kept(visit: Open, language: str) -> None:
    script = """
        window.violations = [];
        document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective));
    """
    page = visit(language, script=script, step=20).page
    policy = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content") or ""
    assert {part.strip() for part in policy.split(";")} >= POLICY
    assert page.evaluate("violations") == []
    assert page.locator("[style]").count() == 0 or page.evaluate(
        "[...document.querySelectorAll('[style]')].every(e => e.style.length > 0)"
    )


def test_catalogues_have_the_same_keys_and_values() -> None:
    texts = {
        code: json.loads((CATALOGUES / f"{code}.json").read_text(encoding="utf-8")) for code in ("en", "zh")
    }
    assert texts["en"].keys() == texts["zh"].keys(), "each text stands in both languages: add what is missing"
    for key, english in texts["en"].items():
        chinese = texts["zh"][key]
        assert english.strip(), f"en.json: {key} is empty"
        assert chinese.strip(), f"zh.json: {key} is empty"
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", chinese)), (
            f"{key}: other placeholders"
        )
        # Names of matrices (X_norm, logits.exp) are the same in both languages.
        words = re.sub(r"\{\w+\}|https?:\S+|\S*[_.·]\S+", "", english)
        if len(re.findall(r"[a-z]{3,}", words)) > 1:
            assert re.search(r"[\u4e00-\u9fff]", chinese), f"zh.json: {key} is not translated"
            assert not re.search(r"[\u4e00-\u9fff]", english), f"en.json: {key} is not English"


def test_every_text_of_the_catalogue_is_used() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in CATALOGUES.parent.rglob("*.ts"))
    keys = json.loads((CATALOGUES / "en.json").read_text(encoding="utf-8"))
    unused = [
        key for key in keys if f'"{key}"' not in sources and f"`{key.rsplit('.', 1)[0]}.$" not in sources
    ]
    assert not unused, f"nobody shows these texts; remove them from both catalogues: {unused}"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_sideways_scroll_on_a_phone(visit: Open, language: str) -> None:
    page = visit(language, viewport={"width": 360, "height": 740}, step=10).page
    for figure in page.locator("abh-facts, abh-training, abh-prompt").all():
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(100)
    width = page.evaluate("document.documentElement.scrollWidth")
    wide = page.evaluate(
        "[...document.querySelectorAll('main *')]"
        ".filter(e => { for (let a = e; a; a = a.parentElement)"
        " if (['auto', 'scroll'].includes(getComputedStyle(a).overflowX)) return false;"
        " return e.getBoundingClientRect().right > innerWidth + 1 })"
        ".map(e => e.tagName + '.' + e.className).slice(0, 5)"
    )
    assert width <= 360, f"the page is {width} px wide on a phone of 360; too wide: {wide}"
    assert not wide, f"these stick out on a phone: {wide}"


def test_the_other_language_keeps_the_state(visit: Open) -> None:
    page = visit(query="?seed=9&step=12&prompt=3x4%3D", step=12).page
    page.locator("a[data-language-link]").click()
    wait_for_step(page, 12)
    assert page.url.split("?")[0].endswith("zh/index.html")
    assert page.locator("html").get_attribute("lang") == "zh"
    assert shown_step(page) == 12
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("3×4=")
    expect(page.locator("input[name='seed']")).to_have_value("9")
    expect(page.locator("abh-training [data-action='one']")).to_have_text("走一步")


def test_a_link_that_cannot_be_used_says_so(visit: Open) -> None:
    page = visit(query="?seed=-3&prompt=hello&step=5", step=5).page
    expect(page.locator("abh-status")).to_contain_text("could not be used and was left out: seed, prompt")
    assert shown_step(page) == 5


def test_back_and_forward(visit: Open) -> None:
    page = visit(step=3).page
    pause(page)
    for prompt in ("6×7=", "2×3="):
        page.locator("input[name='prompt']").fill(prompt)
        page.wait_for_function(
            "text => decodeURIComponent(location.search).includes(text)", arg=prompt.replace("×", "x")
        )
    page.go_back()
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("6×7=")
    page.go_back()
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("7×0=")
    page.go_forward()
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("6×7=")


NO_WASM = "delete window.WebAssembly"
NO_SIMD = """
    const validate = WebAssembly.validate;
    WebAssembly.validate = bytes => !new Uint8Array(bytes).includes(253) && validate(bytes);
"""


@pytest.mark.parametrize(("script", "word"), [(NO_WASM, "WebAssembly"), (NO_SIMD, "SIMD")])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_webassembly_the_text_stays_and_the_page_says_why(
    visit: Open, language: str, script: str, word: str
) -> None:
    page = visit(language, script=script, step=-1).page
    expect(page.locator("main .notice")).to_contain_text(word)
    expect(page.locator("#c0")).to_be_visible()
    expect(page.locator(".chapter p").first).to_be_visible()


def test_without_scripts_the_text_can_be_read(visit: Open) -> None:
    page = visit(java_script_enabled=False, step=-1).page
    expect(page.locator("#c0")).to_be_visible()
    expect(page.locator(".notice")).to_be_visible()
    assert "3,136" in page.locator("main").inner_text()


def test_everything_can_be_done_by_keyboard(visit: Open) -> None:
    page = visit(step=3).page
    page.locator("abh-training [data-action='run']").focus()
    page.keyboard.press("Space")
    step = pause(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for_step(page, step + 1)
    # The table of problems is one stop; arrow keys move in it.
    page.locator(".problems button[tabindex='0']").focus()
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("abh-timeline .prompt-link")).to_have_text("6×6=")
    assert page.locator(".problems button[tabindex='0']").count() == 1
    page.locator(".scrub").focus()
    page.keyboard.press("Home")
    page.wait_for_function(
        "() => document.querySelector('abh-timeline [data-cell=\"adam.step\"]').dataset.value === '0'"
    )


def test_figures_off_screen_do_nothing(visit: Open) -> None:
    page = visit(viewport={"width": 1100, "height": 500}, step=30).page
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    updates = "document.querySelector('abh-prompt').updates"
    page.wait_for_function(f"() => {updates} > 0")
    before, step = page.evaluate(updates), shown_step(page)
    wait_for_step(page, step + 40)
    assert page.evaluate(updates) == before, "a figure nobody sees must not be drawn"
    page.locator("abh-prompt").scroll_into_view_if_needed()
    page.wait_for_function(f"() => {updates} > {before}")


def test_cells_carry_name_and_value(visit: Open) -> None:
    page = visit(step=5).page
    cells = page.locator("[data-cell]").all()
    assert len(cells) > 130
    for cell in cells:
        name, value = cell.get_attribute("data-cell") or "", cell.get_attribute("data-value") or ""
        assert re.fullmatch(r"[A-Za-z][\w.]*(\[\d+(,\d+)*\])?", name), f"{name!r} is no name of a cell"
        float(value)


def report_cold_start(watched: Watched) -> float:
    """Return milliseconds from the start of navigation to the first shown step."""
    return float(watched.page.evaluate("performance.getEntriesByName('abh-first-step')[0].startTime"))


def test_cold_start_is_measured(visit: Open, capsys: pytest.CaptureFixture[str]) -> None:
    milliseconds = report_cold_start(visit(step=1))
    with capsys.disabled():
        print(f"\npage open → first training step: {milliseconds:.0f} ms")
    assert milliseconds > 0
