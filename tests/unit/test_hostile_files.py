"""What a folder of documents may hold to harm a sync: odd times, pipes and links, patterns without end."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import pincite
from index_files import current
from libraries import library, write
from parsed import source
from pincite.cli.answered import answer_text
from pincite.cli.render import explain_text, search_text
from pincite.cli.report import map_text, parse_text, status_text, sync_text
from pincite.cli.terminal import Terminal
from pincite.config import Config, LLMConfig, MetaRule, ModelConfig, SyncConfig
from pincite.errors import InputError, StoreError, UsageError
from pincite.filter.fields import document_meta
from pincite.folder.read import identity_of
from pincite.folder.walk import walk
from pincite.index import tree
from pincite.index.seal import check_seal
from pincite.jsonform import dump, plain, search_json
from pincite.library import Library
from pincite.models import load_embedder
from pincite.parse import parse


def status_of(*, mtime_ns: int = 0, ctime_ns: int = 0, inode: int = 1) -> os.stat_result:
    """What a file system may say of a file."""
    status = SimpleNamespace(st_size=5, st_mtime_ns=mtime_ns, st_ctime_ns=ctime_ns, st_ino=inode)
    return cast(os.stat_result, status)


@pytest.mark.parametrize("value", [-(2**70), -(2**63) - 1, -1, 0, 2**63 - 1, 2**63, 2**64 - 1, 2**70])
def test_whatever_a_file_system_says_can_be_stored(value: int) -> None:
    for status in (status_of(mtime_ns=value), status_of(ctime_ns=value), status_of(inode=value)):
        identity = identity_of(status)
        assert all(-(2**63) <= part < 2**63 for part in identity)
        with sqlite3.connect(":memory:") as db:
            assert db.execute("SELECT ?, ?, ?, ?", identity).fetchone() == identity
        document_meta(parse(source("a.md", "text")), identity[1], (), {})


def test_inodes_above_63_bits_stay_apart() -> None:
    assert len({identity_of(status_of(inode=n)) for n in (1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1)}) == 5


@pytest.mark.parametrize("year", [1800, 1969, 2300, 2400])
def test_files_of_any_year_are_indexed_once(tmp_path: Path, year: int) -> None:
    with library(tmp_path, {"a.md": "# Pump\n\nOil it.\n"}) as opened:
        when = (date(year, 1, 1) - date(1970, 1, 1)).days * 86400
        try:
            os.utime(tmp_path / "a.md", (when, when))
        except OverflowError:
            pytest.skip("this file system has no such time")
        assert opened.sync().added == ("a.md",)
        time.sleep(0.05)
        assert opened.sync().unchanged == 1
        hit = opened.search("oil").hits[0]
        assert hit.stale is None and isinstance(hit.stored.meta["modified"], date)


def in_place_of_ignore_file(path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        path.write_bytes(b"#" * 300_000)
    else:
        path.symlink_to({"device": "/dev/zero", "link": "patterns.txt"}[kind])


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("pipe", "not a regular file"),
        ("device", "links are not followed"),
        ("link", "links are not followed"),
        ("folder", "not a regular file"),
        ("large", "larger than 256 kB"),
    ],
)
def test_an_ignore_file_that_cannot_be_read_is_named(tmp_path: Path, kind: str, why: str) -> None:
    with library(tmp_path, {"sub/a.md": "# Pump\n\nOil it.\n", "patterns.txt": "a.md\n"}) as opened:
        in_place_of_ignore_file(tmp_path / "sub" / ".gitignore", kind)
        report = opened.sync()
        assert report.added == ("patterns.txt", "sub/a.md")
        assert [line for line in report.warnings if "sub/.gitignore was not read" in line and why in line]
        assert report.warnings == opened.status().warnings


def test_a_pattern_of_an_ignore_file_cannot_hold_up_a_sync(tmp_path: Path) -> None:
    patterns = "*a" * 30 + "b\n" + "**/a/" * 30 + "b\n!\n[z-a]\n\\\nleft.md\n"
    deep = "/".join(["a"] * 60)
    files = {"a" * 200: "x", f"{deep}/a.md": "# Pump\n\nOil it.\n", "left.md": "text", ".gitignore": patterns}
    write(tmp_path, files)
    started = time.process_time()
    found = walk(tmp_path, SyncConfig())
    assert time.process_time() - started < 5
    assert [file.uri for file in found.files] == [f"{deep}/a.md", "a" * 200]
    assert found.warnings == [".gitignore:1 was not used: it has too many wildcards"]


@pytest.mark.parametrize("pattern", ["*" * 5_000 + "x", "a****b", "!" + "*" * 40 + "x", "**/" + "*" * 9])
def test_each_star_of_a_row_is_a_wildcard(tmp_path: Path, pattern: str) -> None:
    write(tmp_path, {"x" + "a" * 200 + ".txt": "x", ".gitignore": pattern + "\n"})
    started = time.process_time()
    assert walk(tmp_path, SyncConfig()).warnings == [".gitignore:1 was not used: it has too many wildcards"]
    assert time.process_time() - started < 1


@pytest.mark.parametrize("glob", ["!", "\\", "[z-a]", "*a*b*c*d*e", "! "])
@pytest.mark.parametrize("setting", ["sync.exclude", "sync.include", "sync.meta.paths"])
def test_a_glob_that_is_none_is_named_with_its_setting(tmp_path: Path, setting: str, glob: str) -> None:
    name = setting.split(".")[1]
    value = (MetaRule((glob,), {"team": "red"}),) if name == "meta" else (glob,)
    config = Config(sync=SyncConfig(**{name: value}))  # type: ignore[arg-type]
    with library(tmp_path, {"a.md": "# Pump\n\nOil it.\n"}, config=config) as opened:
        for call in (opened.sync, opened.status, lambda: opened.search("oil")):
            with pytest.raises(UsageError, match="is not a pattern of paths") as caught:
                call()
            assert caught.value.message.startswith(f"{setting}: {glob!r}")


# ── an index that comes with the documents ────────────────────────────────────────────────────
def put(path: Path, kind: str) -> None:
    """Something else in the place of a file of the index."""
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "full folder":
        path.mkdir()
        (path / "x").write_text("x")
    else:
        path.write_text(
            {"deep": "[" * 100_000, "digits": f'{{"sealed": {"9" * 5000}}}', "list": "[[]]"}[kind]
        )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced folder; tests change only copies."""
    root = tmp_path_factory.mktemp("hostile")
    with library(root, {"a.md": "# Pump\n\nOil it.\n"}) as opened:
        opened.sync()
    return root


@pytest.fixture
def docs(whole: Path, tmp_path: Path) -> Path:
    tree.copy(whole, tmp_path / "docs")
    return tmp_path / "docs"


@pytest.fixture
def _alarm() -> Iterator[None]:
    """A wait for a pipe is an error here, not a hang."""

    def ring(number: int, frame: object) -> None:
        raise TimeoutError("it waits for ever")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def placed(docs: Path, name: str) -> Path:
    """A path in the index: NOW stands for the generation that is searched, NEXT for the one after it."""
    index = docs / ".pincite"
    number = current(index).number
    return index / name.replace("NOW", f"generation-{number}").replace("NEXT", f"generation-{number + 1}")


@pytest.mark.usefixtures("_alarm")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(
            (name, kind)
            for name in ("search/NOW.seal", "catalog.stamp")
            for kind in ("pipe", "folder", "deep", "digits")
        ),
        *((name, "folder") for name in ("search/NEXT.tmp", "catalog.tmp")),
        ("search/NOW.seal", "list"),
        ("catalog.tmp", "pipe"),
    ],
)
def test_seals_and_stamps_that_are_none_count_as_absent(docs: Path, name: str, kind: str) -> None:
    put(placed(docs, name), kind)
    with library(docs, {}) as opened:
        assert opened.status().documents == 1
        assert opened.search("oil").hits
        assert opened.sync(meta={"team": "red"}).indexed == 1
        assert opened.search("oil", filter="team=red").hits


@pytest.mark.usefixtures("_alarm")
@pytest.mark.parametrize("kind", ["pipe", "folder", "full folder"])
@pytest.mark.parametrize(
    "name",
    [
        "catalog.db",
        "catalog.db-wal",
        "search/NOW.seal",
        "search.lock",
        "sync.lock",
        "search/zz",
        "search/NOW/zz",
        "search/NOW/segments/zz",
    ],
)
def test_what_lies_in_the_place_of_an_index_file_is_an_error_of_ours_at_most(
    docs: Path, name: str, kind: str
) -> None:
    put(placed(docs, name), kind)
    for call in (Library.status, Library.sync, lambda lib: lib.search("oil")):
        with library(docs, {}, config=Config(lock_wait=0.1)) as opened, suppress(StoreError):
            call(opened)  # type: ignore[operator]


@pytest.mark.usefixtures("_alarm")
def test_a_pipe_that_a_seal_names_is_damage(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    os.mkfifo(tmp_path / "files" / "a")
    (tmp_path / "seal").write_text('{"label": "x", "entries": {"a": [0, 1, ""]}}')
    assert check_seal(tmp_path / "seal", tmp_path / "files").state == "damaged"


# ── names that pose as output ─────────────────────────────────────────────────────────────────
NAMES = [
    "a\nFailed (1)\n  real.md: forged.md", "b\rc.md", "esc\x1b[31m.md", "c1\u009b31mx.md", "nel\u0085x.md",
    "bidi\u202efdp.md", "isolate\u2067x.md", "ls\u2028x.md", "ps\u2029x.md",
]  # fmt: skip
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
PLAIN = Terminal()


def shown_of(opened: Library) -> Iterator[str]:
    """Everything the command line says of a library, for people."""
    found = opened.search("valve", k=50)
    assert len(found.hits) == len(NAMES)
    answer = opened.ask("valve", k=50)
    yield sync_text(opened.sync(), term=PLAIN)
    yield status_text(opened.status(), term=PLAIN)
    yield search_text(found, root=opened.root, term=PLAIN, stemmers=())
    yield answer_text(answer, root=opened.root, term=PLAIN, stemmers=())
    yield explain_text(answer, root=opened.root, term=PLAIN)
    for name in NAMES:
        yield map_text(*opened.parse(name), term=PLAIN)
        yield parse_text(*opened.parse(name), term=PLAIN)


def test_a_name_can_neither_forge_a_line_nor_steer_the_terminal(tmp_path: Path) -> None:
    files = {name: f"# Valve\n\nThe valve {n} opens.\n" for n, name in enumerate(NAMES)}
    with library(tmp_path, files) as opened:
        opened.sync()
        write(tmp_path, dict.fromkeys(NAMES, "# Valve\n\nThe valve is changed.\n"))
        write(tmp_path, {f"{name}\n  Failed (2)": b"\0\1\2" * 99 for name in NAMES})
        before = opened.status()
        assert len(before.changed) == len(NAMES) == len(before.unindexed)
        for text in (status_text(before, term=PLAIN), *shown_of(opened)):
            assert not HARMFUL.search(text)
            assert not [line for line in text.split("\n") if line.lstrip().startswith(("Failed", "real.md"))]


def test_json_steers_no_terminal_and_says_the_same(tmp_path: Path) -> None:
    files = {name: f"# Valve\n\nThe valve \x9b31m{n}\u202e.\n" for n, name in enumerate(NAMES)}
    with library(tmp_path, files) as opened:
        opened.sync()
        found = search_json(opened.search("valve", k=50))
    text = dump(found)
    assert not HARMFUL.search(text.replace("\n", "")) and json.loads(text) == plain(found)


# ── surroundings ──────────────────────────────────────────────────────────────────────────────
GONE = "mkdir {0} && cd {0} && rmdir {0} && {1} -m pincite {2}"


@pytest.mark.parametrize("words", ["status", "search valve", "config", "sync", "parse x"])
def test_a_current_folder_that_is_gone_is_told(tmp_path: Path, words: str) -> None:
    command = GONE.format(tmp_path / "gone", sys.executable, words)
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert run.returncode == 4 and "the current folder does not exist any more" in run.stderr


def test_a_current_folder_that_is_gone_is_told_in_python_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    try:
        with pytest.raises(InputError, match="the current folder does not exist"):
            pincite.open()
    finally:
        os.chdir(tmp_path)


@pytest.mark.parametrize("name", ["x" * 1000, "~nobody-of-this-name/x", "x/" * 400])
def test_a_model_s_name_that_is_no_path_is_not_found(name: str) -> None:
    with pytest.raises(UsageError, match="neither a known model nor a folder"):
        load_embedder(ModelConfig(name=name))


def test_a_tokenizer_that_is_none_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# Valve\n\nThe valve opens.\n"})
    for tokenizer in (str(tmp_path / "a.md"), str(tmp_path), "x" * 5000, "a\0b"):
        config = Config(llm=LLMConfig(tokenizer=tokenizer))
        with library(tmp_path, {}, config=config) as opened, pytest.raises(UsageError, match="tokenizer: "):
            opened.ask("valve")
