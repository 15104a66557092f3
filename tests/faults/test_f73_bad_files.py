"""F73: no bad file stops a run, hangs it or goes unnamed; found = indexed + empty + failed + skipped."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from failing_models import anyones_folder, library, not_root, uris
from pincite.config import Config, ModelConfig, SyncConfig
from pincite.folder.walk import walk
from pincite.library import Library
from pincite.sync import apply, worker_process, workers
from pincite.sync.plan import Plan
from pincite.sync.plan import plan as found
from pincite.sync.worker import pack_settings
from pincite.sync.worker_process import Worker
from pincite.types import Reason, SyncReport

FOLDER = Path(__file__).parent / "F73" / "folder"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """The folder of the case, with a pipe, a link to a device, and what may not be read."""
    shutil.copytree(FOLDER, tmp_path / "first")
    with library(tmp_path / "first") as opened:
        opened.sync()  # loads all that is loaded on first use
        assert opened.status().documents and uris(opened, "quartz-1")
    with anyones_folder() as above, not_root():
        root = above / "folder"
        shutil.copytree(FOLDER, root)
        (root / "broken.pdf").unlink()  # read by a process, which this user may not be able to start
        os.mkfifo(root / "queue.md")
        (root / "device.md").symlink_to("/dev/zero")
        (root / "locked").mkdir()
        (root / "locked" / "x.md").write_text("x\n")
        (root / "noaccess.md").write_text("secret\n")
        for name in ("locked", "noaccess.md"):
            (root / name).chmod(0)
        yield root


def reasons(*lists: tuple[Reason, ...]) -> dict[str, str]:
    return {one.uri: one.reason for many in lists for one in many}


def adds_up(report: SyncReport) -> bool:
    return report.found == report.indexed + len(report.empty) + len(report.failed) + len(report.skipped)


def test_a_folder_of_good_and_bad_files(root: Path) -> None:
    started = time.monotonic()
    with library(root) as opened:
        first = opened.sync()
        assert time.monotonic() - started < 10
        for number, uri in enumerate(("good1.md", "good2.md", "ünïcode name.md"), start=1):
            assert uris(opened, f"quartz-{number}", "lexical")[0] == uri
        named = reasons(first.failed, first.skipped)
        wanted = {
            "zero.pdf": "empty file",
            "fake.docx": "not a zip file",
            "queue.md": "not a regular file (a named pipe)",
            "device.md": "a link to a device",
            "noaccess.md": "no permission",
            "locked/": "no permission",
        }
        assert named.keys() == wanted.keys()
        assert all(wanted[uri] in reason for uri, reason in named.items())
        assert reasons(first.empty) == {"empty.md": "empty file", "blank.md": "empty file"}
        assert adds_up(first)
        assert reasons(opened.status().failed, opened.status().skipped) == named


def test_a_broken_pdf_is_named_beside_good_files(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "folder")
    with library(tmp_path / "folder") as opened:
        for report in (opened.sync(), opened.sync()):
            assert "not a valid PDF" in reasons(report.failed)["broken.pdf"]
            assert report.indexed == 3 and adds_up(report)


def test_bad_files_are_reported_again_without_being_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library(root) as opened:
        first = opened.sync()
        read: list[str] = []
        whole = apply.prepare
        monkeypatch.setattr(
            apply, "prepare", lambda file, cutters: read.append(file.uri) or whole(file, cutters)
        )
        second = opened.sync()
        assert [uri for uri in read if uri != "noaccess.md"] == []
        for name in ("failed", "skipped", "empty", "found", "indexed", "chunks"):
            assert getattr(second, name) == getattr(first, name)
        assert (second.added, second.changed, second.removed) == ((), (), ())
        assert adds_up(second)
        (root / "fake.docx").unlink()
        (root / "empty.md").write_text("# Now\n\nquartz-4\n")
        third = opened.sync()
        assert third.added == ("empty.md",)
        assert uris(opened, "quartz-4", "lexical")[0] == "empty.md"
        assert "fake.docx" not in reasons(third.failed, third.skipped)
        assert adds_up(third)


def test_a_good_file_that_becomes_bad_stops_answering(root: Path) -> None:
    with library(root) as opened:
        opened.sync()
        (root / "good1.md").write_bytes(b"\x00\x01\x02" * 500)
        report = opened.sync()
        assert (report.removed, report.changed) == (("good1.md",), ())
        assert "good1.md" in reasons(report.failed, report.skipped)
        assert "good1.md" not in uris(opened, "quartz-1")
        assert adds_up(report)


def test_a_file_that_vanishes_while_it_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(*args: object, **more: object) -> Plan:
        (root / "good2.md").unlink(missing_ok=True)
        return found(*args, **more)

    with library(root) as opened:
        monkeypatch.setattr("pincite.sync.plan.plan", plan)
        report = opened.sync()
        assert "disappeared" in reasons(report.failed)["good2.md"]
        assert adds_up(report)


def test_what_cannot_be_read_now_keeps_what_is_stored(root: Path) -> None:
    """A folder or file that cannot be read for a while is named; its text stays, and comes back unchanged."""
    for name in ("locked", "noaccess.md"):
        (root / name).chmod(0o755)
    with library(root) as opened:
        opened.sync()
        (root / "locked").chmod(0)
        (root / "noaccess.md").chmod(0)
        report = opened.sync()
        named = reasons(report.failed)
        assert "no permission" in named["noaccess.md"] and "no permission" in named["locked/"]
        assert named["locked/x.md"] == "locked/ cannot be read now"
        assert report.removed == () and adds_up(report)
        assert {"noaccess.md", "locked/x.md"} <= set(uris(opened, "secret x", "lexical"))
        assert reasons(opened.status().failed) == named and opened.status().removed == ()
        (root / "locked").chmod(0o755)
        (root / "noaccess.md").chmod(0o644)
        again = opened.sync()
        assert not {"noaccess.md", "locked/", "locked/x.md"} & reasons(again.failed).keys()
        assert (again.added, again.removed, again.changed) == ((), (), ("noaccess.md",)) and adds_up(again)


def test_an_unreadable_file_that_was_edited_is_read_when_it_can_be(root: Path) -> None:
    note = root / "good1.md"
    with library(root) as opened:
        opened.sync()
        note.write_text("# Later\n\nfeldspar\n")
        note.chmod(0)
        assert "no permission" in reasons(opened.sync().failed)["good1.md"]
        hits = opened.search("quartz-1", legs=("lexical",)).hits
        assert [hit.stored.uri for hit in hits][:1] == ["good1.md"] and hits[0].stale
        note.chmod(0o644)
        assert opened.sync().changed == ("good1.md",)
        assert uris(opened, "feldspar", "lexical") == ["good1.md"]


# ── worker processes ──────────────────────────────────────────────────────────────────────────
@pytest.fixture
def many(tmp_path: Path) -> Path:
    """More files than one process reads."""
    for number in range(apply.MANY_FILES + 6):
        (tmp_path / f"n{number:03}.md").write_text(f"# Note {number}\n\nItem item-{number}.\n")
    return tmp_path


def english(root: Path) -> Library:
    """A library whose model worker processes can load by its name."""
    return Library(root, root / ".pincite", Config(model=ModelConfig("english")))


ABORTS = """
import os, sys
sys.addaudithook(lambda event, args: os.abort() if event == "open" and "n040.md" in str(args[0]) else None)
"""


def test_a_parser_that_crashes_costs_only_its_file(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (many / ".start").mkdir()
    (many / ".start" / "sitecustomize.py").write_text(ABORTS)
    monkeypatch.setenv("PYTHONPATH", str(many / ".start"))
    monkeypatch.setattr(worker_process, "_FILES_AHEAD", 1)
    with english(many) as opened:
        report = opened.sync()
        assert reasons(report.failed) == {"n040.md": "reading it crashed (SIGABRT)"}
        assert report.indexed == apply.MANY_FILES + 5 and adds_up(report)
        assert uris(opened, "item-41", "lexical")[0] == "n041.md"


def test_a_parser_that_never_ends_costs_only_its_file(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Worker._write

    def write(worker: Worker, line: str) -> None:
        if "n069.md" in line:
            os.kill(worker._process.pid, signal.SIGSTOP)
            monkeypatch.setattr(worker_process, "FILE_SECONDS", 1.0)
        whole(worker, line)

    monkeypatch.setattr(worker_process, "_FILES_AHEAD", 1)
    monkeypatch.setattr(Worker, "_write", write)
    with english(many) as opened:
        report = opened.sync()
    assert reasons(report.failed) == {"n069.md": "reading it took longer than 1 s"}
    assert report.indexed == apply.MANY_FILES + 5 and adds_up(report)


def test_a_worker_that_ends_while_idle_costs_nothing(many: Path) -> None:
    files = walk(many, SyncConfig()).files
    team = workers._Team(files[:1])
    try:
        team.start(pack_settings(Config(), "english"), 1)
        team._workers[0]._process.kill()
        team._workers[0]._process.wait()
        found = team.prepared(files[0])
    finally:
        team.close()
    assert (found.state, found.file) == ("indexed", files[0])


def test_an_interrupt_ends_a_sync_without_a_traceback(many: Path) -> None:
    """At any moment; the workers are told nothing and end when nobody reads them."""
    index = many / ".pincite"
    for wait in (0.0, 0.2, 0.5):
        shutil.rmtree(index, ignore_errors=True)
        with subprocess.Popen(
            [sys.executable, "-m", "pincite", "sync", many],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            while not (index / "catalog.db").exists() and process.poll() is None:
                time.sleep(0.01)
            time.sleep(wait)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert process.returncode in (0, 130, -signal.SIGINT)  # the last: after the command had ended
        assert "Traceback" not in errors
