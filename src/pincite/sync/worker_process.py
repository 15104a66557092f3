"""One worker process as the sync sees it: started, sent files, listened to, ended and replaced.

A worker is `python -P -m pincite.sync.worker`: it imports nothing from the current folder, which may be
that of the documents. It gets its settings as one line of JSON and says when it is ready; then it gets one
path per line, and answers each with one line: the prepared file. Paths are sent ahead, so that no worker
waits.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from queue import Queue
from typing import IO

from pincite.errors import StoreError
from pincite.folder.walk import FoundFile
from pincite.sync.ingest import Ended, Prepared
from pincite.sync.limits import FILE_SECONDS, MEMORY_MB, OCR_TIMES
from pincite.sync.wire import pack_file, unpack_error, unpack_prepared
from pincite.sync.worker import OCR, OVER_MEMORY, READY

_START_SECONDS = 120.0  # until it is ready
_NEAR_THE_LIMIT = 0.75 * MEMORY_MB * 1000  # kB that a process had; what it asked for last comes on top
_FILES_AHEAD, _BYTES_AHEAD = 400, 8_000_000  # per worker: enough to keep it busy
_LINES_AHEAD = 32_000  # bytes; a pipe holds 64 kB, and a write to a full one would wait for the worker

# A process gets these for what it does itself; all others are sent by somebody else.
_OWN_FAULT = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGTRAP")
_STARTS = 3  # of a process that is killed before it is ready

Lines = Queue[tuple["Worker", subprocess.Popen[str], str]]


class Worker:
    """One worker process, the files it was sent, and a thread that hands its answers to `lines`."""

    def __init__(self, settings: str, lines: Lines) -> None:
        self._settings, self._lines = settings, lines
        self.waiting: deque[FoundFile] = deque()
        self._ahead = self._lines_ahead = 0  # bytes of files it has not answered, and of their lines
        self._killed = 0  # times it was killed before it was ready
        self._start()

    def _start(self) -> None:
        alone = {**os.environ, "TOKENIZERS_PARALLELISM": "false"}  # there is a worker for every core
        command = [sys.executable, "-P", "-m", "pincite.sync.worker", str(os.getpid())]
        pipe = subprocess.PIPE
        self.since, self._ready, self._ocr = time.monotonic(), False, False
        self._peak_kb = 0  # of memory before it read its first file
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
        lines = self._lines_ahead + len(pack_file(file))
        return len(self.waiting) < _FILES_AHEAD and self._ahead < _BYTES_AHEAD and lines <= _LINES_AHEAD

    def send(self, file: FoundFile) -> None:
        """Gives it a file to prepare."""
        if not self.waiting:
            self.since = time.monotonic()
            if self._process.poll() is not None:  # it was ended while it had nothing to do
                self.restart()
        self.waiting.append(file)
        line = pack_file(file)
        self._ahead, self._lines_ahead = self._ahead + file.size, self._lines_ahead + len(line)
        self._write(line)

    def answered(self, line: str) -> Prepared | None:
        """The prepared file of its next answer; None for what else it says. Raises what ended it."""
        if line.startswith(OCR):
            self._ocr = True
            return None
        self.since, self._ocr = time.monotonic(), False
        if line.startswith(READY):
            self._ready, self._peak_kb = True, int(line.removeprefix(READY))
            return None
        if (error := unpack_error(line)) is not None:
            raise error
        return unpack_prepared(line, self._answered_file())

    def _answered_file(self) -> FoundFile:
        file = self.waiting.popleft()
        self._ahead, self._lines_ahead = self._ahead - file.size, self._lines_ahead - len(pack_file(file))
        return file

    def replaced(self) -> Prepared | None:
        """The failure of the file it had when it died; a new process goes on with the others.

        Raises `StoreError` when it died before it was ready: then every file would fail the same way. One
        that was killed then is started anew a few times.
        """
        ended, reason = self._reason()
        failed = None
        if self._ready and self._late in (None, self.waiting[0]):  # else it answered when it was ended
            failed = Prepared(self._answered_file(), "", "failed", reason, ended=ended)
        rest, self.waiting, self._ahead, self._lines_ahead = list(self.waiting), deque(), 0, 0
        self.restart()
        for file in rest:
            self.send(file)
        return failed

    def _reason(self) -> tuple[Ended, str]:
        """How it died, and why the file that it had has failed."""
        peak, how = self._reap(), self._how()
        code = self._process.returncode
        killed = code < 0 and signal.Signals(-code).name not in _OWN_FAULT
        if not self._ready:
            self._killed += 1
            if not killed or self._late or self._killed == _STARTS:
                raise _not_ready(how)
        if self._late or code == -signal.SIGXCPU:
            return "slow", f"reading it took longer than {self._seconds():g} s"
        if killed:
            return "killed", f"its reading was ended from outside ({how}); the next sync tries it again"
        # A library that gets no more memory may end the process it is in.
        if peak > max(_NEAR_THE_LIMIT, self._peak_kb):
            return "memory", OVER_MEMORY
        return "crashed", f"reading it crashed ({how})"

    def _seconds(self) -> float:
        """What it may take for the file it has."""
        return FILE_SECONDS * (OCR_TIMES if self._ocr else 1)

    def _reap(self) -> int:
        """The most memory the ended process had, in kB; 0 where that is not known."""
        if self._process.returncode is not None:
            return 0
        _, status, used = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_maxrss if sys.platform == "linux" else 0

    def _how(self) -> str:
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
        most = self._seconds() if self._ready else max(FILE_SECONDS, _START_SECONDS)
        if self.waiting and time.monotonic() - self.since >= most:
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


def _not_ready(how: str) -> StoreError:
    return StoreError(
        f"a process that reads files could not start ({how}); no file was changed by it",
        stage="read",
        hint="free some memory, or install pincite anew; then run: pincite sync",
    )


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
