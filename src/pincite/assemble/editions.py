"""Which passages are of an earlier edition: two documents of one work that carry an order.

Two documents are editions of one work when their names below the folder are the same but for versions,
years and words such as "old" or "archive", or when their titles of two words or more are. Their order is
that of a `status` ("superseded"), then of their versions, then of their dates; without one that both
have, neither is earlier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from pincite.types import Meta, Stored

DATES = ("date", "updated", "last_updated", "effective", "effective_date", "valid_from", "published")
"""The fields of a document that may hold its date, the first that is there."""
_OUT_OF_DATE = frozenset(
    {"superseded", "obsolete", "archived", "deprecated", "withdrawn", "replaced", "outdated"}
)

_VERSION = re.compile(
    r"(?<![a-z0-9])(?:v|ver|version|rev|revision|edition|ed|r)[ ._-]?(\d+(?:\.\d+)*)(?![a-z0-9])"
)
_ORDINAL = re.compile(r"(?<![a-z])(first|second|third|fourth|fifth|\d+(?:st|nd|rd|th))[ _-]edition(?![a-z])")
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d(?:[-_.]?[01]\d(?:[-_.]?[0-3]\d)?)?)(?!\d)")
_EVENT = re.compile(r"(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d")
_AGE = re.compile(
    r"(?<![a-z])(?:old|older|archived?|previous|superseded|former|obsolete|current|latest|new)(?![a-z])"
)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Edition:
    """What tells the editions of a work apart: what they share, and what puts them in order."""

    doc_id: str
    name: str
    title: str
    superseded: bool
    version: tuple[int, ...]
    dated: str

    @property
    def label(self) -> str:
        """`earlier edition, 2021-03-01`, with the version where there is no date."""
        which = self.dated or (f"version {'.'.join(map(str, self.version))}" if self.version else "")
        return f"earlier edition, {which}" if which else "earlier edition"


def edition_of(stored: Stored) -> Edition:
    """What a chunk's document says of itself in its fields, its title and its name."""
    uri, title = stored.uri.casefold(), stored.doc_title.casefold()
    path = str(PurePosixPath(uri).with_suffix(""))
    status = str(stored.meta.get("status", "")).strip().casefold()
    return Edition(
        doc_id=stored.chunk.doc_id,
        name="" if _EVENT.match(PurePosixPath(path).name) else _bare(path),
        title=_bare(title),
        superseded=status in _OUT_OF_DATE,
        version=_version(stored.meta, title, path),
        dated=_date(stored.meta, path),
    )


def later(edition: Edition, others: Sequence[Edition]) -> list[int]:
    """The numbers of `others` that are newer editions of the same work, in order."""
    return [n for n, other in enumerate(others) if _same_work(edition, other) and _older(edition, other)]


def _same_work(first: Edition, second: Edition) -> bool:
    if first.doc_id == second.doc_id:
        return False
    titled = first.title == second.title and len(first.title.split()) > 1
    return titled or (bool(first.name) and first.name == second.name)


def _older(first: Edition, second: Edition) -> bool:
    """Whether the first is known to be the older: by status, else by version, else by date."""
    if first.superseded != second.superseded:
        return first.superseded
    if first.version and second.version and first.version != second.version:
        return first.version < second.version
    length = min(len(first.dated), len(second.dated))  # 2021 is not before 2021-03
    return first.dated[:length] < second.dated[:length]


def _version(meta: Meta, title: str, path: str) -> tuple[int, ...]:
    """The version of a document's fields, else of its title, else of its name; empty without one."""
    told = re.search(r"\d+(?:\.\d+)*", str(meta.get("version", "")))
    found = _VERSION.search(title) or _VERSION.search(path)
    text = told[0] if told else found[1] if found else ""
    return tuple(int(part[:9]) for part in text.split(".") if part)


def _date(meta: Meta, path: str) -> str:
    """The date of a document's fields (ISO), else the year or date its name ends with; "" without one."""
    for name in DATES:
        value = meta.get(name)
        found = _DATE.search(value.isoformat() if isinstance(value, date) else str(value or ""))
        if found:
            return _iso(found[1])
    named = list(_DATE.finditer(path))
    return _iso(named[-1][1]) if named else ""


def _iso(text: str) -> str:
    digits = re.sub(r"\D", "", text)
    return "-".join(filter(None, (digits[:4], digits[4:6], digits[6:8])))


def _bare(name: str) -> str:
    """The words of a name without versions, dates and words for its age."""
    for pattern in (_ORDINAL, _VERSION, _DATE, _AGE):
        name = pattern.sub(" ", name)
    return " ".join(_WORD.findall(name))
