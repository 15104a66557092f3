"""The default: a document's own blocks, merged under the same heading up to the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.chunk.coverage import gaps, left_between
from pincite.chunk.pack import Piece, atoms, pack
from pincite.chunk.rows import Split, lacking
from pincite.chunk.ruler import Ruler
from pincite.chunk.sentences import line_spans, paragraph_spans, sentence_spans
from pincite.config import ChunkConfig
from pincite.contextualise import section_at
from pincite.types import Block, Document, LineOrigins, Span

Unit = tuple[Block, ...]

_SPLITS: dict[str, tuple[Split, ...]] = {
    "code": (paragraph_spans, line_spans),
    "definition": (paragraph_spans, line_spans),
    "lines": (paragraph_spans, line_spans),
    "record": (line_spans, sentence_spans),
    "table": (line_spans,),
}
_SMALL = 4  # a definition under a quarter of its room is small


def structural(document: Document, ruler: Ruler, config: ChunkConfig) -> list[Piece]:
    """Runs of whole blocks of one section, in order; only a block over the target is cut.

    A heading goes with the block after it, a table's header rows with the first row, unless something is left
    out between them: a chunk, being a slice, would hold it. Small definitions
    of one class or file are merged. What a row needs and does not hold itself is in `header`.
    """
    pieces: list[Piece] = []
    for run in _runs(ruler, _units(document, _blocks(document))):
        pieces += [_piece(ruler, run)] if _fits(ruler, run) else _cut(ruler, run)
    return pieces


def _blocks(document: Document) -> list[Block]:
    """The document's blocks, with any text that is neither in one nor left out as a paragraph."""
    known = [block.span for block in document.blocks] + [left.span for left in document.left_out]
    rest = [Block("paragraph", span, section_at(document, span.start)) for span in gaps(document.text, known)]
    if not rest:
        return list(document.blocks)
    return sorted([*document.blocks, *rest], key=lambda block: block.span)


def _units(document: Document, blocks: Sequence[Block]) -> Iterator[Unit]:
    """Blocks that stay together: a heading and what follows it, a table's header rows and its first row."""
    unit: list[Block] = []
    for at, block in enumerate(blocks):
        unit.append(block)
        after = blocks[at + 1] if at + 1 < len(blocks) else None
        if not after or after.section != block.section or not _leads(document, block, after):
            yield tuple(unit)
            unit = []


def _leads(document: Document, block: Block, after: Block) -> bool:
    if block.kind != "heading" and (block.kind != "table" or after.kind != "row"):
        return False
    return not left_between(document, block.span.end, after.span.start)


def _runs(ruler: Ruler, units: Iterator[Unit]) -> Iterator[list[Block]]:
    """Units merged in order while they belong together, have nothing left out between them and fit."""
    run: list[Block] = []
    for unit in units:
        if run and not (_together(ruler, run, unit) and _joins(ruler, run, unit)):
            yield run
            run = []
        run.extend(unit)
    if run:
        yield run


def _together(ruler: Ruler, run: Sequence[Block], unit: Unit) -> bool:
    return (
        _group(ruler, run[-1]) == _group(ruler, unit[0])
        and _same_page(ruler, run, unit)
        and not left_between(ruler.document, run[-1].span.end, unit[0].span.start)
    )


def _same_page(ruler: Ruler, run: Sequence[Block], unit: Unit) -> bool:
    """Whether the unit begins on the page on which the run began: one that is cited names the right page.

    Only a block that itself goes over a page end does so in a chunk. True where there are no pages.
    """
    origins = ruler.document.origins
    if isinstance(origins, LineOrigins):
        return True
    first, next_ = (origins.place(Span(at, at + 1)).page for at in (run[0].span.start, unit[0].span.start))
    return first == next_


def _group(ruler: Ruler, block: Block) -> int:
    """The section under which the block may be merged: that around it for a small definition."""
    if block.kind != "definition" or block.section < 0:
        return block.section
    section = ruler.document.sections[block.section]
    small = ruler.size(block.span.start, block.span.end) * _SMALL <= ruler.target
    return section.parent if small and block.span.holds(section.span) else block.section


def _joins(ruler: Ruler, run: Sequence[Block], unit: Unit) -> bool:
    """Whether run and unit fit in one chunk that needs no more than one header."""
    span = Span(run[0].span.start, unit[-1].span.end)
    headers = {lacking(blocks, span) for blocks in (run, unit)} - {""}
    return len(headers) <= 1 and _holds(ruler, span, _section(ruler, run), next(iter(headers), ""))


def _fits(ruler: Ruler, run: Sequence[Block]) -> bool:
    return _holds(ruler, _span(run), _section(ruler, run), lacking(run, _span(run)))


def _holds(ruler: Ruler, span: Span, section: int, header: str) -> bool:
    return ruler.size(span.start, span.end) <= ruler.room(section, header)


def _piece(ruler: Ruler, run: Sequence[Block], span: Span | None = None) -> Piece:
    """The run, or the part of it in `span`, with its section, its kind and the header it lacks."""
    span = span or _span(run)
    kind = next((block.kind for block in run if block.kind != "heading"), "heading")
    return Piece(span, _section(ruler, run), kind, lacking(run, span))


def _span(run: Sequence[Block]) -> Span:
    return Span(run[0].span.start, run[-1].span.end)


def _section(ruler: Ruler, run: Sequence[Block]) -> int:
    """The section of all blocks of the run, or the one they are merged under."""
    same = run[0].section == run[-1].section and all(block.section == run[0].section for block in run)
    return run[0].section if same else _group(ruler, run[0])


# ── units over the target ─────────────────────────────────────────────────────────────────────
def _cut(ruler: Ruler, run: Sequence[Block]) -> list[Piece]:
    """Balanced pieces of a run that is too large; each carries the header of the blocks it is cut from."""
    header = next((block.header for block in run if block.header), "")
    room = ruler.room(_section(ruler, run), header)
    spans = pack(ruler, _parts(ruler, run, room), lambda _: room, min(ruler.overlap, room // 2))
    pieces = []
    for span in spans:
        held = [block for block in run if block.span.overlap(span)]
        pieces.append(_piece(ruler, held, span))
    return pieces


def _parts(ruler: Ruler, run: Sequence[Block], room: int) -> list[Span]:
    """The parts of the blocks in order, a heading in one with the part after it if both fit."""
    parts = [
        part
        for block in run
        for part in atoms(ruler, block.span, _SPLITS.get(block.kind, (sentence_spans,)), room)
    ]
    if run[0].kind == "heading" and len(parts) > 1:
        first = Span(parts[0].start, parts[1].end)
        if parts[0] == run[0].span and ruler.size(first.start, first.end) <= room:
            return [first, *parts[2:]]
    return parts
