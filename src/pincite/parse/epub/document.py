"""EPUB books to a `Document`: the chapters in the order of the spine, each read as an HTML page is.

The place of a text is its chapter file and the last anchor before it that names more than a paragraph:
`ch03.xhtml#sec2`. The table of contents gives levels to headings, and titles to chapters without any.
Books under DRM are refused.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.errors import PinciteError
from pincite.parse.build import Heading, Piece
from pincite.parse.decode import decode
from pincite.parse.epub.contents import Entry, read_contents
from pincite.parse.epub.package import Package, open_package
from pincite.parse.html.parts import HtmlText, read_html, write_html
from pincite.parse.html.tokens import Tag
from pincite.parse.writer import Writer
from pincite.parse.zips import Zip
from pincite.protocols import Source
from pincite.types import Document, Losses, Place, Span

MAX_INFLATED = 64_000_000  # bytes of the chapters of one book
_NEAR = 3  # blocks from an entry's anchor on in which its heading may stand
_MAX_LEVEL = 12
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_LANDMARKS = _HEADINGS | {"section", "article", "aside", "figure", "table", "body"}
_PICTURES = {"img": "image", "image": "image", "audio": "recording", "video": "video"}
_PAGES = ("application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document", "")


def parse_epub(source: Source) -> Document:
    """The document of a book. Raises `InputError` if it is locked, damaged or has no chapters to read."""
    files = Zip(source.data, source.uri, limit=MAX_INFLATED)
    package = open_package(files)
    entries: dict[str, list[Entry]] = defaultdict(list)
    for entry in read_contents(files, package):
        entries[entry.name].append(entry)
    writer, levels, dropped = Writer(), _Levels(), list[str]()
    for name in package.spine:
        if chapter := _read_chapter(files, package, name, dropped):
            _write_chapter(writer, chapter, package.shown(name), entries[name], levels)
            dropped.extend(_pictures(chapter, package.shown(name)))
    return writer.finish(
        source,
        "epub",
        title=package.title,
        meta=package.meta,
        language=package.language,
        losses=Losses(dropped=tuple(dropped)),
    )


def _read_chapter(files: Zip, package: Package, name: str, dropped: list[str]) -> HtmlText | None:
    """A chapter's text; None, with the reason in `dropped`, if there is nothing that can be read."""
    shown = package.shown(name)
    if name not in files:
        dropped.append(f"{shown}: named in the spine, but not in the file")
    elif (kind := package.types.get(name, "")) not in _PAGES:
        dropped.append(f"{shown}: not a page of text ({kind[:80]})")
    else:
        try:
            return read_html(decode(files.read(name), uri=shown).text)
        except PinciteError as error:  # a chapter that is damaged, or in no encoding, costs itself only
            dropped.append(str(error).removeprefix(f"{files.uri}: "))
    return None


def _write_chapter(
    writer: Writer, chapter: HtmlText, shown: str, entries: Sequence[Entry], levels: _Levels
) -> None:
    """Adds a chapter, with headings from the table of contents where it has none of its own."""
    pieces, added = _with_entries(chapter, entries, levels)
    waiting = sorted(added, key=lambda one: one[0], reverse=True)

    def before(span: Span) -> None:
        while waiting and waiting[-1][0] <= span.start:
            _, title, level = waiting.pop()
            writer.add("heading", [(title, None)], level=level)

    write_html(writer, chapter, _places(chapter, shown, entries), pieces=pieces, before=before)


def _places(chapter: HtmlText, shown: str, entries: Sequence[Entry]) -> Callable[[int, int], Place]:
    """The place of each run: the last anchor before it that is a heading's, a section's or an entry's."""
    named = {entry.anchor for entry in entries}
    anchors = [(at, name) for at, name, tag in chapter.anchors if tag in _LANDMARKS or name in named]

    def place(offset: int, line: int) -> Place:
        i = bisect_right(anchors, offset, key=lambda one: one[0])
        return Place(part=f"{shown}#{anchors[i - 1][1]}" if i else shown)

    return place


class _Levels:
    """How the levels of headings in the pages differ from those of the table of contents."""

    def __init__(self) -> None:
        self.shift = 0

    def own(self, level: int) -> int:
        return min(max(1, level + self.shift), _MAX_LEVEL)


def _with_entries(
    chapter: HtmlText, entries: Sequence[Entry], levels: _Levels
) -> tuple[list[Piece], list[tuple[int, str, int]]]:
    """The blocks, headings at the level of their entry, and what to add: (offset, title, level)."""
    pieces = list(chapter.pieces)
    matched: dict[int, int] = {}
    added: list[tuple[int, str, int]] = []
    for entry, first, end in _ranges(chapter, entries):
        if first >= end:
            continue
        depth = min(entry.depth, _MAX_LEVEL)
        near = range(first, min(first + _NEAR, end))
        found = next(
            (i for i in near if i not in matched and _names(chapter, pieces[i], entry, i == first)), None
        )
        if found is None:
            added.append((pieces[first].span.start, entry.title, depth))
        else:
            matched[found] = depth
    starts = {offset: level for offset, _, level in added}
    return [
        _levelled(p, matched.get(i), starts.get(p.span.start), levels) for i, p in enumerate(pieces)
    ], added


def _levelled(piece: Piece, given: int | None, added: int | None, levels: _Levels) -> Piece:
    """A block with the level its entry gives; other headings keep their distance to the last one given."""
    heading = piece.heading
    if given is not None:
        levels.shift = given - (heading.level if heading else given)
        title = heading.title if heading else ""
        return replace(piece, kind="heading", heading=Heading(title, given, piece.span))
    if added is not None and heading is None:
        levels.shift = max(levels.shift, added)
    return replace(piece, heading=replace(heading, level=levels.own(heading.level))) if heading else piece


def _ranges(chapter: HtmlText, entries: Sequence[Entry]) -> list[tuple[Entry, int, int]]:
    """Each entry with the blocks from its anchor up to the next entry's: first, and behind the last."""
    anchors: dict[str, int] = {}
    for at, name, _ in chapter.anchors:
        anchors.setdefault(name, at)
    ends = [piece.span.end for piece in chapter.pieces]
    found = [(bisect_right(ends, anchors.get(entry.anchor, 0)), entry) for entry in entries]
    found.sort(key=lambda one: one[0])
    limits = [*(first for first, _ in found[1:]), len(ends)]  # of each, where the next one starts
    return [(entry, first, max(end, first)) for (first, entry), end in zip(found, limits, strict=False)]


def _names(chapter: HtmlText, piece: Piece, entry: Entry, is_first: bool) -> bool:
    """Whether a block near an entry's anchor is its heading: by its text, or as the first heading there."""
    title = entry.title.casefold()
    if piece.heading:
        own = piece.heading.title.casefold()
        return is_first or own in title or title in own
    return " ".join(chapter.text[piece.span.start : piece.span.end].split()).casefold() == title


def _pictures(chapter: HtmlText, shown: str) -> list[str]:
    """What a chapter shows that is no text, counted."""
    counts: dict[str, int] = {}
    for token in chapter.tokens:
        if isinstance(token, Tag) and token.opens and (what := _PICTURES.get(token.name)):
            counts[what] = counts.get(what, 0) + 1
    return [f"{shown}: {n} {what}{'s' * (n > 1)}" for what, n in counts.items()]
