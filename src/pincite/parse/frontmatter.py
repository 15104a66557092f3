"""Front matter: the YAML (`---`) or TOML (`+++`) mapping a file may open with, as metadata.

It counts as front matter only if its first line is the file's first, it is closed, and it holds a
mapping. Values become metadata: text, numbers, booleans, dates; lists of these become tuples; mappings
are flattened with dots (`author.name`); what is left is kept as JSON text. A date with a time becomes its
date, so that dates compare; one that no calendar has is text; empty values are left out.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Literal

from pincite.characters import whole_characters
from pincite.types import Meta, MetaValue, Scalar, Span

_FENCES = {"---": re.compile(r"(?:---|\.\.\.)[ \t]*\r?"), "+++": re.compile(r"\+\+\+[ \t]*\r?")}
_KEY_LINE = re.compile(r"""["']?[\w.-][\w. -]{0,80}["']?[ \t]*[:=](?:\s|$)""")
_TAG = "tag:yaml.org,2002:"
# As YAML 1.2 has them: `NO` (Norway) and `10:30` are texts. A date with hours and minutes needs no seconds.
_RESOLVED = {
    f"{_TAG}bool": ("true|True|TRUE|false|False|FALSE", "tTfF"),
    f"{_TAG}int": (r"[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)", "-+0123456789"),
    f"{_TAG}float": (
        r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)"
        r"|\.(?:nan|NaN|NAN)",
        "-+0123456789.",
    ),
    f"{_TAG}timestamp": (
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:(?:[Tt]|[ \t]+)(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9]"
        r"(?:\.[0-9]*)?)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?",
        "0123456789",
    ),
}
MAX_CHARS = 65_536
_MAX_VALUES = 2_000
_MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Where front matter stands, fences included, and its values.

    `state` is "broken" for a block that is meant as front matter but cannot be read; it stays text.
    """

    span: Span
    state: Literal["read", "broken"]
    meta: Meta


def read_front_matter(text: str) -> FrontMatter | None:
    """The front matter at the start of `text`, or None if the file does not open with one."""
    fence = text[:3]
    first_end = text.find("\n")
    if fence not in _FENCES or first_end == -1 or text[3:first_end].strip():
        return None
    close = _closing_line(text, first_end + 1, _FENCES[fence])
    if close is None:
        return None
    body = text[first_end + 1 : close.start]
    span = Span(0, close.end)
    try:
        values = _load(body, fence)
        meta = dict(_flatten(values)) if isinstance(values, dict) else None
    except (Exception, RecursionError):  # any fault of an untrusted header: it then stays text
        return FrontMatter(span, "broken", {}) if _looks_meant(body) else None
    return None if meta is None else FrontMatter(span, "read", meta)


def _closing_line(text: str, start: int, closing: re.Pattern[str]) -> Span | None:
    """The closing fence's line, its line end not included, within `MAX_CHARS`."""
    while start < min(len(text), MAX_CHARS):
        end = text.find("\n", start)
        end = len(text) if end == -1 else end
        if closing.fullmatch(text, start, end):
            return Span(start, end)
        start = end + 1
    return None


def _load(body: str, fence: str) -> object:
    if fence == "+++":
        import tomllib

        return tomllib.loads(body.replace("\r\n", "\n"))
    loader = _loader()(body)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


@cache
def _loader() -> Any:
    """YAML's safe loader with the words, numbers and dates of `_RESOLVED`."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, form) for tag, form in resolvers if tag not in _RESOLVED]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    for tag, (pattern, first) in _RESOLVED.items():
        Loader.add_implicit_resolver(tag, re.compile(rf"(?:{pattern})\Z"), list(first))
    Loader.add_constructor(f"{_TAG}timestamp", lambda _, node: _day_or_text(str(node.value)))
    return Loader


def _day_or_text(written: str) -> date | str:
    """The day of a date, with a time or without; what no calendar has stays text."""
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return written


def _looks_meant(body: str) -> bool:
    """Whether text that cannot be read was meant as front matter: `key: value` first, no blank line."""
    lines = body.rstrip().split("\n")
    return bool(_KEY_LINE.match(lines[0])) and all(line.strip() for line in lines)


def _flatten(values: dict[object, object]) -> Iterator[tuple[str, MetaValue]]:
    """Metadata in the order of the file. Raises `ValueError` past the limits on values and depth."""
    _refuse_large(values)
    yield from _items(values, "")


def _refuse_large(values: object) -> None:
    """Counts what the values hold when written out: aliases can make a small file endless."""
    waiting, seen = [(values, 0)], 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if seen > _MAX_VALUES or depth > _MAX_DEPTH:
            raise ValueError(f"more than {_MAX_VALUES} values or {_MAX_DEPTH} levels")
        if isinstance(value, dict):
            waiting.extend((part, depth + 1) for part in value.values())
        elif isinstance(value, list | tuple | set):
            waiting.extend((part, depth + 1) for part in value)


def _items(values: dict[object, object], prefix: str) -> Iterator[tuple[str, MetaValue]]:
    for key, value in values.items():
        name = whole_characters(f"{prefix}{key}").strip()
        if isinstance(value, dict):
            yield from _items(value, f"{name}.")
        elif isinstance(value, list | set):
            yield from _list(name, value)
        elif value is not None:
            yield name, _scalar(value)


def _list(name: str, values: list[object] | set[object]) -> Iterator[tuple[str, MetaValue]]:
    parts = [part for part in values if part is not None]
    if isinstance(values, set):
        parts.sort(key=str)
    if any(isinstance(part, dict | list | set | tuple) for part in parts):
        yield name, whole_characters(json.dumps(parts, ensure_ascii=False, default=str))
    elif parts:
        yield name, tuple(_scalar(part) for part in parts)


def _scalar(value: object) -> Scalar:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, bool | date):
        return value
    if isinstance(value, int | float) and abs(value) <= sys.float_info.max:
        return value
    return whole_characters(str(value))
