"""Reading and cutting files in processes of their own: on every core, a bad file costs only itself.

A worker is `python -m pincite.workers`. It gets its settings as one line of JSON, then one path per
line, and answers each with one line: the prepared file. Paths are sent ahead, so that no worker waits.
One that dies or takes too long is replaced; the file it had is reported as failed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from queue import Empty, Queue
from typing import IO

from pincite.config import ChunkConfig, Config, ModelConfig, SyncConfig
from pincite.errors import PinciteError
from pincite.ingest import Cutters, Prepared, prepare
from pincite.models import load_embedder
from pincite.sources import FoundFile
from pincite.wire import pack_error, pack_prepared, unpack_prepared

FILE_SECONDS = 120.0
_FILES_AHEAD, _BYTES_AHEAD = 400, 8_000_000  # per worker: enough to keep it busy; a pipe holds as many

Lines = Queue[tuple["Worker", subprocess.Popen[str], str]]


class Worker:
    """One worker process, the files it was sent, and a thread that hands its answers to `lines`."""

    def __init__(self, settings: str, lines: Lines) -> None:
        self._settings = settings
        self._lines = lines
        self.waiting: deque[FoundFile] = deque()
        self._ahead = 0  # bytes of the files it was sent and has not answered
        self.since = time.monotonic()
        self._start()

    def _start(self) -> None:
        alone = {**os.environ, "TOKENIZERS_PARALLELISM": "false"}  # there is a worker for every core
        command = [sys.executable, "-m", "pincite.workers"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", bufsize=1, env=alone,
            process_group=0,  # an interrupt from the keyboard is for the process that started it
        )  # fmt: skip
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

    def has_room(self) -> bool:
        """Whether it may be sent another file."""
        return len(self.waiting) < _FILES_AHEAD and self._ahead < _BYTES_AHEAD

    def send(self, file: FoundFile) -> None:
        """Gives it a file to prepare."""
        if not self.waiting:
            self.since = time.monotonic()
            if self._process.poll() is not None:  # it was ended while it had nothing to do
                self.restart()
        self.waiting.append(file)
        self._ahead += file.size
        self._write(json.dumps([str(file.path), file.uri]))

    def answered(self, line: str) -> Prepared:
        """The prepared file of its next answer. Raises what ended the run in the worker."""
        self.since = time.monotonic()
        return unpack_prepared(line, self._answered_file())

    def _answered_file(self) -> FoundFile:
        file = self.waiting.popleft()
        self._ahead -= file.size
        return file

    def replaced(self) -> Prepared:
        """The failure of the file it had when it died; a new process goes on with the others."""
        late = time.monotonic() - self.since >= FILE_SECONDS
        why = f"reading it took longer than {FILE_SECONDS:g} s" if late else "reading it crashed"
        failed = Prepared(self._answered_file(), "", "failed", why)
        rest, self.waiting, self._ahead = list(self.waiting), deque(), 0
        self.restart()
        for file in rest:
            self.send(file)
        return failed

    def is_at(self, process: subprocess.Popen[str]) -> bool:
        """Whether this is its process now, not one that was replaced."""
        return process is self._process

    def restart(self) -> None:
        """Puts a new process in the place of the one it has."""
        self.close()
        self._start()

    def end_if_late(self) -> None:
        """Ends the process if it has had one file for too long."""
        if self.waiting and time.monotonic() - self.since >= FILE_SECONDS:
            self._process.kill()

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            try:
                _stream(stream).close()
            except OSError:
                continue  # what it was still to be sent is lost with it


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def prepare_all(
    files: Sequence[FoundFile], config: Config, model: str, *, workers: int
) -> Iterator[Prepared]:
    """The prepared files in the order given, made by `workers` processes at once."""
    lines: Lines = Queue()
    team = [Worker(_pack_settings(config, model), lines) for _ in range(workers)]
    done: dict[str, Prepared] = {}
    sent = 0
    try:
        for file in files:
            while file.uri not in done:
                sent = _send_ahead(team, files, sent)
                if (prepared := _next(team, lines)) is not None:
                    done[prepared.file.uri] = prepared
            yield done.pop(file.uri)
    finally:
        for worker in team:
            worker.close()


def _send_ahead(team: Sequence[Worker], files: Sequence[FoundFile], sent: int) -> int:
    """Sends files to workers with room, the least busy first; returns how many are sent by now."""
    while sent < len(files):
        worker = min(team, key=lambda one: len(one.waiting))
        if not worker.has_room():
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


def _pack_settings(config: Config, model: str) -> str:
    """All that shapes a file's chunks, as one line."""
    chunk_for = {kind: asdict(chunk) for kind, chunk in config.chunk_for.items()}
    parts = {"chunk": asdict(config.chunk), "chunk_for": chunk_for, "model": asdict(config.model)}
    return json.dumps({**parts, "name": model, "hidden_html": config.sync.hidden_html})


def _unpack_settings(line: str) -> tuple[Config, str]:
    parts = json.loads(line)
    config = Config(
        sync=SyncConfig(hidden_html=parts["hidden_html"]),
        chunk=ChunkConfig(**parts["chunk"]),
        chunk_for={kind: ChunkConfig(**chunk) for kind, chunk in parts["chunk_for"].items()},
        model=ModelConfig(**parts["model"]),
    )
    return config, parts["name"]


def main() -> None:
    """Answers each line with a prepared file until the input, or the process that reads it, ends."""
    try:
        _answer(iter(sys.stdin.readline, ""))
    except BrokenPipeError:
        os._exit(0)  # nobody reads the answers any more


def _answer(lines: Iterator[str]) -> None:
    if not (settings := next(lines, "")):
        return  # the run ended before it began
    config, name = _unpack_settings(settings)
    cutters = Cutters.of(config, load_embedder(config.model, name=name))
    for line in lines:
        path, uri = json.loads(line)
        file = FoundFile(uri, Path(path), 0, 0, 0, 0)
        try:
            answer = pack_prepared(prepare(file, cutters))
        except PinciteError as error:  # not the file's fault: the whole run ends with it
            answer = pack_error(error)
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
