"""Zip files of untrusted make: members by name, inflated within limits that count the bytes that come out."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

from pincite.errors import InputError

MAX_MEMBERS = 10_000
MAX_INFLATED = 256_000_000  # bytes all members of one file may have together
MAX_RATIO = 200  # times a member of more than 1 MB may grow; text in Office files stays far below
_RATIO_FROM = 1_000_000
MAX_DICTIONARY = 200_000_000  # bytes of dictionary that a member packed with LZMA may ask for
_STEP = 1 << 16
_ANY_SIZE = 1 << 62
_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, NotImplementedError, OSError, RuntimeError, ValueError),
)
"""What damaged members set off."""


@dataclass(slots=True)
class Allowance:
    """How many bytes may come out of a file, and of what is inside it, and how many did."""

    limit: int = MAX_INFLATED
    used: int = 0

    def take(self, size: int) -> bool:
        """Counts bytes; whether all so far are within the limit."""
        self.used += size
        return self.used <= self.limit

    @property
    def spent(self) -> bool:
        return self.used > self.limit


class Zip:
    """The members of a zip file. Raises `InputError` with the limit that was passed, or what is damaged."""

    def __init__(
        self, data: bytes, uri: str, *, limit: int = MAX_INFLATED, allowance: Allowance | None = None
    ) -> None:
        self.uri = uri
        self._allowance = allowance or Allowance(limit)
        self._size = len(data)
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OverflowError) as error:
            raise InputError(f"{uri}: not a readable zip file ({error})", uri=uri) from error
        infos = [i for i in self._file.infolist() if i.filename and not i.filename.endswith("/")]
        if len(infos) > MAX_MEMBERS:
            raise InputError(f"{uri}: holds {len(infos):,} members; the limit is {MAX_MEMBERS:,}", uri=uri)
        self.entries = tuple(infos)  # all of them, also several of one name
        self._infos = {info.filename: info for info in infos}

    def __contains__(self, name: object) -> bool:
        return name in self._infos

    def __iter__(self) -> Iterator[str]:
        """The names of the members, in the order of the file's directory."""
        return iter(self._infos)

    def size(self, name: str) -> int:
        """The size a member states; it may lie."""
        return self._infos[name].file_size

    def is_encrypted(self, name: str) -> bool:
        """Whether a member needs a password."""
        return bool(self._infos[name].flag_bits & 1)

    def read(self, name: str) -> bytes:
        """The bytes of a member. Raises `KeyError` when there is none of this name."""
        return self.read_entry(self._infos[name])

    def read_entry(self, info: zipfile.ZipInfo, *, most: int = MAX_INFLATED) -> bytes:
        """The bytes of one of `entries`, of which there may be `most`."""
        name = info.filename
        if info.flag_bits & 1:
            raise InputError(f"{self.uri}: {name} is encrypted", uri=self.uri)
        if info.compress_type == zipfile.ZIP_LZMA:
            self._check_dictionary(info)
        out, size = [], 0
        packed = copy(info)
        packed.file_size = _ANY_SIZE  # zipfile stops at the size that is stated, which may lie
        try:
            with self._file.open(packed) as member:
                while part := member.read(_STEP):
                    size += len(part)
                    self._count(name, size, len(part), info.compress_size)
                    if size > most:
                        limit = f"{most / 1e6:,.0f} MB (the limit)"
                        raise InputError(f"{self.uri}: {name} has more than {limit}", uri=self.uri)
                    out.append(part)
        except _FAULTS as error:
            raise InputError(f"{self.uri}: {name} is damaged ({error})", uri=self.uri) from error
        return b"".join(out)

    def _check_dictionary(self, info: zipfile.ZipInfo) -> None:
        """Raises `InputError` for a member whose dictionary, taken at once, would fill the memory."""
        stored = copy(info)
        del stored.CRC  # that of what is unpacked
        stored.compress_type, stored.file_size = zipfile.ZIP_STORED, info.compress_size
        try:
            with self._file.open(stored) as member:
                head = member.read(9)  # two versions, the size of what follows, a byte, the dictionary's size
        except _FAULTS as error:
            raise InputError(f"{self.uri}: {info.filename} is damaged ({error})", uri=self.uri) from error
        if (size := int.from_bytes(head[5:], "little")) > MAX_DICTIONARY:
            asked = f"{info.filename} asks for {size / 1e6:,.0f} MB of memory to be unpacked"
            raise InputError(
                f"{self.uri}: {asked}; the limit is {MAX_DICTIONARY / 1e6:,.0f} MB", uri=self.uri
            )

    def _count(self, name: str, size: int, more: int, packed: int) -> None:
        if not self._allowance.take(more):
            limit = self._allowance.limit / 1e6
            message = f"{self.uri}: its members have more than {limit:,.0f} MB together"
            raise InputError(f"{message} (the limit); stopped in {name}", uri=self.uri)
        packed = max(1, min(packed, self._size))  # what is stated may lie
        if size > _RATIO_FROM and size > MAX_RATIO * packed:
            message = f"{self.uri}: {name} grows to more than {MAX_RATIO} times its size (the limit)"
            raise InputError(f"{message}, as made to fill the memory", uri=self.uri)
