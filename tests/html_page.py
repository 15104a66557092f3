"""An HTML page read by the parser of the standard library: its elements, and whether they are nested well."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Element:
    """An element with its attributes, and all text below it."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    below: list[Element] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """The words of its class."""
        return self.attributes.get("class", "").split()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), (tag, names)
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        for one in self.open:
            one.below.append(element)
        self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1].name == tag, f"</{tag}> closes {[one.name for one in self.open]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for one in self.open:
            one.text += data


def elements(page: str) -> list[Element]:
    """Every element in order. Fails for one that is not closed where it should be."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open, [one.name for one in reader.open]
    return reader.elements
