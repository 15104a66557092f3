"""Pages to one flow of blocks: columns in order, paragraphs rejoined over them, the rest apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pincite.parse.pdf.blocks import Block, Piece, join_row, make_blocks
from pincite.parse.pdf.chars import SLANTED
from pincite.parse.pdf.columns import find_regions
from pincite.parse.pdf.continued import with_continued
from pincite.parse.pdf.lines import HYPHEN, Line
from pincite.parse.pdf.pages import Page
from pincite.parse.pdf.roles import body_size, mark_footnotes, mark_headings
from pincite.parse.pdf.rows import make_rows
from pincite.parse.pdf.ruled import find_ruled, with_tables
from pincite.parse.pdf.running import FOOTER, HEADER, NUMBER, find_running
from pincite.parse.pdf.tables import Table

_STOPS = tuple(".!?:;。！？：；")


def make_flow(pages: Sequence[Page], outline: dict[int, dict[str, int]]) -> list[Piece]:
    """All blocks of a document in reading order, headings marked."""
    with_text = {page.number: page.segments for page in pages if page.segments}
    heights = {page.number: page.height for page in pages}
    running = find_running(with_text, heights)
    body = body_size(line for lines in with_text.values() for line in lines)
    fixed = _is_fixed(line for lines in with_text.values() for line in lines)
    pieces: list[Piece] = []
    starts: list[int] = []  # where a region starts among the pieces
    for page in pages:
        apart = {**running.get(page.number, {}), **find_beside(page, body)}
        pieces += _left_out(page, apart, at_top=True)
        for region in _regions(page, apart):
            starts.append(len(pieces))
            if isinstance(region, Table):
                pieces.append(Piece(Block("table", tuple(region.lines), table=region)))
                continue
            blocks = make_blocks(region, page.rules, code=not fixed)
            pieces += map(Piece, mark_footnotes(blocks, body, page.height))
        pieces += _left_out(page, apart, at_top=False)
    headed = _with_headings(pieces, body, outline)
    return with_continued(_rejoined(headed, starts))


def _is_fixed(lines: Iterable[Line]) -> bool:
    """Whether most of a document is set in type of one width, as by a typewriter: it says nothing then."""
    return sum(len(line.text) if line.fixed else -len(line.text) for line in lines) > 0


def _left_out(page: Page, apart: dict[int, str], *, at_top: bool) -> Iterator[Piece]:
    """The running lines at one end of a page, row by row; what is no text of the page comes at the end."""
    running = [line for line in page.segments if apart.get(id(line)) in (HEADER, FOOTER, NUMBER)]
    for row in make_rows(line for line in running if (line.top < page.height / 2) == at_top):
        yield Piece(Block("paragraph", (join_row(tuple(row)),)), apart[id(row[0])])
    if not at_top:
        for line in page.segments:
            if apart.get(id(line)) in (MARGIN, WATERMARK, OUTSIDE):
                yield Piece(Block("paragraph", (line,)), apart[id(line)])


def _regions(page: Page, apart: dict[int, str]) -> Iterator[list[Line] | Table]:
    """The regions of a page: those in the main direction of reading, then what is turned, slanted at last."""
    lines = [line for line in page.segments if id(line) not in apart]
    upright = [line for line in lines if line.turn == 0]
    tables = find_ruled(upright, page.rules, page.uprights) if main_turn(lines) == 0 else []
    in_tables = {id(line) for table in tables for line in table.lines}
    main = main_turn(lines)
    for turn in (main, *(turn for turn in range(4) if turn != main)):
        found = find_regions([line for line in lines if line.turn == turn and id(line) not in in_tables])
        yield from with_tables(found, tables) if turn == 0 else found
    if main != SLANTED:
        yield from ([line] for line in lines if line.turn == SLANTED)


def _with_headings(pieces: Sequence[Piece], body: float, outline: dict[int, dict[str, int]]) -> list[Piece]:
    """The pieces with the headings among those that are text marked."""
    marked = iter(mark_headings([piece.block for piece in pieces if not piece.left_out], body, outline))
    return [piece if piece.left_out else replace(piece, block=next(marked)) for piece in pieces]


def _rejoined(pieces: list[Piece], starts: Iterable[int]) -> list[Piece]:
    """The pieces with each paragraph that goes on in the next column or page put together."""
    out: list[Piece | None] = list(pieces)
    for start in starts:
        before = _last_text(out, start)
        after = _first_text(out, start)
        if before is None or after is None:
            continue
        first, second = out[before], out[after]
        if first and second and _goes_on(first.block, second.block):
            lines = first.block.lines + second.block.lines
            out[before], out[after] = None, Piece(replace(first.block, lines=lines))
            out[before], out[after] = out[after], None
    return [piece for piece in out if piece]


def _last_text(pieces: Sequence[Piece | None], end: int) -> int | None:
    """The last piece before `end` that is text; captions, notes, tables and running lines are passed over."""
    for i in range(end - 1, max(-1, end - 30), -1):
        piece = pieces[i]
        if piece and not piece.left_out and piece.block.role not in ("caption", "footnote", "table"):
            return i
    return None


def _first_text(pieces: Sequence[Piece | None], start: int) -> int | None:
    """The first piece from `start` on that is running text, captions passed over."""
    for i in range(start, min(len(pieces), start + 4)):
        piece = pieces[i]
        if piece and not piece.left_out and piece.block.role != "caption":
            return i
    return None


def _goes_on(first: Block, second: Block) -> bool:
    """Whether the second block is the rest of the first one."""
    if first.role not in ("paragraph", "list") or second.role != "paragraph":
        return False
    last, line = first.lines[-1], second.lines[0]
    if abs(last.size - line.size) > 0.06 * line.size or last.bold != line.bold or last.turn != line.turn:
        return False
    if line.turn == SLANTED:
        return False
    text, after = last.text, line.text
    if text.endswith(_STOPS) or len(text) < 3:
        return False
    if text.endswith((HYPHEN, "-", ",")):
        return after[0].isalnum()
    return after[0].islower() or (not after[0].isupper() and after[0].isalpha())


MARGIN, WATERMARK, OUTSIDE = "text in the margin", "watermark", "text outside the page"

_OUTER = 0.09  # of the page: text that runs up or down this far outside is a stamp, not a part of the text
_SLANTED_SIZE, _LEVEL_SIZE = 1.8, 2.5  # times as large as the text: so large a watermark is
_COVERED = 3  # lines of text that a level watermark is printed over
_MOST_LARGE = 50  # lines of a page that are so large; with more, it is a poster


# ── what stands beside the text ────────────────────────────────────────────────────────────────
def find_beside(page: Page, body: float) -> dict[int, str]:
    """By `id` of the line why it is no part of the page's text; `body` is the size of most text."""
    main = main_turn(page.segments)
    apart = {id(line): MARGIN for line in page.segments if _is_stamp(line, page, main)}
    apart |= {id(line): WATERMARK for line in _watermarks(page.segments, body)}
    return apart | {id(line): OUTSIDE for line in page.segments if _is_outside(line, page)}


def main_turn(lines: Sequence[Line]) -> int:
    """The direction most of the text runs in."""
    turns: Counter[int] = Counter()
    for line in lines:
        turns[line.turn] += len(line.text)
    return min(turns, key=lambda turn: (-turns[turn], turn)) if turns else 0


def _is_stamp(line: Line, page: Page, main: int) -> bool:
    """Whether a line runs up or down in the outer margin of a page whose text does not."""
    outer = line.box.right < _OUTER * page.width or line.box.left > (1 - _OUTER) * page.width
    return line.turn in (1, 3) and outer and main != line.turn


def _watermarks(lines: Sequence[Line], body: float) -> list[Line]:
    """Large lines printed askew, or over the text."""
    slanted = [line for line in lines if line.turn == SLANTED and line.size > _SLANTED_SIZE * body]
    level = [line for line in lines if line.turn != SLANTED and line.size > _LEVEL_SIZE * body]
    if len(level) > _MOST_LARGE:
        return slanted
    text = [line for line in lines if line.size <= _LEVEL_SIZE * body]
    return slanted + [line for line in level if sum(_overlap(line, one) for one in text) >= _COVERED]


def _overlap(one: Line, other: Line) -> bool:
    a, b = one.box, other.box
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def _is_outside(line: Line, page: Page) -> bool:
    """Whether no part of a line is on what is shown of the page."""
    box = line.box
    return box.right < 0 or box.bottom < 0 or box.left > page.width or box.top > page.height
