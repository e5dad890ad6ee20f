"""One chapter's Markdown becomes HTML.

Beyond CommonMark and tables: ``$…$`` and ``$$…$$`` become MathML, so that no formula script runs on the
page, and figure tags (custom elements whose names start with ``abh-``) pass through as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin

from attention_by_hand.errors import InputError

FIGURE = re.compile(r"<(abh-[a-z0-9-]+)(?=[\s>])")
# Characters written without spaces between words; a line break between two of them is no space.
WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\u3000-\u303f\u2018-\u201d\u2014\u2026]")

# A formula in a sentence and the punctuation after it: a browser may part the two at the end of a line.
FORMULA_END = re.compile(
    r'(<span class="math inline">(?:(?!</span>).)*</span>)([.,;:?!)，。；：？！、）”]+)', re.DOTALL
)


@dataclass(frozen=True)
class Chapter:
    """A chapter, ready to be placed into a page.

    Attributes
    ----------
    id : str
        The file's name without its ending; the address of the chapter on the page.
    title : str
        The text of its first heading.
    html : str
        The whole chapter, its heading included.
    figures : tuple of str
        Names of the custom elements in it, in the order they appear.
    headings : tuple of str
        Ids of its headings, in order.
    """

    id: str
    title: str
    html: str
    figures: tuple[str, ...]
    headings: tuple[str, ...]


def mathml(latex: str, display: str) -> str:
    """Return one formula as MathML, `display` being "inline" or "block"."""
    if latex.count("{") != latex.count("}"):
        raise InputError(f"the formula {latex.strip()!r} has braces that do not pair up")
    try:
        html = convert(latex, display=display)
    except Exception as error:
        # The converter raises classes of its own, without a message, for each kind of slip.
        raise InputError(f"the formula {latex.strip()!r} cannot be read ({type(error).__name__})") from None
    if "\\" in html:
        raise InputError(f"the formula {latex.strip()!r} has a command that is not known to the converter")
    # The name space is implied in HTML; without it every formula is a third shorter.
    return html.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


def figure_block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """Markdown block rule: a figure tag that fills its lines is a block, not part of a paragraph."""

    def line(number: int) -> str:
        return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]

    opening = FIGURE.match(line(first))
    if opening is None or state.is_code_block(first):
        return False
    end = f"</{opening[1]}>"
    for number in range(first, last):
        if end not in line(number):
            continue
        # Words after the closing tag: the element stands in a sentence, and the paragraph rule takes it.
        if not line(number).rstrip().endswith(end):
            return False
        if not silent:
            state.line = number + 1
            token = state.push("html_block", "", 0)
            token.map = [first, state.line]
            token.content = state.getLines(first, state.line, state.blkIndent, True)
        return True
    raise InputError(f"line {first + 1}: <{opening[1]}> is never closed; write {end} after it")


class Renderer(RendererHTML):
    """The HTML renderer, with formulas as MathML and line breaks that suit Chinese."""

    def softbreak(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """A line break of the source: a space between words, nothing between two Chinese characters."""
        before = tokens[index - 1].content[-1:] if index else ""
        after = tokens[index + 1].content[:1] if index + 1 < len(tokens) else ""
        return "" if WIDE.match(before) and WIDE.match(after) else "\n"

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """A fenced block: a formula where it is marked ``math``, else code."""
        token = tokens[index]
        if token.info.strip() == "math":
            # On a phone a long one scrolls, and what scrolls must be reachable by keyboard.
            return f'<div class="math block" tabindex="0">\n{mathml(token.content, "block")}\n</div>\n'
        return str(super().fence(tokens, index, options, env))


def parser() -> MarkdownIt:
    """Return the Markdown parser that every chapter goes through."""
    md = MarkdownIt("commonmark", {"html": True}, renderer_cls=Renderer).enable("table")
    md.use(
        dollarmath_plugin,
        allow_space=False,
        allow_digits=False,
        double_inline=False,
        renderer=lambda latex, options: mathml(latex, "block" if options["display_mode"] else "inline"),
    )
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    md.block.ruler.before("html_block", "figure", figure_block, interrupts)
    return md


def check_emphasis(tokens: Sequence[Token]) -> None:
    """Refuse ``**`` that stayed text: next to Chinese punctuation the rule of CommonMark is easily missed."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "text" and "**" in child.content:
                line = (token.map or [0])[0] + 1
                text = child.content.strip("* ")[:20]
                raise InputError(f"line {line}: ** around {text!r} is not taken as bold")


def align_cells(tokens: Sequence[Token]) -> None:
    """Turn the alignment of table cells into a class: the page allows no style attribute."""
    for token in tokens:
        style = token.attrs.pop("style", None)
        if style is not None:
            token.attrSet("class", str(style).replace("text-align:", "align-"))


def plain(token: Token) -> str:
    """Return the text of an inline token, without markup."""
    return "".join(child.content for child in token.children or () if child.type in ("text", "code_inline"))


def chapter(path: Path) -> Chapter:
    """Read one chapter.

    Parameters
    ----------
    path : Path
        A Markdown file in UTF-8. Its first block is a heading of level 1, the only one of that level.

    Returns
    -------
    Chapter
        Headings are one level lower than written, because the page's own title is level 1. The first heading
        has the chapter's id, the n-th one after it the id followed by ``-n``: the same in every language.

    Raises
    ------
    InputError
        If the file is not as described; the message names the file and the line.
    """
    md = parser()
    try:
        tokens = md.parse(path.read_text(encoding="utf-8"))
        check_emphasis(tokens)
        title, headings = number_headings(tokens, path.stem)
        align_cells(tokens)
        html = FORMULA_END.sub(
            r'<span class="unbroken">\1\2</span>', md.renderer.render(tokens, md.options, {})
        )
    except InputError as error:
        raise InputError(f"{path.parent.name}/{path.name}, {error}") from None
    return Chapter(path.stem, title, html, tuple(FIGURE.findall(html)), headings)


def number_headings(tokens: Sequence[Token], stem: str) -> tuple[str, tuple[str, ...]]:
    """Lower every heading by one level and give it its id; return the chapter's title and all ids."""
    if not tokens or (tokens[0].type, tokens[0].tag) != ("heading_open", "h1"):
        raise InputError("line 1: a chapter starts with a heading of level 1 (#)")
    title = ""
    ids: list[str] = []
    for index, token in enumerate(tokens):
        if token.type not in ("heading_open", "heading_close"):
            continue
        level = int(token.tag[1])
        if token.type == "heading_open":
            line = (token.map or [0])[0] + 1
            if level == 1 and ids:
                raise InputError(f"line {line}: a chapter has one heading of level 1 (#); this is another")
            ids.append(f"{stem}-{len(ids)}" if ids else stem)
            token.attrSet("id", ids[-1])
            title = title or plain(tokens[index + 1])
        token.tag = f"h{level + 1}"
    return title, tuple(ids)
