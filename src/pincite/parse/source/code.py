"""Source code: one block per function or method, and one per stretch of code between them.

The text is the decoded file itself. Languages without a grammar, minified files, very large ones
and those too broken to parse are cut at blank lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.parse.build import make_document, paragraph_spans, trim
from pincite.parse.decode import decode
from pincite.parse.source.definitions import Definition, find_definitions
from pincite.parse.source.languages import CODE_TYPES, GRAMMARS, code_type
from pincite.protocols import Source
from pincite.types import Block, Document, Section, Span

MAX_TREE = 1_000_000  # characters; a larger file is cut at blank lines
MAX_LINE = 500  # characters a line on average; above it a file is taken for minified
MAX_LINES = 60  # of code between definitions in one block
_CLOSERS = re.compile(r"[\W_]*(?:end\b[\W_]*)*")
_CPP_ONLY = re.compile(r"^[ \t]*(?:class|namespace|template|using|public:|private:)\b", re.MULTILINE)


def parse_code(source: Source) -> Document:
    """The document of a source file, its classes and functions as sections under qualified names."""
    decoded = decode(source.data, uri=source.uri)
    text, kind = decoded.text, _type(source.uri, decoded.text)
    definitions = find_definitions(text, GRAMMARS[kind]) if _has_tree(text, kind) else []
    return make_document(
        source,
        text=text,
        type=kind,
        encoding=decoded.encoding,
        sections=[Section(d.name, d.level, d.span, d.signature, d.parent) for d in definitions],
        blocks=_definition_blocks(text, definitions) if definitions else _plain_blocks(text, kind),
    )


def _type(uri: str, text: str) -> str:
    kind = code_type(uri) or "code"
    return "cpp" if uri.lower().endswith(".h") and _CPP_ONLY.search(text) else kind


def _has_tree(text: str, kind: str) -> bool:
    return kind in GRAMMARS and len(text) <= MAX_TREE and len(text) <= MAX_LINE * (text.count("\n") + 1)


def _plain_blocks(text: str, kind: str) -> list[Block]:
    """Without definitions: short paragraphs in languages with a grammar together, else one by one."""
    pieces = _pieces(text, trim(text, 0, len(text))) if kind in GRAMMARS else _paragraphs(text)
    return [Block("lines", span) for span in pieces]


def _paragraphs(text: str) -> Iterator[Span]:
    for span in paragraph_spans(text):
        yield from _pieces(text, span)


def _definition_blocks(text: str, definitions: Sequence[Definition]) -> list[Block]:
    """Blocks in text order: what stands before, inside and after each definition."""
    blocks: list[Block] = []
    open_, at = [-1], 0
    for i, definition in enumerate(definitions):
        while open_[-1] != definition.parent:
            at = _add(blocks, text, at, definitions[open_[-1]].span.end, definitions, open_.pop())
        at = _add(blocks, text, at, definition.span.start, definitions, definition.parent)
        open_.append(i)
    while len(open_) > 1:
        at = _add(blocks, text, at, definitions[open_[-1]].span.end, definitions, open_.pop())
    _add(blocks, text, at, len(text), definitions, -1)
    return blocks


def _add(
    blocks: list[Block], text: str, start: int, end: int, definitions: Sequence[Definition], owner: int
) -> int:
    """`end`, after adding [start, end) as blocks of definition `owner`.

    The rest of a line (`;`, a comment) and closing braces go to the block before them.
    """
    if blocks and start and text[start - 1] != "\n" and not _begins(definitions, owner, start):
        line = text.find("\n", start, end)
        rest = trim(text, start, line if line != -1 else end)
        start = line if line != -1 else end
        if len(rest):
            blocks[-1] = _extended(blocks[-1], rest.end)
    span = trim(text, start, end)
    if not len(span):
        return max(start, end)
    if blocks and _CLOSERS.fullmatch(text, span.start, span.end):
        blocks[-1] = _extended(blocks[-1], span.end)
        return end
    whole = owner >= 0 and not definitions[owner].container
    for piece in [span] if whole else _pieces(text, span):
        blocks.append(_block(piece, text, definitions, owner))
    return end


def _begins(definitions: Sequence[Definition], owner: int, at: int) -> bool:
    return owner >= 0 and definitions[owner].span.start == at


def _extended(block: Block, end: int) -> Block:
    return Block(block.kind, Span(block.span.start, end), block.section, block.header, block.header_span)


def _block(span: Span, text: str, definitions: Sequence[Definition], owner: int) -> Block:
    """A block whose header is the nearest enclosing signature that it does not hold itself."""
    around = owner
    while around >= 0 and (not definitions[around].container or span.holds(definitions[around].signature)):
        around = definitions[around].parent
    if around < 0:
        return Block("definition", span, owner)
    signature = definitions[around].signature
    return Block("definition", span, owner, text[signature.start : signature.end], signature)


def _pieces(text: str, span: Span) -> Iterator[Span]:
    """The span in stretches of at most `MAX_LINES` lines, cut at blank lines where there are any."""
    if text.count("\n", span.start, span.end) < MAX_LINES:
        if len(span):
            yield span
        return
    start, end, lines = span.start, span.start, 0
    for part in _short(text, span):
        added = text.count("\n", end, part.end)
        if lines and lines + added >= MAX_LINES:
            yield trim(text, start, end)
            start, lines = part.start, 0
            added = text.count("\n", part.start, part.end)
        end, lines = part.end, lines + added + (lines == 0)
    yield trim(text, start, end)


def _short(text: str, span: Span) -> Iterator[Span]:
    """Paragraphs of the span; one of more than `MAX_LINES` lines is cut after so many."""
    for paragraph in paragraph_spans(text, span.start, span.end):
        start, line = paragraph.start, paragraph.start
        for i in range(text.count("\n", paragraph.start, paragraph.end)):
            line = text.index("\n", line) + 1
            if (i + 1) % MAX_LINES == 0:
                yield trim(text, start, line)
                start = line
        yield trim(text, start, paragraph.end)


__all__ = ["CODE_TYPES", "parse_code"]
