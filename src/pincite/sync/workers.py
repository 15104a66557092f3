"""Reading and cutting files in processes of their own: on every core, a bad file costs only itself.

Files of formats that are more than text are read here alone, however few they are. A worker that dies or
takes too long is replaced; the file it had is reported as failed, however many of them there are. One that
dies before it is ready ends the run: it is ready once it has read a good text, so that is no file's fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from queue import Empty, Queue

from pincite.config import Config
from pincite.errors import InputError, SkippedError
from pincite.folder.walk import FoundFile
from pincite.models.local import cores
from pincite.sync.ingest import CRASHED, TOO_SLOW, Prepared
from pincite.sync.worker import pack_settings
from pincite.sync.worker_process import Lines, Worker
from pincite.types import Document


def prepare_all(
    files: Sequence[FoundFile], config: Config, model: str, *, workers: int, estimated: bool = False
) -> Iterator[Prepared]:
    """The prepared files in the order given, made by `workers` processes at once.

    With `estimated` the model is missing, and sizes are estimates.
    """
    lines: Lines = Queue()
    team: list[Worker] = []
    done: dict[str, Prepared] = {}
    sent = 0
    try:
        team += (Worker(pack_settings(config, model, estimated=estimated), lines) for _ in range(workers))
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


def read_texts(files: Sequence[FoundFile], config: Config, ended: dict[str, Prepared]) -> Iterator[str]:
    """The texts of those files that can be read, in order; of an archive, those of a few files inside it.

    Notes in `ended`, by uri, the files that ended a worker by the time they took or by a crash.
    """
    workers = min(cores(), len(files))
    for prepared in prepare_all(files, config, "", workers=workers) if files else ():
        if prepared.reason.startswith((CRASHED, TOO_SLOW)):
            ended[prepared.file.uri] = prepared
        each = prepared.members or (prepared,)
        yield from (one.document.text for one in each if one.document is not None)
