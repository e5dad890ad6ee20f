"""The page: a static folder made of Vite's bundle and the articles in content/.

The folder can be put under any path of any host: every address in it is relative. Scripts, styles, kernel and
ledger carry a hash of their content in their names, so that a host may let browsers keep them for ever.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from attention_by_hand.build import node, places
from attention_by_hand.build.content import Chapter, chapter
from attention_by_hand.build.policy import check_page
from attention_by_hand.errors import InputError
from attention_by_hand.serve import POLICY

# The first is the one a browser gets that asks for neither.
LANGUAGES = ("en", "zh")
ENTRY = "src/main.ts"


@dataclass(frozen=True)
class Bundle:
    """What Vite made, as addresses relative to the root of the page.

    Attributes
    ----------
    modules : tuple of str
        Script modules, the entry first.
    styles : tuple of str
        Style sheets.
    fetched : tuple of str
        What the scripts fetch as they start: kernel and ledger.
    """

    modules: tuple[str, ...]
    styles: tuple[str, ...]
    fetched: tuple[str, ...]


def read_manifest(bundle: Path) -> Bundle:
    """Read the manifest in the folder `bundle`."""
    manifest = (bundle / "manifest.json").read_text(encoding="utf-8")
    entries: Mapping[str, Mapping[str, Any]] = json.loads(manifest)
    if ENTRY not in entries:
        raise InputError(f"Vite's manifest has no {ENTRY}; it has {', '.join(entries)}")
    # The entry's imports, and theirs, in the order they are met; what is loaded later comes last.
    needed = [ENTRY]
    for kind in ("imports", "dynamicImports"):
        for key in needed:
            needed += [name for name in entries[key].get(kind, ()) if name not in needed]
    styles = [name for key in needed for name in entries[key].get("css", ())]
    assets = [name for key in needed for name in entries[key].get("assets", ())]
    fetched = [name for name in assets if Path(name).suffix in (".wasm", ".json")]
    return Bundle(tuple(entries[key]["file"] for key in needed), tuple(styles), tuple(dict.fromkeys(fetched)))


def chapters(folder: Path) -> list[Chapter]:
    """Read the chapters c0.md, c1.md, … of one language, in the order of their numbers."""
    files = sorted(folder.glob("c*.md"), key=lambda path: int(path.stem[1:]))
    if not files:
        raise InputError(f"{folder} has no chapter; at least c0.md is needed")
    return [chapter(path) for path in files]


def check_same(articles: Mapping[str, Sequence[Chapter]]) -> None:
    """Refuse articles that differ in more than their language: chapters, headings, figures."""
    first, *others = articles
    for other in others:
        for kind in ("id", "headings", "figures"):
            ours, theirs = ([getattr(part, kind) for part in articles[code]] for code in (first, other))
            if ours != theirs:
                raise InputError(
                    f"content/{first} and content/{other} differ in {kind}: {ours} and {theirs}; "
                    "both languages have the same chapters, headings and figures in the same order"
                )


def check_elements(articles: Mapping[str, Sequence[Chapter]], bundle: Path, modules: Sequence[str]) -> None:
    """Refuse a figure tag that no script defines: a browser would show nothing and say nothing."""
    scripts = "".join((bundle / name).read_text(encoding="utf-8") for name in modules)
    for code, article in articles.items():
        for part in article:
            for name in part.figures:
                if not any(f"{quote}{name}{quote}" in scripts for quote in "`'\""):
                    where = f"content/{code}/{part.id}.md"
                    raise InputError(f"{where}: no script defines <{name}>; see web/src/figures.ts")


def place(source: Path, target: Path) -> str:
    """Copy a file into assets/ of `target` under a name with its hash; return its address."""
    content = source.read_bytes()
    name = f"assets/{source.stem}-{hashlib.sha256(content).hexdigest()[:8]}{source.suffix}"
    (target / name).write_bytes(content)
    return name


def assemble(content: Path, bundle: Path, target: Path) -> None:
    """Make the page's folder.

    Parameters
    ----------
    content : Path
        The articles and templates.
    bundle : Path
        What Vite made.
    target : Path
        The folder to make; what is there is replaced, and only once everything is known to be right.

    Raises
    ------
    InputError
        If an article or the bundle is not as it should be.
    """
    parts = read_manifest(bundle)
    articles = {code: chapters(content / code) for code in LANGUAGES}
    check_same(articles)
    check_elements(articles, bundle, parts.modules)

    fresh = target.with_name(f"{target.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(bundle, fresh, ignore=shutil.ignore_patterns("manifest.json"))
    templates = Environment(loader=FileSystemLoader(content), autoescape=True, undefined=StrictUndefined)
    languages = [{"code": code, "words": read_words(content / code / "page.toml")} for code in LANGUAGES]
    icon, chooser = (place(content / name, fresh) for name in ("icon.svg", "choose-language.js"))
    common = {"policy": POLICY, "languages": languages}

    pages = {"index.html": templates.get_template("root.html").render(common, icon=icon, chooser=chooser)}
    for language in languages:
        code = str(language["code"])
        pages[f"{code}/index.html"] = templates.get_template("template.html").render(
            common,
            language=code,
            words=language["words"],
            icon=f"../{icon}",
            modules=[f"../{name}" for name in parts.modules],
            styles=[f"../{name}" for name in parts.styles],
            fetched=[f"../{name}" for name in parts.fetched],
            chapters=articles[code],
        )
    for name, html in pages.items():
        check_page(html, name)
        (fresh / name).parent.mkdir(exist_ok=True)
        (fresh / name).write_text(html, encoding="utf-8")
    list_for_offline(fresh)

    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)


def read_words(path: Path) -> dict[str, str]:
    """Read the words that stand around the chapters."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def list_for_offline(folder: Path) -> None:
    """Tell the service worker, where there is one, which files make the page.

    ``self.PRECACHE = {version, files}`` goes before its script, so that a browser sees a new worker whenever
    any file of the page changed.
    """
    worker = folder / "sw.js"
    if not worker.exists():
        return
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != worker)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    listed = {
        "version": digest.hexdigest()[:16],
        "files": [path.relative_to(folder).as_posix() for path in files],
    }
    script = worker.read_text(encoding="utf-8")
    worker.write_text(f"self.PRECACHE = {json.dumps(listed)};\n{script}", encoding="utf-8")


def main() -> None:
    """Bundle the scripts, then make the folder."""
    for path in (places.KERNEL, places.LEDGER):
        if not path.exists():
            raise InputError(f"{path.name} is not built; first: python -m attention_by_hand.build kernel")
    if node.tool("vite", "build", "--logLevel", "warn") != 0:
        raise InputError("vite could not bundle the page's scripts; its lines above say why")
    places.PAGE.parent.mkdir(exist_ok=True)
    assemble(places.CONTENT, places.BUNDLE, places.PAGE)
