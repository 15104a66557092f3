"""What a file is: its type by name, checked against its first bytes."""

from __future__ import annotations

from pincite.errors import InputError, SkippedError
from pincite.parse.binary import BINARY_TYPES, binary_type, looks_binary
from pincite.parse.promises import ARCHIVES, broken_promise, is_saved_page, read_as
from pincite.parse.source.languages import CODE_TYPES, code_type
from pincite.parse.xml_vocabulary import xml_type

_EXTENSIONS = {
    "markdown": "md markdown mdown mkd mkdn mdx qmd rmd",
    "rst": "rst rest",
    "html": "html htm xhtml",
    "csv": "csv",
    "tsv": "tsv tab",
    "json": "json geojson webmanifest",
    "jsonl": "jsonl ndjson",
    "asciidoc": "adoc asciidoc",
    "org": "org",
    "latex": "tex ltx",
    "ipynb": "ipynb",
    "srt": "srt",
    "vtt": "vtt",
    "ics": "ics ical",
    "eml": "eml",
    "mbox": "mbox",
    "mhtml": "mht mhtml",
    "fb2": "fb2",
    "text": "txt text log asc bib wiki textile pod man xsd xsl rss atom",
    "xml": "xml nxml",
}
_NAMES = frozenset(
    [
        "readme",
        "license",
        "licence",
        "copying",
        "notice",
        "changelog",
        "changes",
        "history",
        "news",
        "authors",
        "contributors",
        "contributing",
        "maintainers",
        "install",
        "todo",
        "faq",
        "version",
        "thanks",
        "credits",
        "security",
    ]
)
_BY_EXTENSION = {ext: kind for kind, extensions in _EXTENSIONS.items() for ext in extensions.split()}
TYPES: tuple[str, ...] = tuple(sorted({*_EXTENSIONS, *BINARY_TYPES, "chat", "code", *CODE_TYPES.values()}))
"""Every value `Document.type` can have."""

EXTRACTED = frozenset(
    {*BINARY_TYPES, "html", "latex", "asciidoc", "ipynb", "srt", "vtt", "ics", "eml", "mbox", "mhtml"}
    | {"fb2", "xml", "json"}
)
"""The types whose text may be extracted from the file, so that its lines are not those of the file."""


ISOLATED = frozenset({*BINARY_TYPES, "eml", "fb2", "mbox", "mhtml", "xml"})
"""The types that are more than text: they are read in a process of its own, within limits."""


def is_isolated(uri: str, head: bytes) -> bool:
    """Whether a file, of which `head` are the first 1,024 bytes, may be of one of these types."""
    extension = uri.rpartition(".")[2].lower()
    if extension == "rtf" or _BY_EXTENSION.get(extension) in ISOLATED:
        return True
    return looks_binary(head) or is_saved_page(extension, head)


def document_type(uri: str, data: bytes) -> str:
    """The type of the file: one of `TYPES`, by its content first and its name second.

    Raises `SkippedError` with the reason for a kind that is not read, `InputError` for a file whose
    content is not what its name promises. An Office file without any bytes is a text. A `text` file may still
    turn out to be a chat, and a header file to be C++, once it is decoded.
    """
    name = uri.rpartition("/")[2].lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    if kind := binary_type(uri, data):
        if kind == "archive" and extension not in ARCHIVES and (wrong := broken_promise(extension, data)):
            raise InputError(f"{uri}: {wrong}", uri=uri)
        return kind
    if kind := read_as(extension, data):
        return kind
    if wrong := broken_promise(extension, data):
        raise InputError(f"{uri}: {wrong}", uri=uri)
    known = code_type(uri) or _BY_EXTENSION.get(extension) or _bare_type(name, extension, data)
    if known is None:
        raise SkippedError(f"{uri}: {_unread(extension)} are not read by this version", uri=uri)
    return xml_type(data) if known == "xml" else known


def _unread(extension: str) -> str:
    """The files that are not read, in words: what stands behind the last dot may be no extension."""
    if not extension:
        return "files without an extension like this one"
    if _BY_EXTENSION.get(known := extension.partition(":")[0]) and known != extension:
        return f"files with {extension[len(known) :]} behind .{known} in their name"
    return f"files of type .{extension}"


def _bare_type(name: str, extension: str, data: bytes) -> str | None:
    """`text` for README and its like with any ending, and for text files without an extension."""
    if name.partition(".")[0] in _NAMES and extension not in ("png", "jpg", "gif", "svg"):
        return "text"
    if extension or not data:
        return None if extension else "text"
    return None if b"\0" in data[:8192] or _not_ascii(data) else "text"


def _not_ascii(data: bytes) -> bool:
    """Whether the first 8 KB are neither ASCII nor UTF-8."""
    try:
        data[:8192].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start < 8188
    return False
