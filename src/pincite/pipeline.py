"""The straight line, written once: `ingest`, `search` and `ask` are the only places that know the order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pincite.analyze import operators
from pincite.config import SearchConfig
from pincite.errors import UsageError
from pincite.filter import check, describe
from pincite.folder.reopen import Reopener
from pincite.folder.walk import Walk
from pincite.index.folder import to_record
from pincite.index.lock import hold
from pincite.index.opened import OpenLibrary
from pincite.query import QueryRun
from pincite.trace import Recorder, candidate_items, hit_items
from pincite.types import (
    Answer,
    Candidate,
    Leg,
    MetaValue,
    Progress,
    Query,
    Ranking,
    Searched,
    SearchHit,
    SearchResult,
    SyncReport,
)

if TYPE_CHECKING:
    from pincite.embed import Embedded
    from pincite.protocols import Embedder
    from pincite.sync.ingest import Prepared

_PATIENCE = 0.9  # seconds in which a question that a sync has overtaken is asked again

# Each function imports the stages only it runs: a search as a new process reads no parser.


def ingest(
    library: OpenLibrary,
    *,
    meta: Mapping[str, MetaValue] | None = None,
    progress: Callable[[Progress], None] | None = None,
    allow_empty: bool = False,
    embed: bool = True,
) -> SyncReport:
    """Brings the index up to the folder: what changed is parsed, cut, stored, indexed and embedded.

    The lexical index is complete before the first text is embedded; without `embed` it ends there, and so
    it does while the model is missing or down: the texts wait, and the report says why. A first sync of a
    few texts publishes both at once.
    """
    from pincite.embed import Embedded, is_brief
    from pincite.folder.walk import walk
    from pincite.sync.apply import apply_plan
    from pincite.sync.ingest import Cutters
    from pincite.sync.plan import plan
    from pincite.sync.report import sync_report
    from pincite.sync.settings import compared_settings, note_given, note_settings

    started = time.monotonic()
    lock = hold(library.folder / "sync.lock", wait=library.config.lock_wait)
    with library.sync_turn, lock:
        found = walk(library.root, library.config.sync)
        ended: dict[str, Prepared] = {}  # files that a worker could not read while the model was chosen
        choice = _choice(library, found, ended)
        cutters = Cutters.of(library.config, library.reached_embedder(choice))
        unlock, known = bool(library.config.parse.password_file), library.catalog.files()
        settings = compared_settings(library, cutters)
        todo = plan(found, known, settings, allow_empty=allow_empty, unlock=unlock)
        _note_root(library)
        note_settings(library, cutters, choice)
        given = note_given(library, meta or {})
        embedder, embedded = cutters.embedder, None if embed else Embedded()
        index = library.search_index.writing() if todo.to_read or todo.removed else nullcontext(lambda: None)
        with index as apply:
            changes = apply_plan(
                library, todo, cutters, given=given, ended=ended, progress=progress, stored=apply
            )
            if embed and not library.synced and is_brief(library.catalog, embedder):
                embedded = _embed_all(library, embedder, progress)
        library.catalog.put(read=True, last_sync=datetime.now(UTC).isoformat(timespec="seconds"))
        library.search_index.bring_up_to_date()
        if embedded is None:
            embedded = _embed_all(library, embedder, progress)
            library.search_index.bring_up_to_date()
        if embed and library.search_index.worth_optimizing:
            embedded.unpacked = library.search_index.optimize()
        return sync_report(library, found, todo, changes, embedded, seconds=time.monotonic() - started)


def _note_root(library: OpenLibrary) -> None:
    """Records which folder the index is for, before anything of it is stored."""
    root = to_record(library.folder, library.root)
    if library.catalog.get("root") != root:
        library.catalog.put(root=root)


def _choice(library: OpenLibrary, found: Walk, ended: dict[str, Prepared]) -> str:
    """The model: from the settings, else what the index has, else what the texts' language asks for."""
    from pincite.models import choose_model
    from pincite.sync.settings import sample_texts

    if (named := library.config.model.name) != "auto":
        return named
    made = library.catalog.get("model")
    return str(made["choice"]) if made else choose_model(sample_texts(found, library.config, ended))


def _embed_all(
    library: OpenLibrary, embedder: Embedder, progress: Callable[[Progress], None] | None
) -> Embedded:
    """Gives every text that waits its vector, in the catalog."""
    from pincite.embed import embed_pending, none_embedded
    from pincite.models.absent import AbsentEmbedder

    catalog = library.catalog
    with catalog.transaction():
        catalog.clear_problems()
    if isinstance(embedder, AbsentEmbedder):
        embedded = none_embedded(catalog, embedder.error)
    else:
        embedded = embed_pending(catalog, embedder, progress=progress)
    with catalog.transaction():
        catalog.drop_unused_vectors()
    return embedded


def search(
    library: OpenLibrary,
    query: Query,
    *,
    settings: SearchConfig | None = None,
    reopen: Reopener | None = None,
) -> SearchResult:
    """The k best chunks for a query. Raises `UsageError` for an empty query or an unknown filter field."""
    settings = settings or library.config.search
    notices = _check(library, query, dense="dense" in settings.legs and not query.regex)
    reopen = reopen or library.reopener()
    until = time.monotonic() + _PATIENCE
    result, again = _searched(library, query, settings, reopen), True
    while (behind := library.search_index.behind()) and again:
        result = _searched(library, query, settings, reopen)
        again = time.monotonic() < until
    if behind:
        notices += (f"not all of the latest changes are searched yet: {behind} brings them in",)
    return replace(result, notices=(*notices, *result.notices))


def _searched(library: OpenLibrary, query: Query, settings: SearchConfig, reopen: Reopener) -> SearchResult:
    """The hits of a query that may be asked, as index and catalog are now."""
    run = QueryRun(library, query, settings, reopen)
    recorder = Recorder(query.text)
    with library.question():
        with recorder.step("filter", filter=describe(query.filter)) as out:
            allowed = run.allowed()
            out([{"chunks": allowed}])
        hits = _by_regex(run, recorder, query) if query.regex else _ranked(run, recorder)
    return SearchResult(
        query=query,
        hits=tuple(hits),
        dense_complete=library.catalog.dense_complete,
        searched=Searched(allowed, describe(query.filter), str(library.catalog.get("model")["name"])),
        trace=recorder.trace(),
        notices=tuple(run.notices),
    )


def _by_regex(run: QueryRun, recorder: Recorder, query: Query) -> list[SearchHit]:
    with recorder.step("regex", expression=query.text) as out:
        candidates = run.matching_regex()
        out(candidate_items(candidates))
    return _reopened(run, recorder, candidates)


def _ranked(run: QueryRun, recorder: Recorder) -> list[SearchHit]:
    """Legs, fusion and hits; deeper once more while one hit a document is wanted and too few were found."""
    with recorder.step("embed on demand") as out:
        out({"chunk_id": chunk_id} for chunk_id in run.embed_candidates())
    while True:
        rankings: dict[Leg, Ranking] = {}
        for leg in run.legs:
            with recorder.step(leg, depth=run.depth) as out:
                rankings[leg] = run.leg(leg)
                out(hit_items(rankings[leg].hits))
        with recorder.step("exact") as out:
            exact = run.exact()
            out({"chunk_id": chunk_id} for chunk_id in sorted(exact))
        with recorder.step("fuse", **run.weights()) as out:
            candidates = run.fused(rankings, exact)
            out(candidate_items(candidates))
        hits = _reopened(run, recorder, candidates)
        if not run.deepen(hits, rankings.values()):
            return hits


def _reopened(run: QueryRun, recorder: Recorder, candidates: Sequence[Candidate]) -> list[SearchHit]:
    with recorder.step("reopen") as out:
        hits = run.hits(candidates)
        out({"chunk_id": hit.stored.chunk.id, "rank": hit.rank, "stale": hit.stale} for hit in hits)
    return hits


def _check(library: OpenLibrary, query: Query, *, dense: bool) -> tuple[str, ...]:
    """Notices. Raises `UsageError` for a query that cannot be asked, `IndexStaleError` for a stale index."""
    if not query.text.strip():
        raise UsageError("the query is empty", stage="search", hint='ask something: pincite search "words"')
    if query.k < 1:
        raise UsageError(f"k: expected 1 or more, got {query.k}", stage="search")
    check(query.filter, library.catalog.get("fields") or {}, library.catalog.metas)
    return (*library.refuse_if_stale(dense=dense), *_not_operators(query))


def _not_operators(query: Query) -> Iterator[str]:
    """A note on what other search engines would read as operators."""
    if not query.regex and (named := operators(query.text)):
        shown = ", ".join(named[:3]) + (", …" if len(named) > 3 else "")
        which = "is a word like any other" if len(named) == 1 else "are words like any others"
        yield f"{shown} {which}: only phrases are operators, and what is to be kept out needs a --filter"


def ask(library: OpenLibrary, query: Query, *, settings: SearchConfig | None = None) -> Answer:
    """The answer to a question, every claim with its checked citations, or why there is none."""
    from pincite.answer import answer, inputs
    from pincite.assemble import assemble

    settings = settings or library.config.search
    reopen = library.reopener()
    result = search(library, query, settings=settings, reopen=reopen)
    rest = inputs.whole_library(library, result) if inputs.has_generator(library) else ()
    hits = result.hits + rest
    recorder = Recorder(query.text)
    with recorder.step("assemble", budget=library.config.context.budget, hits=len(hits)) as out:
        context = assemble(
            hits,
            catalog=library.catalog,
            config=library.config.context,
            count=inputs.token_counter(library),
        )
        out({"marker": e.marker, "location": e.location, "chunk_ids": list(e.hits)} for e in context.evidence)
    whole = inputs.holds_whole_library(library, context)
    return answer(
        query.text,
        replace(result, trace=replace(result.trace, steps=result.trace.steps + recorder.trace().steps)),
        context,
        generator=inputs.generator_of(library, whole=whole),
        reopen=reopen,
        embed=inputs.sentence_embedder(library, query.text) if "dense" in settings.legs else None,
        terms=inputs.term_set(library),
    )
