"""The filterable fields of a document: from its path, its file, its own front matter, rules and flags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from pincite.config import MetaRule
from pincite.filter.kinds import kinds_in, kinds_of, type_of
from pincite.folder.globs import globs
from pincite.types import Document, Meta, MetaValue

_EPOCH = datetime(1970, 1, 1)
_LEGAL_NAME = re.compile(r"[\w][\w .\-]{0,99}\Z")
_FACTS = frozenset({"path", "name", "folder", "type"})
ALWAYS = _FACTS | {"language", "modified"}
"""The fields that documents have whatever they say of themselves."""
_MOST_VALUES = 1000  # of one field


def document_meta(
    document: Document, mtime_ns: int, rules: Iterable[MetaRule], given: Meta
) -> dict[str, MetaValue]:
    """All fields of a document, by name; later sources win: path and file, front matter, rules, flags.

    What a document says of itself never replaces where and what it is: its own `path`, `name`, `folder`
    and `type` are kept as `own.path` and so on. Otherwise a file could slip through a filter on folders.
    Of a list the first thousand values are kept.
    """
    path = PurePosixPath(document.uri)
    meta: dict[str, MetaValue] = {
        "path": document.uri,
        "name": path.name,
        "folder": tuple(str(parent) for parent in reversed(path.parents) if str(parent) != "."),
        "type": document.type,
        "language": document.language,
        "modified": (_EPOCH + timedelta(microseconds=mtime_ns // 1000)).date(),
    }
    meta.update({f"own.{name}" if name in _FACTS else name: v for name, v in document.meta.items()})
    for rule in rules:
        if (paths := globs("sync.meta.paths", rule.paths)) and paths.match_file(document.uri):
            meta.update(rule.set)
    meta.update(given)
    return {name: _bounded(value) for name, value in sorted(meta.items()) if value not in ("", ())}


def filterable(meta: Meta) -> dict[str, MetaValue]:
    """The fields a filter can name."""
    return {name: value for name, value in meta.items() if _LEGAL_NAME.match(name)}


def _bounded(value: MetaValue) -> MetaValue:
    return value[:_MOST_VALUES] if isinstance(value, tuple) else value


def widen(fields: Mapping[str, str], meta: Meta) -> dict[str, str]:
    """`fields` (name → type) with those of `meta`; one seen with several types has all of them."""
    wider = dict(fields)
    for name, value in meta.items():
        if kinds := kinds_of(value):
            wider[name] = type_of(kinds.union(kinds_in(wider.get(name, ""))))
    return wider
