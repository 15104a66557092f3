"""Word files (.docx, .docm, .dotx) to a `Document`: the text as Word shows it, by paragraph.

Headings by outline level, lists with their numbers, tables as rows, text boxes, notes and comments after the
paragraph that refers to them. Of tracked changes the final text is read, or as asked. Macros are never run,
embedded files and pictures not read; what is left behind is named.
"""

from __future__ import annotations

from pincite.parse.docx.blocks import BLOCKS, Blocks
from pincite.parse.docx.notes import Notes
from pincite.parse.docx.numbering import Numbering
from pincite.parse.docx.story import Story
from pincite.parse.docx.styles import Styles, W
from pincite.parse.docx.table import WRAPPERS
from pincite.parse.office.drawingml import MC
from pincite.parse.office.items import Item, margin, write_items
from pincite.parse.office.opc import Package
from pincite.parse.office.story import Counts, Noted
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses, Meta, Place

_CHILDREN = tuple(sorted({*BLOCKS, *WRAPPERS, f"{MC}AlternateContent"}))


def parse_docx(source: Source, *, tracked_changes: str = "final") -> Document:
    """The document of a Word file; `tracked_changes` is `final`, `original` or `all` (both, marked).

    Raises `InputError` for a file that is damaged, locked or passes a limit.
    """
    package = Package(source.data, source.uri)
    main = package.main("word/document.xml")
    body = package.children(main, f"{W}body", _CHILDREN)
    noted = Noted()
    styles = Styles(package.first(main, "styles"))
    numbering = Numbering(package.first(main, "numbering"), styles)
    notes = Notes(package, main, styles, numbering, tracked_changes)
    story = Story(styles, noted, tracked_changes, Place(), notes.mark)
    items = Blocks(story, numbering, notes, Counts()).read(body)
    items += notes.rest(story)
    at_edges = Noted()  # what is noticed there says nothing of the document's title or changes
    items += _margins(package, main, styles, tracked_changes, at_edges)
    writer = Writer()
    write_items(writer, items, with_pages=story.page > 1 and story.page == _stated_pages(package))
    title, meta, language = package.properties()
    return writer.finish(
        source,
        "docx",
        title=noted.title or title,
        meta=_with_changes(meta, noted),
        language=language,
        losses=Losses(dropped=(*package.damaged, *noted.losses(), *at_edges.losses(), *package.macros(main))),
    )


def _with_changes(meta: Meta, noted: Noted) -> Meta:
    return {**meta, "tracked_changes": True} if noted.changed else meta


def _margins(package: Package, main: str, styles: Styles, mode: str, noted: Noted) -> list[Item]:
    """The page headers and footers, each different text once: in the document, but in no block."""
    items: list[Item] = []
    for kind in ("header", "footer"):
        texts: set[str] = set()
        for part in package.related(main, kind):
            name = f"page {kind}"
            story = Story(styles, noted, mode, Place(part=name), lambda kind, id: "")
            root = package.optional(part)
            if root is None:
                continue
            found = Blocks(story, Numbering(None, styles), in_box=True).read(root)
            item = margin(name, found)
            if item.text not in texts:
                texts.add(item.text)
                items.append(item)
    return items


def _stated_pages(package: Package) -> int:
    """The number of pages the program that wrote the file counted; 0 if it does not say."""
    root = package.first("", "extended-properties")
    for element in root if root is not None else ():
        text = (element.text or "").strip()
        if isinstance(element.tag, str) and element.tag.endswith("}Pages") and text.isdecimal():
            return int(text[:9])
    return 0
