"""What the name of a file promises, and what the file is if that is not so.

Web exports are pages or tables of text named .xls or .doc, and pages to log in are saved as .pdf.
"""

from __future__ import annotations

import re

from pincite.errors import InputError
from pincite.parse.binary import OLE_MAGIC, is_text
from pincite.parse.decode import decode
from pincite.parse.table import delimiter_of

_HEAD = 4_096  # bytes that tell what a text is
_SAMPLE = 65_536  # bytes that tell whether it is a table
ARCHIVES = frozenset(["zip", "tar", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz"])

# extension → what its files are, what they start with, and that for people
_PROMISES: dict[str, tuple[str, bytes, str]] = {
    "pdf": ("a PDF", b"%PDF-", "%PDF-"),
    "rtf": ("an RTF file", b"{\\rtf", "{\\rtf"),
    **dict.fromkeys(("docx", "docm", "dotx"), ("a Word file", b"PK", "PK")),
    **dict.fromkeys(("xlsx", "xlsm", "xltx", "xlsb"), ("an Excel file", b"PK", "PK")),
    **dict.fromkeys(("pptx", "pptm", "potx", "ppsx"), ("a PowerPoint file", b"PK", "PK")),
    **dict.fromkeys(("odt", "ods", "odp", "ott"), ("an OpenDocument file", b"PK", "PK")),
    "epub": ("an EPUB", b"PK", "PK"),
    **dict.fromkeys(("doc", "xls", "ppt"), ("an old Office file", OLE_MAGIC, "D0 CF 11 E0")),
    "msg": ("an Outlook message", OLE_MAGIC, "D0 CF 11 E0"),
}
_SHEETS = frozenset(["xls", "xlsx", "xlsm", "ods"])
_OFFICE = _SHEETS | {"doc", "docx", "docm", "odt", "ppt", "pptx", "pptm", "odp", "rtf"}

_PAGE = re.compile(  # a comment ends at the first `-->` and nowhere else, so that there is one way to match
    rb"(?:\s|<\?xml[^>]{0,200}\?>|<!--(?:(?!-->).){0,1000}-->)*<(?:!doctype\s+html|html|head|meta|title|body|table|style|div)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_SAVED_PAGE = re.compile(
    rb"(?:[\w-]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n)*?)*content-type:\s*multipart/related", re.IGNORECASE
)
_XML = (
    (b"urn:schemas-microsoft-com:office:spreadsheet", "an Excel 2003 XML file", ".xlsx"),
    (b"http://schemas.microsoft.com/office/word/2003/wordml", "a Word 2003 XML file", ".docx"),
    (
        b"http://schemas.microsoft.com/office/2006/xmlPackage",
        "an Office file in flat XML",
        ".docx, .xlsx or .pptx",
    ),
    (b"urn:oasis:names:tc:opendocument:xmlns:office", "an OpenDocument file in flat XML", ".odt or .ods"),
)


def is_saved_page(extension: str, data: bytes) -> bool:
    """Whether a page saved as one file has the name of an Office file, by its first 1,024 bytes."""
    return extension in _OFFICE and _SAVED_PAGE.match(_head(data[:1024])) is not None


def read_as(extension: str, data: bytes) -> str:
    """The type as which a text under the name of an Office file is read; "" if it is none of these.

    Web pages are, also saved as one file, and in the place of sheets also tables of text. A file of no bytes
    is an empty text: so file managers make new documents.
    """
    if extension not in _OFFICE:
        return ""
    if not data:
        return "text"
    head = _head(data)
    if _PAGE.match(head):
        return "html"
    if is_saved_page(extension, data):
        return "mhtml"
    return _table_type(data) if extension in _SHEETS else ""


def broken_promise(extension: str, data: bytes) -> str:
    """What is wrong with a file whose content is not what its extension promises; "" if nothing is promised.

    To be asked of text, and of archives that hold no document of a known kind.
    """
    if extension not in _PROMISES and extension not in ARCHIVES:
        return ""
    what, magic, named = _PROMISES.get(extension, ("an archive", b"", ""))
    if not data:
        return f"this is an empty file (0 bytes), not {what}"
    if text := _known_text(_head(data), what):
        return text
    if extension in ARCHIVES:
        return "this is not an archive of a kind that is read"
    if data.startswith(magic):
        why = "a zip file that is damaged, or holds something else"
    else:
        why = "not a zip file" if magic == b"PK" else f"it does not start with {named}"
        why += "; it is plain text: name it .txt" if is_text(data) else ""
    return f"this is not a valid {what.partition(' ')[2]} ({why})"


def _known_text(head: bytes, what: str) -> str:
    """What a page or an XML file that is not `what` is, and what to do with it; "" for other content."""
    if _PAGE.match(head):
        return f"this is a web page, not {what}: perhaps one to log in, or an error; download the file again"
    kinds = ((name, to) for mark, name, to in _XML if mark in head)
    return next((f"this is {name}, not {what}; save it as {to}" for name, to in kinds), "")


def _head(data: bytes) -> bytes:
    """The first bytes, without a byte-order mark, and without the NUL beside each letter of UTF-16."""
    return data[:_HEAD].replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe")


def _table_type(data: bytes) -> str:
    """`tsv` or `csv` for lines cut into as many columns by one delimiter; "" for other content."""
    head = data[:_SAMPLE]
    whole = head if len(data) == len(head) or b"\0" in head else head[: head.rfind(b"\n") + 1]
    try:
        text = decode(whole, uri="").text
    except InputError:
        return ""
    delimiter = delimiter_of(text)
    return {"\t": "tsv", "": ""}.get(delimiter, "csv")
