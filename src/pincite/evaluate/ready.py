"""What an index needs before it is measured, and whether it is what its folder holds."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pincite.calls.first_read import let_another_read
from pincite.index.opened import OpenLibrary
from pincite.pipeline import ingest
from pincite.sync.report import status
from pincite.types import Progress


def made_complete(
    library: OpenLibrary, legs: Collection[str], progress: Callable[[Progress], None] | None
) -> tuple[str, ...]:
    """What was done so that no question changes what the next one finds; nothing if nothing was.

    A search embeds the candidates that have no vector, and keeps them: figures would depend on the order of
    the questions. So a folder never synced is synced first, and so is one with texts that wait for a
    vector, unless only the lexical leg is asked. Texts a model has failed for stay as they are.
    """
    let_another_read(library)
    dense = "dense" in legs
    if library.synced:
        library.refuse_if_stale(dense=dense)
        if not dense or not library.catalog.pending(1):
            return ()
    why = "had texts without a vector" if library.synced else "was never synced"
    report = ingest(library, progress=progress, embed=dense)
    if dense:
        library.checked_embedder()  # raises what keeps a model away: without it no question can be asked
    failed = len(report.failed) + len(report.skipped)
    left = f"; {failed} file{'s' * (failed != 1)} failed or skipped: pincite status names them"
    return (f"the folder {why}, so it was synced first{left if failed else ''}",)


def behind(library: OpenLibrary) -> tuple[str, ...]:
    """A notice if files differ from what is indexed, by size and times; none if they do not."""
    now = status(library)
    files = (("changed", now.changed), ("gone", now.removed), ("not indexed", now.unindexed))
    parts = [f"{len(uris)} {what}" for what, uris in files if uris]
    if not parts:
        return ()
    return (f"the index is behind its folder ({', '.join(parts)}): measured is the index; run pincite sync",)
