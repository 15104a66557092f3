"""What languages know: a file of words for each (`de.toml`), what its keys ask for in `keys.tsv`.

A language is added by one file more. Words are in lower case and parted by commas. Patterns of them are made
here, so that borders and precedence are decided once: compile them once, where they are first needed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pincite.scripts import PAIRED
from pincite.tables import rows_of

FOLDER = Path(__file__).parent
_BORDERLESS = re.compile(f"[{PAIRED}]")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language by key (`mail.wrote`), and how it is written.

    `order`: the language of the least has a word that several have. `spaced`: blanks stand between words.
    `glued_numbers`: a number of several words is written as one; `ones_first`: 36 is read as six and thirty.
    """

    code: str
    order: int
    spaced: bool
    glued_numbers: bool
    ones_first: bool
    words: Mapping[str, Words]
    tables: Mapping[str, Mapping[str, Words]]


@cache
def keys() -> Mapping[str, str]:
    """Each key with its kind: "words" or "table"."""
    return {row[0]: row[1] for row in rows_of("lexicon/keys.tsv")}


@cache
def languages() -> Mapping[str, Language]:
    """The languages by code, in their order."""
    every = [read(path) for path in FOLDER.glob("*.toml")]
    return {one.code: one for one in sorted(every, key=lambda one: (one.order, one.code))}


def read(path: Path) -> Language:
    """The language of a file. KeyError names a key that it lacks."""
    data = tomllib.loads(path.read_text("utf-8"))
    words: dict[str, Words] = {}
    tables: dict[str, Mapping[str, Words]] = {}
    for key, kind in keys().items():
        room, name = key.split(".")
        held = data[room][name]
        if kind == "words":
            words[key] = _parted(held)
        else:
            tables[key] = {value: _parted(text) for value, text in held.items()}
    return Language(
        code=path.stem,
        order=data["order"],
        spaced=data["spaces"],
        glued_numbers=data["glued_numbers"],
        ones_first=data["ones_first"],
        words=words,
        tables=tables,
    )


def _parted(text: str) -> Words:
    return tuple(" ".join(word.split()) for word in text.split(",")) if text.strip() else ()


def words(key: str, *, only: str = "", but: str = "") -> Words:
    """The words of a key in the languages, or in one of them alone, or in all but one, each word once."""
    chosen = [one for code, one in languages().items() if only in ("", code) and code != but]
    return tuple(dict.fromkeys(word for one in chosen for word in one.words[key]))


def table(key: str, code: str) -> Mapping[str, Words]:
    """A table of a language: words by what they mean."""
    return languages()[code].tables[key]


def any_of(*keys: str, only: str = "", but: str = "") -> str:
    """A pattern of the words of keys wherever they stand, the longest first."""
    return _alternation([re.escape(word) for word in _longest_first(keys, only, but)])


def whole(*keys: str, only: str = "", but: str = "") -> str:
    """The same for whole words: where blanks part words, none begins or ends inside another."""
    return whole_words(_longest_first(keys, only, but))


def whole_words(every: Sequence[str]) -> str:
    """A pattern of words as whole ones, the first that fits."""
    apart = [word for word in every if _has_border(word[0]) and _has_border(word[-1])]
    others = [word for word in every if word not in apart]
    one = rf"\b{_alternation([re.escape(word) for word in apart])}\b"
    return _alternation([*(_bordered(word) for word in others), one])


def _longest_first(keys: Words, only: str, but: str) -> list[str]:
    every = {word for key in keys for word in words(key, only=only, but=but)}
    return sorted(every, key=lambda word: (-len(word), word))


def _alternation(patterns: list[str]) -> str:
    return f"(?:{'|'.join(patterns)})" if patterns else "(?!)"


def _bordered(word: str) -> str:
    opens, closes = (r"\b" if _has_border(char) else "" for char in (word[0], word[-1]))
    return f"{opens}{re.escape(word)}{closes}"


def _has_border(char: str) -> bool:
    return char.isalnum() and not _BORDERLESS.match(char)
