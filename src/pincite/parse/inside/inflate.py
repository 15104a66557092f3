"""Streams of gzip, bzip2 and xz files, read piece by piece within limits that count what comes out."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator

from pincite.errors import InputError
from pincite.parse.zips import MAX_RATIO, Allowance

_STEP = 1 << 16
_RATIO_FROM = 1_000_000
_XZ_MEMORY = 200_000_000  # bytes of dictionary an xz file may ask for
_FAULTS = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, MemoryError)


class Inflated(io.RawIOBase):
    """What a packed file holds, as a stream; the bytes themselves if it is not packed.

    Reading raises `InputError` when the file is damaged, or grows over a limit.
    """

    def __init__(self, data: bytes, uri: str, allowance: Allowance) -> None:
        self.uri, self._allowance, self._packed = uri, allowance, len(data)
        self._parts = _parts(data)
        self._held = b""
        self.size = 0  # bytes that came out so far

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """The next `size` bytes, fewer at the end; all of them for −1."""
        wanted = self._allowance.limit + 1 if size is None or size < 0 else size
        out = [self._held]
        have = len(self._held)
        while have < wanted and (part := self._next()):
            out.append(part)
            have += len(part)
        joined = b"".join(out)
        self._held = joined[wanted:]
        return joined[:wanted]

    def _next(self) -> bytes:
        try:
            part = next(self._parts, b"")
        except _FAULTS as error:
            what = "it is cut off" if isinstance(error, EOFError) else str(error)
            raise InputError(f"{self.uri}: the packed file is damaged ({what})", uri=self.uri) from error
        self.size += len(part)
        if not self._allowance.take(len(part)):
            limit = f"{self._allowance.limit / 1e6:,.0f} MB (the limit)"
            raise InputError(
                f"{self.uri}: it grows to more than {limit}, or all that is inside does", uri=self.uri
            )
        if self.size > _RATIO_FROM and self.size > MAX_RATIO * self._packed:
            message = f"{self.uri}: it grows to more than {MAX_RATIO} times its size (the limit)"
            raise InputError(f"{message}, as made to fill the memory", uri=self.uri)
        return part


def _parts(data: bytes) -> Iterator[bytes]:
    if data.startswith(b"\xfd7zXZ\x00"):
        yield from _xz_parts(data)
        return
    file: io.BufferedIOBase = io.BytesIO(data)
    if data.startswith(b"\x1f\x8b"):
        file = gzip.GzipFile(fileobj=file)
    elif data.startswith(b"BZh"):
        file = bz2.BZ2File(file)
    while part := file.read(_STEP):
        yield part


def _xz_parts(data: bytes) -> Iterator[bytes]:
    """The parts of the streams of an xz file; zero bytes between streams are padding."""
    at = 0
    while at < len(data):
        decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not decoder.eof:
            packed = data[at : at + _STEP] if decoder.needs_input else b""
            if decoder.needs_input and not packed:
                raise EOFError
            at += len(packed)
            if part := decoder.decompress(packed, _STEP):
                yield part
        at -= len(decoder.unused_data)
        while data[at : at + 1] == b"\0":
            at += 1
