"""AsciiDoc to a `Document`: headings, paragraphs, list items, delimited blocks and rows of tables.

The text is written by `asciidoc_text`. Comments, attributes and lines that only mark a block are left out;
attributes of the document are metadata. Files and images that it names are not read: each is dropped by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.parse.asciidoc_text import write_asciidoc
from pincite.parse.build import Heading, Piece
from pincite.parse.decode import decode
from pincite.parse.frontmatter import read_front_matter
from pincite.parse.lines import Found, Lines, field_value, table_pieces
from pincite.parse.office.opc import main_language
from pincite.protocols import Source
from pincite.types import BlockKind, Document

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.{0,1999})")
_UNDERLINES = "=-~^+"
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\S{0,40}|~{4,})")
_TABLE = re.compile(r"[|,:!]={3,}")
_ATTRIBUTE = re.compile(r":(!?[\w-]{1,80}!?):(?:[ \t]+(.{0,2000}))?")
_BLOCK_LINE = re.compile(r"\[\[?[^\]]{0,400}\]?\]|\[[^\[]{0,400}\]")
_BLOCK_TITLE = re.compile(r"\.[^\s.].{0,400}")
_ITEM = re.compile(
    r"[ \t]*(?:\*{1,6}|-|\.{1,6}|\d{1,6}\.|[a-zA-Z]\.|[ivxIVX]{1,6}\)|<\d{1,3}>|<\.>|•)[ \t]+\S"
)
_TERM = re.compile(r"[ \t]*\S.{0,400}?(?::{2,4}|;;)(?:[ \t]|$)")
_DIRECTIVE = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::")
_MACRO = re.compile(r"(include|image|video|audio)::([^\[\]]{1,400})\[")
_RULES = frozenset(("'''", "---", "***", "- - -", "* * *", "<<<", "+"))
_AUTHOR = re.compile(r"[^\W\d][\w.'’ -]{1,100}(?:[ \t]<[^<>]{3,100}>)?(?:;[ \t]?[^;]{1,100}){0,10}")
_REVISION = re.compile(r"v?\d[\w.-]{0,20}(?:,[ \t]*(?P<date>[^:]{4,40}))?(?::.{0,200})?")
_NAMES = {"author": "author", "revdate": "date", "description": "description", "email": "email"}
_COLUMNS = re.compile(r"""cols\s?=\s?(?:"([^"]{1,400})"|'([^']{1,400})'|([^,\]]{1,100}))""")
_ANCHOR = re.compile(r"\[\[[^\]]{0,200}\]\]")
_HEADER_CELL = re.compile(r"[\d.+*^<>]{0,12}h\|")
_CELL = re.compile(r"(?<!\\)\|")
_MAX_OPTIONS = 10_000  # characters of attributes before one block
_KINDS: dict[str, BlockKind] = {"_": "quote"}


def parse_asciidoc(source: Source) -> Document:
    """The document of an AsciiDoc file. Raises `InputError` if its bytes cannot be decoded."""
    decoded = decode(source.data, uri=source.uri)
    lines, found = Lines.of(decoded.text), Found()
    first = 0
    if (front := read_front_matter(decoded.text)) and front.state == "read":
        found.leave(front.span, "front matter")
        found.meta.update(front.meta)
        first = decoded.text.count("\n", 0, front.span.end) + 1
    pieces = list(_Reader(lines, found).pieces(first))
    title = found.meta.pop("title", "")
    found.title = title if isinstance(title, str) else ""
    return write_asciidoc(source, decoded, lines, pieces, found)


class _Reader:
    """The lines, and those that belong to the block which comes next."""

    def __init__(self, lines: Lines, found: Found) -> None:
        self.lines, self.found = lines, found
        self.before: int | None = None  # the first of the lines that name or shape the next block
        self.caption = False  # whether a title is among them
        self.options = ""
        self.has_title = False

    def pieces(self, i: int) -> Iterator[Piece]:
        """The blocks from line `i` on."""
        rows = self.lines.rows
        while i < len(rows):
            if not rows[i]:
                i += 1
                continue
            if (end := self._markup(i)) is not None:
                i = end
                continue
            made, i = self._block(i)
            yield from made
            self._forget()

    def _forget(self) -> None:
        self.before, self.caption, self.options = None, False, ""

    # ── what is no block ──────────────────────────────────────────────────────────────────────
    def _markup(self, i: int) -> int | None:
        """The line behind comments, attributes and marks at line `i`; None if a block starts there."""
        row = self.lines.rows[i]
        if self.before is not None and (row.startswith("//") or _ATTRIBUTE.fullmatch(row)):
            self._leave_before(i)
        if row.startswith("////") and not row.strip("/"):
            end = self._closing(i)
            self.found.leave(self.lines.span(i, end), "comment")
            return end
        if row.startswith("//") and not row.startswith("///"):
            self.found.leave(self.lines.span(i, i + 1), "comment")
            return i + 1
        if attribute := _ATTRIBUTE.fullmatch(row):
            return self._attribute(i, attribute)
        if _DIRECTIVE.match(row) or row in _RULES:
            self._leave_before(i)
            self.found.leave(self.lines.span(i, i + 1), "markup")
            return i + 1
        if _BLOCK_LINE.fullmatch(row) or _BLOCK_TITLE.fullmatch(row):
            self.before = i if self.before is None else self.before
            self.caption = self.caption or row.startswith(".")
            self.options += row if row.startswith("[") and len(self.options) < _MAX_OPTIONS else ""
            return i + 1
        return self._container(i)

    def _container(self, i: int) -> int | None:
        """The line behind a mark of a block that holds blocks: an example, sidebar or open block."""
        row = self.lines.rows[i]
        if not _DELIMITER.fullmatch(row) or row[0] not in "=*-~" or (row[0] == "-" and row != "--"):
            return None
        self._leave_before(i)
        self.found.leave(self.lines.span(i, i + 1), "markup")
        return i + 1

    def _leave_before(self, i: int) -> None:
        """Leaves out the attributes before line `i`; a title among them stays text."""
        if self.before is not None:
            for n in range(self.before, i):
                if self.lines.rows[n].startswith("["):
                    self.found.leave(self.lines.span(n, n + 1), "attributes")
        self._forget()

    def _attribute(self, i: int, given: re.Match[str]) -> int:
        """Takes an attribute of the document, which may go on over lines that end with a backslash."""
        end = i + 1
        value = given[2] or ""
        while value.endswith(("\\", " +")) and end < min(len(self.lines.rows), i + 50):
            value = f"{value.rstrip('+').rstrip(chr(92)).strip()} {self.lines.rows[end].strip()}"
            end += 1
        self.found.leave(self.lines.span(i, end), "attributes")
        name = given[1].strip("!").lower()
        if value.strip() and not name.startswith("_") and len(self.found.meta) < 500:
            self._meta(name, value.strip())
        return end

    def _meta(self, name: str, value: str) -> None:
        if name == "lang":
            self.found.language = main_language(value)
        else:
            known = _NAMES.get(name, name)
            self.found.meta.setdefault(known, field_value(known, value))

    # ── blocks ────────────────────────────────────────────────────────────────────────────────
    def _block(self, i: int) -> tuple[list[Piece], int]:
        """The pieces of the block at line `i`, and the line behind it."""
        lines, row = self.lines, self.lines.rows[i]
        if heading := self._heading(i):
            return heading
        if _TABLE.fullmatch(row):
            return self._table(i)
        first = i if self.before is None else self.before
        if _DELIMITER.fullmatch(row):
            end = self._closing(i)
            return [Piece(_KINDS.get(row[0], "code"), lines.span(first, end))], end
        if _ITEM.match(row) or _TERM.match(row):
            self._leave_before(i)
            end = self._end_of_item(i)
            return [Piece("list", lines.span(i, end))], end
        if lines.indented(i):
            end = lines.end_of_paragraph(i)
            return [Piece("code", lines.span(first, end))], end
        if macro := _MACRO.match(row):
            what = "an image" if macro[1] == "image" else f"{macro[1]}::"
            self.found.dropped.append(f"line {i + 1}: {what} ({macro[2]})")
        end = self._end_of_paragraph(i)
        return [Piece("paragraph", lines.span(first, end))], end

    def _heading(self, i: int) -> tuple[list[Piece], int] | None:
        """A heading of one line, or of two with an underline, and what stands below the document's title."""
        rows, level, end = self.lines.rows, 0, i + 1
        one = _HEADING.fullmatch(rows[i])
        if one:
            level, title = len(one[1]), one[2]
            title = title.removesuffix(one[1]).rstrip()
        elif end < len(rows) and _is_underline(rows[i], rows[end]):
            level, title, end = _UNDERLINES.index(rows[end][0]) + 1, rows[i].strip(), i + 2
        else:
            return None
        self._leave_before(i)
        span = self.lines.span(i, end)
        pieces = [Piece("heading", span, Heading(_ANCHOR.sub("", title).strip() or title, level, span))]
        if level == 1 and not self.has_title:
            self.has_title = True
            if (below := self._author(end)) > end:
                pieces.append(Piece("paragraph", self.lines.span(end, below)))
                end = below
        return pieces, end

    def _author(self, i: int) -> int:
        """Takes author and date from the lines right below the title; returns the line behind them."""
        rows = self.lines.rows
        if self.lines.blank(i) or not _AUTHOR.fullmatch(rows[i]) or rows[i].endswith("."):
            return i
        names = [re.sub(r"<[^<>]*>", "", name).strip() for name in rows[i].split(";")]
        if any(len(name.split()) > 4 for name in names):
            return i
        self.found.meta.setdefault("author", tuple(names) if len(names) > 1 else names[0])
        revision = None if self.lines.blank(i + 1) else _REVISION.fullmatch(rows[i + 1])
        if revision and revision["date"]:
            self.found.meta.setdefault("date", field_value("date", revision["date"].strip()))
        return i + (2 if revision else 1)

    def _closing(self, i: int) -> int:
        """The line behind the delimited block at line `i`; the end of the text if it is not closed."""
        rows = self.lines.rows
        mark = rows[i] if rows[i][0] != "`" else "`" * (len(rows[i]) - len(rows[i].lstrip("`")))
        for end in range(i + 1, len(rows)):
            if rows[end] == mark:
                return end + 1
        return len(rows)

    def _starts_block(self, i: int) -> bool:
        """Whether line `i` ends a paragraph or an item that has no blank line behind it."""
        row = self.lines.rows[i]
        marks = _DELIMITER.fullmatch(row) or _TABLE.fullmatch(row) or _BLOCK_LINE.fullmatch(row)
        return bool(marks) or row.startswith("//") or bool(_DIRECTIVE.match(row))

    def _end_of_paragraph(self, i: int) -> int:
        i += 1
        while not self.lines.blank(i) and not self._starts_block(i):
            i += 1
        return i

    def _end_of_item(self, i: int) -> int:
        """The line behind a list item, with the blocks that a line `+` attaches to it."""
        rows = self.lines.rows
        i += 1
        while i < len(rows):
            if rows[i] == "+" and i + 1 < len(rows) and rows[i + 1]:
                attached = i + 1
                while attached + 1 < len(rows) and _BLOCK_LINE.fullmatch(rows[attached]):
                    attached += 1
                delimited = _DELIMITER.fullmatch(rows[attached]) or _TABLE.fullmatch(rows[attached])
                i = self._closing(attached) if delimited else self._end_of_paragraph(attached)
            elif not rows[i] or _ITEM.match(rows[i]) or _TERM.match(rows[i]) or self._starts_block(i):
                return i
            else:
                i += 1
        return i

    # ── tables ────────────────────────────────────────────────────────────────────────────────
    def _table(self, i: int) -> tuple[list[Piece], int]:
        """The rows of a table, with its title and header row."""
        rows = self.lines.rows
        end = self._closing(i)
        last = end - 1 if end - 1 > i and rows[end - 1] == rows[i] else end
        body = [n for n in range(i + 1, last) if rows[n]]
        start = i if self.before is None else self.before
        if last < end:
            self.found.leave(self.lines.span(last, end), "markup")
        if not body:
            self.found.leave(self.lines.span(start, i + 1), "markup")
            return [], end
        grouped = self._rows(body, i + 1, last)
        given = "header" in self.options and "noheader" not in self.options
        parted = body[0] == i + 1 and self.lines.blank(grouped[0][1]) and grouped[0][1] < last
        has_header = given or parted or bool(_HEADER_CELL.match(rows[body[0]]))
        if not has_header and self.caption:
            return table_pieces(self.lines, (start, i + 1), grouped), end
        if not has_header:
            self.found.leave(self.lines.span(start, i + 1), "markup")
            return table_pieces(self.lines, None, grouped), end
        return table_pieces(self.lines, (start, grouped[0][1]), grouped[1:]), end

    def _rows(self, body: list[int], first: int, last: int) -> list[tuple[int, int]]:
        """The rows by their lines: as many cells as there are columns, each on the line it starts on."""
        rows = self.lines.rows
        cells = [len(_CELL.findall(rows[n])) for n in body]
        columns = _columns(self.options) or max(1, cells[0])
        if columns == 1 and cells[0] == 1 and "cols" not in self.options:
            blank = self._first_blank(first, last)
            columns = max(1, sum(c for n, c in zip(body, cells, strict=True) if n < blank))
        grouped: list[tuple[int, int]] = []
        begin, count = body[0], 0
        for n, found in zip(body, cells, strict=True):
            if found and count >= columns:
                grouped.append((begin, n))
                begin, count = n, 0
            count += found
        grouped.append((begin, body[-1] + 1))
        return [(a, self._trimmed(a, b)) for a, b in grouped]

    def _first_blank(self, first: int, last: int) -> int:
        return next((n for n in range(first, last) if not self.lines.rows[n]), last)

    def _trimmed(self, first: int, last: int) -> int:
        while last > first + 1 and not self.lines.rows[last - 1]:
            last -= 1
        return last


def _is_underline(title: str, under: str) -> bool:
    """Whether `under` underlines `title`: as long as it, give or take one, of one character."""
    if len(under) < 3 or under[0] not in _UNDERLINES or under.strip(under[0]):
        return False
    return abs(len(title) - len(under)) <= 1 and title[:1].isalnum() and len(title) < 2_000


def _columns(options: str) -> int:
    """The number of columns that `cols` gives; 0 if it is not given."""
    found = _COLUMNS.search(options)
    if not found:
        return 0
    count = 0
    for part in (found[1] or found[2] or found[3]).replace(";", ",").split(","):
        times, mark, _ = part.strip().partition("*")
        count += min(int(times), 100) if mark and times.isdecimal() and len(times) < 4 else 1
    return count
