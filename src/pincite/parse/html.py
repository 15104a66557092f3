"""HTML to a `Document`: the text a reader sees, with the source line of every piece.

Scripts, styles, templates, comments and hidden text are out; with `hidden_html`, hidden text is kept in
blocks of its own that start with `[hidden] `. Navigation (`<nav>`, `role="navigation"`) is text, but left out of
the blocks. Blocks are separated by a blank line, rows and lines by LF, cells
by ` | `; `pre` keeps its white space. A table that holds headings or tables is layout, not data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pincite.parse.build import make_document, make_sections, number_blocks
from pincite.parse.decode import decode
from pincite.parse.html_blocks import Blocks, clean
from pincite.parse.html_nesting import nested
from pincite.parse.html_tokens import Tag, Text, read_tokens
from pincite.parse.html_walk import walk
from pincite.parse.main_content import outside_main_content
from pincite.protocols import Source
from pincite.types import Document, LineOrigins, MetaValue, Place, Run, RunOrigins, Span

_META = {
    "author": "author",
    "description": "description",
    "keywords": "keywords",
    "date": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "article:published_time": "date",
    "article:modified_time": "modified_date",
}


def parse_html(source: Source, *, hidden_html: bool = False, main_content: bool = False) -> Document:
    """The document of an HTML page. Raises `InputError` if its bytes cannot be decoded.

    With `main_content`, what stands around the article is text of the document, but in none of its blocks.
    """
    decoded = decode(source.data, uri=source.uri)
    tokens = list(read_tokens(decoded.text))
    blocks = Blocks(decoded.text, LineOrigins.of(decoded.text).starts)
    events = list(nested(tokens))
    outside = outside_main_content(decoded.text, events) if main_content else frozenset()
    walk(events, blocks, keep_hidden=hidden_html, outside=outside)
    text, pieces, runs = blocks.finish()
    sections = make_sections([p.heading for p in pieces if p.heading], len(text))
    first = min((s for s in sections), key=lambda s: (s.level != 1, s.span.start), default=None)
    return make_document(
        source,
        text=text,
        type="html",
        encoding=decoded.encoding,
        origins=RunOrigins(tuple(Run(Span(start, end), Place(line, line)) for start, end, line in runs)),
        title=blocks.title or (first.title if first else ""),
        sections=sections,
        blocks=tuple(number_blocks(pieces)),
        left_out=blocks.left_out,
        meta=_meta(tokens),
        language=_language(tokens),
    )


def _meta(tokens: Sequence[Tag | Text]) -> Mapping[str, MetaValue]:
    """Author, date, description and keywords from `<meta>`; the first of each counts."""
    meta: dict[str, MetaValue] = {}
    for tag in tokens:
        if isinstance(tag, Tag) and tag.name == "meta":
            given = tag.attributes.get("name") or tag.attributes.get("property") or ""
            content = clean(tag.attributes.get("content", "")).strip()
            name = _META.get(given.lower())
            if name and content:
                meta.setdefault(name, _value(name, content))
    return meta


def _value(name: str, content: str) -> MetaValue:
    if name == "keywords":
        return tuple(word.strip() for word in content.split(",") if word.strip()) or content
    if name.endswith("date"):
        try:
            return date.fromisoformat(content[:10])
        except ValueError:
            return content
    return content


def _language(tokens: Sequence[Tag | Text]) -> str:
    """The main part of the page's `lang` attribute, lower case: `zh` for `zh-CN`."""
    for tag in tokens:
        if isinstance(tag, Tag) and tag.name in ("html", "body"):
            lang = tag.attributes.get("lang") or tag.attributes.get("xml:lang") or ""
            if lang.strip():
                return lang.strip().lower().replace("_", "-").partition("-")[0][:8]
    return ""
