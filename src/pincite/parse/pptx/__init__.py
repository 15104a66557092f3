"""PPTX: a section per slide with its title, its body in reading order, tables, charts, notes and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.parse.office.opc import Package, R
from pincite.parse.pptx.shapes import slide_shapes
from pincite.parse.pptx.slide import Deck, Slide
from pincite.protocols import Source
from pincite.types import Document, Losses

if TYPE_CHECKING:
    from lxml import etree

MAX_SLIDES = 5_000
_NO_TITLES = frozenset(
    {"presentation", "powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint"}
)


def parse_pptx(source: Source) -> Document:
    """The document of a presentation; slides under the title slide, if it begins with one."""
    package = Package(source.data, source.uri)
    main = package.main("ppt/presentation.xml")
    deck, bases = Deck(package, dict(_authors(package, main))), _Bases(package)
    slides = list(_slides(package, main))
    for number, part in enumerate(slides[:MAX_SLIDES], start=1):
        _add_slide(deck, number, part, bases)
    if len(slides) > MAX_SLIDES:
        deck.dropped.append(f"slides {MAX_SLIDES + 1}-{len(slides)} (beyond the limit of {MAX_SLIDES:,})")
    if not deck.writer.at:
        package.refuse_unread()
    title, meta, language = package.properties()
    losses = Losses(dropped=(*deck.dropped, *package.macros(main), *package.damaged))
    title = "" if title.casefold() in _NO_TITLES else title
    return deck.writer.finish(source, "pptx", title=title, meta=meta, language=language, losses=losses)


def _slides(package: Package, main: str) -> Iterator[str]:
    """The parts of the slides in the order they are shown."""
    references = package.relationships(main)
    for element in package.xml(main).iterfind("{*}sldIdLst/{*}sldId"):
        slide = references.get(element.get(f"{R}id", ""))
        yield slide.target if slide and not slide.external else ""


def _add_slide(deck: Deck, number: int, part: str, bases: _Bases) -> None:
    """Adds a slide: its heading, body, notes and comments; one that is missing or damaged is named."""
    if part not in deck.package:
        deck.dropped.append(f"slide {number}: its part is missing in the file")
        return
    root = deck.package.optional(part)
    tree = root.find("{*}cSld/{*}spTree") if root is not None else None
    if root is None or tree is None:
        return
    trees, style = bases.of(part)
    shapes = slide_shapes(tree, trees)
    if shapes.more:
        deck.dropped.append(f"slide {number}: {shapes.more:,} shapes (beyond the limit)")
    slide = Slide(deck, part, number, style)
    slide.head(shapes.shown, hidden=root.get("show") in ("0", "false"))
    for shape in shapes.shown:
        if not (shape.is_title and shape is slide.title):
            slide.add(shape)
    slide.leave(shapes)
    slide.finish()


class _Bases:
    """What slides are based on: the shape trees of layout and master, and the style of body text."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: dict[str, tuple[list[etree._Element], etree._Element | None]] = {}

    def of(self, part: str) -> tuple[list[etree._Element], etree._Element | None]:
        """Those of a slide; each layout is read once."""
        layout = next(iter(self._package.related(part, "slideLayout")), "")
        if layout not in self._known:
            self._known[layout] = self._read(layout) if layout else ([], None)
        return self._known[layout]

    def _read(self, layout: str) -> tuple[list[etree._Element], etree._Element | None]:
        masters = self._package.related(layout, "slideMaster")[:1]
        roots = [self._package.optional(name) for name in (layout, *masters)]
        trees = [root.find("{*}cSld/{*}spTree") for root in roots if root is not None]
        master = roots[-1] if masters else None
        style = master.find("{*}txStyles/{*}bodyStyle") if master is not None else None
        return [tree for tree in trees if tree is not None], style


def _authors(package: Package, main: str) -> Iterator[tuple[str, str]]:
    """Names of those who commented, by their id."""
    for kind in ("commentAuthors", "authors"):
        for name in package.related(main, kind):
            for element in package.items(name):
                yield element.get("id", ""), " ".join(element.get("name", "").split())
