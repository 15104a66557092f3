"""A mail as its readers hand it on, whatever file it came from: what is written is the same for all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

Address = tuple[str, str]
"""A name, maybe "", and an address, maybe ""."""


def named(who: Address) -> str:
    """`Name <address>`, or the one that there is."""
    name, address = who
    return f"{name} <{address}>" if name and address and name != address else name or address


@dataclass(frozen=True, slots=True)
class Headers:
    """What a mail says of itself, decoded; `when` is the date as written, `sent` the day it names."""

    subject: str = ""
    sender: tuple[Address, ...] = ()
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    when: str = ""
    sent: date | None = None
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """A part to be read: plain text, or HTML; `part` counts the parts of the mail from 1."""

    text: str
    part: int
    html: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a mail; `name` has no folders, and no other of the mail has the same.

    `inline` ones are pictures shown within the text.
    """

    name: str
    data: bytes
    part: int
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Mail:
    """Headers, bodies and attachments in the order of the parts; `dropped` names what is not read."""

    headers: Headers
    bodies: tuple[Body, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    dropped: tuple[str, ...] = ()
