"""Names that are not UTF-8: read, found, cited, printed and followed like any other."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from command_line import Run, run
from failing_models import library
from pincite.cli.render import place_link
from pincite.cli.terminal import Terminal
from pincite.config import Config, ModelConfig, SyncConfig
from pincite.errors import InputError
from pincite.folder.read import name_in_uri, on_disk
from pincite.folder.walk import walk
from pincite.library import Library
from pincite.sync.apply import MANY_FILES
from pincite.types import Place

__all__ = ["run"]

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="the file system refuses such names")

RAW = b"caf\xe9/r\xe9sum\xe9 100% \xff.md"
URI = "caf%E9/r%E9sum%E9 100% %FF.md"


def put(root: Path, raw: bytes, text: str = "# Notes\n\nThe ruby pump stands in hall seven.\n") -> Path:
    path = root / os.fsdecode(raw)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_from_sync_to_rename_and_removal(tmp_path: Path) -> None:
    path = put(tmp_path, RAW)
    with library(tmp_path) as opened:
        assert opened.sync().added == (URI,)
        assert (opened.sync().unchanged, opened.status().changed, opened.status().removed) == (1, (), ())
        hit = opened.search("ruby", k=1).hits[0]
        assert (hit.stored.uri, hit.stale) == (URI, None)
        (cited,) = opened.ask("Where does the ruby pump stand?").claims[0].citations
        assert (cited.uri, cited.verified) == (URI, True)
        assert opened.show(hit.location).lines[-1] == "The ruby pump stands in hall seven."
        assert opened.parse(URI)[0].uri == URI
        path.write_text("# Notes\n\nThe opal pump stands in hall eight.\n")
        assert opened.search("ruby", k=1).hits[0].stale == "changed"
        assert opened.sync().changed == (URI,)
        moved = put(tmp_path, b"new \xfe.md", path.read_text())
        path.unlink()
        assert opened.sync().moved == ("new %FE.md",)
        assert opened.search("opal", k=1).hits[0].stale is None
        moved.unlink()
        put(tmp_path, b"a.md", "# Other\n")
        assert opened.sync().removed == ("new %FE.md",)


@pytest.mark.parametrize("given", [URI, os.fsdecode(RAW)])
def test_either_form_names_it(tmp_path: Path, given: str) -> None:
    put(tmp_path, RAW)
    with library(tmp_path) as opened:
        opened.sync()
        assert opened.show(f"{given}:3").uri == URI
        assert opened.parse(given)[0].uri == URI
        with pytest.raises(InputError) as caught:
            opened.show(f"{given}x")
        assert f"{caught.value.message}{caught.value.hint}".encode()


def test_worker_processes_read_them(tmp_path: Path) -> None:
    put(tmp_path, RAW)
    for number in range(MANY_FILES):
        put(tmp_path, b"caf\xe9/%d \xff.md" % number)
    with Library(tmp_path, tmp_path / ".pincite", Config(model=ModelConfig("english"))) as opened:
        report = opened.sync()
        assert (report.indexed, report.failed, report.skipped) == (MANY_FILES + 1, (), ())


def test_what_is_printed(tmp_path: Path, run: Run) -> None:
    docs = tmp_path / "docs"
    put(docs, RAW)
    put(docs, b"bad \xe9.pdf", "not a PDF")
    for words in (
        ["sync", docs], ["search", "ruby pump"], ["ask", "Where does the ruby pump stand?"], ["status"],
        ["explain", "Where does the ruby pump stand?"], ["show", f"{URI}:3"], ["parse", URI],
        ["show", os.fsdecode(RAW)], ["show", os.fsdecode(RAW) + "x"],
    ):  # fmt: skip
        for form in ([], ["--json"]):
            place = [] if words[0] == "sync" else ["--in", docs]
            code, out, err = run(*words, *place, *form)
            assert code in (0, 4, 8), (words, err)
            assert (out + err).encode()  # no half character in it
            if form and code == 0:
                json.loads(out)
            if words[0] not in ("parse", "show"):
                assert "%E9" in out + err


def test_links_of_a_terminal_lead_to_the_file(tmp_path: Path) -> None:
    path = put(tmp_path, RAW)
    link = place_link(Place(3, 3), URI, root=tmp_path, term=Terminal(rich=True))
    target = link.split(";")[2].split("\x1b")[0]
    assert os.fsencode(path) == unquote_to_bytes(target.removeprefix("file://").partition("#")[0])


def test_two_names_that_are_one_in_uris(tmp_path: Path) -> None:
    """The one that has the name itself is taken, whatever the order; the other is named."""
    put(tmp_path, b"a%E9.md", "# One\n\nopal-1\n")
    put(tmp_path, b"a\xe9.md", "# Two\n\nopal-2\n")
    with library(tmp_path) as opened:
        report = opened.sync()
        assert (report.found, report.added, len(report.skipped)) == (2, ("a%E9.md",), 1)
        assert "bytes that are not UTF-8" in report.skipped[0].reason
        assert opened.search("opal-1", k=1).hits[0].stale is None
        assert opened.show("a%E9.md:3").lines == ("opal-1",)


@pytest.mark.parametrize(
    ("raw", "uri"),
    [(b"a\xe9", "a%E9"), (b"a%", "a%"), ("Cafe\u0301".encode(), "Café"), (b"\xc3\xa9\xe9", "é%E9")],
)
def test_the_form_of_names_in_uris(tmp_path: Path, raw: bytes, uri: str) -> None:
    name = os.fsdecode(raw)
    assert name_in_uri(name) == name_in_uri(uri) == uri
    (tmp_path / name).touch()
    assert on_disk(tmp_path, uri) == tmp_path / name


def test_patterns_match_them(tmp_path: Path) -> None:
    put(tmp_path, RAW)
    put(tmp_path, b"a.md")
    assert [file.uri for file in walk(tmp_path, SyncConfig(exclude=("caf*/",))).files] == ["a.md"]
    (tmp_path / ".gitignore").write_bytes(b"r*.md\n")
    assert [file.uri for file in walk(tmp_path, SyncConfig()).files] == ["a.md"]


def test_a_library_in_such_a_folder(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = tmp_path / os.fsdecode(b"caf\xe9")
    put(docs, b"a.md")
    assert run("sync", docs)[0] == 0
    for words in (["status"], ["status", "--json"], ["search", "ruby"], ["ask", "Where is the ruby pump?"]):
        code, out, err = run(*words, "--in", docs)
        assert code == 0 and (out + err).encode()
    monkeypatch.chdir(docs)
    assert run("show", "a.md:3")[0] == 0
