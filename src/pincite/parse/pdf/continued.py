"""Tables that go on over a page: their rows are known by the header row on the page before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.parse.pdf.blocks import Piece
from pincite.parse.pdf.grid import Cell
from pincite.parse.pdf.tables import NUMBER, Table

REPEATED = "repeated header row"
_MOSTLY = 0.6  # of a column's cells are numbers: it is a column of numbers


def with_continued(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with tables that go on from the page before marked, and their repeated header left out."""
    out: list[Piece] = []
    last: Piece | None = None  # what stands before, footnotes and running lines passed over
    header: Sequence[tuple[Cell, ...]] = ()
    for piece in pieces:
        table = piece.block.table
        goes_on = table is not None and last is not None and _goes_on(last, piece, header)
        if table and not goes_on:
            header = table.rows[: table.n_header]
        kept = piece
        if table and goes_on:
            repeated = table.n_header * (_texts(table.rows[: table.n_header]) == _texts(header))
            for row in table.rows[:repeated]:
                lines = tuple(line for cell in row for line in cell)
                out.append(Piece(replace(piece.block, role="paragraph", lines=lines, table=None), REPEATED))
            kept = _as_rest(piece, table.rows[repeated:])
        out.append(kept)
        if not piece.left_out and piece.block.role != "footnote":
            last = kept
    return out


def _as_rest(piece: Piece, rows: tuple[tuple[Cell, ...], ...]) -> Piece:
    table = Table(rows, 0, continues=True)
    return replace(piece, block=replace(piece.block, lines=tuple(table.lines), table=table))


def _goes_on(before: Piece, piece: Piece, header: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether a table is the rest of the one that ends the page before: column under column, no new names."""
    first, rest = before.block.table, piece.block.table
    if not header or not first or not rest or before.block.lines[-1].box.page != piece.block.page - 1:
        return False
    if len(first.rows[0]) != len(rest.rows[0]) or first.lines[0].turn != rest.lines[0].turn:
        return False
    if not all(map(_overlap, zip(*first.rows, strict=True), zip(*rest.rows, strict=True))):
        return False
    if rest.n_header == 0 or _texts(rest.rows[: rest.n_header]) == _texts(header):
        return len(rest.rows) > rest.n_header
    return not _is_bold(rest.rows[0]) and not _names_numbers(rest.rows[0], first.rows[first.n_header :])


def _texts(rows: Sequence[tuple[Cell, ...]]) -> list[list[str]]:
    return [[" ".join(line.text for line in cell) for cell in row] for row in rows]


def _overlap(above: Sequence[Cell], below: Sequence[Cell]) -> bool:
    """Whether a column of one table stands where that of another does; one without text may."""
    upper = [line for cell in above for line in cell]
    lower = [line for cell in below for line in cell]
    if not upper or not lower:
        return True
    return min(line.left for line in upper) < max(line.right for line in lower) and min(
        line.left for line in lower
    ) < max(line.right for line in upper)


def _is_bold(row: tuple[Cell, ...]) -> bool:
    return all(line.bold for cell in row for line in cell)


def _names_numbers(row: tuple[Cell, ...], rows: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether a row has words where a column has numbers, as a row of names does."""
    for cell, column in zip(row, zip(*rows, strict=True), strict=True):
        filled = [below for below in column if below]
        numbers = sum(_is_number(below) for below in filled)
        if cell and filled and numbers > _MOSTLY * len(filled) and not _is_number(cell):
            return True
    return False


def _is_number(cell: Cell) -> bool:
    return NUMBER.match(cell[0].text[:40]) is not None
