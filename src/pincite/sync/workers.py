"""Reading and cutting files in processes of their own: on every core, a bad file costs only itself.

Files of formats that are more than text are read here alone, however few they are. A worker that dies or
takes too long is replaced; the file it had is reported as failed. One that dies before it is ready, or
several one after the other, are no file's fault: they end the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, Queue

from pincite.config import Config
from pincite.errors import InputError, SkippedError, StoreError
from pincite.folder.walk import FoundFile
from pincite.models.local import cores
from pincite.sync.ingest import CRASHED, Prepared
from pincite.sync.worker import pack_settings
from pincite.sync.worker_process import Lines, Worker
from pincite.types import Document

OCR_TIMES = 30  # as long with OCR: it takes seconds a page, and a scanned book is one file
_MOST_CRASHES = 3  # in a row, with no file read in between, before it is not the files' fault


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
