"""The flow of blocks written out: text, headings, rows with their header, and the place of each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.parse.html.blocks import CELL
from pincite.parse.pdf.blocks import Piece
from pincite.parse.pdf.grid import Cell
from pincite.parse.pdf.hyphens import Words, document_words, join_lines
from pincite.parse.pdf.lines import HYPHEN, Line
from pincite.parse.pdf.pages import Page
from pincite.parse.pdf.tables import Table
from pincite.parse.writer import Part, Writer, joined, plain_text
from pincite.types import BlockKind, Box, Place, Span

Labels = Mapping[int, str | None]


@dataclass(frozen=True, slots=True)
class Header:
    """What the rows of a table stand under, as it was written: its caption, its header rows, or both."""

    text: str = ""
    span: Span | None = None
    is_caption: bool = False


def write_flow(writer: Writer, pieces: Sequence[Piece], pages: Sequence[Page]) -> None:
    """Adds all pieces in order, and the notes and fields of each page after its last piece."""
    labels = {page.number: page.label for page in pages}
    words = document_words(line for piece in pieces for line in piece.block.lines)
    marks = _marks_after(pieces, pages)
    _write_marks(writer, marks.get(-1, []))
    header = Header()
    for i, piece in enumerate(pieces):
        if not piece.left_out and piece.block.role != "footnote":
            header = _write(writer, piece, header, words, labels)
        else:
            _write(writer, piece, Header(), words, labels)
        _write_marks(writer, marks.get(i, []))


def _marks_after(pieces: Sequence[Piece], pages: Sequence[Page]) -> dict[int, list[Page]]:
    """The pages with notes or fields by the number of the piece they come after; −1 for before the first."""
    last = {piece.block.lines[-1].box.page: i for i, piece in enumerate(pieces)}
    after: dict[int, list[Page]] = {}
    at = -1
    for page in pages:
        at = max(at, last.get(page.number, -1))
        if page.marks:
            after.setdefault(at, []).append(page)
    return after


def _write(writer: Writer, piece: Piece, above: Header, words: Words, labels: Labels) -> Header:
    """Writes a piece under what stands above it; what the rows of a table after it stand under."""
    block = piece.block
    if block.table:
        return _write_table(writer, block.table, above, words, labels)
    if block.role == "code":
        writer.add("code", joined(_code_lines(block.lines, labels), "\n"))
        return Header()
    kind: BlockKind = "list" if block.role == "list" else "paragraph"
    parts = _parts(block.lines, words, labels)
    span = writer.add(kind, parts, level=block.level, left_out=piece.left_out)
    return Header(_text(parts), span, True) if block.role == "caption" else Header()


def _code_lines(lines: Sequence[Line], labels: Labels) -> list[list[Part]]:
    """Lines of code, set in as far as they are on the page."""
    left = min(line.left for line in lines)
    widths = sorted(line.width / len(line.text) for line in lines)
    width = max(widths[len(widths) // 2], 1.0)
    written: list[list[Part]] = []
    for line in lines:
        indent = min(round((line.left - left) / width), 40)
        text = line.text.replace(HYPHEN, "-")
        written.append([(" " * indent, None), (text, _place(line.box, labels))])
    return written


def _text(parts: Sequence[Part]) -> str:
    return plain_text("".join(text for text, _ in parts)).strip()


def _parts(lines: Sequence[Line], words: Words, labels: Labels) -> list[Part]:
    """Lines as running text, each with its place."""
    return [(text, _place(line.box, labels) if line else None) for text, line in join_lines(lines, words)]


def _place(box: Box, labels: Labels) -> Place:
    return Place(page=box.page, boxes=(box,), page_label=labels.get(box.page))


def _write_table(writer: Writer, table: Table, above: Header, words: Words, labels: Labels) -> Header:
    """The header rows as one block, then each row with them as its header, under the table's caption.

    Rows that go on those of the table before stand under what those stand under.
    """
    header = above if above.is_caption or table.continues else Header()
    if table.n_header:
        head = joined([_row(row, words, labels) for row in table.rows[: table.n_header]], "\n")
        span = writer.add("table", head)
        text = "\n\n".join(text for text in (header.text, _text(head)) if text)
        if header.span:
            span = Span(header.span.start, span.end if span else header.span.end)
        header = Header(text, span)
    for row in table.rows[table.n_header :]:
        writer.add("row", _row(row, words, labels), header=header.text, header_span=header.span)
    return replace(header, is_caption=False)


def _row(cells: Sequence[Cell], words: Words, labels: Labels) -> list[Part]:
    """One row: its cells with a border between them, none after the last one that holds text."""
    last = max((i for i, cell in enumerate(cells) if cell), default=-1)
    parts: list[Part] = []
    for i, cell in enumerate(cells[: last + 1]):
        if i:
            parts.append((CELL if parts else CELL.lstrip(), None))
        parts += _parts(cell, words, labels)
    return parts


def _write_marks(writer: Writer, pages: Sequence[Page]) -> None:
    """The notes and filled fields of pages, each a paragraph of its own."""
    for page in pages:
        for mark in page.marks:
            place = Place(page=page.number, boxes=(mark.box,), page_label=page.label)
            writer.add("paragraph", [(mark.text, place)])
