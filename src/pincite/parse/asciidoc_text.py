"""AsciiDoc as it is read: headings without their marks, rows of tables as cells between bars.

All other blocks stand as they are written. What is left out stands in the text too, and in no block.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from pincite.parse.build import Piece, cover
from pincite.parse.decode import Decoded
from pincite.parse.html.blocks import CELL
from pincite.parse.lines import MAX_DROPPED, Found, Lines
from pincite.parse.writer import Part, Writer, cells_joined, joined, text_of
from pincite.protocols import Source
from pincite.types import Document, Losses, Place, Span

_BORDER = re.compile(
    r"(?:(?:(?<=\s)|^)(?:\d{0,4}(?:\.\d{1,4})?[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?)?(?<!\\)\|"
)
_MARK = re.compile(r"[|,:!]={3,}|\[[^\[]{0,400}\]|\[\[[^\]]{0,400}\]\]")


def write_asciidoc(
    source: Source, decoded: Decoded, lines: Lines, pieces: list[Piece], found: Found
) -> Document:
    """The document of what was found in the lines; each run keeps its line."""
    left = {part.span: part.reason for part in found.left_out}
    everything = sorted([*pieces, *(Piece("paragraph", span) for span in left)], key=lambda one: one.span)
    writer, headers = Writer(), dict[Span, tuple[str, Span]]()
    for piece in cover(decoded.text, 0, everything):
        here = _parts(lines, piece.span)
        if piece.span in left:
            writer.add("paragraph", joined(([one] for one in here), "\n"), left_out=left[piece.span])
        elif piece.kind == "table":
            _write_header(writer, here, piece.span, headers)
        elif piece.kind == "row":
            header, span = headers.get(piece.header_span or piece.span, ("", None))
            writer.add("row", _row(here), header=header, header_span=span)
        elif piece.heading:
            writer.add("heading", [(piece.heading.title, here[0][1])], level=piece.heading.level)
        else:
            writer.add(piece.kind, joined(([one] for one in here), "\n"))
    return writer.finish(
        source,
        "asciidoc",
        title=found.title,
        meta=found.meta,
        language=found.language,
        encoding=decoded.encoding,
        losses=Losses(dropped=tuple(found.dropped[:MAX_DROPPED])),
    )


def _parts(lines: Lines, span: Span) -> list[Part]:
    """The lines of a span, blank ones as a space, each with its place."""
    first = bisect_right(lines.starts, span.start)
    rows = lines.text[span.start : span.end].split("\n")
    return [(row.rstrip() or " ", Place(line_start=n, line_end=n)) for n, row in enumerate(rows, first)]


def _write_header(
    writer: Writer, here: list[Part], span: Span, headers: dict[Span, tuple[str, Span]]
) -> None:
    """Adds a table's caption and its row of column names, and notes them for the rows of the table."""
    shown = [one for one in here if one[0].strip() and not _MARK.fullmatch(one[0])]
    captions = [(text[1:], place) for text, place in shown if text.startswith(".")]
    row = _row([one for one in shown if not one[0].startswith(".")])
    above = writer.add("paragraph", joined(([one] for one in captions), "\n"))
    names = writer.add("table", row, tight=bool(above))
    spans = [one for one in (above, names) if one]
    if spans:
        texts = (text_of(joined(([one] for one in captions), "\n")), text_of(row))
        headers[span] = ("\n".join(filter(None, texts)), Span(spans[0].start, spans[-1].end))


def _row(here: list[Part]) -> list[Part]:
    """The cells of a row, one a line or several, with bars between; lines without any cell as they are."""
    cells: list[list[Part]] = []
    if not any(_BORDER.search(text) for text, _ in here):
        return joined(([one] for one in here), "\n")
    for text, place in here:
        at = 0
        for border in _BORDER.finditer(text):
            _go_on(cells, text[at : border.start()], place)
            cells.append([])
            at = border.end()
        _go_on(cells, text[at:], place)
    return cells_joined(cells, CELL)


def _go_on(cells: list[list[Part]], text: str, place: Place | None) -> None:
    """Adds words to the last cell."""
    words = text.replace("\\|", "|").strip()
    if not words:
        return
    if not cells:
        cells.append([])
    cells[-1] += [(" ", None)] * bool(cells[-1])
    cells[-1].append((words, place))
