"""Old binary Excel workbooks (BIFF8) written by hand for the tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from ole_files import Tree, ole_file

_GLOBALS, _SHEET = 5, 16


def old_workbook(
    sheets: Mapping[str, Sequence[Sequence[object]]],
    *,
    codes: Sequence[str] = (),
    styles: Mapping[tuple[int, int], int] | None = None,
    merged: Sequence[tuple[int, int, int, int]] = (),
    hidden: Sequence[str] = (),
    hidden_rows: Sequence[int] = (),
    more: Tree | None = None,
) -> bytes:
    """An .xls file: sheets of values by name. `styles` gives cells (row, column from 0) a code, from 1.

    `merged` are (top, bottom, left, right) from 0, of every sheet, and so are `hidden_rows`. `more` stands
    beside the workbook in the file.
    """
    parts = [_sheet(table, styles or {}, merged, hidden_rows) for table in sheets.values()]
    head = _head(codes)
    size = len(head) + sum(len(_bound(0, name, False)) for name in sheets) + len(_record(0x0A))
    bounds = b""
    for name, part in zip(sheets, parts, strict=True):
        bounds += _bound(size, name, name in hidden)
        size += len(part)
    book = (head + bounds + _record(0x0A) + b"".join(parts)).ljust(4096, b"\0")
    return ole_file({"Workbook": book, **(more or {})})


def _record(kind: int, body: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _string(text: str) -> bytes:
    return struct.pack("<HB", len(text), 1) + text.encode("utf-16-le")


def _bof(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))


def _head(codes: Sequence[str]) -> bytes:
    """The part all sheets share up to their list: number formats and a style for each."""
    formats = [_record(0x041E, struct.pack("<H", 200 + n) + _string(code)) for n, code in enumerate(codes)]
    keys = [0, *range(200, 200 + len(codes))]
    styles = [_record(0xE0, struct.pack("<HHHBBBBIIH", 0, key, 1, 0, 0, 0, 0, 0, 0, 0)) for key in keys]
    return _bof(_GLOBALS) + b"".join(formats) + b"".join(styles)


def _bound(offset: int, name: str, hidden: bool) -> bytes:
    text = name.encode("utf-16-le")
    return _record(0x85, struct.pack("<IBBBB", offset, hidden, 0, len(name), 1) + text)


def _sheet(
    table: Sequence[Sequence[object]],
    styles: Mapping[tuple[int, int], int],
    merged: Sequence[tuple[int, int, int, int]],
    hidden_rows: Sequence[int],
) -> bytes:
    out = _bof(_SHEET)
    for row in hidden_rows:
        out += _record(0x0208, struct.pack("<HHHHHHI", row, 0, 9, 255, 0, 0, 0x20))
    for row, line in enumerate(table):
        for column, value in enumerate(line):
            out += _cell(value, struct.pack("<HHH", row, column, styles.get((row, column), 0)))
    areas = b"".join(struct.pack("<HHHH", *area) for area in merged)
    return out + _record(0xE5, struct.pack("<H", len(merged)) + areas) + _record(0x0A)


def _cell(value: object, head: bytes) -> bytes:
    """A cell: text, a truth value, an error (its code as bytes) or a number; None is none."""
    if value is None:
        return b""
    if isinstance(value, str):
        return _record(0x0204, head + _string(value))
    if isinstance(value, bytes | bool):
        code = value[0] if isinstance(value, bytes) else int(value)
        return _record(0x0205, head + struct.pack("<BB", code, isinstance(value, bytes)))
    return _record(0x0203, head + struct.pack("<d", value))
