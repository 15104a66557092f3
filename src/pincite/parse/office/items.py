"""The blocks of an office document on their way to its text: paragraphs and rows with their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pincite.parse.html.blocks import CELL
from pincite.parse.pairs import are_pairs
from pincite.parse.table import is_above_its_like
from pincite.parse.writer import Part, Writer, plain_text
from pincite.types import BlockKind, Place, Span

HIDDEN_SLIDE = "[hidden slide] "
MAX_HEADER = 1_000  # characters of a header row; a longer one is text, not what its rows need
MAX_HEADING = 300  # characters; a longer paragraph is no heading, whatever its style
MAX_REPEATED = 200  # characters of a cell merged over several rows that are repeated in each of them


@dataclass(frozen=True, slots=True)
class Item:
    """One block; `level` makes it a heading, `left_out` is a reason.

    `is_caption` marks what names the table after it, `begins` the first row of a table; `opens` is the level
    of a section without a title that begins with the block.
    """

    kind: BlockKind
    parts: list[Part]
    level: int = 0
    is_caption: bool = False
    begins: bool = False
    opens: int = 0
    left_out: str = ""

    @property
    def text(self) -> str:
        """The item's text as it will stand in the document."""
        return plain_text("".join(text for text, _ in self.parts)).strip()


@dataclass(slots=True)
class Cell:
    """One cell of a table row: its parts, the columns it takes, and whether it continues the one above."""

    parts: list[Part] = field(default_factory=list)
    width: int = 1
    continues: bool = False


def merged_down(rows: Sequence[Sequence[Cell]], places: Sequence[Place]) -> None:
    """Gives cells that continue the one above its text, if that is short, so that each row is whole.

    A row without any text of its own stays empty. `places` are those of the rows.
    """
    above: dict[int, list[Part]] = {}
    for row, place in zip(rows, places, strict=True):
        has_own = any(text.strip() for cell in row for text, _ in cell.parts)
        column = 0
        for cell in row:
            if cell.continues and not cell.parts and has_own:
                cell.parts = [(text, place if own else None) for text, own in above.get(column, [])]
            elif not cell.continues:
                above[column] = cell.parts if text_length(cell.parts) <= MAX_REPEATED else []
            column += cell.width


def text_length(parts: Sequence[Part]) -> int:
    """The number of characters in parts."""
    return sum(len(text) for text, _ in parts)


def row_parts(cells: Sequence[Cell]) -> list[Part]:
    """One row: its cells with a border between them, line ends as spaces, no borders after the last text."""
    last = max((i for i, cell in enumerate(cells) if any(text.strip() for text, _ in cell.parts)), default=-1)
    parts: list[Part] = []
    for i, cell in enumerate(cells[: last + 1]):
        if i:
            parts.append((CELL if parts else CELL.lstrip(), None))
        parts.extend(
            (text.replace("\n", " ").replace("\t", " "), place) for text, place in trimmed(cell.parts)
        )
    return parts


def table_items(rows: Sequence[Sequence[Cell]], places: Sequence[Place], header_rows: int) -> list[Item]:
    """A table as one item for its header rows and one for each other row; `places` are those of the rows."""
    merged_down(rows, places)
    head = joined_lines(row_parts(row) for row in rows[:header_rows])
    items = [Item("table" if text_length(head) <= MAX_HEADER else "row", head)] if head else []
    items += [Item("row", row_parts(row)) for row in rows[header_rows:]]
    items = [item for item in items if item.text]
    return [replace(items[0], begins=True), *items[1:]] if items else []


def is_full(cells: Sequence[Cell]) -> bool:
    """Whether a row has text in two cells or more, and in all but the first."""
    filled = [any(text.strip() for text, _ in cell.parts) for cell in cells]
    return sum(filled) > 1 and all(filled[1:])


def heads_columns(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first row of a table names its columns, as far as the texts tell."""
    first, *later = [["".join(text for text, _ in cell.parts).strip() for cell in row] for row in rows]
    return not are_pairs([first, *later]) and not is_above_its_like(first, later)


def is_layout(rows: Sequence[Sequence[Sequence[Item]]]) -> bool:
    """Whether a table arranges text rather than data: it holds headings or tables, or has one column."""
    if all(len(row) <= 1 for row in rows):
        return True
    return any(item.level or item.kind in ("row", "table") for row in rows for cell in row for item in cell)


def follows_bare_table(items: Sequence[Item]) -> bool:
    """Whether the last item ends a table without a caption above it; what follows may then be its caption."""
    at = len(items)
    while at and items[at - 1].kind in ("row", "table"):
        at -= 1
        if items[at].begins:
            return not at or not items[at - 1].is_caption
    return False


def joined_lines(groups: Iterable[Sequence[Part]], separator: str = "\n") -> list[Part]:
    """The groups of parts that have text, each on its own line."""
    out: list[Part] = []
    for group in groups:
        if any(text.strip() for text, _ in group):
            out += [(separator, None), *group] if out else list(group)
    return out


def trimmed(parts: Sequence[Part], *, indented: bool = False) -> list[Part]:
    """The parts without white space before the first word (kept if `indented`) and after the last."""
    first, last = 0, len(parts)
    while first < last and not parts[first][0].strip() and not indented:
        first += 1
    while last > first and not parts[last - 1][0].strip():
        last -= 1
    kept = list(parts[first:last])
    if kept:
        kept[0] = (kept[0][0] if indented else kept[0][0].lstrip(), kept[0][1])
        kept[-1] = (kept[-1][0].rstrip(), kept[-1][1])
    return kept


def margin(name: str, items: Iterable[Item]) -> Item:
    """A page header or footer: in the document, but in no block, and of no one page."""
    return Item("paragraph", _pageless(joined_lines(item.parts for item in items)), left_out=name)


def write_items(writer: Writer, items: Iterable[Item], *, with_pages: bool) -> None:
    """Adds the items in order; rows get the header above them, with the table's caption if it has one.

    Without `with_pages`, places lose their page: the file's own marks cannot be trusted then.
    """
    above = caption = _Above()
    for item in items:
        parts = item.parts if with_pages else _pageless(item.parts)
        if item.begins:
            above, caption = caption, _Above()
        if item.kind == "row":
            added = writer.add("row", parts, header=above.text, header_span=above.span, opens=item.opens)
        else:
            added = writer.add(item.kind, parts, level=item.level, opens=item.opens, left_out=item.left_out)
        if added and item.kind == "table":
            above = above.with_row(item.text, added)
        elif added and item.kind != "row":
            caption = _Above(item.text, added) if item.is_caption else _Above()


@dataclass(frozen=True, slots=True)
class _Above:
    """What the rows of a table need to be understood, and where it stands."""

    text: str = ""
    span: Span | None = None

    def with_row(self, text: str, span: Span) -> _Above:
        if self.span is None:
            return _Above(text, span)
        return _Above(f"{self.text}\n\n{text}", Span(self.span.start, span.end))


def _pageless(parts: Sequence[Part]) -> list[Part]:
    """The parts with places that name no page."""
    out: list[Part] = []
    last: Place | None = None
    bare: Place | None = None
    for text, place in parts:
        if place is not last:  # neighbours mostly share one place
            last, bare = place, replace(place, page=None) if place else None
        out.append((text, bare))
    return out
