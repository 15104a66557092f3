"""What a file is: its type by name, checked against its first bytes."""

from __future__ import annotations

from pincite.errors import SkippedError
from pincite.parse.languages import CODE_TYPES, code_type

_EXTENSIONS = {
    "markdown": "md markdown mdown mkd mkdn mdx qmd rmd",
    "rst": "rst rest",
    "html": "html htm xhtml",
    "csv": "csv",
    "tsv": "tsv tab",
    "json": "json geojson webmanifest",
    "jsonl": "jsonl ndjson",
    "text": "txt text log asc org adoc asciidoc tex bib wiki textile pod man xml xsd xsl rss atom srt vtt",
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
TYPES: tuple[str, ...] = tuple(sorted({*_EXTENSIONS, "chat", "code", *CODE_TYPES.values()}))
"""Every value `Document.type` can have."""

EXTRACTED = frozenset({"html"})
"""The types whose text is extracted from the file, so that its lines are not those of the file."""

# extension → (what the format is called, the bytes its files start with or None)
_ZIP = b"PK"
_OLE = b"\xd0\xcf\x11\xe0"
_UNREAD: dict[str, tuple[str, bytes | None]] = {
    "pdf": ("PDF", b"%PDF-"),
    **dict.fromkeys(("docx", "docm"), ("Word", _ZIP)),
    **dict.fromkeys(("xlsx", "xlsm"), ("Excel", _ZIP)),
    **dict.fromkeys(("pptx", "pptm"), ("PowerPoint", _ZIP)),
    **dict.fromkeys(("odt", "ods", "odp"), ("OpenDocument", _ZIP)),
    "epub": ("EPUB", _ZIP),
    **dict.fromkeys(("doc", "xls", "ppt", "msg"), ("legacy Office", _OLE)),
    "rtf": ("RTF", b"{\\rtf"),
    **dict.fromkeys(("eml", "mbox"), ("e-mail", None)),
    "ipynb": ("Jupyter notebook", None),
}
_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (_OLE, "a legacy Office file"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"RIFF", "a RIFF media file"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstandard archive"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ\x90", "a Windows program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)


def document_type(uri: str, data: bytes) -> str:
    """The type of the file: one of `TYPES`. Raises `SkippedError` with the reason if it is not read.

    A `text` file may still turn out to be a chat, and a header file to be C++, once it is decoded.
    """
    name = uri.rpartition("/")[2].lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    if extension in _UNREAD:
        raise SkippedError(f"{uri}: {_why_unread(data, *_UNREAD[extension])}", uri=uri)
    kind = code_type(uri) or _BY_EXTENSION.get(extension) or _bare_type(name, extension, data)
    found = next((what for magic, what in _MAGIC if data.startswith(magic)), None)
    if found and (kind is None or b"\0" in data or _not_ascii(data)):
        raise SkippedError(f"{uri}: the content is {found}, not {kind or 'text'}", uri=uri)
    if kind is None:
        what = f"files of type .{extension}" if extension else "files without an extension like this one"
        raise SkippedError(f"{uri}: {what} are not read by this version", uri=uri)
    return kind


def _why_unread(data: bytes, label: str, magic: bytes | None) -> str:
    """That the format is not read yet, and what is wrong with the file besides."""
    wrong = _what_is_wrong(data, label, magic)
    return f"{label} is not read by this version" + (f"; besides, {wrong}" if wrong else "")


def _what_is_wrong(data: bytes, label: str, magic: bytes | None) -> str:
    if not data:
        return f"this is an empty file (0 bytes), not {label}"
    if magic == _ZIP and not data.startswith(magic):
        return f"this is not a zip file, so not a valid {label} file"
    if magic and magic not in data[:1024]:
        return f"this is not a valid {label} file (it does not start with {magic.decode('latin-1')!r})"
    if label == "PDF" and b"startxref" not in data:
        return "this is not a valid PDF (it has no cross-reference table; damaged or cut off)"
    return ""


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
