"""Zip files of untrusted make: what comes out counts, whatever the file states."""

from __future__ import annotations

import io
import struct
import zipfile
from random import Random

import pytest

from office_files import zipped
from pincite.errors import InputError
from pincite.parse.inside.names import refusal
from pincite.parse.zips import Zip


def test_a_packed_size_that_lies_hides_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.zips.MAX_RATIO", 5)
    files = {"a.xml": b"A" * 3_000_000, "b.bin": Random(7).randbytes(300_000)}
    packed = bytearray(zipped(files))
    struct.pack_into("<I", packed, packed.find(b"PK\x01\x02") + 20, 2_000_000_000)
    with pytest.raises(InputError, match=r"a\.xml grows to more than 5 times its size"):
        Zip(bytes(packed), "a.zip").read("a.xml")


def test_a_member_that_asks_for_a_huge_dictionary_is_refused_with_the_limit() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as made:
        made.writestr("a.txt", b"high water " * 99)
        made.writestr("b.txt", b"low water")
    packed = bytearray(out.getvalue())
    assert Zip(bytes(packed), "a.zip").read("a.txt") == b"high water " * 99
    struct.pack_into("<I", packed, packed.index(b"a.txt") + 5 + 5, 2**32 - 1)
    file = Zip(bytes(packed), "a.zip")
    with pytest.raises(InputError, match=r"a\.txt asks for 4,295 MB of memory .* the limit is 200 MB"):
        file.read("a.txt")
    assert file.read("b.txt") == b"low water"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a:7", ""),
        ("b/a:7", ""),
        ("c:", "its name is an absolute path"),
        ("C:\\boot.ini", "its name is an absolute path"),
        ("c:/boot.ini", "its name is an absolute path"),
    ],
)
def test_a_letter_and_a_colon_alone_are_no_drive(name: str, reason: str) -> None:
    assert refusal(name) == reason
