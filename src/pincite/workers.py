"""Reading and cutting files in processes of their own: on every core, a bad file costs only itself.

A worker is `python -m pincite.workers`. It gets its settings as one line of JSON, then one path per
line, and answers each with one line: the prepared file. A worker that dies or takes too long is ended
and replaced; the file it had is reported as failed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import IO

from pincite.config import ChunkConfig, Config, ModelConfig, SyncConfig
from pincite.ingest import Cutters, Prepared, prepare
from pincite.models import load_embedder
from pincite.sources import FoundFile
from pincite.wire import pack_prepared, unpack_prepared

FILE_SECONDS = 120.0
_AHEAD = 16  # files per worker in flight, so that memory stays flat


class Worker:
    """One worker process and the lines it is spoken to with."""

    def __init__(self, settings: str) -> None:
        self._settings = settings
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "pincite.workers"]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )
        _stream(process.stdin).write(self._settings + "\n")
        return process

    def prepare(self, file: FoundFile) -> Prepared:
        """The prepared file, or its failure when the worker crashed or ran over its time."""
        process, late = self._process, threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(FILE_SECONDS, end)
        timer.start()
        try:
            _stream(process.stdin).write(json.dumps([str(file.path), file.uri]) + "\n")
            line = _stream(process.stdout).readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if line:
            return unpack_prepared(line, file)
        self.close()
        self._process = self._start()
        why = f"reading it took longer than {FILE_SECONDS:g} s" if late.is_set() else "reading it crashed"
        return Prepared(file, "", "failed", why)

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def prepare_all(
    files: Sequence[FoundFile], config: Config, model: str, *, workers: int
) -> Iterator[Prepared]:
    """The prepared files in the order given, made by `workers` processes at once."""
    settings = _pack_settings(config, model)
    mine = threading.local()
    started: list[Worker] = []

    def prepare(file: FoundFile) -> Prepared:
        if not hasattr(mine, "worker"):
            mine.worker = Worker(settings)
            started.append(mine.worker)
        worker: Worker = mine.worker
        return worker.prepare(file)

    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[Prepared]] = deque()
    try:
        for file in files:
            waiting.append(pool.submit(prepare, file))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in started:
            worker.close()


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
    """Answers each line with a prepared file until the input ends."""
    lines = iter(sys.stdin.readline, "")
    config, name = _unpack_settings(next(lines))
    cutters = Cutters.of(config, load_embedder(config.model, name=name))
    for line in lines:
        path, uri = json.loads(line)
        file = FoundFile(uri, Path(path), 0, 0, 0, 0)
        sys.stdout.write(pack_prepared(prepare(file, cutters)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
