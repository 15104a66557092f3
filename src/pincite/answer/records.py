"""JSON and YAML read line by line: which lines are one record, and how it is written with its path.

A record is an element of a list that holds keys with plain values only: it is quoted whole. Every other
key is quoted alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from pincite.characters import whole_characters
from pincite.types import Span

TYPES = ("json", "yaml")
LONGEST_RECORD = 20
"""The most lines that are one record."""

LONGEST_READ = 10_000
"""Characters up to which a JSON line is read; a longer one is claimed as it stands."""

_JSON_PAIR = re.compile(r'\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s{\[].*')
_YAML_PAIR = re.compile(r"\s*(?:-\s+)?[^\s:#\-\[{][^:#]*:\s+[^\s|>&].*")
_KEY = re.compile(r'\s*"([^"]*)"\s*:\s*(.*?),?\s*$')
_NAMED = re.compile(r"\s*(?:-\s+)*([^\s#][^#]*?)\s*:?\s*$")


def joined(text: str, lines: Sequence[Span], type: str) -> Iterator[Span]:
    """The lines of a JSON or YAML text, those of one record in one span."""
    at = 0
    while at < len(lines):
        last = _record_end(text, lines, at, type)
        yield Span(lines[at].start, lines[last].end)
        at = last + 1


def with_path(text: str, under: str, type: str) -> str:
    """`logging › interval: 300`, `steps › name: mash; minutes: 60`: values behind the keys around them."""
    line = _json_line if type == "json" else _yaml_line
    keys = (_KEY if type == "json" else _NAMED).match
    path = [found[1] for above in under.splitlines() if (found := keys(above))]
    values = "; ".join(line(one) for one in text.splitlines() if one.strip())
    return " › ".join([*path, values])


def _record_end(text: str, lines: Sequence[Span], at: int, type: str) -> int:
    """The number of the last line of the record that begins at line `at`; `at` if none does."""
    first = text[lines[at].start : lines[at].end]
    pair = _JSON_PAIR if type == "json" else _YAML_PAIR
    opened = at > 0 and text[lines[at - 1].start : lines[at - 1].end]
    starts = (
        opened and opened[:1].isspace() and opened.strip() == "{" if type == "json" else _dash(first) >= 0
    )
    if not starts or not pair.fullmatch(first):
        return at
    depth = _indent(first) - 1 if type == "json" else _dash(first)
    last = at
    for number in range(at + 1, len(lines)):
        line = text[lines[number].start : lines[number].end]
        if _indent(line) <= depth:
            break
        if not pair.fullmatch(line) or _dash(line) >= 0 or number - at >= LONGEST_RECORD:
            return at
        last = number
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _dash(line: str) -> int:
    """Where the dash of a list's element stands; −1 in any other line."""
    return _indent(line) if line.lstrip().startswith("- ") else -1


def as_pairs(line: str) -> str:
    """A JSON object on one line as `key: value; key: value`; any other line as it is."""
    value = _loaded(line.strip().rstrip(","))
    if not isinstance(value, dict):
        return line.strip()
    return whole_characters("; ".join(f"{key}: {_written(one)}" for key, one in value.items()))


def _json_line(line: str) -> str:
    """`key: value`, text without its quotation marks; any other line as it stands."""
    found = _KEY.match(line)
    if not found:
        return as_pairs(line).rstrip(",")
    value = _loaded(found[2])
    return f"{found[1]}: {value if isinstance(value, str) else found[2]}"


def _loaded(text: str) -> object:
    """What a JSON text says; None if it is none, or long."""
    try:
        return json.loads(text) if len(text) <= LONGEST_READ else None
    except (ValueError, RecursionError):
        return None


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _yaml_line(line: str) -> str:
    return re.sub(r"^(?:-\s+)+", "", line.strip())
