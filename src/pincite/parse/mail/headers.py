"""Header lines of mails to text: encoded words (RFC 2047), addresses, dates. Nothing here raises."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable
from datetime import date
from email.utils import getaddresses, parsedate_tz

from pincite.errors import InputError
from pincite.parse.decode import codec_named, decode
from pincite.parse.mail.record import Address, Headers
from pincite.parse.writer import plain_text

MAX_HEADER = 100_000  # characters of one header that are looked at
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_NEVER = frozenset(("unicode_escape", "raw_unicode_escape", "idna", "punycode"))  # of Python's own, or slow


def decode_text(data: bytes, charset: str) -> str:
    """The text of a part: by its stated encoding if that fits, else by the one it looks like.

    What no encoding fits is read with U+FFFD for each byte that is wrong.
    """
    name = "" if charset.strip(" \t\"'").lower() in ("ascii", "us-ascii") else codec_named(charset)
    if not name and b"\x1b$" in data:
        name = "iso2022_jp_ext"
    if name and name not in _NEVER:
        try:
            return data.decode(name)
        except (LookupError, ValueError):  # a wrong name; one that is no text encoding
            pass
    try:
        return decode(data, uri="").text
    except InputError:
        return data.decode("utf-8", "replace")


def decode_words(raw: str) -> str:
    """A header's text on one line: encoded words decoded, raw bytes (surrogates) by what they look like."""
    raw, out, at = raw[:MAX_HEADER], [], 0
    words: list[tuple[str, bytes]] = []  # side by side, so that white space between them is none
    for found in _WORD.finditer(raw):
        between = raw[at : found.start()]
        if between.strip() or not words:
            out += [_joined(words), _raw_text(between)]
            words = []
        words.append((found[1].partition("*")[0].lower(), _word_bytes(found[2], found[3])))
        at = found.end()
    out += [_joined(words), _raw_text(raw[at:])]
    return " ".join(plain_text("".join(out)).split())


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("ascii", "surrogateescape") if text.isascii() else text.encode("utf-8", "replace")
    return from_base64(data) if encoding in "bB" else binascii.a2b_qp(data, header=True)


def from_base64(data: bytes) -> bytes:
    """The bytes of base64 text; what is no base64 in it is passed over, and an unfinished end dropped."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _joined(words: list[tuple[str, bytes]]) -> str:
    """The text of neighbouring encoded words; a character may be split over two of one encoding."""
    out: list[str] = []
    while words:
        charset = words[0][0]
        same = next((i for i, (name, _) in enumerate(words) if name != charset), len(words))
        out.append(decode_text(b"".join(data for _, data in words[:same]), charset))
        words = words[same:]
    return "".join(out)


def _raw_text(raw: str) -> str:
    if raw.isascii():
        return raw
    try:
        return decode_text(raw.encode("ascii", "surrogateescape"), "")
    except UnicodeEncodeError:  # decoded already
        return raw


def read_headers(items: Iterable[tuple[str, str]]) -> Headers:
    """The headers of a mail from its raw lines; of several of one name the first counts."""
    first: dict[str, str] = {}
    for name, value in items:
        first.setdefault(name.lower(), value)
    when = decode_words(first.get("date", ""))
    return Headers(
        decode_words(first.get("subject", "")),
        addresses(first.get("from", "") or first.get("sender", "")),
        addresses(first.get("to", "")),
        addresses(first.get("cc", "")),
        when,
        sent_on(when),
        decode_words(first.get("message-id", "")).strip("<> "),
    )


def addresses(raw: str) -> tuple[Address, ...]:
    """The addresses of a header with their names; what cannot be told apart is one name."""
    raw = " ".join(raw[:MAX_HEADER].split())
    try:
        found = [(decode_words(name), decode_words(address)) for name, address in getaddresses([raw])]
    except Exception:  # the standard library's reader trips over hostile headers in several ways
        found = []
    kept = tuple(dict.fromkeys(one for one in found if any(one)))
    if kept or not raw:
        return kept
    text = decode_words(raw)
    return ((text, ""),) if text else ()


def sent_on(text: str) -> date | None:
    """The day a mail was sent, where it was sent; None if the line names none."""
    try:
        parts = parsedate_tz(text[:200])
        return date(*parts[:3]) if parts else None
    except Exception:  # as above
        return None
