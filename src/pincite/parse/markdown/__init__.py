"""Markdown to a `Document`: CommonMark with tables; `text` is the decoded file itself.

markdown-it gives the lines of each top-level block; every span is computed from the starts of lines.
Blocks cover all text that is not blank: what belongs to no block of the grammar (a rule, a link
definition) is a paragraph. Front matter and comments are left out, with that reason. Only headings
at the top level make sections; a heading in a quote or a list item is part of it. More than three lines
above an underline are text, where CommonMark makes them a heading.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pincite.parse.build import Heading, Piece, cover, make_document, make_sections, number_blocks, trim
from pincite.parse.captions import with_captions
from pincite.parse.decode import decode
from pincite.parse.frontmatter import FrontMatter, read_front_matter
from pincite.parse.markdown.comments import comments, hidden
from pincite.parse.markdown.lines import scan_lines
from pincite.protocols import Source
from pincite.types import BlockKind, Document, LeftOut, LineOrigins, Section, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARS = 2_000_000  # above this, or with a line longer than MAX_LINE, only a line scanner is used
MAX_LINE = 200_000
_MAX_TITLE = 2_000  # a longer heading keeps its markup in the title
_MAX_LINES = 3  # of an underlined heading; the grammar takes any number, as of text above a `---`
_LONE_CR = re.compile(r"\r(?!\n)")
_ATTRIBUTES = re.compile(r" ?\{:? ?[#.][\w-][^{}]{0,200}\}$")
_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "html_block": "paragraph",
    "hr": "paragraph",
    "list_item_open": "list",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
}


def parse_markdown(source: Source) -> Document:
    """The document of a Markdown file. Raises `InputError` if its bytes cannot be decoded."""
    decoded = decode(source.data, uri=source.uri)
    text = decoded.text
    front = read_front_matter(text)
    start = front.span.end if front else 0
    read, left = read_blocks(text, start)
    pieces = [*_broken_front(text, front), *read]
    sections = make_sections([p.heading for p in pieces if p.heading], len(text))
    meta = front.meta if front else {}
    return make_document(
        source,
        text=text,
        type="markdown",
        encoding=decoded.encoding,
        title=_title(meta.get("title"), sections),
        sections=sections,
        blocks=tuple(number_blocks(pieces)),
        left_out=[*_left_front(front), *left],
        meta=meta,
    )


def read_blocks(text: str, start: int = 0) -> tuple[list[Piece], list[LeftOut]]:
    """The blocks of Markdown text from `start` on, and the comments that are left out of them."""
    spans = comments(text, start)
    seen = hidden(text, spans)
    pieces = cover(seen, start, with_captions(seen, _pieces(seen, start)))
    parts = [part for piece in pieces for part in _around(seen, piece, spans)]
    return parts, [LeftOut(span, "comment") for span in spans]


def _left_front(front: FrontMatter | None) -> list[LeftOut]:
    return [LeftOut(front.span, "front matter")] if front and front.state == "read" else []


def _broken_front(text: str, front: FrontMatter | None) -> list[Piece]:
    """Front matter that cannot be read stays text, as one paragraph."""
    return [Piece("paragraph", trim(text, 0, front.span.end))] if front and front.state == "broken" else []


def _title(given: object, sections: Sequence[Section]) -> str:
    """The front matter's title, else the first level-1 heading, else the first heading with text."""
    if isinstance(given, str) and given.strip():
        return given.strip()
    named = [section for section in sections if section.title]
    return next((s.title for s in named if s.level == 1), named[0].title if named else "")


def _pieces(text: str, start: int) -> Iterator[Piece]:
    """The top-level blocks from `start` on, in order."""
    body = text[start:]
    if len(body) > MAX_CHARS or max(map(len, body.split("\n"))) > MAX_LINE:
        for kind, span, heading in scan_lines(text, start):
            yield Piece(kind, span, heading)
        return
    # A lone CR is no line end, except in a file that knows no other.
    body = _LONE_CR.sub(" " if "\n" in body else "\n", body)
    starts = [start + at for at in LineOrigins.of(body).starts] + [len(text)]
    md = _grammar()
    env: dict[str, object] = {}
    tokens = md.parse(body, env)
    for i, token in enumerate(tokens):
        yield from _token_pieces(text, starts, md, env, tokens, i) if token.map else ()


def _token_pieces(
    text: str, starts: list[int], md: MarkdownIt, env: dict[str, object], tokens: list[Token], i: int
) -> Iterator[Piece]:
    """The pieces that start at token `i`: one, or a table's header and rows, or none if nested."""
    token = tokens[i]
    if token.level != (1 if token.type == "list_item_open" else 0):
        return
    if token.type == "table_open":
        yield from _table(text, starts, tokens, i)
    elif token.type in _KINDS:
        span = _lines(text, starts, token)
        if token.type != "heading_open":
            yield Piece(_KINDS[token.type], span)
        elif _is_text(token):
            yield Piece("paragraph", span)
        else:
            heading = Heading(_plain(md, env, tokens[i + 1]), int(token.tag[1]), span)
            yield Piece("heading", span, heading)


def _is_text(heading: Token) -> bool:
    """Whether an underlined "heading" has more lines than a title: text above a rule, front matter."""
    first, last = heading.map or [0, 0]
    return heading.markup in ("=", "-") and last - first - 1 > _MAX_LINES


def _lines(text: str, starts: list[int], token: Token) -> Span:
    first, last = token.map or [0, 0]
    return trim(text, starts[first], starts[min(last, len(starts) - 1)])


def _table(text: str, starts: list[int], tokens: list[Token], i: int) -> Iterator[Piece]:
    """The header row with its separator as one piece, then one piece per data row."""
    first, last = tokens[i].map or [0, 0]
    head = trim(text, starts[first], starts[first + 2])
    yield Piece("table", head)
    header = text[head.start : head.end]
    for line in range(first + 2, last):
        row = trim(text, starts[line], starts[min(line + 1, len(starts) - 1)])
        yield Piece("row", row, None, header, head)


def _plain(md: MarkdownIt, env: dict[str, object], inline: Token) -> str:
    """A heading's text without its markup: images become their description, breaks spaces.

    An attribute list at its end (`## Title { #id .class }`, of many site builders) is markup too.
    """
    if len(inline.content) > _MAX_TITLE:
        return inline.content
    children: list[Token] = []
    md.inline.parse(inline.content, md, env, children)
    return _ATTRIBUTES.sub("", " ".join("".join(_words(children)).split()))


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield from _words(token.children or ())
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content


def _around(seen: str, piece: Piece, spans: Sequence[Span]) -> Iterator[Piece]:
    """The piece without the comments within it: what stands between them, each by itself.

    Of a heading the first part heads the section, the others are text below it.
    """
    at, parts = piece.span.start, []
    for span in spans[bisect_left(spans, at, key=lambda one: one.start) :]:
        if span.start >= piece.span.end:
            break
        parts.append(_bare(seen, at, span.start))
        at = span.end
    if not parts:
        yield piece
        return
    first, *rest = [part for part in [*parts, _bare(seen, at, piece.span.end)] if part]
    heading = piece.heading and replace(piece.heading, span=first)
    yield replace(piece, span=first, heading=heading)
    kind: BlockKind = "paragraph" if heading else piece.kind
    yield from (replace(piece, kind=kind, span=part, heading=None) for part in rest)


def _bare(text: str, start: int, end: int) -> Span:
    """[start, end) without what is blank at its ends; the indentation of a line's beginning is kept."""
    span = trim(text, start, end)
    if span.start == start and start and text[start - 1] != "\n":
        return Span(span.end - len(text[span.start : span.end].lstrip()), span.end)
    return span


@cache
def _grammar() -> MarkdownIt:
    """CommonMark with tables; inline markup is parsed for headings only."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")
