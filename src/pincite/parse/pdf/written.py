"""The flow of blocks written out: text, headings, rows with their header, and the place of each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.parse.html_blocks import CELL
from pincite.parse.pdf.flow import Piece
from pincite.parse.pdf.hyphens import Words, document_words, join_lines
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.pages import Page
from pincite.parse.pdf.tables import Cell, Table
from pincite.parse.writer import Part, Writer
from pincite.types import BlockKind, Box, Place, Span

Labels = Mapping[int, str | None]


def write_flow(writer: Writer, pieces: Sequence[Piece], pages: Sequence[Page]) -> None:
    """Adds all pieces in order, and the notes and fields of each page after its last piece."""
    labels = {page.number: page.label for page in pages}
    words = document_words(line for piece in pieces for line in piece.block.lines)
    last = {piece.block.lines[-1].box.page: i for i, piece in enumerate(pieces)}
    after: dict[int, list[Page]] = {}
    at = -1
    for page in pages:
        at = max(at, last.get(page.number, -1))
        if page.marks:
            after.setdefault(at, []).append(page)
    _write_marks(writer, after.get(-1, []))
    for i, piece in enumerate(pieces):
        caption = _caption(pieces[i - 1], words, labels) if i else ""
        _write(writer, piece, caption, words, labels)
        _write_marks(writer, after.get(i, []))


def _write(writer: Writer, piece: Piece, caption: str, words: Words, labels: Labels) -> None:
    block = piece.block
    if block.table:
        _write_table(writer, block.table, caption, words, labels)
    elif block.role == "code":
        parts: list[Part] = []
        for line in block.lines:
            parts += [("\n", None)] if parts else []
            parts.append((line.text.replace("\x02", "-"), _place(line.box, labels)))
        writer.add("code", parts)
    else:
        kind: BlockKind = "list" if block.role == "list" else "paragraph"
        writer.add(kind, _parts(block.lines, words, labels), level=block.level, left_out=piece.left_out)


def _caption(before: Piece, words: Words, labels: Labels) -> str:
    """The text of the block before a table, if that is a caption."""
    if before.block.role != "caption":
        return ""
    return "".join(text for text, _ in _parts(before.block.lines, words, labels))


def _parts(lines: Sequence[Line], words: Words, labels: Labels) -> list[Part]:
    """Lines as running text, each with its place."""
    return [(text, _place(line.box, labels) if line else None) for text, line in join_lines(lines, words)]


def _place(box: Box, labels: Labels) -> Place:
    return Place(page=box.page, boxes=(box,), page_label=labels.get(box.page))


def _write_table(writer: Writer, table: Table, caption: str, words: Words, labels: Labels) -> None:
    """The header rows as one block, then each row with them as its header, under the table's caption."""
    head: list[Part] = []
    for row in table.rows[: table.n_header]:
        head += [("\n", None)] if head else []
        head += _row(row, words, labels)
    span: Span | None = writer.add("table", head) if head else None
    named = "".join(text for text, _ in head).strip()
    header = f"{caption}\n\n{named}" if caption and named else caption or named
    for row in table.rows[table.n_header :]:
        writer.add("row", _row(row, words, labels), header=header, header_span=span)


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
