"""What becomes of a file: a document with its blocks and sections, and the chunks it is cut into."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from pincite.types.places import Origins, Span
from pincite.types.values import Meta

BlockKind = Literal[
    "heading", "paragraph", "list", "code", "table", "quote", "row", "record", "turn", "definition", "field",
    "lines",
]  # fmt: skip
"""`list` is one list item; `code` a fence or other text to keep whole; `row` one table, CSV or sheet
row; `table` a table's header rows; `record` one JSON value or entry of a calendar; `turn` one message of
a chat; `definition` one function or class (or the lines between two of them) of source code; `field` one
line of a mail's head or of a form; `lines` text that is read line by line: settings, a log, code without
a grammar."""

MOST_HEADINGS = 12  # in a path; outer ones are left out of a longer one


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it, or a class or function of source code.

    `span` runs from the heading to the end of the section, its subsections included; `title_span`
    is the heading's own text with its markup; both title and `title_span` are empty for a slide without a
    title. A long title is shortened, with `…`. `parent` is an index into `Document.sections`, −1 at the top.
    """

    title: str
    level: int
    span: Span
    title_span: Span
    parent: int = -1


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest unit the chunker keeps whole if it fits.

    Blocks stand in text order and do not overlap; text between two blocks is white space or listed
    in `Document.left_out`, which is in text order too. `section` is an index into `Document.sections`, −1
    before the first heading. `header` is what the block needs to be understood alone and does not hold
    itself: a row's caption, header row and separator, shortened with `…` if they are long, or the entry of
    a description; `header_span` is where that text stands whole, when it does.
    """

    kind: BlockKind
    span: Span
    section: int = -1
    header: str = ""
    header_span: Span | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text that is in no chunk, on purpose, with the reason."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Losses:
    """What a parser could not read of a file it did read.

    `pages_without_text` are page numbers from 1; `cut_text` counts characters cut by a limit; `dropped` names
    what was left behind, each with its place (`slide 4: a chart`), in the order of the file.
    """

    pages_without_text: tuple[int, ...] = ()
    cut_text: int = 0
    dropped: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pages_without_text or self.cut_text or self.dropped)


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed file. `text` is canonical: it is never edited after parsing.

    For Markdown, text, code, CSV and JSON, `text` is the decoded source itself (less a byte-order
    mark); for other formats it is the extracted text. `origins` gives the place of any span.
    `id` is a hash of `uri`; `uri` is the path below the library's folder with `/`, in NFC.
    `title` is the content's own title (first heading, `<title>`, front matter) or "".
    `sha256` is that of the file's bytes; `encoding` is what the bytes were decoded with.
    """

    id: str
    uri: str
    title: str
    text: str
    type: str
    origins: Origins
    sections: tuple[Section, ...] = ()
    blocks: Sequence[Block] = ()
    left_out: tuple[LeftOut, ...] = ()
    meta: Meta = field(default_factory=dict)
    sha256: str = ""
    encoding: str = "utf-8"
    language: str = ""
    losses: Losses = Losses()

    def blocks_in(self, span: Span) -> Sequence[Block]:
        """The blocks of which `span` holds something, in order."""
        first = bisect_right(self.blocks, span.start, key=lambda block: block.span.end)
        return self.blocks[first : bisect_left(self.blocks, span.end, key=lambda block: block.span.start)]

    def heading_path(self, section: int) -> tuple[str, ...]:
        """Titles from the outermost heading to `section` itself, those there are; empty for −1.

        Of more than `MOST_HEADINGS` the inner ones, under `…`.
        """
        return _path(self._upwards(section))

    def situating_path(self, section: int, span: Span) -> tuple[str, ...]:
        """`heading_path` without the headings that stand inside `span` itself."""
        return _path(one for one in self._upwards(section) if not span.holds(one.title_span))

    def _upwards(self, section: int) -> Iterator[Section]:
        while section >= 0:
            yield self.sections[section]
            section = self.sections[section].parent


def _path(upwards: Iterable[Section]) -> tuple[str, ...]:
    titles = list(islice((section.title for section in upwards if section.title), MOST_HEADINGS + 1))
    return (*(["…"] if len(titles) > MOST_HEADINGS else []), *reversed(titles[:MOST_HEADINGS]))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of one document: `text` equals `Document.text[span.start:span.end]`.

    `id` is a hash of document, span, text and chunker in `CHUNK_ID_DIGITS` hexadecimal digits.

    `heading` is the full heading path; `header` is what the slice needs to be understood and does not
    hold itself (a table's header rows); `context` is the situating line, indexed on both legs with the
    text but never quoted. `n_tokens` counts context and text together in the embedding model's tokens.
    `parent` is the larger span to read when this chunk is found (parent–child), else None.
    """

    id: str
    doc_id: str
    span: Span
    text: str
    kind: str = "paragraph"
    heading: tuple[str, ...] = ()
    header: str = ""
    context: str = ""
    n_tokens: int = 0
    parent: Span | None = None

    @property
    def dense_text(self) -> str:
        """What is embedded: the situating line, then the text."""
        return f"{self.context}\n{self.text}" if self.context else self.text


CHUNK_ID_DIGITS = 15  # hexadecimal: 60 bits, so that it is also a number SQLite and the engine can hold


def point_id(chunk_id: str) -> int:
    """The number of a chunk's point in the search index: its id read as a number, below 2^60."""
    return int(chunk_id, 16)


def chunk_id(point_id: int) -> str:
    """The id of the chunk of a point. Both have the same order."""
    return f"{point_id:0{CHUNK_ID_DIGITS}x}"


@dataclass(frozen=True, slots=True)
class Chunked:
    """The chunks of one document in text order, and the text that is in none of them.

    `estimated` names the model whose tokens were estimated, since it is missing; "" if they were counted.
    """

    chunks: tuple[Chunk, ...]
    left_out: tuple[LeftOut, ...] = ()
    estimated: str = ""

    def all_left_out(self, document: Document) -> tuple[LeftOut, ...]:
        """What the parser and the chunker left out, each once, in the order of the text."""
        left = {*document.left_out, *self.left_out}
        return tuple(sorted(left, key=lambda one: (one.span, one.reason)))
