"""Zip files of untrusted make: what comes out counts, whatever the file states."""

from __future__ import annotations

import struct
from random import Random

import pytest

from office_files import zipped
from pincite.errors import InputError
from pincite.parse.zips import Zip


def test_a_packed_size_that_lies_hides_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.zips.MAX_RATIO", 5)
    files = {"a.xml": b"A" * 3_000_000, "b.bin": Random(7).randbytes(300_000)}
    packed = bytearray(zipped(files))
    struct.pack_into("<I", packed, packed.find(b"PK\x01\x02") + 20, 2_000_000_000)
    with pytest.raises(InputError, match=r"a\.xml grows to more than 5 times its size"):
        Zip(bytes(packed), "a.zip").read("a.xml")
