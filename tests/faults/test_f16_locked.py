"""F16: a PDF that opens without a password is read; a locked one is named, and read with its password."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libraries import DEFAULT, bundled, inputs, uris
from pincite.library import Library

FILES = inputs("F16", "owner_locked.pdf", "locked.pdf")


def with_passwords(root: Path, text: str) -> Library:
    """The library of the folder, with a file of passwords."""
    (root.parent / "passwords").write_text(text)
    settings = replace(DEFAULT.parse, password_file=str(root.parent / "passwords"))
    return Library(root, root / ".pincite", replace(DEFAULT, parse=settings))


def test_the_one_is_read_and_the_other_named(tmp_path: Path) -> None:
    with bundled(tmp_path / "a", FILES) as opened:
        for report in (opened.sync(), opened.sync()):
            assert (report.indexed, [one.uri for one in report.failed]) == (1, ["locked.pdf"])
            assert "password" in report.failed[0].reason
        hit = opened.search("spare key safe").hits[0]
        assert (hit.stored.uri, hit.stored.place.page) == ("owner_locked.pdf", 1)


@pytest.mark.parametrize("text", ["open-sesame\n", "wrong\n\nopen-sesame"])
def test_a_password_opens_what_was_refused_before(tmp_path: Path, text: str) -> None:
    root = tmp_path / "a"
    with bundled(root, FILES) as opened:
        opened.sync()
    with with_passwords(root, text) as opened:
        assert opened.sync().added == ("locked.pdf",)
        assert set(uris(opened.search("spare key safe"))) == {"owner_locked.pdf", "locked.pdf"}
    held = b"".join(path.read_bytes() for path in (root / ".pincite").rglob("*") if path.is_file())
    assert b"open-sesame" not in held
    with Library(root, root / ".pincite", DEFAULT) as opened:
        assert opened.sync().unchanged == 2


@pytest.mark.parametrize("text", ["", "\n", "wrong\n"])
def test_a_wrong_password_is_told_from_none(tmp_path: Path, text: str) -> None:
    root = tmp_path / "a"
    root.mkdir()
    (root / "locked.pdf").write_bytes(FILES["locked.pdf"])
    (root / "note.md").write_text("A note.\n")
    with with_passwords(root, text) as opened:
        (failed,) = opened.sync().failed
        assert "no line of the password file opens it" in failed.reason
        assert "wrong" not in failed.reason
