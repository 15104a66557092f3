"""What the index is made with, and what follows when that differs from before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pincite import analyze
from pincite.config import Config
from pincite.errors import PinciteError
from pincite.filter.fields import document_meta
from pincite.folder.walk import Walk
from pincite.index.opened import OpenLibrary, chunking
from pincite.models.absent import AbsentEmbedder
from pincite.models.probe import other_vectors, probe_of
from pincite.parse import parse
from pincite.parse.detect import is_isolated
from pincite.sync.ingest import Cutters, Prepared
from pincite.sync.store import note_fields
from pincite.sync.workers import read_texts
from pincite.types import Meta, MetaValue

_SAMPLE_FILES, _SAMPLE_BYTES = 64, 1_000_000
_SAMPLE_ISOLATED, _SAMPLE_ISOLATED_BYTES = 8, 8_000_000  # of those that take longer to read


def sample_texts(found: Walk, config: Config, ended: dict[str, Prepared]) -> Iterator[str]:
    """Texts of files spread evenly over the folder: what the choice of a model looks at.

    `ended` takes those that are not to be read again, as `read_texts` has it.
    """
    step = max(1, len(found.files) // _SAMPLE_FILES)
    sample = found.files[::step]
    alone = [file for file in sample if is_isolated(file.uri, file.head())]
    for file in sample:
        if file.size > _SAMPLE_BYTES or file in alone:
            continue
        try:
            yield parse(file.read(), config.parse).text
        except (PinciteError, MemoryError):
            continue  # the sync itself names the file and the reason
    small = [file for file in alone if file.size <= _SAMPLE_ISOLATED_BYTES]
    small = small or sorted(alone, key=lambda file: file.size)[:1]
    chosen = small[:: max(1, len(small) // _SAMPLE_ISOLATED)][:_SAMPLE_ISOLATED]
    yield from read_texts(chosen, config, ended)


def note_settings(library: OpenLibrary, cutters: Cutters, choice: str) -> None:
    """Writes the settings the index is made with; those that differ from before re-do what they must.

    Another model re-keys all chunks, so that only texts it never embedded wait for a vector; a server that
    gives other vectors than before has all texts wait. Another dimension, analyzer or stemmer makes the
    search index anew from the catalog. Other chunk settings are
    written when all files are cut with them; until then the index is stale for any.
    """
    catalog, embedder = library.catalog, cutters.embedder
    _note_reading(library, cutters)
    stemmers = library.config.stemmers
    analyzer = analyze.fingerprint(stemmers)
    before = catalog.get("model")
    model = {"choice": choice, "name": embedder.name, "fingerprint": embedder.fingerprint}
    model["dimension"] = str(embedder.dimension)
    cut_alike = catalog.get("chunking") == chunking(library.config)
    same = bool(before) and before["fingerprint"] == model["fingerprint"]
    known, now = (catalog.get("probe") or "") if same else "", probe_of(embedder)
    swapped = other_vectors(known, now)  # by another server, or another model of this name there
    probe = now if swapped else known or now
    settled = before == model and probe == known and catalog.get("analyzer") == analyzer
    if settled and cut_alike:
        return
    with catalog.transaction():
        if before and not same:
            catalog.rekey(embedder.fingerprint)
        if swapped:
            catalog.forget_vectors()
        if not settled:
            catalog.put(epoch=int(catalog.get("epoch") or 0) + 1)
        # The search index is made with some dimension before the model's is known.
        dimension = embedder.dimension or 1
        catalog.put(model=model, dimension=dimension, analyzer=analyzer, stemmers=list(stemmers), probe=probe)
        if not cut_alike:
            catalog.put(chunking="")


def compared_settings(library: OpenLibrary, cutters: Cutters) -> Mapping[str, str] | None:
    """The settings that stored files must have been cut with to stay; None: any.

    While the model is missing, nothing that is stored is cut by its estimated sizes.
    """
    alike = library.choice and library.catalog.get("chunking") == chunking(library.config)
    return None if alike and isinstance(cutters.embedder, AbsentEmbedder) else cutters.settings


def _note_reading(library: OpenLibrary, cutters: Cutters) -> None:
    """Records what the model reads of a text, for people: its limit and what stands before each text."""
    embedder = cutters.embedder
    if isinstance(embedder, AbsentEmbedder):
        return
    prefixes = {name: getattr(embedder, name, "") for name in ("query_prefix", "document_prefix")}
    reads = {"limit": embedder.limit, **prefixes}
    if library.catalog.get("reads") != reads:
        library.catalog.put(reads=reads)


def note_given(library: OpenLibrary, given: Mapping[str, MetaValue]) -> dict[str, MetaValue]:
    """Metadata given by flags, now and at earlier syncs; an empty value takes a field away again."""
    from pincite.index.rows import pack_meta, unpack_meta

    catalog = library.catalog
    before = catalog.get_as("given", unpack_meta) or {}
    now = {name: value for name, value in {**before, **given}.items() if value != ""}
    rules = f"{library.config.sync.meta!r} {pack_meta(now)}"
    if rules != catalog.get("meta_rules"):
        with catalog.transaction():
            _refresh_meta(library, now)
            catalog.put(given=pack_meta(now), meta_rules=rules)
    return now


def _refresh_meta(library: OpenLibrary, given: Meta) -> None:
    """Gives every stored document its fields anew; nothing is parsed or embedded."""
    files = library.catalog.files()
    for doc_id, uri in library.catalog.document_ids():
        if uri in files:
            put_fields(library, doc_id, files[uri].mtime_ns, given)


def put_fields(library: OpenLibrary, doc_id: str, mtime_ns: int, given: Meta) -> None:
    """Writes a stored document's fields if they are not what they were."""
    catalog = library.catalog
    own, stored = catalog.document(doc_id, own_meta=True), catalog.document_rows([doc_id]).get(doc_id)
    if own is None or stored is None:
        return
    meta = document_meta(own, mtime_ns, library.config.sync.meta, given)
    if dict(stored.meta) != meta:
        note_fields(catalog, meta)
        catalog.put_meta(doc_id, meta)
