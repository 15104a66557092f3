"""Names of files inside mails: stated by whoever wrote it, made safe, and each one its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pincite.parse.mail.record import Attachment

_LONGEST = 120  # characters, of names that are kept
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069:*?\"<>|]+")
# Endings of parts without a name; a table of our own, as the system's differs between computers.
_ENDINGS = {
    "application/json": ".json",
    "application/msword": ".doc",
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/jpg": ".jpg",
    "image/png": ".png",
    "image/tiff": ".tif",
    "image/webp": ".webp",
    "message/rfc822": ".eml",
    "message/global": ".eml",
    "message/news": ".eml",
    "text/calendar": ".ics",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "text/xml": ".xml",
}


def attachment_name(stated: str, kind: str, number: int, subject: str = "") -> str:
    """A safe name: the stated one, else the subject of an attached message, else `part 3.pdf`."""
    ending = _ENDINGS.get(kind, "")
    name = safe_name(stated) or (safe_name(subject.replace("/", "_").replace("\\", "_")) + ending)
    if name in ("", ending):
        return ("invite" if kind == "text/calendar" else f"part {number}") + ending
    if ending == ".eml" and not name.lower().endswith(".eml"):
        return name + ending
    return name


def safe_name(stated: str) -> str:
    """The last part of a path without characters that file systems or terminals take amiss; maybe ""."""
    name = re.split(r"[/\\]", unicodedata.normalize("NFC", stated))[-1]
    name = " ".join(_UNSAFE.sub("_", name).split()).strip(". ")
    if len(name) <= _LONGEST:
        return name
    stem, dot, ending = name.rpartition(".")
    return stem[:_LONGEST] + dot + ending if dot and len(ending) <= 8 else name[:_LONGEST]


def unique_names(attachments: Iterable[Attachment]) -> Iterator[Attachment]:
    """The attachments, with ` (2)` and so on in names that were there before, whatever their case."""
    seen: set[str] = set()
    for one in attachments:
        name, count = one.name, 1
        stem, dot, ending = name.rpartition(".")
        while unicodedata.normalize("NFC", name.casefold()) in seen:
            count += 1
            name = f"{stem} ({count}).{ending}" if dot else f"{one.name} ({count})"
        seen.add(unicodedata.normalize("NFC", name.casefold()))
        yield replace(one, name=name)
