"""HTML to a `Document`: the text a reader sees, with the source line of every piece.

Scripts, styles, templates, comments and hidden text are out; with `hidden_html`, hidden text is kept in
blocks of its own that start with `[hidden] `. Navigation (`<nav>`, `role="navigation"`) is text, but left
out of the blocks; so is, with `main_content`, what stands around the article. Blocks are separated by a blank
line, rows and lines by LF, cells by ` | `; `pre` keeps its white space. A table that holds headings or tables
is layout, not data.
"""

from __future__ import annotations

from collections.abc import Callable

from pincite.parse.build import make_document, make_sections, number_blocks
from pincite.parse.decode import Decoded, decode
from pincite.parse.html.blocks import Blocks
from pincite.parse.html.head import head_meta, page_language, page_title
from pincite.parse.html.main_content import outside_main_content
from pincite.parse.html.nesting import nested
from pincite.parse.html.tokens import read_tokens
from pincite.parse.html.walk import walk
from pincite.protocols import Source
from pincite.types import Document, LineOrigins, Place, Run, RunOrigins, Span


def parse_html(source: Source, *, hidden_html: bool = False, main_content: bool = False) -> Document:
    """The document of an HTML page. Raises `InputError` if its bytes cannot be decoded.

    With `main_content`, what stands around the article is text of the document, but in none of its blocks.
    """
    decoded = decode(source.data, uri=source.uri)
    return page_document(
        source,
        decoded,
        "html",
        LineOrigins.of(decoded.text).starts,
        lambda line: Place(line, line),
        hidden_html=hidden_html,
        main_content=main_content,
    )


def page_document(
    source: Source,
    decoded: Decoded,
    type: str,
    starts: tuple[int, ...],
    place: Callable[[int], Place],
    *,
    hidden_html: bool,
    main_content: bool,
) -> Document:
    """The document of a page: `starts` are the offsets of its lines, `place` is that of a line, from 1."""
    tokens = list(read_tokens(decoded.text))
    blocks = Blocks(decoded.text, starts)
    events = list(nested(tokens))
    outside = outside_main_content(decoded.text, events) if main_content else frozenset()
    walk(events, blocks, keep_hidden=hidden_html, outside=outside)
    text, pieces, runs = blocks.finish()
    sections = make_sections([p.heading for p in pieces if p.heading], len(text))
    return make_document(
        source,
        text=text,
        type=type,
        encoding=decoded.encoding,
        origins=RunOrigins(tuple(Run(Span(start, end), place(line)) for start, end, line in runs)),
        title=page_title(blocks.title, tokens, blocks.headings),
        sections=sections,
        blocks=tuple(number_blocks(pieces)),
        left_out=blocks.left_out,
        meta=head_meta(decoded.text, tokens),
        language=page_language(tokens),
    )
