"""Bytes to text, with the encoding that was used; nothing is replaced and nothing is guessed silently.

Order: byte-order mark, NUL bytes (UTF-16 or binary), UTF-8, an encoding the file declares itself,
ISO-2022-JP, then the most plausible of `CANDIDATES`. What is noise in all of them is refused.
Line ends stay as they are.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from pincite.errors import InputError, SkippedError
from pincite.parse.plausible import CANDIDATES, rank_encodings

SAMPLE = 16_384  # bytes looked at to detect an encoding; the whole file is then decoded strictly
_MAX_CONTROL = 0.02  # share of control bytes above which a file without NUL counts as binary

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
_DECLARED = re.compile(rb"""(?:charset|coding|encoding)[ \t]{0,4}[:=][ \t]{0,4}["']?([-\w.]{2,20})""", re.I)
# What browsers read in place of what is stated: the wider encoding of a family.
_WIDER = {
    "ascii": "cp1252",
    "big5": "cp950",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso2022_jp": "iso2022_jp_ext",
    "iso8859_1": "cp1252",
    "iso8859_9": "cp1254",
    "iso8859_11": "cp874",
    "shift_jis": "cp932",
    "tis_620": "cp874",
}
_ALIASES = {
    "iso-8859-8-i": "iso-8859-8",
    "x-gbk": "gbk",
    "x-sjis": "shift_jis",
    "x-mac-cyrillic": "mac-cyrillic",
}
_DECLARED_ONLY = """
iso8859_3 iso8859_4 iso8859_7 iso8859_8 iso8859_10 iso8859_13 iso8859_14 iso8859_15 iso8859_16
big5hkscs cp437 cp874 cp950 cp1258 johab
"""
_DECLARABLE = frozenset(
    (*CANDIDATES, *_DECLARED_ONLY.split())
)  # none that runs something, or spells text out
_CONTROL = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1b\x1c\x1d\x1e\x1f") + b"\x7f"


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text without a byte-order mark, and the Python name of the encoding it was read with."""

    text: str
    encoding: str


def decode(data: bytes, *, uri: str) -> Decoded:
    """The text of `data`. Raises `SkippedError` for binary data, `InputError` if no encoding fits."""
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _strict(data, codec, name, uri)
    if b"\0" in data:
        return _utf16_without_mark(data, uri)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _other(data, error, uri)
    return _iso_2022(data) or Decoded(text, "utf-8")


def _strict(data: bytes, codec: str, name: str, uri: str) -> Decoded:
    try:
        return Decoded(data.decode(codec), name)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{uri}: starts with a {name} byte-order mark but is not valid {name} at byte {error.start}",
            uri=uri,
            hint="Save the file again as UTF-8.",
        ) from error


def _utf16_without_mark(data: bytes, uri: str) -> Decoded:
    """UTF-16 whose NUL bytes all stand on one side of the pairs and whose text has no controls."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    if len(data) % 2 == 0 and (even == 0) != (odd == 0):
        name = "utf-16-le" if even == 0 else "utf-16-be"
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            text = "\0"
        if all(ch.isprintable() or ch in "\t\n\r\f\v\u2028\u2029\u00a0\u3000" for ch in text[:SAMPLE]):
            return Decoded(text, name)
    raise SkippedError(f"{uri}: binary data (NUL bytes), not text", uri=uri)


def _iso_2022(data: bytes) -> Decoded | None:
    if b"\x1b$B" not in data and b"\x1b$@" not in data:
        return None
    try:
        return Decoded(data.decode("iso2022_jp"), "iso2022_jp")
    except UnicodeDecodeError:
        return None


def _other(data: bytes, error: UnicodeDecodeError, uri: str) -> Decoded:
    """Text in a legacy encoding: the declared one, else the most plausible that decodes every byte."""
    head = data[:SAMPLE]
    if len(head.translate(None, _CONTROL)) < len(head) * (1 - _MAX_CONTROL):
        raise SkippedError(f"{uri}: binary data, not text", uri=uri)
    _refuse_damaged_utf8(data, error, uri)
    for name in (*_declared(data), *rank_encodings(_sample(data, error.start))):
        try:
            return Decoded(data.decode(name), name)
        except UnicodeDecodeError:
            continue
    raise InputError(
        f"{uri}: no encoding fits: not UTF-8 (wrong at byte {error.start}), and noise in all others",
        uri=uri,
        hint="Save the file again as UTF-8.",
    )


def _refuse_damaged_utf8(data: bytes, error: UnicodeDecodeError, uri: str) -> None:
    """Raises when the text is UTF-8 but for a few bytes: any other encoding would garble the rest."""
    text = data.decode("utf-8", errors="surrogateescape")
    wrong = sum("\udc80" <= ch <= "\udcff" for ch in text)
    whole = sum(ch > "\x7f" for ch in text) - wrong
    if whole > 2 * wrong:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{uri}: UTF-8 text with {wrong} wrong byte(s), the first on line {line} (byte {error.start})",
            uri=uri,
            hint=f"Mend line {line} and save the file as UTF-8.",
        )


def _declared(data: bytes) -> tuple[str, ...]:
    """The encoding the file names in its first kilobyte (HTML, XML, Python), if it is one we read."""
    found = _DECLARED.search(data[:1024])
    name = codec_named(found.group(1).decode("ascii", "ignore")) if found else ""
    return (name,) if name in _DECLARABLE else ()


def codec_named(stated: str) -> str:
    """The codec for the name of an encoding, or of a wider one of its family; "" for a name nobody knows."""
    name = stated.strip(" \t\"'").lower()
    try:
        name = codecs.lookup(_ALIASES.get(name, name)).name.replace("-", "_")
    except (LookupError, ValueError):  # a name with a NUL in it
        return ""
    return _WIDER.get(name, name)


def _sample(data: bytes, first: int) -> bytes:
    """At most `SAMPLE` bytes of whole lines from the line of the first non-ASCII byte on."""
    start = max(data.rfind(b"\n", 0, first) + 1, first - SAMPLE // 2)
    end = start + SAMPLE
    if end >= len(data):
        return data[start:]
    line_end = data.rfind(b"\n", first + 1, end)
    return data[start : line_end if line_end != -1 else end]
