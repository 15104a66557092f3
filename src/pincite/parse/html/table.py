"""Rows of an HTML table with their cells in their columns: a cell that spans several stands in each."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.parse.html.blocks import CELL, Blocks, Word
from pincite.parse.html.tokens import Tag
from pincite.types import Span

_COLUMNS, _ROWS = 100, 65_534  # what a span counts for at most; rows as in the HTML standard
_LONGEST = 200  # characters of a cell that is written again; of longer ones only the first column has text


@dataclass(slots=True)
class Table:
    """A data table being read: caption and header rows so far, and whether a data row was seen.

    `cells` is how many columns the open row has, `rows` how many rows have ended. `reaching` holds the cells
    that reach into later rows, by column: the last of these rows, and their words.
    """

    text: str = ""
    span: Span | None = None
    has_data: bool = False
    cells: int = 0
    rows: int = 0
    all_th: bool = True
    reaching: dict[int, tuple[int, list[Word]]] = field(default_factory=dict)
    _wide: tuple[int, list[Word]] = (0, [])
    _open: tuple[int, int] = (1, 1)  # columns and rows that the open cell spans

    def start_cell(self, tag: Tag, blocks: Blocks) -> None:
        """Puts the borders before a cell, and the cells that reach into its row before it."""
        self._fill(blocks)
        self._next(blocks)
        names_row = tag.attributes.get("scope", "").strip().lower() in ("row", "rowgroup")
        self.all_th = self.all_th and tag.name == "th" and not names_row
        self._open = (_spanned(tag, "colspan", _COLUMNS), _spanned(tag, "rowspan", _ROWS))
        blocks.taken = [] if self._open != (1, 1) else None

    def end_cell(self, blocks: Blocks) -> None:
        """Keeps the words of a cell that spans more than one column or row."""
        words, blocks.taken = _trimmed(blocks.taken or []), None
        columns, rows = self._open
        words = words if sum(len(text) for text, _ in words) <= _LONGEST else []
        self._wide = (columns - 1, words)
        if rows > 1:
            for column in range(self.cells - 1, min(self.cells - 1 + columns, _COLUMNS)):
                self.reaching[column] = (self.rows + rows - 1, words)

    def end_row(self, blocks: Blocks) -> None:
        """Puts the last cells of a row; one cell that spans the whole row is written once."""
        if self.cells > 1 or self._reaches(self._open[0]):
            self._fill(blocks)
        self._wide, self.cells, self.all_th = (0, []), 0, True
        self.rows += 1

    def _fill(self, blocks: Blocks) -> None:
        """Puts the columns that the last cell spans, then those of cells of earlier rows."""
        (columns, words), self._wide = self._wide, (0, [])
        for _ in range(columns):
            self._again(words, blocks)
        while self._reaches(self.cells) and blocks.repeats >= 0:
            self._again(self.reaching[self.cells][1], blocks)

    def _reaches(self, column: int) -> bool:
        return column in self.reaching and self.reaching[column][0] >= self.rows

    def _again(self, words: list[Word], blocks: Blocks) -> None:
        if blocks.may_repeat(len(CELL) + sum(len(text) for text, _ in words)):
            self._next(blocks)
            blocks.again(words)

    def _next(self, blocks: Blocks) -> None:
        blocks.next_cell() if self.cells else None
        self.cells += 1


def _spanned(tag: Tag, name: str, most: int) -> int:
    """How many columns or rows a cell spans; a `rowspan` of 0 is to the end of the table."""
    given = tag.attributes.get(name, "").strip()
    if not (given.isascii() and given.isdigit()) or len(given) > 9:
        return 1
    return min(int(given), most) or (most if name == "rowspan" else 1)


def _trimmed(words: list[Word]) -> list[Word]:
    """The words without separators (which stand on no line) at the ends."""
    places = [i for i, (_, line) in enumerate(words) if line]
    return words[places[0] : places[-1] + 1] if places else []
