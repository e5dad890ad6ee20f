"""From Vite's bundle and the articles to the static folder, on a small bundle; and the folder as built."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from attention_by_hand.build import places
from attention_by_hand.build.page import LANGUAGES, assemble
from attention_by_hand.errors import InputError
from attention_by_hand.serve import POLICY

MANIFEST = {
    "src/main.ts": {
        "file": "assets/main-1.js",
        "isEntry": True,
        "imports": ["_shared.js"],
        "dynamicImports": ["src/figures.ts"],
        "css": ["assets/main-1.css"],
        "assets": ["assets/kernel-1.wasm", "assets/ledger-1.json", "assets/trainer-1.js"],
    },
    "_shared.js": {"file": "assets/shared-1.js"},
    "src/figures.ts": {
        "file": "assets/figures-1.js",
        "imports": ["src/main.ts"],
        "css": ["assets/figures-1.css"],
    },
    "src/sw.ts": {"file": "sw.js", "isEntry": True},
}
FILES = {
    "assets/main-1.js": "export {}",
    "assets/figures-1.js": 'customElements.define("abh-training", Training)',
    "assets/figures-1.css": "table {}",
    "assets/shared-1.js": "export {}",
    "assets/main-1.css": "p {}",
    "assets/kernel-1.wasm": "\0asm",
    "assets/ledger-1.json": "{}",
    "assets/trainer-1.js": "",
    "sw.js": "self.PRECACHE.files;",
}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """What Vite would have made."""
    folder = tmp_path / "bundle"
    (folder / "assets").mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """The real templates and words, with two short chapters in each language."""
    folder = tmp_path / "content"
    shutil.copytree(places.CONTENT, folder, ignore=shutil.ignore_patterns("*.md"))
    for code, title in (("en", "Start"), ("zh", "开始")):
        (folder / code / "c0.md").write_text(
            f"# {title}\n\n<abh-training></abh-training>\n", encoding="utf-8"
        )
        (folder / code / "c10.md").write_text(f"# {title} 10\n", encoding="utf-8")
        (folder / code / "c2.md").write_text(f"# {title} 2\n\n## *\n", encoding="utf-8")
    return folder


@pytest.fixture
def page(content: Path, bundle: Path, tmp_path: Path) -> Path:
    """The assembled folder."""
    assemble(content, bundle, tmp_path / "page")
    return tmp_path / "page"


def test_every_language_has_its_page(page: Path) -> None:
    for code in LANGUAGES:
        html = (page / code / "index.html").read_text(encoding="utf-8")
        assert f'<html lang="{code}">' in html
        assert "<abh-training></abh-training>" in html
        assert POLICY.replace("'", "&#39;") in html
        others = [other for other in LANGUAGES if other != code]
        assert all(f'href="../{other}/index.html"' in html for other in others)


def test_chapters_stand_in_the_order_of_their_numbers(page: Path) -> None:
    html = (page / "en" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<a href="#(c\d+)">', html) == ["c0", "c2", "c10"]
    assert re.findall(r'<h2 id="(c\d+)">', html) == ["c0", "c2", "c10"]


def test_what_starts_the_training_is_asked_for_first(page: Path) -> None:
    html = (page / "en" / "index.html").read_text(encoding="utf-8")
    for line in (
        '<link rel="preload" as="fetch" href="../assets/kernel-1.wasm" crossorigin>',
        '<link rel="preload" as="fetch" href="../assets/ledger-1.json" crossorigin>',
        '<link rel="modulepreload" href="../assets/main-1.js">',
        '<link rel="modulepreload" href="../assets/shared-1.js">',
        '<link rel="modulepreload" href="../assets/figures-1.js">',
        '<link rel="stylesheet" href="../assets/main-1.css">',
        '<link rel="stylesheet" href="../assets/figures-1.css">',
        '<script type="module" async src="../assets/main-1.js"></script>',
    ):
        assert line in html


def test_the_root_sends_to_a_language_and_works_without_script(page: Path) -> None:
    html = (page / "index.html").read_text(encoding="utf-8")
    assert all(f'<a href="{code}/index.html"' in html for code in LANGUAGES)
    script = re.search(r'<script src="(assets/choose-language-\w+\.js)">', html)
    assert script
    assert "location.replace" in (page / script[1]).read_text(encoding="utf-8")


def test_the_worker_is_told_every_file_and_sees_every_change(page: Path, content: Path, bundle: Path) -> None:
    def listed(folder: Path) -> dict[str, object]:
        first, rest = (folder / "sw.js").read_text(encoding="utf-8").split("\n", 1)
        assert rest == FILES["sw.js"]
        return dict(json.loads(first.removeprefix("self.PRECACHE = ").removesuffix(";")))

    before = listed(page)
    files = {path.relative_to(page).as_posix() for path in page.rglob("*") if path.is_file()}
    assert set(before["files"]) == files - {"sw.js"}  # type: ignore[call-overload]
    (content / "en" / "c0.md").write_text("# Changed\n\n<abh-training></abh-training>\n", encoding="utf-8")
    assemble(content, bundle, page)
    assert listed(page)["version"] != before["version"]


def test_two_builds_give_the_same_bytes(page: Path, content: Path, bundle: Path) -> None:
    def digests() -> dict[str, str]:
        return {
            path.relative_to(page).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in page.rglob("*")
            if path.is_file()
        }

    before = digests()
    assemble(content, bundle, page)
    assert digests() == before


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("zh/c2.md", "# 开始 2\n", "differ in headings"),
        ("zh/c0.md", "# 开始\n", "differ in figures"),
        ("zh/c3.md", "# 开始 3\n", "differ in id"),
    ],
)
def test_languages_that_differ_are_refused(
    content: Path, bundle: Path, tmp_path: Path, name: str, text: str, message: str
) -> None:
    (content / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        assemble(content, bundle, tmp_path / "page")


def test_a_figure_no_script_defines_is_refused(content: Path, bundle: Path, tmp_path: Path) -> None:
    for code in LANGUAGES:
        (content / code / "c2.md").write_text("# 2\n\n<abh-trainnig></abh-trainnig>\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"content/en/c2\.md: no script defines <abh-trainnig>"):
        assemble(content, bundle, tmp_path / "page")


def test_a_page_that_cannot_be_made_leaves_the_old_one(page: Path, content: Path, bundle: Path) -> None:
    before = (page / "en" / "index.html").read_bytes()
    (content / "en" / "c0.md").write_text(
        '# Start\n\n<abh-training style="x"></abh-training>\n', encoding="utf-8"
    )
    with pytest.raises(InputError, match="style"):
        assemble(content, bundle, page)
    assert (page / "en" / "index.html").read_bytes() == before


# --- the page as built, before these tests ran


def test_first_load_is_under_300_kb_compressed() -> None:
    largest = max(
        sum(
            len(gzip.compress(path.read_bytes(), 6))
            for path in places.PAGE.rglob("*")
            if path.is_file() and path.parent.name not in set(LANGUAGES) - {code}
        )
        for code in LANGUAGES
    )
    assert largest < 300_000, f"the first load is {largest:,} bytes compressed; see what grew in web/src"


def test_no_address_of_another_host_is_loaded() -> None:
    for path in [*places.PAGE.rglob("*.js"), *places.PAGE.rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        found = [url for url in re.findall(r"https?://[\w.-]+", text) if "www.w3.org" not in url]
        assert not found, (
            f"{path.name} names {found[:3]}; name spaces of the W3C are the only addresses a script may hold"
        )
