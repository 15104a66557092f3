"""What a PDF says of itself: title, author, dates, language, bookmarks, page labels, and what it carries."""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from datetime import date
from typing import Any

from pincite.parse.office.opc import main_language, property_value
from pincite.parse.pdf.library import address, utf16
from pincite.parse.pdf.roles import heading_key
from pincite.types import MetaValue

_KEYS = {
    "Author": "author", "CreationDate": "date", "ModDate": "modified_date", "Keywords": "keywords",
    "Subject": "description",
}  # fmt: skip
_DATE = re.compile(r"(?:D:)?((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])")
_PLACEHOLDERS = frozenset([
    "anonymous", "unspecified", "untitled", "unknown", "title", "author", "python-docx", "none", "document",
    "-",
])  # fmt: skip
_FILE_NAME = re.compile(
    r"microsoft \w+ - |.*\.(?:docx?|pptx?|xlsx?|od[tps]|pdf|tex|dvi|indd|qxd|rtf|ps|eps|png|jpe?g)$|untitled|file://"
    r"|[^\s_]*_\S*$",
    re.I,
)
_PRESENTATION = re.compile(r"(?:powerpoint presentation|slide 1|presentation|document)\d*$", re.I)
_MOST_BOOKMARKS = 20_000
_DEEPEST = 32


def read_title(document: Any) -> str:
    """The title the file's author gave it; "" for none, and for names that programs put there."""
    title = " ".join(_info(document, "Title")[:2000].split())
    unfit = (
        title.lower().strip("()") in _PLACEHOLDERS or _FILE_NAME.match(title) or _PRESENTATION.match(title)
    )
    return "" if unfit or len(title) > 300 or not any(char.isalpha() for char in title) else title


def read_meta(document: Any) -> dict[str, MetaValue]:
    """Author, dates, keywords and description, without the placeholders of programs."""
    meta: dict[str, MetaValue] = {}
    for key, name in _KEYS.items():
        text = " ".join(_info(document, key).split())[:2000]
        if name.endswith("date"):
            if day := _day(text):
                meta[name] = day
        elif text and text.lower().strip("()") not in _PLACEHOLDERS:
            meta[name] = property_value(name, text)
    return meta


def _day(text: str) -> date | None:
    """The day of `D:20240102…`; None if there is no such day."""
    given = _DATE.match(text)
    try:
        return date(*map(int, given.groups())) if given else None
    except ValueError:
        return None


def _info(document: Any, key: str) -> str:
    import pypdfium2.raw as pdfium

    return utf16(lambda buffer, size: pdfium.FPDF_GetMetaText(document, key.encode(), buffer, size))


def read_language(document: Any) -> str:
    """The main part of the language the file declares: `en` for `en-GB`; "" for none."""
    import pypdfium2.raw as pdfium

    return main_language(utf16(lambda buffer, size: pdfium.FPDFCatalog_GetLanguage(document, buffer, size)))


def page_label(document: Any, index: int) -> str | None:
    """What is printed on a page (`iv`), where the file says so."""
    import pypdfium2.raw as pdfium

    label = utf16(lambda buffer, size: pdfium.FPDF_GetPageLabel(document, index, buffer, size)).strip()
    return label[:40] or None


def read_outline(document: Any) -> dict[int, dict[str, int]]:
    """For each page the keys of the bookmarks that lead to it, with their levels from 1 (see `heading_key`).

    Bookmarks that go round in circles are followed once.
    """
    import pypdfium2.raw as pdfium

    outline: dict[int, dict[str, int]] = defaultdict(dict)
    seen: set[int] = set()
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(seen) < _MOST_BOOKMARKS:
        mark, level = waiting.pop()
        if not mark or address(mark) in seen or level > _DEEPEST:
            continue
        seen.add(address(mark))
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, mark), level))
        waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, mark), level + 1))
        target = pdfium.FPDFBookmark_GetDest(document, mark)
        page = pdfium.FPDFDest_GetDestPageIndex(document, target) + 1 if target else 0
        key = heading_key(_bookmark_title(mark))
        if key and page > 0:
            outline[page].setdefault(key, level)
    return dict(outline)


def _bookmark_title(mark: Any) -> str:
    import pypdfium2.raw as pdfium

    return utf16(lambda buffer, size: pdfium.FPDFBookmark_GetTitle(mark, buffer, size))


def carried_along(document: Any) -> list[str]:
    """What the file holds besides its pages and is not read: attachments by name, XFA forms."""
    import pypdfium2.raw as pdfium

    found = []
    n_attachments = pdfium.FPDFDoc_GetAttachmentCount(document)
    for i in range(min(n_attachments, 100)):
        name = attachment_name(pdfium.FPDFDoc_GetAttachment(document, i))
        found.append(f"attachment {name or i + 1}")
    if n_attachments > 100:
        found.append(f"{n_attachments - 100} further attachments")
    if pdfium.FPDF_GetFormType(document) in (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND):
        found.append("an XFA form")
    return found


def attachment_name(attachment: Any) -> str:
    """The name of an attached file, cut at 200 characters; "" for none."""
    import pypdfium2.raw as pdfium

    if not attachment:
        return ""
    name = utf16(
        lambda buffer, size: pdfium.FPDFAttachment_GetName(
            attachment, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)) if buffer else None, size
        )
    )
    return " ".join(name.split())[:200]
