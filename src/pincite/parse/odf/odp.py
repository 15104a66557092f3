"""OpenDocument presentations (.odp) to a `Document`: slide by slide, the title first, notes last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.parse.odf.blocks import OdfBlocks
from pincite.parse.odf.inline import DRAWINGS, OdfStory
from pincite.parse.odf.package import DRAW, OFFICE, PRESENTATION, OdfPackage
from pincite.parse.odf.styles import OdfStyles
from pincite.parse.office.items import HIDDEN_SLIDE, Item, joined_lines, write_items
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses, Place

if TYPE_CHECKING:
    from lxml import etree

_MARGINS = frozenset({"page-number", "date-time", "footer", "header"})


def parse_odp(source: Source) -> Document:
    """The document of an OpenDocument presentation.

    Raises `InputError` for a file that is damaged, locked or passes a limit.
    """
    package = OdfPackage(source.data, source.uri)
    story = OdfStory(package, OdfStyles(package), "final")
    items: list[Item] = []
    for number, page in enumerate(package.body("presentation").iterfind(f"{DRAW}page"), 1):
        story.place = Place(part=f"slide {number}")
        items += _slide(page, story)
    stated = package.properties()
    writer = Writer()
    write_items(writer, items, with_pages=False)
    return writer.finish(
        source,
        "odp",
        title=stated.title,
        meta=stated.meta,
        language=stated.language,
        losses=Losses(dropped=story.noted.losses() + package.losses()),
    )


def _slide(page: etree._Element, story: OdfStory) -> list[Item]:
    """The blocks of a slide; a hidden one is marked as such."""
    titles: list[Item] = []
    others: list[Item] = []
    for shape in page:
        kind = shape.get(f"{PRESENTATION}class", "")
        if shape.tag == f"{PRESENTATION}notes":
            others += _notes(shape, story)
        elif shape.tag in DRAWINGS or shape.tag == f"{OFFICE}annotation":
            left_out = "slide footer" if kind in _MARGINS else ""
            found = OdfBlocks(story, in_box=True, left_out=left_out).shape(shape)
            if kind == "title" and found and not titles:
                titles = [Item("heading", joined_lines((i.parts for i in found), " "), level=1)]
            else:
                others += found
    if story.styles.hidden_slide(page.get(f"{DRAW}style-name")):
        mark = (HIDDEN_SLIDE.strip() if not titles else HIDDEN_SLIDE, None)
        titles = titles or [Item("paragraph", [])]
        titles[0].parts.insert(0, mark)
    return _opened(titles + others)


def _opened(items: list[Item]) -> list[Item]:
    """The blocks of one slide, the first as that of a section of its own if there is no title."""
    first = next((n for n, item in enumerate(items) if item.text and not item.left_out), None)
    if first is not None and not any(item.level for item in items):
        items[first] = replace(items[first], opens=1)
    return items


def _notes(element: etree._Element, story: OdfStory) -> list[Item]:
    """The speaker's notes as one block, marked."""
    found: list[Item] = []
    for shape in element:
        if shape.tag in DRAWINGS and shape.get(f"{PRESENTATION}class") not in (*_MARGINS, "page"):
            found += OdfBlocks(story, in_box=True).shape(shape)
    parts = joined_lines(item.parts for item in found)
    return [Item("paragraph", [("[notes] ", None), *parts])] if parts else []
