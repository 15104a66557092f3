"""Mailboxes to the messages in them; the mailbox itself is a document that lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from email.policy import compat32
from hashlib import sha256

from pincite.errors import InputError
from pincite.parse.mail.headers import read_headers
from pincite.parse.mail.names import safe_name
from pincite.parse.mail.record import Headers
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses, Place

MAX_MESSAGES = 100_000
_LISTED = 200  # messages named in the document of the mailbox
_SUBJECT = 60  # characters of a subject in a name
_FROM = re.compile(rb"^From [^\r\n]{0,998}\r?\n", re.M)
_NEXT = re.compile(rb"[!-9;-~]{1,100}:|>From ")
_ESCAPED = re.compile(rb"^>(>*From )", re.M)


def parse_mbox(source: Source) -> Document:
    """The document of a mailbox: one line per message. Raises `InputError` if there is none in it."""
    writer = Writer()
    dropped: list[str] = []
    count = 0
    for name, message in messages(source):
        count += 1
        if count <= _LISTED:
            headers = _headers(message)
            sender = next((person or address for person, address in headers.sender), "")
            line = ", ".join(part for part in (headers.when, sender, headers.subject) if part)
            writer.add("list", [(line or name, Place(part=f"message {count}"))])
    if count > _LISTED:
        dropped.append(f"the names of {count - _LISTED:,} more messages")
    if source.data[: _first(source.data)].strip():
        dropped.append("what stands before the first message")
    return writer.finish(source, "mbox", losses=Losses(dropped=tuple(dropped)))


def messages(source: Source) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each message, in order; names stay when messages are added, moved or taken out.

    A name is date, subject and six digits of a hash: `2024-05-01 Quarterly figures 1f2e3d.eml`.
    """
    seen: dict[str, int] = {}
    for message in _split(source.data, source.uri):
        name = _name(message)
        seen[name] = seen.get(name, 0) + 1
        yield (f"{name} ({seen[name]}).eml" if seen[name] > 1 else f"{name}.eml"), message


def _split(data: bytes, uri: str) -> Iterator[bytes]:
    """The messages between the lines that start with `From `, each after a blank line."""
    starts = list(_borders(data))
    if not starts:
        if data.strip():
            raise InputError(f'{uri}: not a mailbox: it does not start with a "From " line', uri=uri)
        return
    if len(starts) > MAX_MESSAGES:
        raise InputError(f"{uri}: holds {len(starts):,} messages; the limit is {MAX_MESSAGES:,}", uri=uri)
    ends = [at.start() for at in starts[1:]] + [len(data)]
    for at, end in zip(starts, ends, strict=True):
        if message := data[at.end() : end].strip(b"\r\n"):
            yield _ESCAPED.sub(rb"\1", message) + b"\n"


def _borders(data: bytes) -> Iterator[re.Match[bytes]]:
    """The lines between messages."""
    return (at for at in _FROM.finditer(data) if _is_border(data, at))


def _first(data: bytes) -> int:
    """Where the first of them begins."""
    return next((at.start() for at in _borders(data)), 0)


def _is_border(data: bytes, at: re.Match[bytes]) -> bool:
    """Whether a line that starts with `From ` begins a message: after a blank line, before a header."""
    before = data[max(0, at.start() - 4) : at.start()]
    apart = not before or before.replace(b"\r", b"").endswith(b"\n\n") or not before.strip()
    return apart and bool(_NEXT.match(data, at.end()))


def _headers(message: bytes) -> Headers:
    try:
        return read_headers(BytesHeaderParser(policy=compat32).parsebytes(message).raw_items())
    except Exception:  # of the standard library, on hostile headers; the message is then named by its hash
        return Headers()


def _name(message: bytes) -> str:
    headers = _headers(message)
    key = headers.message_id.encode("utf-8", "replace") or message
    subject = safe_name(headers.subject.replace("/", "_").replace("\\", "_"))[:_SUBJECT].strip(". ")
    day = headers.sent.isoformat() if headers.sent else ""
    return " ".join(part for part in (day, subject, sha256(key).hexdigest()[:6]) if part)
