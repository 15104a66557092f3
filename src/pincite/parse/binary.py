"""What a binary file is, by its first bytes and, in zip and OLE files, by what it holds."""

from __future__ import annotations

import io
import re
import zipfile

from pincite.errors import InputError, SkippedError

_ZIP, OLE_MAGIC = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_EMPTY_ZIP = b"PK\x05\x06"
_RTF_PART = re.compile(rb"\s*\{\s*\\[a-z]")  # without the header that programs need, but with its text
_PDF = re.compile(rb"%PDF-\d")

_OFFICE = {
    "word/": "docx",
    "ppt/": "pptx",
    "xl/workbook.bin": "",
    "xl/": "xlsx",
}
_MIMETYPES = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
    b"application/epub+zip": "epub",
}
_IMAGES = (
    (b"\x89PNG\r\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)
_PACKED = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))
_OTHERS = (
    (b"RIFF", "a RIFF media file"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstandard archive"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ\x90", "a Windows program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)

_IWORK = {"pages": ("Pages", ".docx"), "numbers": ("Numbers", ".xlsx"), "key": ("Keynote", ".pptx")}
_IWORK_PARTS = frozenset(["Index.zip", "index.apxl", "Index/Document.iwa", "buildVersionHistory.plist"])

BINARY_TYPES = (
    "archive", "docx", "epub", "image", "msg", "odp", "ods", "odt", "pdf", "pptx", "rtf", "xls", "xlsx",
)  # fmt: skip


def binary_type(uri: str, data: bytes) -> str:
    """The type of a binary file, or "" for what may be text.

    Raises `SkippedError` for kinds that are not read, `InputError` for locked Office files.
    """
    if _is_pdf(uri, data):
        return "pdf"
    if data.startswith((_ZIP, _EMPTY_ZIP)):
        return _zip_type(uri, data)
    if data.startswith(OLE_MAGIC):
        return _ole_type(uri, data)
    if data.startswith(b"{\\rtf") or (uri.lower().endswith(".rtf") and _RTF_PART.match(data)):
        return "rtf"
    if is_text(data):
        return ""
    if any(data.startswith(magic) for magic, _ in _PACKED) or _is_tar(data):
        return "archive"
    if any(data.startswith(magic) for magic, _ in _IMAGES) or _is_webp(data):
        return "image"
    if found := next((what for magic, what in _OTHERS if data.startswith(magic)), None):
        raise SkippedError(f"{uri}: the content is {found}, not text", uri=uri)
    return ""


def _is_pdf(uri: str, data: bytes) -> bool:
    """Whether it is a PDF, which may have other bytes before its head.

    A PDF stored in an archive is not, and neither is a text in which one is shown.
    """
    if not _PDF.search(data, 0, 1024) or data.startswith((_ZIP, OLE_MAGIC)) or _is_tar(data):
        return False
    starts = _PDF.match(data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")) is not None and b"endobj" in data
    return starts or uri.lower().endswith(".pdf") or not is_text(data)


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def looks_binary(head: bytes) -> bool:
    """Whether a file that begins so may be of one of `BINARY_TYPES`."""
    magics = (_ZIP, _EMPTY_ZIP, OLE_MAGIC, b"{\\rtf", b"RIFF", *(magic for magic, _ in (*_IMAGES, *_PACKED)))
    return head.startswith(magics) or b"%PDF-" in head or _is_tar(head)


def _zip_type(uri: str, data: bytes) -> str:
    """The type of a zip file by its members; one whose directory is damaged is taken as an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            names = file.namelist()
            info = file.NameToInfo.get("mimetype")
            mimetype = file.open(info).read(200).strip() if info and not info.flag_bits & 1 else b""
    except Exception:  # whatever a damaged directory sets off; reading it as an archive names the fault
        return "archive"
    if kind := _MIMETYPES.get(mimetype):
        return kind
    if "META-INF/container.xml" in names:
        return "epub"
    if len(names) == 1 and names[0].lower().endswith(".fb2"):
        return "fb2"
    if "[Content_Types].xml" in names:
        for prefix, kind in _OFFICE.items():
            if any(name.startswith(prefix) for name in names):
                if not kind:
                    hint = "save it as .xlsx"
                    raise SkippedError(f"{uri}: binary Excel workbooks (.xlsb) are not read; {hint}", uri=uri)
                return kind
    if not _IWORK_PARTS.isdisjoint(names):
        raise _iwork(uri)
    return "archive"


def _iwork(uri: str) -> SkippedError:
    program, other = _IWORK.get(uri.rpartition(".")[2].lower(), ("iWork", "a format of Office"))
    return SkippedError(f"{uri}: files of Apple {program} are not read; export it as PDF or {other}", uri=uri)


def _ole_type(uri: str, data: bytes) -> str:
    """The type of an OLE file by its streams."""
    names = _ole_names(uri, data)
    if "EncryptedPackage" in names:
        message = f"{uri}: this Office file is locked with a password; it cannot be read"
        raise InputError(f"{message} (save it without one)", uri=uri, code="locked")
    if "__properties_version1.0" in names:
        return "msg"
    if "Workbook" in names or "Book" in names:
        return "xls"
    for stream, what, newer in (
        ("WordDocument", "old binary Word files (.doc)", ".docx"),
        ("PowerPoint Document", "old binary PowerPoint files (.ppt)", ".pptx"),
    ):
        if stream in names:
            raise SkippedError(f"{uri}: {what} are not read; save it as {newer}", uri=uri)
    raise SkippedError(f"{uri}: the content is an OLE file of a kind that is not read", uri=uri)


def _ole_names(uri: str, data: bytes) -> set[str]:
    """The names of the streams at the top of an OLE file."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return {path[0] for path in file.listdir(streams=True, storages=True)}
    except MemoryError:
        raise
    except Exception as error:  # olefile raises whatever a damaged sector sets off
        why = f" ({error})" if isinstance(error, OSError) else ""
        raise InputError(f"{uri}: this is a damaged OLE (old Office) file{why}", uri=uri) from error


def _is_webp(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def is_text(data: bytes) -> bool:
    """Whether the first 8 KB are ASCII or UTF-8 without NUL."""
    try:
        data[:8192].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < 8188:
            return False
    return b"\0" not in data[:8192]
