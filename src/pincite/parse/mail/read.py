"""Bytes of an RFC 5322 message to a `Mail`: its parts told apart into bodies, attachments and the rest.

The standard library splits the parts (with its old policy: the newer one raises on many real headers, and
takes quadratic time on hostile ones); headers, encodings and transfer encodings are read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.feedparser import BytesFeedParser
from email.message import Message
from email.policy import Compat32
from functools import lru_cache

from pincite.errors import InputError
from pincite.parse.mail.headers import read_headers
from pincite.parse.mail.names import attachment_name, unique_names
from pincite.parse.mail.payload import (
    MESSAGES,
    disposition,
    message_bytes,
    part_bytes,
    part_text,
    stated_name,
)
from pincite.parse.mail.record import Attachment, Body, Mail
from pincite.protocols import Source

_MAX_DEPTH = 30  # multiparts inside each other
_MAX_LEVELS = 2 * _MAX_DEPTH  # and messages: what is below them is read again as a file of its own, or named
_MAX_PARTS = 2_000
_MAX_WORK = 20_000_000  # lines times boundaries: each line is compared with every open boundary
_BOUNDARY = re.compile(rb"boundary\s{0,9}=", re.I)
_HEADER = re.compile(rb"(?:>?From |[!-9;-~]{1,100}[ \t]{0,9}:)")
_SPACED = re.compile(rb"([!-9;-~]{1,100})[ \t]{1,9}:")
_KNOWN = re.compile(
    rb"(?:from|to|cc|date|subject|message-id|mime-version|content-[a-z]{3,30}|received)[ \t]{0,9}:", re.I
)
_BLANK_LINE = re.compile(rb"\r?\n[ \t]*\r?\n")
_MAX_HEAD = 1_000_000  # bytes of headers that are looked at to mend them
# The standard library takes quadratic time for the parameters of these.
_LONG_HEADER = re.compile(rb"^content-(?:type|disposition)[ \t]*:(?:[^\r\n]|\r?\n[ \t]){20000}", re.I | re.M)
_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_HTML = ("text/html", "text/x-amp-html", "text/watch-html")  # the other two are lesser forms of a page
_STUB = 4  # times more words in the HTML: then the plain text is a stub of it


class _Raw(Compat32):
    """The old policy, but with header lines as they were read: it would put U+FFFD for their 8-bit bytes."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value


class _Bounded(BytesFeedParser):
    """The standard library's parser, which calls itself for parts in parts; the deepest it leaves as text."""

    _headersonly: bool
    _level = 0

    def _parsegen(self) -> Iterator[object]:
        self._level += 1
        before, self._headersonly = self._headersonly, self._level > _MAX_LEVELS
        yield from super()._parsegen()  # type: ignore[misc]
        self._level, self._headersonly = self._level - 1, before


@dataclass(slots=True)
class _Found:
    bodies: list[Body] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def add(self, other: _Found) -> None:
        self.bodies += other.bodies
        self.attachments += other.attachments
        self.dropped += other.dropped


@lru_cache(maxsize=1)  # its text and what is attached to it are asked for one after the other
def read_mail(data: bytes, uri: str) -> Mail:
    """The mail in `data`. Raises `InputError` for what is no mail, or one made to take for ever.

    The last one is kept.
    """
    message = read_message(data, uri)
    found = _collect(message, iter(range(1, _MAX_PARTS + 1)), _MAX_DEPTH)
    attachments = tuple(unique_names(found.attachments))
    headers = read_headers(message.raw_items())
    return Mail(headers, tuple(found.bodies), attachments, tuple(dict.fromkeys(found.dropped)))


def read_message(data: bytes, uri: str) -> Message:
    """The parts of a message as the standard library tells them apart. Raises `InputError` as `read_mail`."""
    data = _mended(data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"))
    if data and not _HEADER.match(data):
        raise InputError(f"{uri}: not an e-mail: it does not start with a header line", uri=uri)
    if data.count(b"\n") * (1 + len(_BOUNDARY.findall(data))) > _MAX_WORK:
        raise InputError(f"{uri}: too many lines and parts for one e-mail (the limit is 20 M steps)", uri=uri)
    if _LONG_HEADER.search(data):
        raise InputError(f"{uri}: a header has more than 20,000 characters (the limit)", uri=uri)
    try:
        parser = _Bounded(policy=_Raw())
        parser.feed(data)
        return parser.close()
    except (RecursionError, LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        raise InputError(f"{uri}: the e-mail is damaged ({type(error).__name__})", uri=uri) from error


def _mended(data: bytes) -> bytes:
    """The message with its header lines put right: no space before a colon, and no line that is none.

    A line that is no header would end the headers; where known ones follow, it joins the one before.
    """
    end = _BLANK_LINE.search(data)
    head = data[: end.start()] if end else data
    if len(head) > _MAX_HEAD:
        return data
    lines = head.split(b"\n")
    last_known = max((i for i, line in enumerate(lines) if _KNOWN.match(line)), default=0)
    for i, line in enumerate(lines):
        if name := _SPACED.match(line):
            lines[i] = name[1] + line[name.end() - 1 :]
        elif 0 < i < last_known and line.strip() and line[:1] not in b" \t" and not _HEADER.match(line):
            lines[i] = b" " + line
    return b"\n".join(lines) + data[len(head) :]


def _collect(part: Message, numbers: Iterator[int], depth: int) -> _Found:
    """What a part and those in it hold; `numbers` are given to the parts that have no parts of their own."""
    kind = part.get_content_type()
    children = part.get_payload() if part.is_multipart() else None
    if isinstance(children, list) and part.get_content_maintype() == "multipart":
        if kind == "multipart/encrypted":
            return _Found(dropped=["an encrypted (PGP) message"])
        if not depth:
            return _Found(dropped=[f"parts more than {_MAX_DEPTH} deep"])
        groups = [_collect(child, numbers, depth - 1) for child in children if isinstance(child, Message)]
        found = _chosen(groups) if kind == "multipart/alternative" else _all(groups)
        if isinstance(part.epilogue, str) and part.epilogue.strip():
            found.dropped.append("text behind the last part")
        return found
    number = next(numbers, 0)
    if kind.startswith("multipart/"):  # without the border it promises: one part
        kind = "text/plain"
    return _leaf(part, kind, number) if number else _Found(dropped=[f"parts after the {_MAX_PARTS:,}th"])


def _all(groups: list[_Found]) -> _Found:
    found = _Found()
    for group in groups:
        found.add(group)
    return found


def _chosen(groups: list[_Found]) -> _Found:
    """Of several forms of one text: the first plain one, unless it is empty or a stub of the HTML.

    The HTML is the last form that holds some: the richest. Files are taken from all forms.
    """
    found = _all(groups)
    forms = [group.bodies for group in groups if group.bodies]
    plain = next((bodies for bodies in forms if not any(body.html for body in bodies)), None)
    html = next((bodies for bodies in reversed(forms) if any(body.html for body in bodies)), None)
    if plain and html:
        words = sum(len(body.text.split()) for body in plain)
        found.bodies = html if words * _STUB < sum(map(_words, html)) else plain
    else:
        found.bodies = plain or html or []
    return found


def _words(body: Body) -> int:
    """The number of words of a body as it is read."""
    from pincite.parse.html import parse_html

    if not body.html:
        return len(body.text.split())
    return len(parse_html(Source("", body.text.encode("utf-8", "replace"), "")).text.split())


def _leaf(part: Message, kind: str, number: int) -> _Found:
    name, shown = stated_name(part), disposition(part)
    if kind in _SIGNATURES:
        return _Found()
    if what := _unread(kind, name):
        return _Found(dropped=[f"part {number}: {what}"])
    if _is_body(kind, name, shown, number):
        return _Found(bodies=[Body(part_text(part, kind), number, html=kind in _HTML)])
    given = attachment_name(name, kind, number, _subject(part) if kind in MESSAGES else "")
    data = message_bytes(part) if kind in MESSAGES else part_bytes(part)
    if data is None:
        return _Found(dropped=[f"part {number}: {given}, a message that is damaged"])
    shown_within = shown == "inline" or (bool(part.get("Content-ID")) and shown != "attachment")
    return _Found(attachments=[Attachment(given, data, number, shown_within and kind.startswith("image/"))])


def _is_body(kind: str, name: str, shown: str, number: int) -> bool:
    """Whether a part is text of the mail itself; text with a name is a file, but for the first part."""
    if shown == "attachment" or kind in MESSAGES or kind == "text/calendar":
        return False
    return kind.startswith(("text/", "message/")) and (not name or number == 1)


def _unread(kind: str, name: str) -> str:
    """What a part is that nothing reads; "" for others."""
    if kind == "application/ms-tnef" or name.lower() == "winmail.dat":
        return f"{name or 'winmail.dat'} (TNEF), files in a form of Outlook's own"
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        return "an encrypted or sealed (S/MIME) message"
    if kind == "application/applefile":
        return "the resource fork of a Macintosh file"
    if kind in ("message/partial", "message/external-body"):
        return f"a part that stands elsewhere ({kind})"
    return ""


def _subject(part: Message) -> str:
    """The subject of an attached message."""
    children = part.get_payload() if part.is_multipart() else None
    inner = children[0] if isinstance(children, list) and children else None
    return read_headers(inner.raw_items()).subject if isinstance(inner, Message) else ""
