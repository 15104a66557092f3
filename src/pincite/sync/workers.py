"""Reading and cutting files in processes of their own: on every core, a bad file costs only itself.

Files of formats that are more than text are read here alone, however few they are. A worker that dies or
takes too long is replaced; the file it had is tried again alone, then reported as failed, however many of
them there are. One that was killed twice is no fault of its file: the next sync tries it. One that dies
before it is ready ends the run: it is ready once it has read a good text, so that is no file's fault either.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from queue import Empty, Queue

from pincite.config import Config
from pincite.errors import InputError, SkippedError
from pincite.folder.walk import FoundFile
from pincite.models.local import cores
from pincite.sync.ingest import Ended, Prepared
from pincite.sync.worker import pack_settings
from pincite.sync.worker_process import Lines, Worker
from pincite.types import Document

MANY_FILES, MANY_BYTES = 64, 1_000_000  # from here on worker processes earn the time they take to start
_SHARES = 4  # a second process earns its start from a quarter of that on, each further one too
_DEATHS = 2  # of one kind, after which a file is not tried again


def team(files: Sequence[FoundFile]) -> int:
    """How many processes read these files: one a core at most, and none that starts for a few small ones."""
    earned = max(_SHARES * len(files) // MANY_FILES, _SHARES * sum(file.size for file in files) // MANY_BYTES)
    return min(cores(), len(files), 1 + earned)


def prepare_all(
    files: Sequence[FoundFile], config: Config, model: str, *, workers: int, estimated: bool = False
) -> Iterator[Prepared]:
    """The prepared files in the order given, made by `workers` processes at once.

    With `estimated` the model is missing, and sizes are estimates.
    """
    team = _Team(files)
    try:
        team.start(pack_settings(config, model, estimated=estimated), workers)
        for file in files:
            yield team.prepared(file)
    finally:
        team.close()


class _Team:
    """Workers that prepare `files`, sent to them in order and ahead.

    A file whose worker died is tried again by itself, while no other is read: it is failed once that ended
    twice the same way.
    """

    def __init__(self, files: Sequence[FoundFile]) -> None:
        self._files, self._sent = files, 0
        self._workers: list[Worker] = []
        self._lines: Lines = Queue()
        self._done: dict[str, Prepared] = {}
        self._deaths: Counter[tuple[str, Ended]] = Counter()
        self._again: deque[FoundFile] = deque()
        self._alone = ""  # the uri of the one that is tried again now

    def start(self, settings: str, workers: int) -> None:
        for _ in range(workers):
            self._workers.append(Worker(settings, self._lines))

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def prepared(self, file: FoundFile) -> Prepared:
        """The next of the files."""
        while file.uri not in self._done:
            self._send()
            if (prepared := self._next()) is not None:
                self._take(prepared)
        return self._done.pop(file.uri)

    def _send(self) -> None:
        if not self._again and not self._alone:
            self._send_ahead()
        elif not any(worker.waiting for worker in self._workers):
            file = self._again.popleft()
            self._alone = file.uri
            self._workers[0].send(file)

    def _send_ahead(self) -> None:
        """Sends files to workers with room, the least busy first."""
        while self._sent < len(self._files):
            worker = min(self._workers, key=lambda one: len(one.waiting))
            if not worker.has_room(self._files[self._sent]):
                break
            worker.send(self._files[self._sent])
            self._sent += 1

    def _take(self, prepared: Prepared) -> None:
        uri = prepared.file.uri
        if uri == self._alone:
            self._alone = ""
        self._deaths[uri, prepared.ended] += 1
        if prepared.ended in ("crashed", "killed") and self._deaths[uri, prepared.ended] < _DEATHS:
            self._again.append(prepared.file)
        else:
            self._done[uri] = prepared

    def _next(self) -> Prepared | None:
        """The next answer of any worker, or the failure of a file whose worker died; None after a second."""
        try:
            worker, process, line = self._lines.get(timeout=1.0)
        except Empty:
            for late in self._workers:
                late.end_if_late()
            return None
        if line:
            return worker.answered(line)
        return worker.replaced() if worker.waiting and worker.is_at(process) else None


def read_documents(files: Sequence[FoundFile], config: Config) -> Iterator[Document | InputError]:
    """The documents of files in the order given, or the reason why one cannot be read; nothing is cut."""
    for prepared in prepare_all(files, config, "", workers=team(files)) if files else ():
        if prepared.document is not None:
            yield prepared.document
            continue
        kind = SkippedError if prepared.state == "skipped" else InputError
        yield kind(f"{prepared.file.uri}: {prepared.reason}", uri=prepared.file.uri)


def read_texts(files: Sequence[FoundFile], config: Config, ended: dict[str, Prepared]) -> Iterator[str]:
    """The texts of those files that can be read, in order; of an archive, those of a few files inside it.

    Notes in `ended`, by uri, the files that ended a worker by the time they took or by a crash.
    """
    for prepared in prepare_all(files, config, "", workers=team(files)) if files else ():
        if prepared.ended in ("crashed", "slow"):
            ended[prepared.file.uri] = prepared
        each = prepared.members or (prepared,)
        yield from (one.document.text for one in each if one.document is not None)
