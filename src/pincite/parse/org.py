"""Org to a `Document`: headlines, paragraphs, list items, blocks and rows of tables.

`text` is the decoded file itself. Keywords such as `#+TITLE:` are metadata; they, comments, drawers and lines
that only mark a block are left out. Files that the text includes are not read: each is named as dropped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from pincite.parse.build import Heading, Piece
from pincite.parse.decode import decode
from pincite.parse.lines import Found, Lines, field_value, lines_document, table_pieces
from pincite.parse.office.opc import main_language
from pincite.protocols import Source
from pincite.types import BlockKind, Document

_HEADLINE = re.compile(r"(\*{1,30})[ \t]+(\S.{0,1999})")
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|WAIT|HOLD|CANCELLED|CANCELED|STARTED|SOMEDAY|COMMENT)[ \t]+")
_PRIORITY = re.compile(r"\[#[A-Z0-9]{1,2}\][ \t]*")
_TAGS = re.compile(r"(?<![ \t])[ \t]+:[\w@#%:]{1,300}:$")
_KEYWORD = re.compile(r"[ \t]*#\+([A-Za-z_-]{1,60})(?:\[[^\]]{0,200}\])?:[ \t]*(.{0,2000})")
_BEGIN = re.compile(r"[ \t]*#\+begin[_:]([A-Za-z0-9_-]{1,40})\b.*", re.I)
_END = re.compile(r"[ \t]*#\+end[_:].*", re.I)
_DRAWER = re.compile(r"[ \t]*:(?!end:)([A-Za-z][\w-]{0,60}):", re.I)
_DRAWER_END = re.compile(r"[ \t]*:END:", re.I)
_ITEM = re.compile(r"(?:[ \t]*(?:[-+]|\d{1,6}[.)]|[a-zA-Z][.)])|[ \t]+\*)(?:[ \t]+|$)")
_ROW = re.compile(r"[ \t]*\|")
_RULE = re.compile(r"[ \t]*\|[-+:|]{1,2000}")
_IMAGE = re.compile(r"[ \t]*\[\[(?:file:|\./|https?:)[^\]]{1,300}\.(?:png|jpe?g|gif|svg|pdf|webp)\]\]", re.I)
_MAX_DRAWER = 500  # lines
_AROUND = frozenset(("caption", "name", "header", "headers", "results", "plot", "label"))  # of the next block
_NAMES = {"author": "author", "date": "date", "keywords": "keywords", "description": "description"}
_WHOLE: dict[str, BlockKind] = {
    "src": "code",
    "example": "code",
    "export": "code",
    "quote": "quote",
    "verse": "quote",
}


def parse_org(source: Source) -> Document:
    """The document of an Org file. Raises `InputError` if its bytes cannot be decoded."""
    decoded = decode(source.data, uri=source.uri)
    found = Found()
    pieces = list(_Reader(Lines.of(decoded.text), found).pieces())
    return lines_document(source, decoded, "org", pieces, found)


class _Reader:
    """The lines, and those that belong to the block which comes next."""

    def __init__(self, lines: Lines, found: Found) -> None:
        self.lines, self.found = lines, found
        self.before: int | None = None  # the first line with a caption or name of the next block

    def pieces(self) -> Iterator[Piece]:
        """The blocks in order."""
        i, rows = 0, self.lines.rows
        while i < len(rows):
            if not rows[i]:
                self.before = None  # a caption that no block follows stays text
                i += 1
            elif (end := self._markup(i)) is not None:
                i = end
            else:
                made, i = self._block(i)
                yield from made
                self.before = None

    # ── what is no block ──────────────────────────────────────────────────────────────────────
    def _markup(self, i: int) -> int | None:
        """The line behind comments, keywords and drawers at line `i`; None if a block starts there."""
        row = self.lines.rows[i]
        bare = row.strip()
        if bare.startswith("# ") or bare == "#":
            return self._leave(i, i + 1, "comment")
        begin = _BEGIN.fullmatch(row)
        end = self._block_end(i, begin[1]) if begin else None
        if begin and end and begin[1].lower() == "comment":
            return self._leave(i, end, "comment")
        if (begin and not (end and begin[1].lower() in _WHOLE)) or (not begin and _END.fullmatch(row)):
            return self._leave(i, i + 1, "markup")
        if not begin and (keyword := _KEYWORD.fullmatch(row)):
            return self._keyword(i, keyword)
        if (drawer := _DRAWER.fullmatch(row)) and (end := self._drawer_end(i)):
            return self._leave(i, end, "properties" if drawer[1].upper() == "PROPERTIES" else "drawer")
        return None

    def _leave(self, first: int, last: int, reason: str) -> int:
        self.before = None
        self.found.leave(self.lines.span(first, last), reason)
        return last

    def _keyword(self, i: int, given: re.Match[str]) -> int:
        """Takes a line `#+NAME: value`: metadata, a file that is not followed, or of the next block."""
        name, value = given[1].lower(), given[2].strip()
        if name in _AROUND or name.startswith("attr_"):
            self.before = i if self.before is None else self.before
            return i + 1
        if name == "include":
            self.found.dropped.append(f"line {i + 1}: #+INCLUDE: {value[:200]} (not followed)")
        elif name == "title":
            self.found.title = f"{self.found.title} {value}".strip()
        elif name == "language":
            self.found.language = main_language(value)
        elif name in _NAMES and value:
            self.found.meta.setdefault(name, field_value(name, value))
        elif name == "filetags":
            self.found.meta.setdefault("tags", tuple(tag for tag in value.split(":") if tag.strip()))
        return self._leave(i, i + 1, "keyword")

    def _drawer_end(self, i: int) -> int | None:
        """The line behind a drawer; None if it is not closed before the next headline."""
        end = self._bounds[bisect_right(self._bounds, i)]
        if end - i >= _MAX_DRAWER or end == len(self.lines.rows) or _HEADLINE.match(self.lines.rows[end]):
            return None
        return end + 1

    @cached_property
    def _bounds(self) -> list[int]:
        """The lines that end a drawer or are headlines, and the one behind the last line."""
        rows = self.lines.rows
        found = [n for n, row in enumerate(rows) if _DRAWER_END.fullmatch(row) or _HEADLINE.match(row)]
        return [*found, len(rows)]

    def _block_end(self, i: int, name: str) -> int | None:
        """The line behind a block at line `i`; None if it is not closed."""
        ends = self._closings.get(f"#+end_{name.lower()}", [])
        after = bisect_right(ends, i)
        return ends[after] + 1 if after < len(ends) else None

    @cached_property
    def _closings(self) -> dict[str, list[int]]:
        """The lines that end a block, by what stands on them."""
        found: dict[str, list[int]] = {}
        for n, row in enumerate(self.lines.rows):
            if _END.fullmatch(row):
                found.setdefault(row.strip().lower(), []).append(n)
        return found

    # ── blocks ────────────────────────────────────────────────────────────────────────────────
    def _block(self, i: int) -> tuple[list[Piece], int]:
        """The pieces of the block at line `i`, and the line behind it."""
        lines, row = self.lines, self.lines.rows[i]
        first = i if self.before is None else self.before
        if headline := _HEADLINE.fullmatch(row):
            span = lines.span(i, i + 1)
            return [Piece("heading", span, Heading(_title(headline[2]), len(headline[1]), span))], i + 1
        if (begin := _BEGIN.fullmatch(row)) and (end := self._block_end(i, begin[1])):
            return [Piece(_WHOLE[begin[1].lower()], lines.span(first, end))], end
        if _ROW.match(row):
            return self._table(i, first)
        if _ITEM.match(row):
            end = self._end_of_item(i)
            return [Piece("list", lines.span(first, end))], end
        if row.lstrip().startswith(": ") or row.strip() == ":":
            end = i + 1
            while not lines.blank(end) and lines.rows[end].lstrip().startswith(":"):
                end += 1
            return [Piece("code", lines.span(first, end))], end
        if _IMAGE.match(row):
            self.found.dropped.append(f"line {i + 1}: an image ({row.strip()[2:302].partition(']')[0]})")
        end = i + 1
        while not lines.blank(end) and not self._starts_block(end):
            end += 1
        return [Piece("paragraph", lines.span(first, end))], end

    def _starts_block(self, i: int) -> bool:
        row = self.lines.rows[i]
        marked = row.lstrip().startswith(("#+", "# ", "|")) or _DRAWER.fullmatch(row)
        return bool(marked or _HEADLINE.match(row) or _ITEM.match(row))

    def _end_of_item(self, i: int) -> int:
        """The line behind a list item: its own indented lines, also behind one blank line."""
        rows = self.lines.rows
        indent = _indent(rows[i])
        end = i + 1
        while end < len(rows):
            at = end + 1 if not rows[end] else end
            if at >= len(rows) or not rows[at] or _indent(rows[at]) <= indent:
                return end
            if _ITEM.match(rows[at]) or self._starts_block(at):
                return end
            end = at + 1
        return end

    def _table(self, i: int, first: int) -> tuple[list[Piece], int]:
        """The rows of a table; those above its first line across are the header."""
        rows = self.lines.rows
        end = i
        while not self.lines.blank(end) and _ROW.match(rows[end]):
            end += 1
        data = [n for n in range(i, end) if not _RULE.fullmatch(rows[n])]
        rules = [n for n in range(i, end) if _RULE.fullmatch(rows[n])]
        across = next((n for n in rules if data and data[0] < n < data[-1]), None)
        after = end
        while not self.lines.blank(after) and rows[after].lstrip().lower().startswith("#+tblfm:"):
            after += 1
        if after > end:
            self.found.leave(self.lines.span(end, after), "keyword")
        body = [(n, n + 1) for n in data if across is None or n > across]
        head = (first, across + 1) if across is not None else (first, i) if first < i else None
        for n in rules:
            if head is None or not head[0] <= n < head[1]:
                self.found.leave(self.lines.span(n, n + 1), "markup")
        return table_pieces(self.lines, head, body), after


def _title(text: str) -> str:
    """A headline without its state, priority and tags."""
    plain = _TAGS.sub("", _PRIORITY.sub("", _STATE.sub("", text, count=1), count=1)).strip()
    return plain or text


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())
