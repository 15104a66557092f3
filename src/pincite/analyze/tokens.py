"""Text to tokens: words as written, joined ones in one piece, and runs of characters indexed in pairs."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache

from pincite.scripts import PAIRED

_LETTER = rf"[^\W_{PAIRED}]"
# Vowel signs of the scripts of India and its neighbours belong to words, though `\w` leaves them out.
_SIGNS = (
    "[\u0900-\u0963\u0971-\u0df3\u0f18-\u0fbc\u1712-\u1734\u1920-\u193b\u1a17-\u1cff"
    "\ua802-\ua8c5\uaa29-\uaa5f\uaa80-\uaaef]"
)


def _pattern(word: str, letter: str) -> str:
    """A pattern of one token; every repetition is possessive, so no input makes it backtrack."""
    return (
        rf"\.(?:NET|Net|net)(?!{letter})"
        rf"|[A-Za-z](?:\+\+[0-9]{{0,2}}|\#)(?![\#+]|{letter})"
        rf"|[0-9]{{1,3}}(?:,[0-9]{{3}})++(?:\.[0-9]++)?(?!,[0-9]|{letter})"
        rf"|{word}(?:(?:(?:\\?[-_])++|\._*+|'){word})*+(?:\+\+(?![\#+]|{letter}))?"
    )


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern; by `regex` where this Python's `re` loses its place in a group repeated possessively.

    Before Python 3.11.5 a failed repetition of such a group could keep what it had read: `edition.` was
    one token.
    """
    if sys.version_info >= (3, 11, 5):
        return re.compile(pattern)
    import regex

    other: re.Pattern[str] = regex.compile(pattern)
    return other


_ASCII_TOKEN = compiled(_pattern("[A-Za-z0-9]++", "[A-Za-z0-9]"))
IS_PAIRED = re.compile(f"[{PAIRED}]").match
_RAISED = re.compile("[⁰¹²³⁴-⁹¼½¾⅐-⅞]+")
_INVISIBLE = re.compile("[\u00ad\u034f\u0640\u061c\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8]+")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58]")
_BLANKS = re.compile("[™®©℠\u200c]")


def tokens_of(text: str) -> list[str]:
    """Words as written, joined ones in one piece, and runs of characters that are indexed in pairs."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    text = _INVISIBLE.sub("", _BLANKS.sub(" ", text))
    text = unicodedata.normalize("NFKC", _RAISED.sub(_set_apart, text))
    text = _DASHES.sub("-", text.replace("’", "'").replace("ʼ", "'"))
    return _token().findall(MARKS.sub("", text))


@cache
def _token() -> re.Pattern[str]:
    """One token of a text that is not ASCII; compiled with the first one, since that takes long."""
    return compiled(f"[{PAIRED}]++|" + _pattern(f"{_LETTER}++(?:{_SIGNS}++{_LETTER}*+)*+", _LETTER))


def _set_apart(raised: re.Match[str]) -> str:
    """A footnote number or fraction, apart from the word or number it hangs on; `m²` stays together."""
    before = raised.string[max(0, raised.start() - 3) : raised.start()]
    apart = before[-1:].isdigit() or (len(before) == 3 and before.isalpha())
    return f" {raised[0]}" if apart else raised[0]
