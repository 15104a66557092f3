"""JSON and JSONL: one block per record. The text is the decoded file itself, or JSON of one line indented.

A list gives a record for each element, a long object one for each key; a long value in them is cut in
the same way, under a section named by its key. A record's block holds the comma and the closing
brackets behind it, and the brackets and keys that open before it. What is not valid JSON is read as text.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

from pincite.characters import whole_characters
from pincite.parse.build import make_document, paragraph_spans, trim
from pincite.parse.decode import decode
from pincite.parse.json_indent import indented, is_one_line
from pincite.protocols import Source
from pincite.types import Block, Document, MetaValue, Origins, Place, Run, RunOrigins, Section, Span

LONG = 2_000  # characters; a longer list or object is cut into its parts
MAX_DEPTH = 6  # levels of lists and objects that are cut
MAX_TITLE = 200  # characters
_SPACE = " \t\n\r"
_CLOSING = _SPACE + ",]}"
# Numbers stay text: they are not needed, and Python refuses integers of more than 4,300 digits.
_decode = json.JSONDecoder(parse_int=str, parse_float=str, strict=False).raw_decode


@dataclass(frozen=True, slots=True)
class _Item:
    """One element of a list, or one key of an object with its value; `key` is empty in a list."""

    span: Span
    value: Span
    key: str = ""
    key_span: Span | None = None


@dataclass(slots=True)
class _Found:
    """What has been read of a file so far."""

    blocks: list[Block] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The `title`, else the `name`, of the object at the top."""
        name = self.names.get("title") or self.names.get("name") or ""
        return _line(name)


def _line(name: str) -> str:
    """The start of a name on one line, in whole characters: JSON can spell out half of one."""
    return " ".join(whole_characters(name[:MAX_TITLE]).split())


def parse_records(source: Source) -> Document:
    """The document of a JSON or JSONL file; `meta` has `json: invalid` where it cannot be read as such."""
    decoded = decode(source.data, uri=source.uri)
    text = decoded.text
    if source.uri.lower().endswith((".jsonl", ".ndjson")):
        lines = [Block("record", span) for span in _lines(text)]
        return make_document(source, text=text, type="jsonl", encoding=decoded.encoding, blocks=lines)
    meta: dict[str, MetaValue] = {}
    origins: Origins | None = None
    try:
        found = _read(text)
        if is_one_line(text):
            line = text[: _skip(text, 0)].count("\n") + 1
            text = indented(text)
            found = _read(text)
            origins = RunOrigins((Run(Span(0, len(text)), Place(line_start=line, line_end=line)),))
    except (ValueError, RecursionError):  # not JSON, or nested too deeply to be read
        found = _Found([Block("paragraph", span) for span in paragraph_spans(text)])
        meta = {"json": "invalid"}
    return make_document(
        source,
        text=text,
        type="json",
        encoding=decoded.encoding,
        origins=origins,
        title=found.title,
        sections=found.sections,
        blocks=found.blocks,
        meta=meta,
    )


def _lines(text: str) -> Iterator[Span]:
    """The lines that are not blank, in order."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end == -1 else end
        if len(span := trim(text, start, end)):
            yield span
        start = end + 1


def _read(text: str) -> _Found:
    """Records of every value of the file; several values one after another are allowed.

    Raises `ValueError` where the text is not JSON, `RecursionError` where it is nested too deeply.
    """
    found = _Found()
    at = _skip(text, 0)
    while at < len(text):
        before = len(found.blocks)
        if text[at] == "[" or (text[at] == "{" and len(text) - at > LONG):
            end = _add_records(text, at, found)
        else:
            end = _decode(text, at)[1]
            for item in _items(text, at) if text[at] == "{" else ():
                _note_name(text, item, found)
        if len(found.blocks) == before:
            found.blocks.append(Block("record", Span(at, end)))
        at = _skip(text, end)
    found.blocks = _closed(text, found.blocks)
    return found


def _note_name(text: str, item: _Item, found: _Found) -> None:
    if item.key in ("title", "name") and text[item.value.start] == '"':
        found.names.setdefault(item.key, _decode(text, item.value.start)[0])


def _add_records(text: str, start: int, found: _Found) -> int:
    """The end of the list or object at `start`, after adding its records and sections."""
    stack = [(_items(text, start), -1, 0)]
    end = start
    while stack:
        items, section, depth = stack[-1]
        try:
            item = next(items)
        except StopIteration as done:
            end = done.value
            stack.pop()
            continue
        if depth == 0:
            _note_name(text, item, found)
        if _is_cut(text, item.value, depth + 1):
            stack.append((_items(text, item.value.start), _section(text, item, section, found), depth + 1))
        else:
            found.blocks.append(Block("record", item.span, section))
    return end


def _is_cut(text: str, value: Span, depth: int) -> bool:
    """Whether a value is a long list or object, not too deep, and not empty."""
    if len(value) <= LONG or depth >= MAX_DEPTH or text[value.start] not in "[{":
        return False
    return text[_skip(text, value.start + 1)] not in "]}"


def _section(text: str, item: _Item, parent: int, found: _Found) -> int:
    """The section of a cut value: a new one named by its key, or the parent's in a list."""
    if item.key_span is None:
        return parent
    level = found.sections[parent].level + 1 if parent >= 0 else 1
    title = _line(item.key) or text[item.key_span.start : item.key_span.end]
    found.sections.append(Section(title, level, item.span, item.key_span, parent))
    return len(found.sections) - 1


def _items(text: str, start: int) -> Generator[_Item, None, int]:
    """The elements or keys of the list or object at `start`; returns where it ends."""
    closer = "]" if text[start] == "[" else "}"
    at = _skip(text, start + 1)
    if text[at : at + 1] == closer:
        return at + 1
    while True:
        item = _item(text, at) if closer == "]" else _pair(text, at)
        yield item
        at = _skip(text, item.span.end)
        if text[at : at + 1] == closer:
            return at + 1
        at = _after(text, at, ",")


def _item(text: str, at: int) -> _Item:
    span = Span(at, _decode(text, at)[1])
    return _Item(span, span)


def _pair(text: str, at: int) -> _Item:
    key, key_end = _decode(text, at)
    if not isinstance(key, str) or text[at] != '"':
        raise ValueError(f"expected a key at {at}")
    value = _after(text, _skip(text, key_end), ":")
    end = _decode(text, value)[1]
    return _Item(Span(at, end), Span(value, end), key, Span(at, key_end))


def _after(text: str, at: int, sign: str) -> int:
    """The start of what follows `sign`, which must stand at `at`."""
    if text[at : at + 1] != sign:
        raise ValueError(f"expected {sign!r} at {at}")
    return _skip(text, at + 1)


def _skip(text: str, at: int, signs: str = _SPACE) -> int:
    while at < len(text) and text[at] in signs:
        at += 1
    return at


def _closing_end(text: str, at: int) -> int:
    """Where the commas and closing brackets after a record, and the spaces behind them, end."""
    signs = text[at : _skip(text, at, _CLOSING)].rstrip(_SPACE)
    return _skip(text, at + len(signs), " \t")


def _closed(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the signs between them: what closes stays with the record before, what opens (with
    its key) goes to the record after."""
    edges = [0, *(_closing_end(text, block.span.end) for block in blocks[:-1]), len(text)]
    return [
        Block(block.kind, trim(text, start, end), block.section)
        for block, start, end in zip(blocks, edges, edges[1:], strict=False)
    ]
