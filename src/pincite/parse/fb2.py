"""FictionBook (FB2, also in a zip file) to a `Document`: sections, poems, quotations, tables and notes.

The place of a text is the number of its section, `section 3`, counted through the book; that of a note, which
follows the paragraph that refers to it, is `note 1`, by the mark it has in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.errors import InputError
from pincite.parse.epub.package import as_date, local_name
from pincite.parse.html.blocks import CELL
from pincite.parse.office.opc import main_language
from pincite.parse.writer import Part, Writer, plain_text, raised
from pincite.parse.xml import parse_xml
from pincite.parse.zips import Zip
from pincite.protocols import Source
from pincite.types import BlockKind, Document, Losses, MetaValue, Place, Span

if TYPE_CHECKING:
    from lxml import etree

_MAX_LEVEL = 12
_CUT_OFF = "what follows the end of the file, which is cut off"
_BLOCKS = frozenset(("p", "subtitle", "text-author", "date", "stanza", "code"))
_QUOTES = frozenset(("epigraph", "cite", "annotation"))
_META = {"keywords": "keywords", "annotation": "description", "date": "date"}


def parse_fb2(source: Source) -> Document:
    """The document of a book. Raises `InputError` if it is damaged or holds no text."""
    data, name = _bytes(source)
    root = parse_xml(data, uri=source.uri, name=name, recover=True)
    bodies = [element for element in root if local_name(element) == "body"]
    if local_name(root) != "FictionBook" or not bodies:
        message = f"{source.uri}: not a valid FB2 file: it holds no FictionBook with a body"
        raise InputError(message, uri=source.uri)
    reader = _Reader(_notes(bodies))
    for body in bodies:
        reader.read(body)
    title, language, meta = _description(root)
    return reader.writer.finish(
        source,
        "fb2",
        title=title,
        meta=meta,
        language=language,
        losses=Losses(dropped=(*reader.pictures(), *[_CUT_OFF] * (not _is_whole(data)))),
    )


def _is_whole(data: bytes) -> bool:
    """Whether the root element is closed."""
    return b"</FictionBook" in data[-4_000:].replace(b"\0", b"")  # UTF-16 has a NUL beside each letter


def _bytes(source: Source) -> tuple[bytes, str]:
    """The XML and the name of the member it is, when the book is packed."""
    if not source.data.startswith(b"PK"):
        return source.data, ""
    files = Zip(source.data, source.uri)
    name = next((name for name in files if name.lower().endswith(".fb2")), None)
    if name is None:
        raise InputError(f"{source.uri}: this zip file holds no FB2 file", uri=source.uri)
    return files.read(name), name


def _notes(bodies: list[etree._Element]) -> dict[str, etree._Element]:
    """The sections that links in the text can lead to: those of all bodies but the first."""
    found: dict[str, etree._Element] = {}
    for body in bodies[1:]:
        for element in body.iter():
            if local_name(element) == "section" and element.get("id"):
                found.setdefault(element.get("id"), element)
    return found


class _Reader:
    """The sections read so far, and the notes that were."""

    def __init__(self, notes: dict[str, etree._Element]) -> None:
        self.writer = Writer()
        self.notes = notes
        self.read_notes: set[str] = set()
        self.section = 0
        self._pictures: dict[int, int] = {}

    def read(self, body: etree._Element) -> None:
        """Adds the blocks of a body; sections that were read as notes are passed.

        Text that stands in no paragraph, where the format has none, is one.
        """
        waiting: list[tuple[etree._Element | str, int, str]] = [(body, 0, "paragraph")]
        while waiting:
            element, depth, kind = waiting.pop()
            if isinstance(element, str):
                self.writer.add("paragraph", [(" ".join(plain_text(element).split()), self._place())])
                continue
            name = local_name(element)
            if name == "section":
                if element.get("id") in self.read_notes:
                    continue
                self.section += 1
            if name == "title" and depth:
                self._title(element, depth, kind)
            elif name == "table":
                self._table(element)
            elif name in _BLOCKS:
                self._block(element, kind)
            elif name == "image":
                self._pictures[self.section] = self._pictures.get(self.section, 0) + 1
            else:
                inner = _inner(name, kind)
                deeper = depth + (name in ("section", "body"))
                waiting.extend((one, deeper, inner) for one in reversed(list(_content(element))))

    def pictures(self) -> Iterator[str]:
        """The pictures left behind, by section."""
        for section, count in self._pictures.items():
            yield f"section {section}: {count} image{'s' * (count > 1)}"

    def _place(self) -> Place:
        return Place(part=f"section {self.section}")

    def _title(self, element: etree._Element, depth: int, kind: str) -> None:
        """A heading, or the title of a poem or quotation, which is no section."""
        parts: list[Part] = []
        refs: list[tuple[str, str]] = []
        for child in element:
            inline = list(self._inline(child, refs))
            parts += ([(" ", None)] if parts and inline else []) + inline
        level = min(depth, _MAX_LEVEL) if kind == "paragraph" else 0
        self.writer.add("heading" if level else "paragraph", parts, level=level)
        self._write_notes(refs)

    def _block(self, element: etree._Element, kind: str) -> None:
        refs: list[tuple[str, str]] = []
        if local_name(element) == "stanza":
            parts: list[Part] = []
            for child in element:
                if local_name(child) == "title":
                    self._title(child, 1, "poem")
                    continue
                inline = list(self._inline(child, refs))
                parts += ([("\n", None)] if parts and inline else []) + inline
        else:
            parts = list(self._inline(element, refs))
        block: BlockKind = "quote" if kind == "quote" else "paragraph"
        block = "code" if local_name(element) == "code" else block
        self.writer.add(block, parts)
        self._write_notes(refs)

    def _write_notes(self, refs: list[tuple[str, str]]) -> None:
        """Adds the notes that a block refers to, each where it is first referred to."""
        for id_, mark in refs:
            if id_ in self.read_notes or id_ not in self.notes:
                continue
            self.read_notes.add(id_)
            place = Place(part=f"note {mark}")
            lines = [
                text
                for child in self.notes[id_]
                if (text := " ".join("".join(child.itertext()).split()))
                and (local_name(child) != "title" or text.strip("[]().*") != mark)
            ]
            parts: list[Part] = [(f"[note {mark}] ", None)]
            for i, line in enumerate(lines):
                parts += [("\n", None)] * bool(i) + [(line, place)]
            if lines:
                self.writer.add("paragraph", parts)

    def _inline(self, element: etree._Element, refs: list[tuple[str, str]]) -> Iterator[Part]:
        """The text of a paragraph; links to notes are in brackets, pictures are counted."""
        from lxml import etree

        pieces: list[str] = []
        for event, node in etree.iterwalk(element, events=("start", "end")):
            name = local_name(node)
            note = name == "a" and node.get("type") == "note"
            if event == "start":
                if name == "image":
                    self._pictures[self.section] = self._pictures.get(self.section, 0) + 1
                if note:
                    refs.append((_target(node), " ".join("".join(node.itertext()).split()).strip("[]")[:40]))
                text = node.text or ""
                if name == "sup":
                    text = raised(next((piece for piece in reversed(pieces) if piece), ""), text)
                pieces += ["[" * note, text]
            else:
                pieces += ["]" * note, (node.tail or "") if node is not element else ""]
        raw = plain_text("".join(pieces)).replace("[[", "[").replace("]]", "]")
        text = raw.strip("\n") if local_name(element) == "code" else " ".join(raw.split())
        if text:
            yield text, self._place()

    def _table(self, table: etree._Element) -> None:
        header, span = "", None
        for row in table.iter():
            if local_name(row) != "tr":
                continue
            cells = [cell for cell in row if local_name(cell) in ("td", "th")]
            parts: list[Part] = []
            for i, cell in enumerate(cells):
                parts += [(CELL, None)] * bool(i) + list(self._inline(cell, []))
            is_header = bool(cells) and all(local_name(cell) == "th" for cell in cells) and not span
            added: Span | None = self.writer.add(
                "table" if is_header else "row",
                parts,
                header="" if is_header else header,
                header_span=None if is_header else span,
            )
            if is_header and added:
                header, span = plain_text("".join(text for text, _ in parts)).strip(), added


def _content(element: etree._Element) -> Iterator[etree._Element | str]:
    """The children of an element, and the text beside them, in order."""
    if element.text and element.text.strip():
        yield element.text
    for child in element:
        if local_name(child):
            yield child
        if child.tail and child.tail.strip():
            yield child.tail


def _inner(name: str, kind: str) -> str:
    """What the text inside an element is: of a quotation, of a poem, or of a section."""
    if name in _QUOTES or kind == "quote":
        return "quote"
    return "poem" if name == "poem" or kind == "poem" else "paragraph"


def _target(link: etree._Element) -> str:
    """The id a link leads to."""
    href = next((value for name, value in link.attrib.items() if str(name).endswith("href")), "")
    return str(href).removeprefix("#")


def _description(root: etree._Element) -> tuple[str, str, dict[str, MetaValue]]:
    """Title, language and metadata of the book."""
    title, language = "", ""
    meta: dict[str, MetaValue] = {}
    info = next((element for element in root.iter() if local_name(element) == "title-info"), None)
    authors: list[str] = []
    for element in info if info is not None else ():
        name, text = local_name(element), " ".join(plain_text(" ".join(element.itertext())).split())
        if name == "author" and text:
            names = [child for child in element if local_name(child).endswith("name")]
            authors.append(" ".join(" ".join("".join(child.itertext()).split()) for child in names) or text)
        elif name == "book-title":
            title = text
        elif name == "lang":
            language = main_language(text)
        elif name in _META and (text or element.get("value")):
            meta[_META[name]] = _value(name, element.get("value") or text)
    if authors:
        meta["author"] = authors[0] if len(authors) == 1 else tuple(authors)
    return title, language, meta


def _value(name: str, text: str) -> MetaValue:
    if name == "keywords":
        return tuple(word.strip() for word in text.split(",") if word.strip()) or text
    return as_date(text) if name == "date" else text[:10_000]
