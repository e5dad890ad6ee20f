"""Checks that a page keeps to its Content-Security-Policy, and that its links lead somewhere."""

from __future__ import annotations

from html.parser import HTMLParser

from attention_by_hand.errors import InputError

# Attributes that make a browser load what they name. A link that a reader follows is none of them.
LOADED = {(tag, "src") for tag in ("script", "img", "iframe", "source")} | {("link", "href"), ("use", "href")}


class Reader(HTMLParser):
    """Collects what a browser would refuse or never find."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.anchors: set[str] = set()
        self.faults: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag and its attributes."""
        line = self.getpos()[0]
        self.inside = tag
        for name, given in attrs:
            value = given or ""
            if name == "style" or name.startswith("on"):
                self.faults.append(f"line {line}: <{tag} {name}=…> is inline; use a class or a script")
            if (tag, name) in LOADED and (":" in value or value.startswith("/")):
                self.faults.append(f"line {line}: <{tag} {name}={value!r}> is no relative address")
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"line {line}: id {value!r} stands twice")
                self.ids.add(value)
            if (tag, name) == ("a", "href") and value.startswith("#"):
                self.anchors.add(value[1:])

    def handle_endtag(self, tag: str) -> None:
        """Leave the tag."""
        self.inside = ""

    def handle_data(self, data: str) -> None:
        """Text is allowed everywhere but in scripts and styles."""
        if self.inside in ("script", "style") and data.strip():
            self.faults.append(f"line {self.getpos()[0]}: inline <{self.inside}>; put it into a file")


def check_page(html: str, name: str) -> None:
    """Check one page.

    Parameters
    ----------
    html : str
        The whole page.
    name : str
        How to call it in a message.

    Raises
    ------
    InputError
        If something is inline, loaded from elsewhere or doubly named, or if a link leads to no heading.
        The message names the first such place.
    """
    reader = Reader()
    reader.feed(html)
    reader.close()
    lost = sorted(reader.anchors - reader.ids)
    faults = reader.faults + [f"no heading has the id {anchor!r}" for anchor in lost]
    if faults:
        raise InputError(f"{name}, {faults[0]}")
