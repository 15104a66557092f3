"""OpenDocument texts (.odt, .ott) to a `Document`: the text as it is shown, by paragraph.

Headings by level, lists with their numbers, tables as rows, text boxes, notes and comments after the
paragraph that refers to them. Of tracked changes the final text is read, or as asked. Macros are never run,
embedded files and pictures not read; what is left behind is named.
"""

from __future__ import annotations

from pincite.parse.odf.blocks import OdfBlocks
from pincite.parse.odf.inline import OdfStory, read_changes
from pincite.parse.odf.package import STYLE, OdfPackage
from pincite.parse.odf.styles import OdfStyles
from pincite.parse.office.items import Item, margin, write_items
from pincite.parse.office.story import Counts
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses, Place

_MARGINS = {
    "page header": ("header", "header-left", "header-first"),
    "page footer": ("footer", "footer-left", "footer-first"),
}


def parse_odt(source: Source, *, tracked_changes: str = "final") -> Document:
    """The document of an OpenDocument text; `tracked_changes` is `final`, `original` or `all` (both, marked).

    Raises `InputError` for a file that is damaged, locked or passes a limit.
    """
    package = OdfPackage(source.data, source.uri)
    body = package.body("text")
    story = OdfStory(package, OdfStyles(package), tracked_changes)
    read_changes(body, story)
    items = OdfBlocks(story, Counts()).read(body)
    pages = story.page
    stated = package.properties()
    items += _margins(package, story)
    writer = Writer()
    write_items(writer, items, with_pages=pages > 1 and pages == stated.pages)
    meta = {**stated.meta, "tracked_changes": True} if story.noted.changed else stated.meta
    return writer.finish(
        source,
        "odt",
        title=story.noted.title or stated.title,
        meta=meta,
        language=stated.language,
        losses=Losses(dropped=story.noted.losses() + package.losses()),
    )


def _margins(package: OdfPackage, story: OdfStory) -> list[Item]:
    """The page headers and footers, each different text once: in the document, but in no block."""
    items: list[Item] = []
    for name, kinds in _MARGINS.items():
        texts: set[str] = set()
        tags = [STYLE + kind for kind in kinds]
        for element in package.styles.iter(*tags) if package.styles is not None else ():
            story.place = Place(part=name)
            found = OdfBlocks(story, in_box=True).read(element)
            item = margin(name, found)
            if item.text not in texts:
                texts.add(item.text)
                items.append(item)
    return items
