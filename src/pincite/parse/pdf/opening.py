"""A PDF's bytes to an open document, with the passwords that are known; refusals with their reason."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.errors import InputError, UsageError
from pincite.folder.regular import read_regular
from pincite.protocols import Source

_MOST_PASSWORDS = 1000
_MOST_BYTES = 1_000_000
_REASONS = {
    1: "PDFium cannot read it (unknown error)",
    2: "the file cannot be opened",
    3: "this is not a valid PDF, or it is damaged beyond repair",
    5: "it is protected by a kind of encryption that is not supported",
    6: "a page is missing or damaged",
}
_PASSWORD = 4
_PDFIUM = threading.Lock()  # it keeps state for the whole process


@contextmanager
def open_pdf(source: Source, password_file: str) -> Iterator[Any]:
    """The document's raw handle, closed at the end; one at a time. Raises `InputError` with the reason."""
    with _PDFIUM:
        yield from _opened(source, password_file)


def _opened(source: Source, password_file: str) -> Iterator[Any]:
    import pypdfium2.raw as pdfium

    handle, error = _load(source.data, None)
    if handle is None and error == _PASSWORD:
        for password in read_passwords(password_file):
            handle, error = _load(source.data, password)
            if handle is not None or error != _PASSWORD:
                break
    if handle is None:
        raise _refusal(source.uri, error, bool(password_file))
    try:
        yield handle
    finally:
        pdfium.FPDF_CloseDocument(handle)


def _load(data: bytes, password: bytes | None) -> tuple[Any, int]:
    """The document's handle, or None and PDFium's number of the error."""
    import pypdfium2  # noqa: F401  # starts PDFium
    import pypdfium2.raw as pdfium

    handle = pdfium.FPDF_LoadMemDocument64(data, len(data), password)
    return (handle, 0) if handle else (None, int(pdfium.FPDF_GetLastError()))


def read_passwords(path: str) -> list[bytes]:
    """The passwords of a file, one a line as it stands (a blank line is the empty one); none without a file.

    Raises `UsageError` if it cannot be read, is no regular file, or is too large for one.
    """
    if not path:
        return []
    try:
        text = read_regular(Path(path).resolve(), limit=_MOST_BYTES)
    except (OSError, RuntimeError) as error:  # the latter for a circle of links
        reason = getattr(error, "strerror", "") or type(error).__name__
        raise UsageError(f"password file {path}: cannot be read ({reason})") from error
    lines = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").split(b"\n")
    return (lines[:-1] if lines[-1] == b"" else lines)[:_MOST_PASSWORDS]


def _refusal(uri: str, error: int, tried: bool) -> InputError:
    if error != _PASSWORD:
        return InputError(f"{uri}: {_REASONS.get(error, _REASONS[1])}", uri=uri)
    known = "no line of the password file opens it" if tried else "--password-file names a file of passwords"
    return InputError(
        f"{uri}: this PDF is locked with a password ({known})",
        uri=uri,
        hint="put the password on a line of a file and name it with --password-file",
        code="locked",
    )
