"""Streams of gzip, bzip2 and xz files, read piece by piece within limits that count what comes out."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from pincite.errors import InputError
from pincite.parse.zips import MAX_RATIO, Allowance

MAX_STREAMS = 10_000  # in one file: each takes its time, whether there is anything in it or not
_STEP = 1 << 16
_RATIO_FROM = 1_000_000
_XZ_MEMORY = 200_000_000  # bytes of dictionary an xz file may ask for
_FAULTS = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)
_ZEROS = re.compile(rb"\0*")


class Inflated(io.RawIOBase):
    """What a packed file holds, as a stream; the bytes themselves if it is not packed.

    Reading raises `InputError` when the file is damaged, or grows over a limit.
    """

    def __init__(self, data: bytes, uri: str, allowance: Allowance) -> None:
        self.uri, self._allowance, self._packed = uri, allowance, len(data)
        self._parts = _parts(data, uri)
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


def _parts(data: bytes, uri: str) -> Iterator[bytes]:
    for magic, make in _STREAMS.items():
        if data.startswith(magic):
            return _unpacked(data, uri, magic, make)
    return (data[at : at + _STEP] for at in range(0, len(data), _STEP))


class _Stream(Protocol):
    """One packed stream, as `bz2` and `lzma` have them."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """The same for gzip."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        part = self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)
        self.needs_input = not self._inflate.unconsumed_tail and len(part) < max_length
        return part


_STREAMS: dict[bytes, Callable[[], _Stream]] = {
    b"\x1f\x8b": _Gzip,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_XZ_MEMORY),
}
"""How a file of one or more streams begins, and what reads one of them."""


def _unpacked(data: bytes, uri: str, magic: bytes, make: Callable[[], _Stream]) -> Iterator[bytes]:
    """The parts of all streams; zero bytes between them, and what stands behind those of bzip2, are none."""
    at = count = 0
    while at < len(data) and (data.startswith(magic, at) or magic != b"BZh"):
        count += 1
        if count > MAX_STREAMS:
            raise InputError(f"{uri}: it is packed in more than {MAX_STREAMS:,} pieces (the limit)", uri=uri)
        stream = make()
        while not stream.eof:
            packed = data[at : at + _STEP] if stream.needs_input else b""
            if stream.needs_input and not packed:
                raise EOFError
            at += len(packed)
            if part := stream.decompress(packed, _STEP):
                yield part
        at = _ZEROS.match(data, at - len(stream.unused_data)).end()  # type: ignore[union-attr]
