"""A library that is asked before it was ever synced is read first, once, whoever asks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.types import Progress, SyncReport

if TYPE_CHECKING:
    from pincite.index.opened import OpenLibrary

_SECONDS = 60.0


def read_once(
    library: OpenLibrary, progress: Callable[[Progress], None] | None, *, filtered: bool = False
) -> tuple[str, ...]:
    """Reads and indexes the folder, without vectors, if nobody did; returns what is to be said of it.

    To one who asks with a filter neither the files are named nor their number.
    """
    from pincite.pipeline import ingest

    let_another_read(library)
    if library.synced:
        return ()
    with library.sync_turn:
        if library.synced:  # by another thread meanwhile
            return ()
        shown = _unnamed(progress) if filtered and progress else progress
        return _left_out(ingest(library, progress=shown, embed=False), filtered)


def let_another_read(library: OpenLibrary) -> None:
    """Waits while another reads the folder for the first time: its lexical index is soon there."""
    from pincite.index.lock import is_held

    deadline = time.monotonic() + _SECONDS
    while not library.synced and is_held(library.folder / "sync.lock") and time.monotonic() < deadline:
        time.sleep(0.1)


def _unnamed(progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The progress without names of files."""
    return lambda step: progress(replace(step, uri=""))


def _left_out(report: SyncReport, filtered: bool) -> tuple[str, ...]:
    """A notice of the files that a query's own first sync could not take in; none if there are none."""
    failed, skipped = len(report.failed), len(report.skipped)
    if filtered:
        some = "some files of the folder failed or were skipped: pincite status names them"
        return (some,) if failed or skipped else ()
    parts = [f"{failed} file{'s' * (failed != 1)} failed"] if failed else []
    parts += [f"{skipped} file{'s' * (skipped != 1)} skipped"] if skipped else []
    return (f"{' and '.join(parts)}: pincite status names them",) if parts else ()
