"""OLE files (compound files) written by hand: Outlook messages for the tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

SECTOR, MINI, CUTOFF = 512, 64, 4096
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD

Tree = Mapping[str, Any]
"""Streams (bytes) and storages (trees) by name."""


def ole_file(tree: Tree) -> bytes:
    """The bytes of a compound file; streams below 4,096 bytes stand in the mini stream, as they must."""
    entries: list[list[Any]] = [["Root Entry", 5, _FREE, _FREE, _FREE, _END, 0]]
    streams: list[tuple[int, bytes]] = []
    _add(tree, 0, entries, streams)
    mini, mini_fat = b"", list[int]()
    large = [(0, b"")]
    for entry, data in streams:
        if len(data) >= CUTOFF:
            large.append((entry, data))
        elif data:
            entries[entry][5] = len(mini_fat)
            mini_fat += _chain(len(mini_fat), _sectors(data, MINI))
            mini += _padded(data, MINI)
    large[0] = (0, mini)
    entries[0][6] = len(mini)
    table = _padded(struct.pack(f"<{len(mini_fat)}I", *mini_fat), SECTOR, b"\xff")
    n_dir, n_mini = _sectors(b"\0" * 128 * len(entries)), _sectors(table)
    n_fat = 1
    while n_fat * 128 < n_fat + n_dir + n_mini + sum(_sectors(data) for _, data in large):
        n_fat += 1
    fat = [_FAT] * n_fat + _chain(n_fat, n_dir) + _chain(n_fat + n_dir, n_mini)
    body = b""
    for entry, data in large:
        entries[entry][5] = len(fat) if data else _END
        fat += _chain(len(fat), _sectors(data))
        body += _padded(data)
    fat += [_FREE] * (n_fat * 128 - len(fat))
    directory = _padded(b"".join(_entry(*entry) for entry in entries))
    head = _header(n_fat, n_fat + n_dir if n_mini else _END, n_mini)
    return head + struct.pack(f"<{len(fat)}I", *fat) + directory + table + body


def _header(n_fat: int, mini_start: int, n_mini: int) -> bytes:
    """Of version 3; the directory follows the sectors of the table."""
    fields = struct.pack(
        "<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, n_fat, n_fat, 0, CUTOFF, mini_start, n_mini, _END, 0
    )
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + fields
    return head + struct.pack("<109I", *range(n_fat), *[_FREE] * (109 - n_fat))


def _sectors(data: bytes, size: int = SECTOR) -> int:
    return -(-len(data) // size)


def _padded(data: bytes, size: int = SECTOR, filler: bytes = b"\0") -> bytes:
    return data.ljust(_sectors(data, size) * size, filler)


def _chain(start: int, count: int) -> list[int]:
    return [*range(start + 1, start + count), _END] if count else []


def _add(tree: Tree, parent: int, entries: list[list[Any]], streams: list[tuple[int, bytes]]) -> None:
    """Adds what a storage holds; its entries are linked each to the right of the one before."""
    before = None
    for name in sorted(tree, key=lambda one: (len(one), one.upper())):
        index, held = len(entries), tree[name]
        stream = held if isinstance(held, bytes) else None
        kind, size = (1, 0) if stream is None else (2, len(stream))
        entries.append([name, kind, _FREE, _FREE, _FREE, _END, size])
        if before is None:
            entries[parent][4] = index
        else:
            entries[before][3] = index
        before = index
        if stream is None:
            _add(held, index, entries, streams)
        else:
            streams.append((index, stream))


def _entry(name: str, kind: int, left: int, right: int, child: int, start: int, size: int) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    head = raw.ljust(64, b"\0") + struct.pack("<HBBIII", len(raw), kind, 1, left, right, child)
    return head + b"\0" * 36 + struct.pack("<IQ", start, size)


def message(
    text: Mapping[str, str],
    *,
    binary: Mapping[str, bytes] | None = None,
    fixed: Mapping[int, bytes] | None = None,
    storages: Tree | None = None,
    head: int = 32,
) -> dict[str, Any]:
    """The tree of an Outlook message from its properties by number; `head` is 8 for a part of one."""
    rows = [(number, value.ljust(8, b"\0")) for number, value in (fixed or {}).items()]
    table = b"".join(struct.pack("<HHI", 3, number, 6) + value for number, value in rows)
    streams = {f"__substg1.0_{number}001F": value.encode("utf-16-le") for number, value in text.items()}
    streams |= {f"__substg1.0_{number}0102": value for number, value in (binary or {}).items()}
    return {**streams, "__properties_version1.0": b"\0" * head + table, **(storages or {})}
