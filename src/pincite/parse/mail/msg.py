"""Outlook messages (.msg) to a `Document`: an OLE file whose streams are the properties of [MS-OXMSG].

Read with olefile alone: what is needed are a dozen properties by their number.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from datetime import date, timedelta
from email.parser import HeaderParser
from email.policy import compat32
from functools import lru_cache
from typing import TYPE_CHECKING

from pincite.errors import InputError
from pincite.parse.mail.document import mail_document
from pincite.parse.mail.headers import decode_text, decode_words, read_headers
from pincite.parse.mail.names import attachment_name, unique_names
from pincite.parse.mail.record import Address, Attachment, Body, Headers, Mail, named
from pincite.protocols import Source
from pincite.types import Document

if TYPE_CHECKING:
    from olefile import OleFileIO

_TEXT, _TEXT8, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_MAX_STREAM = 64_000_001  # bytes of one property: one more than a file inside others may have
_MAX_PARTS = 2_000  # attachments, and recipients
_EPOCH = date(1601, 1, 1)
_ENCODED = {
    65001: "utf-8",
    28591: "cp1252",
    20127: "",
    932: "cp932",
    936: "gb18030",
    949: "cp949",
    950: "cp950",
}


def parse_msg(source: Source) -> Document:
    """The document of an Outlook message. Raises `InputError` for a damaged file."""
    return mail_document(source, read_msg(source.data, source.uri), "msg")


@lru_cache(maxsize=1)  # as `read_mail`
def read_msg(data: bytes, uri: str) -> Mail:
    """The mail in an Outlook file: its headers, its body and its attachments."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return _read(file, (), depth=3)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, struct.error) as error:
        why = (
            f" ({error})" if isinstance(error, OSError) else ""
        )  # what olefile says; others are Python's words
        raise InputError(f"{uri}: this Outlook message is damaged{why}", uri=uri) from error


class _Properties:
    """The properties of one storage: the message, a recipient or an attachment."""

    def __init__(self, file: OleFileIO, path: tuple[str, ...]) -> None:
        self.file, self.path = file, path
        self.charset = ""
        self.fixed = self._fixed()
        number = self.fixed.get(0x3FFD) or self.fixed.get(0x3FDE)
        if number:
            page = struct.unpack_from("<I", number)[0]
            self.charset = _ENCODED.get(page, f"cp{page}")

    def _fixed(self) -> dict[int, bytes]:
        """The values of 8 bytes or fewer, by number: they stand together, 16 bytes each."""
        data = self.stream("__properties_version1.0") or b""
        nested = len([part for part in self.path if part.startswith("__substg1.0_3701")])
        start = 8 if self.path and not self.path[-1].startswith("__substg") else 24 if nested else 32
        return {
            struct.unpack_from("<H", data, at + 2)[0]: data[at + 8 : at + 16]
            for at in range(start, len(data) - 15, 16)
        }

    def stream(self, name: str) -> bytes | None:
        path = [*self.path, name]
        if not self.file.exists(path) or self.file.get_type(path) != 2:
            return None
        data: bytes = self.file.openstream(path).read(_MAX_STREAM)
        return data

    def text(self, number: str) -> str:
        """A property of text; "" if there is none."""
        if (data := self.stream(f"__substg1.0_{number}{_TEXT}")) is not None:
            return data.decode("utf-16-le", "replace").rstrip("\0")
        data = self.stream(f"__substg1.0_{number}{_TEXT8}")
        return decode_text(data, self.charset).rstrip("\0") if data else ""

    def binary(self, number: str) -> bytes | None:
        return self.stream(f"__substg1.0_{number}{_BINARY}")

    def below(self, prefix: str) -> Iterator[tuple[str, ...]]:
        """The storages of this one whose name starts so, by name."""
        depth = len(self.path)
        found = {
            tuple(path[: depth + 1])
            for path in self.file.listdir(streams=True, storages=True)
            if len(path) > depth and tuple(path[:depth]) == self.path and path[depth].startswith(prefix)
        }
        yield from sorted(found)[:_MAX_PARTS]


def _read(file: OleFileIO, path: tuple[str, ...], *, depth: int) -> Mail:
    message = _Properties(file, path)
    bodies, dropped = list(_body(message)), list[str]()
    if not bodies and (packed := message.binary("1009")):
        bodies += _rich_body(packed, dropped)
    attachments: list[Attachment] = []
    for number, where in enumerate(message.below("__attach_version1.0_#"), 2):
        _attached(_Properties(file, where), number, depth, bodies, attachments, dropped)
    if (message.text("001A") or "").upper().startswith("IPM.NOTE.SMIME") and not bodies:
        dropped.append("an encrypted or sealed (S/MIME) message")
    return Mail(_headers(message), tuple(bodies), tuple(unique_names(attachments)), tuple(dropped))


def _body(message: _Properties) -> Iterator[Body]:
    """The plain text, else the HTML."""
    if plain := message.text("1000").replace("\r\n", "\n").replace("\r", "\n"):
        yield Body(plain, 1)
        return
    html = message.binary("1013")
    text = decode_text(html, message.charset) if html else message.text("1013")
    if text.strip():
        yield Body(text, 1, html=True)


def _rich_body(packed: bytes, dropped: list[str]) -> list[Body]:
    """The body of a message that has it in rich text alone."""
    from pincite.parse.mail.rich_text import unpack_rtf
    from pincite.parse.rtf import parse_rtf

    try:
        text = parse_rtf(Source("", unpack_rtf(packed), "")).text
    except InputError:
        text = ""
    if not text:
        dropped.append("the body: its rich text is damaged or empty")
    return [Body(text, 1)] if text else []


def _attached(
    part: _Properties,
    number: int,
    depth: int,
    bodies: list[Body],
    attachments: list[Attachment],
    dropped: list[str],
) -> None:
    """Files one attachment; the text of a message inside the message becomes a body of this one."""
    inner = (*part.path, f"__substg1.0_3701{_STORAGE}")
    name = part.text("3707") or part.text("3704") or part.text("3001")
    if part.file.exists(list(inner)):
        if not part.file.exists([*inner, "__properties_version1.0"]):
            dropped.append(f"part {number}: {name or 'an object'} (embedded OLE object)")
        elif not depth:
            dropped.append(f"part {number}: a message inside messages, more than 3 deep")
        else:
            mail = _read(part.file, inner, depth=depth - 1)
            bodies.append(Body(_as_text(mail), number))
            attachments += [Attachment(one.name, one.data, number, one.inline) for one in mail.attachments]
            dropped += [f"part {number}: {what}" for what in mail.dropped]
    elif (data := part.binary("3701")) is not None:
        kind = part.text("370E").lower()
        shown = bool(part.text("3712")) and kind.startswith("image/")
        attachments.append(Attachment(attachment_name(name, kind, number), data, number, shown))
    else:
        dropped.append(f"part {number}: {name or 'a file'}, which is linked, not attached")


def _as_text(mail: Mail) -> str:
    """A message inside a message as one text, marked as forwarded so that it is not taken for history."""
    from pincite.parse.html import parse_html

    head = mail.headers
    lines = [
        ("From", ", ".join(map(named, head.sender))),
        ("To", ", ".join(map(named, head.to))),
        ("Date", head.when),
        ("Subject", head.subject),
    ]
    texts = [
        parse_html(Source("", body.text.encode("utf-8", "replace"), "")).text if body.html else body.text
        for body in mail.bodies
    ]
    block = "\n".join(f"{name}: {text}" for name, text in lines if text)
    return "\n\n".join(["---------- Forwarded message ----------\n" + block, *texts])


def _headers(message: _Properties) -> Headers:
    """From the mail's own header lines where the file kept them, and its properties else."""
    raw = message.text("007D")
    written = (
        read_headers(HeaderParser(policy=compat32).parsestr(raw[:1_000_000]).raw_items())
        if raw
        else Headers()
    )
    people = [_Properties(message.file, path) for path in message.below("__recip_version1.0_#")]
    address = message.text("5D01") or message.text("5D02") or message.text("0C1F")
    sender = (message.text("0C1A") or message.text("0042"), address if "@" in address else "")
    sent = _day(message.fixed.get(0x0039) or message.fixed.get(0x0E06) or b"")
    return Headers(
        " ".join(message.text("0037").split()) or written.subject,
        written.sender or ((sender,) if any(sender) else ()),
        written.to or _recipients(people, 1) or _displayed(message.text("0E04")),
        written.cc or _recipients(people, 2) or _displayed(message.text("0E03")),
        written.when or (sent.isoformat() if sent else ""),
        written.sent or sent,
        written.message_id or decode_words(message.text("1035")).strip("<> "),
    )


def _recipients(people: list[_Properties], kind: int) -> tuple[Address, ...]:
    """The names and addresses of one kind of recipients: 1 is To, 2 Cc."""
    found = []
    for one in people:
        address = one.text("39FE") or one.text("3003")
        if one.fixed.get(0x0C15, b"\1")[0] == kind:
            found.append((one.text("3001"), address if "@" in address else ""))
    return tuple(dict.fromkeys(who for who in found if any(who)))


def _displayed(names: str) -> tuple[Address, ...]:
    return tuple((name.strip(), "") for name in names.split(";") if name.strip())


def _day(value: bytes) -> date | None:
    """The day of a time in steps of 100 ns since 1601, in UTC."""
    if len(value) < 8 or not (ticks := struct.unpack("<Q", value)[0]):
        return None
    try:
        return _EPOCH + timedelta(seconds=ticks // 10_000_000)
    except OverflowError:
        return None
