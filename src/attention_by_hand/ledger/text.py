"""`Text`: what an entry is, in words and symbols."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """Meaning in both languages, LaTeX symbol, aliases ({b} counts layers from 0, {h} heads from 0)."""

    en: str
    zh: str
    latex: str
    transformer_lens: str = ""
    nanogpt: str = ""
