"""PDFium as Pincite calls it: the few functions that are called for every character, without overhead.

`pypdfium2` binds each function so that a call lets go of the interpreter's lock and checks its types, which
costs several times the work itself. These bindings of the same functions keep the lock and take plain
integers as addresses. PDFium is not thread-safe; Pincite reads each file in one process at a time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int


def address(handle: Any) -> int:
    """The address a handle or buffer of pypdfium2 points to; 0 for none."""
    return ctypes.cast(handle, _POINTER).value or 0


@cache
def fast(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The function of PDFium called `name`, with the given C types."""
    import pypdfium2.raw as pdfium

    return ctypes.PYFUNCTYPE(result, *arguments)(address(getattr(pdfium, name)))


def loose_box() -> Callable[[int, int, int], int]:
    """(text page, index, address of four floats) → whether left, top, right, bottom were written."""
    return fast("FPDFText_GetLooseCharBox", _INT, _POINTER, _INT, _POINTER)


def text_object() -> Callable[[int, int], int | None]:
    """(text page, index) → the address of the text object a character belongs to; None if it was made up."""
    return fast("FPDFText_GetTextObject", _POINTER, _POINTER, _INT)


def code_point() -> Callable[[int, int], int]:
    """(text page, index) → the Unicode value of a character."""
    return fast("FPDFText_GetUnicode", ctypes.c_uint, _POINTER, _INT)


def unmapped() -> Callable[[int, int], int]:
    """(text page, index) → 1 if the font does not tell which character this is, and it may be any."""
    return fast("FPDFText_HasUnicodeMapError", _INT, _POINTER, _INT)


def utf16(read: Callable[[Any, int], int], unit: int = 1) -> str:
    """The text of one of PDFium's functions that fill a buffer with UTF-16 and tell its size in bytes.

    `read` is called with (buffer, size in bytes), first without a buffer. Texts over 1 MB are cut.
    """
    size = min(read(None, 0) * unit, 2_000_000)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    read(buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace").rstrip("\0")
