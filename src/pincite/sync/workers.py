"""Reading and cutting files in processes of their own: on every core, a bad file costs only itself.

Files of formats that are more than text are read here alone, however few they are.

A worker is `python -P -m pincite.sync.worker`: it imports nothing from the current folder, which may be
that of the documents. It gets its settings as one line of JSON and says when it is ready; then it gets one
path per line, and answers each with one line: the prepared file. Paths are sent ahead, so that no worker
waits. One that dies or takes too long is replaced; the file it had is reported as failed. One that dies
before it is ready, or several one after the other, are no file's fault: they end the run.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, Queue
from typing import IO

from pincite.config import Config
from pincite.errors import InputError, SkippedError, StoreError
from pincite.folder.walk import FoundFile
from pincite.models.local import cores
from pincite.sync.ingest import CRASHED, TOO_SLOW, Prepared
from pincite.sync.wire import unpack_error, unpack_prepared
from pincite.sync.worker import READY, pack_settings
from pincite.types import Document

FILE_SECONDS = 120.0
OCR_TIMES = 30  # as long with OCR: it takes seconds a page, and a scanned book is one file
_FILES_AHEAD, _BYTES_AHEAD = 400, 8_000_000  # per worker: enough to keep it busy
_LINES_AHEAD = 32_000  # bytes; a pipe holds 64 kB, and a write to a full one would wait for the worker
_MOST_CRASHES = 3  # in a row, with no file read in between, before it is not the files' fault

Lines = Queue[tuple["Worker", subprocess.Popen[str], str]]


class Worker:
    """One worker process, the files it was sent, and a thread that hands its answers to `lines`."""

    def __init__(self, settings: str, lines: Lines, times: int = 1) -> None:
        self._settings, self._times = settings, times
        self._lines = lines
        self.waiting: deque[FoundFile] = deque()
        self._ahead = self._lines_ahead = 0  # bytes of files it has not answered, and of their lines
        self._start()

    def _start(self) -> None:
        alone = {**os.environ, "TOKENIZERS_PARALLELISM": "false"}  # there is a worker for every core
        command = [sys.executable, "-P", "-m", "pincite.sync.worker"]
        pipe = subprocess.PIPE
        self.since, self._ready = time.monotonic(), False
        self._late: FoundFile | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=self._errors, text=True, encoding="utf-8", bufsize=1,
                env=alone, process_group=0,  # an interrupt from the keyboard is for the one that started it
            )  # fmt: skip
        except OSError as error:
            self._errors.close()
            raise _not_ready(str(error)) from error
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        self._write(self._settings)

    def _read(self, process: subprocess.Popen[str]) -> None:
        for line in _stream(process.stdout):
            self._lines.put((self, process, line))
        self._lines.put((self, process, ""))

    def _write(self, line: str) -> None:
        try:
            _stream(self._process.stdin).write(line + "\n")
        except OSError:
            return  # it died: its end of file says so, and the file is dealt with there

    def has_room(self, file: FoundFile) -> bool:
        """Whether it may be sent another file: a write never waits, even if the worker reads no more."""
        if not self.waiting:
            return True
        lines = self._lines_ahead + len(_line(file))
        return len(self.waiting) < _FILES_AHEAD and self._ahead < _BYTES_AHEAD and lines <= _LINES_AHEAD

    def send(self, file: FoundFile) -> None:
        """Gives it a file to prepare."""
        if not self.waiting:
            self.since = time.monotonic()
            if self._process.poll() is not None:  # it was ended while it had nothing to do
                self.restart()
        self.waiting.append(file)
        line = _line(file)
        self._ahead, self._lines_ahead = self._ahead + file.size, self._lines_ahead + len(line)
        self._write(line)

    def answered(self, line: str) -> Prepared | None:
        """The prepared file of its next answer; None when it says it is ready. Raises what ended it."""
        self.since = time.monotonic()
        if line.startswith(READY):
            self._ready = True
            return None
        if (error := unpack_error(line)) is not None:
            raise error
        return unpack_prepared(line, self._answered_file())

    def _answered_file(self) -> FoundFile:
        file = self.waiting.popleft()
        self._ahead, self._lines_ahead = self._ahead - file.size, self._lines_ahead - len(_line(file))
        return file

    def replaced(self) -> Prepared | None:
        """The failure of the file it had when it died; a new process goes on with the others.

        Raises `StoreError` when it died before it was ready: then every file would fail the same way.
        """
        how, late = self._end(), self._late
        if not self._ready:
            raise _not_ready(how)
        failed = None
        if late is None:
            failed = Prepared(self._answered_file(), "", "failed", f"{CRASHED} ({how})")
        elif late is self.waiting[0]:  # else it answered in the moment it was ended
            failed = Prepared(self._answered_file(), "", "failed", f"{TOO_SLOW} {self._seconds():g} s")
        rest, self.waiting, self._ahead, self._lines_ahead = list(self.waiting), deque(), 0, 0
        self.restart()
        for file in rest:
            self.send(file)
        return failed

    def _seconds(self) -> float:
        """What it may take for one file."""
        return FILE_SECONDS * self._times

    def _end(self) -> str:
        """How the process ended: by which signal or with which code, and the last line it wrote."""
        code = self._process.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4096))
        last = self._errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2].strip()
        return f"{how}: {last[:300]}" if last else how

    def is_at(self, process: subprocess.Popen[str]) -> bool:
        """Whether this is its process now, not one that was replaced."""
        return process is self._process

    def restart(self) -> None:
        """Puts a new process in the place of the one it has."""
        self.close()
        self._start()

    def end_if_late(self) -> None:
        """Ends the process if it has had one file for too long."""
        if self.waiting and time.monotonic() - self.since >= self._seconds():
            self._late = self.waiting[0]
            self._process.kill()

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            try:
                stream.close()  # type: ignore[union-attr]
            except OSError:
                continue  # what it was still to be sent is lost with it


def _line(file: FoundFile) -> str:
    """What a worker is told of a file: ASCII, at most 64 kB for the longest path there can be."""
    return json.dumps([str(file.path), file.uri])


def _not_ready(how: str) -> StoreError:
    return StoreError(
        f"a process that reads files could not start ({how}); no file was changed by it",
        stage="read",
        hint="free some memory, or install pincite anew; then run: pincite sync",
    )


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def prepare_all(
    files: Sequence[FoundFile], config: Config, model: str, *, workers: int
) -> Iterator[Prepared]:
    """The prepared files in the order given, made by `workers` processes at once."""
    lines: Lines = Queue()
    times = OCR_TIMES if config.parse.ocr else 1
    team = [Worker(pack_settings(config, model), lines, times) for _ in range(workers)]
    results = _Results()
    sent = 0
    try:
        for file in files:
            while file.uri not in results.done:
                sent = _send_ahead(team, files, sent)
                results.take(_next(team, lines))
                if sent == len(files) and not any(worker.waiting for worker in team):
                    results.release()
            yield results.done.pop(file.uri)
    finally:
        for worker in team:
            worker.close()


@dataclass(slots=True)
class _Results:
    """Prepared files by uri. A crash counts as its file's fault once another file was read after it."""

    done: dict[str, Prepared] = field(default_factory=dict)
    crashed: list[Prepared] = field(default_factory=list)

    def take(self, prepared: Prepared | None) -> None:
        """Adds a file. Raises `StoreError` when several crashed with none read in between."""
        if prepared is None:
            return
        if prepared.reason.startswith(CRASHED):
            self.crashed.append(prepared)
            if len(self.crashed) == _MOST_CRASHES:
                raise self._crashes()
        else:
            self.release()
            self.done[prepared.file.uri] = prepared

    def release(self) -> None:
        """Takes the crashes so far as the fault of their files."""
        self.done.update((one.file.uri, one) for one in self.crashed)
        self.crashed.clear()

    def _crashes(self) -> StoreError:
        named = ", ".join(one.file.uri for one in self.crashed)
        return StoreError(
            f"{_MOST_CRASHES} files in a row: {self.crashed[-1].reason}; they were {named}",
            stage="read",
            hint="free some memory, or leave these files out (sync.exclude); then run: pincite sync",
        )


def _send_ahead(team: Sequence[Worker], files: Sequence[FoundFile], sent: int) -> int:
    """Sends files to workers with room, the least busy first; returns how many are sent by now."""
    while sent < len(files):
        worker = min(team, key=lambda one: len(one.waiting))
        if not worker.has_room(files[sent]):
            break
        worker.send(files[sent])
        sent += 1
    return sent


def _next(team: Sequence[Worker], lines: Lines) -> Prepared | None:
    """The next answer of any worker, or the failure of a file whose worker died; None after a second."""
    try:
        worker, process, line = lines.get(timeout=1.0)
    except Empty:
        for late in team:
            late.end_if_late()
        return None
    if line:
        return worker.answered(line)
    return worker.replaced() if worker.waiting and worker.is_at(process) else None


def read_documents(files: Sequence[FoundFile], config: Config) -> Iterator[Document | InputError]:
    """The documents of files in the order given, or the reason why one cannot be read; nothing is cut."""
    workers = min(cores(), len(files))
    for prepared in prepare_all(files, config, "", workers=workers) if files else ():
        if prepared.document is not None:
            yield prepared.document
            continue
        kind = SkippedError if prepared.state == "skipped" else InputError
        yield kind(f"{prepared.file.uri}: {prepared.reason}", uri=prepared.file.uri)


def read_texts(files: Sequence[FoundFile], config: Config) -> Iterator[str]:
    """The texts of those files that can be read, in order; of an archive, those of a few files inside it."""
    workers = min(cores(), len(files))
    for prepared in prepare_all(files, config, "", workers=workers) if files else ():
        each = prepared.members or (prepared,)
        yield from (one.document.text for one in each if one.document is not None)
