"""Web pages saved as one file (MHTML) to a `Document`: the page is read as an HTML file is.

The lines are those of the file; where they cannot be told (base64), the place is the part. The pictures
and style sheets saved along are passed over, pages in frames named.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message

from pincite.errors import InputError
from pincite.parse.decode import Decoded
from pincite.parse.html import page_document
from pincite.parse.mail.headers import decode_text, decode_words
from pincite.parse.mail.payload import parameter, part_bytes
from pincite.parse.mail.read import read_message
from pincite.protocols import Source
from pincite.types import Document, LineOrigins, Losses, MetaValue, Place

_PAGES = ("text/html", "application/xhtml+xml")
_MAX_NAMED = 50  # pages in frames
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_CONTINUED = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character


def parse_mhtml(source: Source, *, hidden_html: bool = False, main_content: bool = False) -> Document:
    """The document of a saved web page, with its address as `url`. Raises `InputError` if it holds none."""
    message = read_message(source.data, source.uri)
    is_empty = not source.data.strip()
    pages = [(n, part) for n, part in _parts(message) if is_empty or part.get_content_type() in _PAGES]
    if not pages:
        raise InputError(f"{source.uri}: this MHTML file holds no web page", uri=source.uri)
    start = parameter(message, "start").strip("<>")
    number, page = next((one for one in pages if start and _id(one[1]) == start), pages[0])
    how, data = _header(page, "Content-Transfer-Encoding").lower(), part_bytes(page)
    raw = _raw(page)
    text = decode_text(data, parameter(page, "charset"))
    lines = _line_starts(source.data, raw, data, how, text)
    document = page_document(
        source,
        Decoded(text, parameter(page, "charset").lower()),
        "mhtml",
        lines or LineOrigins.of(text).starts,
        (lambda line: Place(line, line)) if lines else (lambda line: Place(part=f"part {number}")),
        hidden_html=hidden_html,
        main_content=main_content,
    )
    others = [f"part {n}: the page of a frame ({_address(one)})" for n, one in pages if one is not page]
    dropped = others[:_MAX_NAMED]
    if len(others) > _MAX_NAMED:
        dropped.append(f"the pages of {len(others) - _MAX_NAMED:,} more frames")
    return replace(
        document,
        title=document.title or _header(message, "Subject"),
        meta={**document.meta, **_url(_header(message, "Snapshot-Content-Location") or _address(page))},
        losses=Losses(dropped=tuple(dropped)),
    )


def _parts(message: Message) -> Iterator[tuple[int, Message]]:
    """The parts that have no parts of their own, numbered from 1."""
    return enumerate((part for part in message.walk() if not part.is_multipart()), 1)


def _header(part: Message, name: str) -> str:
    return decode_words(str(part.get(name, ""))).strip()


def _id(part: Message) -> str:
    return _header(part, "Content-ID").strip("<>")


def _address(part: Message) -> str:
    return _header(part, "Content-Location")[:500]


def _url(address: str) -> dict[str, MetaValue]:
    return {"url": address} if address.lower().startswith(("http://", "https://")) else {}


def _raw(part: Message) -> bytes:
    """The bytes of a part as they stand in the file, once `part_bytes` was asked for it."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _line_starts(file: bytes, raw: bytes, data: bytes, how: str, text: str) -> tuple[int, ...] | None:
    """Where in `text` each line of the file begins, those before the page at 0; None if it cannot be told.

    A line of quoted-printable may hold no more than a part of a line of the page.
    """
    before = file.find(raw)
    is_utf8 = text.encode("utf-8", "replace") == data
    if how == "base64" or before < 0 or not (is_utf8 or len(text) == len(data)):
        return None
    starts, at = [0] * file.count(b"\n", 0, before), 0
    for line in _LINE.findall(raw):
        starts.append(at)
        piece = quopri.decodestring(line) if how == "quoted-printable" else line
        at += len(piece.translate(None, _CONTINUED) if is_utf8 else piece)
    return tuple(starts)
