"""Worker processes: what they may import, how they die, and that none of it costs another file."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from queue import Queue

import pytest

from pincite.config import Config, ModelConfig, ParseConfig, SyncConfig
from pincite.errors import MissingExtraError, StoreError
from pincite.folder.walk import FoundFile, walk
from pincite.library import Library
from pincite.sync import worker_process
from pincite.sync.apply import MANY_FILES
from pincite.sync.ingest import Prepared
from pincite.sync.wire import pack_file
from pincite.sync.worker import pack_settings
from pincite.sync.workers import prepare_all
from pincite.types import Reason

ENGLISH = Config(model=ModelConfig("english"))

# Read by every Python that starts with its folder on PYTHONPATH: workers that die or hang on opening a file.
# One named after a signal, such as SIGTERM-2.md, is ended by it as often as its name says.
DIES = """
import os, signal, sys, time
def died_before(name):
    with open(os.path.join(os.environ["DEATHS"], name), "a+") as told:
        told.write("x")
        return told.tell()
def on(event, args):
    name = os.path.basename(str(args[0])) if event == "open" else ""
    if name.startswith("crash"):
        os.abort()
    if name.startswith("SIG") and name.endswith(".md"):
        sent, times = name.removesuffix(".md").split("-")
        if died_before(name + ".deaths") <= int(times):
            os.kill(os.getpid(), signal.Signals[sent])
    if name.startswith("hang"):
        time.sleep(600)
sys.addaudithook(on)
"""
READS_NOTHING = """
import os, signal, sys
def on(event, args):
    if event == "open" and os.path.join("parse", "markdown") in str(args[0]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(on)
"""
TAKES_MEMORY = """
import json, os, sys
whole = json.dumps
def on(event, args):
    name = os.path.basename(str(args[0])) if event == "open" else ""
    if name == "aborts.md":
        held = b"x" * int(os.environ["HELD"])
        os.abort()
    if name == "raises.md":
        bytearray(1 << 40)
def dumps(*args, **more):
    line = whole(*args, **more)
    return bytearray(1 << 40) if '"sends.md"' in line else line
sys.addaudithook(on)
json.dumps = dumps
"""
STARTS_ONE = """
import sys
from pathlib import Path
from queue import Queue
from pincite.config import Config
from pincite.folder.walk import FoundFile
from pincite.sync.worker import pack_settings
from pincite.sync.worker_process import Worker
lines = Queue()
worker = Worker(pack_settings(Config(), ""), lines)
lines.get()
worker.send(FoundFile("hang.md", Path(sys.argv[1]), 1, 1, 1, 1))
print(worker._process.pid, flush=True)
input()
"""
DIES_AS_WORKER = f"import sys\nif 'pincite.sync.worker' in sys.orig_argv:\n    exec({DIES!r})\n"
NEVER_STARTS = "import os, sys; sys.stderr.write('no room for it\\n'); sys.stderr.flush(); os._exit(3)\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    return docs


def write(docs: Path, *names: str, word: str = "first") -> None:
    for name in names:
        (docs / name).write_text(f"# Note\n\nItem {name.partition('.')[0]}, {word} state.\n")


def startup(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Has every worker that is started from now on run `code` first."""
    (folder / "start").mkdir(exist_ok=True)
    (folder / "start" / "sitecustomize.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(folder / "start"))
    monkeypatch.setenv("DEATHS", str(folder / "start"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def prepared(docs: Path, *, count: int = 1, model: str = "english") -> dict[str, tuple[str, str]]:
    """State and reason of each file below `docs`, by uri."""
    found = prepare_all(walk(docs, SyncConfig()).files, Config(), model, workers=count)
    return {one.file.uri: (one.state, one.reason) for one in found}


def children(pid: int) -> list[str]:
    return (Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text().split()


def failed(reasons: tuple[Reason, ...]) -> dict[str, str]:
    return {one.uri: one.reason for one in reasons}


def test_documents_are_never_imported(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder may be the library's: a json.py in it is a document, not a module."""
    mark = docs.parent / "ran"
    for name in ("json.py", "queue.py", "numpy/__init__.py", "pincite/__init__.py"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text(f"open({str(mark)!r}, 'w')\n")
    monkeypatch.chdir(docs)
    found = prepared(docs)
    assert len(found) == 4 and {state for state, _ in found.values()} == {"indexed"}
    assert not mark.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with the one that started it")
def test_a_worker_ends_with_the_process_that_started_it(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However that ends, and whatever file the worker has."""
    startup(docs.parent, monkeypatch, DIES)
    write(docs, "hang.md")
    command, pipe = [sys.executable, "-c", STARTS_ONE, str(docs / "hang.md")], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as parent:
        assert parent.stdout
        status = Path("/proc") / parent.stdout.readline().strip() / "status"
        assert "State" in status.read_text()
        parent.kill()
    for _ in range(100):
        if not status.exists() or "Z (zombie)" in status.read_text():
            return
        time.sleep(0.05)
    raise AssertionError(f"it goes on: {status.read_text()}")


def test_a_command_that_is_terminated_ends_its_workers_and_leaves_no_file(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    startup(docs.parent, monkeypatch, DIES_AS_WORKER)
    (docs / "hang.pdf").write_bytes(b"%PDF-1.4\n")
    (docs.parent / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(docs.parent / "tmp"))
    command, pipe = [sys.executable, "-m", "pincite", "parse", "hang.pdf", "--in", str(docs)], subprocess.PIPE
    with subprocess.Popen(command, stderr=pipe, text=True) as process:
        worker = next(found for found in iter(lambda: children(process.pid), None) if found)[0]
        time.sleep(0.3)
        process.terminate()
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, "Interrupted." in errors) == (143, True)
    assert not (Path("/proc") / worker).exists()
    assert list((docs.parent / "tmp").iterdir()) == []


def test_a_file_that_took_too_long_while_the_model_was_chosen_is_not_read_again(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    send = worker_process.Worker.send
    monkeypatch.setattr(
        worker_process.Worker, "send", lambda worker, file: sent.append(file.uri) or send(worker, file)
    )
    monkeypatch.setattr(worker_process, "FILE_SECONDS", 2.0)
    startup(docs.parent, monkeypatch, DIES_AS_WORKER)
    write(docs, "a.md")
    (docs / "hang.pdf").write_bytes(b"%PDF-1.4\n")
    with Library(docs, docs / ".pincite", Config()) as library:
        report = library.sync()
    assert failed(report.failed) == {"hang.pdf": "reading it took longer than 2 s"}
    assert report.indexed == 1 and sent == ["hang.pdf"]


def test_a_worker_that_nobody_ends_is_ended_by_the_time_it_takes_of_the_processor() -> None:
    spins = "from pincite.sync.limits import limit_cpu\nlimit_cpu(0.01)\nwhile True: pass"
    assert subprocess.run([sys.executable, "-c", spins], check=False).returncode == -signal.SIGXCPU


def test_workers_that_cannot_start_change_nothing(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"n{number:03}.md" for number in range(MANY_FILES)]
    write(docs, *names)
    with Library(docs, docs / ".pincite", ENGLISH) as library:
        assert library.sync().indexed == MANY_FILES
        write(docs, *names, word="second")
        with monkeypatch.context() as patch:
            startup(docs.parent, patch, NEVER_STARTS)
            with pytest.raises(StoreError, match=r"could not start .exit code 3: no room for it") as caught:
                library.sync()
            assert caught.value.hint
        assert library.status().documents == MANY_FILES and library.status().failed == ()
        assert len(library.sync().changed) == MANY_FILES


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no way to give a process fewer cores here")
def test_no_more_workers_than_cores_it_may_use(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(docs, *(f"n{number:03}.md" for number in range(MANY_FILES)))
    started: list[worker_process.Worker] = []
    start, allowed = worker_process.Worker._start, os.sched_getaffinity(0)
    monkeypatch.setattr(
        worker_process.Worker, "_start", lambda worker: started.append(worker) or start(worker)
    )
    os.sched_setaffinity(0, {min(allowed)})
    try:
        with Library(docs, docs / ".pincite", ENGLISH) as library:
            assert library.sync().indexed == MANY_FILES
    finally:
        os.sched_setaffinity(0, allowed)
    assert len(started) == 1


def test_a_model_that_is_not_there_is_named(docs: Path) -> None:
    write(docs, "a.md")
    with pytest.raises(MissingExtraError, match="no/such-model"):
        prepared(docs, model="hub:no/such-model")


def test_crashes_cost_their_files_however_many_there_are(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    startup(docs.parent, monkeypatch, DIES)
    write(docs, "crash1.md", "crash2.md", "crash3.md", "crash4.md", "z.md")
    found = prepared(docs)
    assert found.pop("z.md") == ("indexed", "")
    assert found == {f"crash{n}.md": ("failed", "reading it crashed (SIGABRT)") for n in range(1, 5)}


def test_a_worker_that_cannot_read_a_good_text_ends_the_run(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    startup(docs.parent, monkeypatch, READS_NOTHING)
    write(docs, "a.md")
    with pytest.raises(StoreError, match=r"could not start .SIGKILL.; no file was changed"):
        prepared(docs)


def test_memory_that_was_asked_for_in_vain_is_named_as_the_limit(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a library ends its process for it, and where the line that is sent back needs too much."""
    mine = resource.getrusage(
        resource.RUSAGE_SELF
    ).ru_maxrss  # counts as had by every process this one starts
    monkeypatch.setattr(worker_process, "_NEAR_THE_LIMIT", mine + 100_000.0)
    monkeypatch.setenv("HELD", str(1000 * mine + 300_000_000))
    startup(docs.parent, monkeypatch, TAKES_MEMORY)
    write(docs, "a.md", "aborts.md", "raises.md", "sends.md", "z.md")
    found = prepared(docs)
    assert found.pop("a.md") == found.pop("z.md") == ("indexed", "")
    reason = "reading it needs more than 2,048 MB of memory (the limit)"
    assert found == dict.fromkeys(("aborts.md", "raises.md", "sends.md"), ("failed", reason))


def test_only_a_file_that_is_read_with_ocr_gets_the_time_for_it() -> None:
    worker = worker_process.Worker(pack_settings(Config(parse=ParseConfig(ocr="rapidocr")), ""), Queue())
    try:
        assert worker._seconds() == 120
        assert worker.answered("ocr\n") is None and worker._seconds() == 3600
        assert worker.answered("ready 9\n") is None and worker._seconds() == 120
    finally:
        worker.close()


def test_a_crash_keeps_what_is_stored(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old text stays and is marked; the file is not tried again until it changes, and then not here."""
    write(docs, "crash.md", *(f"n{number:03}.md" for number in range(MANY_FILES)))
    crashed = {"crash.md": "reading it crashed (SIGABRT)"}
    with Library(docs, docs / ".pincite", ENGLISH) as library:
        library.sync()
        with monkeypatch.context() as patch:
            startup(docs.parent, patch, DIES)
            write(docs, "crash.md", *(f"n{number:03}.md" for number in range(MANY_FILES)), word="second")
            report = library.sync()
            assert (failed(report.failed), report.removed) == (crashed, ())
            assert report.found == report.indexed + 1 and library.status().documents == MANY_FILES + 1
            (hit,) = library.search("crash", k=1, legs=("lexical",)).hits
            assert (hit.stored.uri, hit.stale) == ("crash.md", "changed")
            assert "first" in hit.stored.chunk.text
            library.close()
            (docs / ".pincite" / "catalog.stamp").unlink()  # so that the catalog is read through: all is well
            assert failed(library.sync().failed) == crashed
            write(docs, "crash.md", word="third")
            assert failed(library.sync().failed) == crashed  # read in a process of its own, though alone
        write(docs, "crash.md", word="fourth")
        assert library.sync().changed == ("crash.md",)
        assert "fourth" in library.search("crash", k=1, legs=("lexical",)).hits[0].stored.chunk.text
        assert library.status().failed == ()


def test_long_names_never_fill_the_pipe_of_a_worker_that_hangs(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit counts even when the lines of the files sent ahead are longer than a pipe holds."""
    startup(docs.parent, monkeypatch, DIES)
    monkeypatch.setattr(worker_process, "FILE_SECONDS", 1.0)
    write(docs, "hang.md")
    long = "/".join(["件" * 80] * 3)
    files = [FoundFile("hang.md", docs / "hang.md", 1, 1, 1, 1)]
    files += [FoundFile(f"{long}/{n}.md", docs / long / f"{n}.md", 1, 1, 1, 1) for n in range(60)]
    assert sum(len(pack_file(file)) for file in files) > 100_000
    found = {one.file.uri: one.reason for one in prepare_all(files, Config(), "english", workers=1)}
    assert found.pop("hang.md") == "reading it took longer than 1 s"
    assert set(found.values()) == {"it disappeared while reading"} and len(found) == 60


PARSES_WITHIN = """
from pincite.parse import parse
from pincite.protocols import Source
from pincite.sync import limits
parse(Source("a.txt", b"one line", ""))
limits.MEMORY_MB = 40
limits.limit_memory()
try:
    parse(Source("a.txt", b"\\n" * 2_000_000, ""))
except MemoryError:
    print("no memory")
"""


ONCE = [f"{name}-1.md" for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGSEGV", "SIGABRT")]
STARTS_LATE = """
import os, signal, sys
def on(event, args):
    if event == "open" and os.path.join("parse", "markdown") in str(args[0]):
        with open(os.path.join(os.environ["DEATHS"], "starts"), "a+") as told:
            told.write("x")
            if told.tell() <= 2:
                os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(on)
"""


def test_a_file_whose_reading_was_ended_once_is_read_in_the_same_sync(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    startup(docs.parent, monkeypatch, DIES)
    write(docs, "a.md", *ONCE, "z.md")
    assert set(prepared(docs, count=2).values()) == {("indexed", "")}


def test_a_file_is_tried_again_alone(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside others, memory that they take may be what ended it."""
    startup(docs.parent, monkeypatch, DIES)
    write(docs, *ONCE, *(f"n{number}.md" for number in range(40)))
    beside: list[int] = []
    sent: set[str] = set()
    send = worker_process.Worker.send

    def watched(worker: worker_process.Worker, file: FoundFile) -> None:
        if file.uri in sent and file.uri in died:
            beside.append(sum(len(one.waiting) for one in team))
        sent.add(file.uri)
        team.add(worker)
        send(worker, file)

    team: set[worker_process.Worker] = set()
    died: set[str] = set()
    replaced = worker_process.Worker.replaced

    def dying(worker: worker_process.Worker) -> Prepared | None:
        failed = replaced(worker)
        died.update({failed.file.uri} if failed else ())
        return failed

    monkeypatch.setattr(worker_process.Worker, "send", watched)
    monkeypatch.setattr(worker_process.Worker, "replaced", dying)
    assert set(prepared(docs, count=2).values()) == {("indexed", "")}
    assert died == set(ONCE) and beside == [0] * len(ONCE)


@pytest.mark.parametrize("sent", ["SIGKILL", "SIGTERM"])
def test_a_file_whose_reading_was_ended_from_outside_is_tried_at_the_next_sync(
    docs: Path, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    """Though nobody touched it; until then what is stored of it stays."""
    name, others = f"{sent}-99.md", [f"n{number:03}.md" for number in range(MANY_FILES)]
    write(docs, name, *others)
    with Library(docs, docs / ".pincite", ENGLISH) as library:
        library.sync()
        write(docs, name, *others, word="second")
        with monkeypatch.context() as patch:
            startup(docs.parent, patch, DIES)
            report = library.sync()
        reason = f"its reading was ended from outside ({sent}); the next sync tries it again"
        assert (failed(report.failed), report.removed) == ({name: reason}, ())
        assert len(report.changed) == MANY_FILES and library.status().documents == MANY_FILES + 1
        again = library.sync()
        assert (again.changed, again.failed) == ((name,), ())
        assert library.sync().unchanged == MANY_FILES + 1


def test_a_new_file_whose_reading_was_ended_from_outside_is_no_bad_file(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs, "SIGKILL-99.md", *(f"n{number:03}.md" for number in range(MANY_FILES)))
    with Library(docs, docs / ".pincite", ENGLISH) as library:
        with monkeypatch.context() as patch:
            startup(docs.parent, patch, DIES)
            assert len(library.sync().failed) == 1
            assert len(library.sync().failed) == 1  # alone by now, and still not in the process of the sync
        assert library.sync().added == ("SIGKILL-99.md",)


def test_a_worker_that_is_killed_while_it_starts_is_started_again(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    startup(docs.parent, monkeypatch, STARTS_LATE)
    write(docs, "a.md")
    assert prepared(docs) == {"a.md": ("indexed", "")}


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory holds on Linux")
def test_too_little_memory_is_no_fault_of_the_text() -> None:
    run = subprocess.run([sys.executable, "-c", PARSES_WITHIN], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("no memory\n", "")
