"""Files inside files: documents of their own that come, change and go with the file on disk."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from libraries import bundled, library, uris
from pincite.config import ParseConfig
from pincite.errors import InputError
from pincite.evaluate.labels.adding import expected

MAIL = """From: Ann <ann@example.org>
To: ben@example.org
Subject: The seal kit
Date: Mon, 2 Mar 2026 10:00:00 +0000
Message-ID: <seal@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

The order is attached, Ben.
--b
Content-Type: text/markdown; charset=utf-8
Content-Disposition: attachment; filename=order.md

# Order

Twelve seal kits by quartz-9 freight.
--b--
"""


def zipped(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text)
    return out.getvalue()


INSIDE = {"a/pump.md": "# Pump\n\nThe onyx-1 pump is loud.\n", "b.md": "# Valve\n\nClose the onyx-2 valve.\n"}


def test_members_are_found_and_cited_by_their_path_in_the_file(tmp_path: Path) -> None:
    with library(tmp_path, {"box.zip": zipped(INSIDE), "mail.eml": MAIL}) as opened:
        report = opened.sync()
        inside = ["box.zip/a/pump.md", "box.zip/b.md", "mail.eml/order.md"]
        assert report.added == tuple(sorted(["box.zip", "mail.eml", *inside]))
        assert (report.found, report.inside, report.indexed) == (5, 3, 5)
        assert opened.search("onyx-1", legs=("lexical",)).hits[0].location == "box.zip/a/pump.md:1-3"
        assert uris(opened.search("quartz-9 freight", legs=("lexical",)))[0] == "mail.eml/order.md"
        (claim,) = opened.ask("Which valve do I close?").claims
        assert [(one.location, one.verified) for one in claim.citations] == [("box.zip/b.md:3", True)]
        assert opened.show("box.zip/b.md:3").lines == ("Close the onyx-2 valve.",)
        assert uris(opened.search("onyx", filter="folder=box.zip/a", legs=("lexical",))) == inside[:1]


def test_members_follow_the_file(tmp_path: Path) -> None:
    with library(tmp_path, {"box.zip": zipped(INSIDE), "note.md": "A note.\n"}) as opened:
        opened.sync()
        os.utime(tmp_path / "box.zip", (2_000_000_000, 2_000_000_000))
        touched = opened.sync()
        assert (touched.added, touched.changed, touched.removed) == ((), (), ())
        assert opened.search("onyx-2", legs=("lexical",)).hits[0].stale is None
        (tmp_path / "box.zip").write_bytes(zipped({"b.md": "# Valve\n\nOpen the onyx-3 valve.\n"}))
        assert {hit.stale for hit in opened.search("onyx-2", legs=("lexical",)).hits} == {"changed"}
        changed = opened.sync()
        assert changed.changed == ("box.zip", "box.zip/b.md")
        assert changed.removed == ("box.zip/a/pump.md",)
        assert "box.zip/a/pump.md" not in uris(opened.search("pump is loud", legs=("lexical",)))
        (tmp_path / "box.zip").unlink()
        assert opened.sync().removed == ("box.zip", "box.zip/b.md")
        assert uris(opened.search("onyx valve pump", legs=("lexical",))) == []
        assert opened.status().documents == 1


def test_what_is_refused_inside_is_named(tmp_path: Path) -> None:
    members = {**INSIDE, "../out.md": "Outside.\n", "tool.exe": "MZ\x90\x00\x03\x00\x00\x00\x04\xff"}
    with library(tmp_path, {"box.zip": zipped(members)}) as opened:
        report = opened.sync()
        assert {"box.zip/tool.exe"} < {one.uri for one in report.skipped}
        assert any("out.md" in one.uri for one in report.skipped)
        assert report.found == report.indexed + len(report.empty) + len(report.failed) + len(report.skipped)
        assert not (tmp_path.parent / "out.md").exists()


def test_a_place_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    with library(tmp_path, {"box.zip": zipped(INSIDE)}) as opened:
        opened.sync()
        with pytest.raises(InputError, match=r"nothing at line 9; it has box.zip/b.md:1 to box.zip/b.md:3"):
            opened.show("box.zip/b.md:9")
        with pytest.raises(InputError, match="no such file"):
            opened.show("box.zip/c.md:1")


def test_a_member_that_stays_as_it_was_is_unchanged(tmp_path: Path) -> None:
    members = {**INSIDE, "tool.exe": "MZ\x90\x00\x03\x00\x00\x00\x04\xff"}
    with library(tmp_path, {"box.zip": zipped(members)}) as opened:
        opened.sync()
        (tmp_path / "box.zip").write_bytes(zipped({**members, "b.md": "# Valve\n\nOpen it.\n"}))
        report = opened.sync()
        assert (report.added, report.changed, report.removed) == ((), ("box.zip", "box.zip/b.md"), ())
        assert (report.indexed, report.unchanged) == (3, 1)


def test_members_move_with_the_file(tmp_path: Path) -> None:
    with library(tmp_path, {"box.zip": zipped(INSIDE)}) as opened:
        opened.sync()
        (tmp_path / "box.zip").rename(tmp_path / "case.zip")
        report = opened.sync()
        assert report.moved == ("case.zip", "case.zip/a/pump.md", "case.zip/b.md")
        assert (report.added, report.changed, report.removed) == ((), (), ())


def test_the_model_is_chosen_by_what_archives_hold(tmp_path: Path) -> None:
    text = "水泵的流量是每分钟九升。请在关闭阀门之前检查压力表，并记录所有读数。\n"
    with bundled(tmp_path, {"box.zip": zipped({f"{n}.md": text for n in range(3)})}) as opened:
        report = opened.sync()
        assert (report.indexed, report.model, report.warnings) == (4, "multilingual", ())


def test_a_member_is_not_parsed_alone_but_its_text_can_be_shown(tmp_path: Path) -> None:
    with library(tmp_path, {"box.zip": zipped(INSIDE)}) as opened:
        opened.sync()
        with pytest.raises(InputError, match=r"it stands inside box.zip") as raised:
            opened.parse("box.zip/b.md")
        assert raised.value.hint == "its indexed text: pincite show box.zip/b.md"
        assert opened.show("box.zip/b.md").lines[0] == "# Valve"


def test_a_place_in_a_member_can_be_labelled(tmp_path: Path) -> None:
    with library(tmp_path, {"box.zip": zipped(INSIDE)}):
        (label,) = expected(tmp_path, ["box.zip/b.md:3"], ParseConfig())
        assert (label.uri, label.quote) == ("box.zip/b.md", "Close the onyx-2 valve.")
        with pytest.raises(InputError, match=r"box.zip holds no such file"):
            expected(tmp_path, ["box.zip/c.md:1"], ParseConfig())
