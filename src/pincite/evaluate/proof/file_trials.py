"""What is tried where the evidence did not get into the index: other files, other chunks, OCR, a vector."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.embed import unit
from pincite.errors import InputError, ModelError
from pincite.evaluate.golds import OneFile, Resolver, holds
from pincite.evaluate.proof.case import Case, Tried, ordinal
from pincite.evaluate.proof.facts import excluding
from pincite.evaluate.tuning.space import written
from pincite.folder.read import resolve
from pincite.folder.walk import FoundFile, walk
from pincite.parse.scans.ocr import HINT, installed
from pincite.sync.ingest import Cutters
from pincite.sync.workers import read_documents
from pincite.types import Remedy, point_id

LOOKED_AT = 10_000  # the deepest place in a leg that is told
_SIZES = (512, 1024, 2048)
_MOST_MB = 4096  # what sync.max_file_mb may be


def without_vector(case: Case) -> Iterator[Tried]:
    """The vector is made now, and its place among those of the dense leg told."""
    library = case.lab.library
    point = min(map(point_id, case.facts.holders))
    (stored,) = library.catalog.stored([point]).values()
    try:
        vector = unit(library.checked_embedder().embed_documents([stored.chunk.dense_text])[0])
    except ModelError as error:
        yield Tried(f"It still gets none: {error.message}.", _sync(case))
        return
    score = float(vector @ library.query_vector(case.question.text))
    with library.question():
        pool = library.index().dense(
            library.query_vector(case.question.text), filter=case.lab.ask.filter, depth=LOOKED_AT
        )
    at = 1 + sum(other > score for _, other in pool)
    yield Tried(f"With its vector it would be {ordinal(at)} by meaning.", _sync(case))


def stale(case: Case) -> Iterator[Tried]:
    yield Tried("", _sync(case) if case.facts.file == "new" else None)


def _sync(case: Case) -> Remedy:
    return Remedy("index", "not up to date", "pincite sync", (case.question.id,))


def excluded(case: Case) -> Iterator[Tried]:
    """The folder walked again without the globs that exclude the file, or else with the file included."""
    if case.facts.file != "excluded":
        return
    uri, library = case.facts.gold.qrel.uri, case.lab.library
    now = library.config.sync
    if globs := excluding(now, uri):
        name, then = "exclude", replace(now, exclude=tuple(one for one in now.exclude if one not in globs))
    else:
        name, then = "include", replace(now, include=(*now.include, _escaped(uri)))
    before, after = written(getattr(now, name)), written(getattr(then, name))
    if any(file.uri == uri for file in walk(library.root, then).files):
        remedy = Remedy(f"sync.{name}", before, after, (case.question.id,))
        yield Tried(f"With sync.{name} = {after} a sync takes it.", remedy)
    else:
        yield Tried(f"With sync.{name} = {after} another rule still leaves it out.")


def too_large(case: Case) -> Iterator[Tried]:
    """The folder walked again with a limit that the file meets, if its size is why it is not read."""
    uri, library = case.facts.gold.qrel.uri, case.lab.library
    now = library.config.sync
    try:
        size = -((library.root / uri).lstat().st_size // -1_000_000)
    except OSError:
        return
    if case.facts.file != "skipped" or not now.max_file_mb < size <= _MOST_MB:
        return
    if any(file.uri == uri for file in walk(library.root, replace(now, max_file_mb=size)).files):
        remedy = Remedy("sync.max_file_mb", str(now.max_file_mb), str(size), (case.question.id,))
        yield Tried(f"With sync.max_file_mb = {size} a sync takes it.", remedy)


def _escaped(uri: str) -> str:
    """A path as a glob that means it alone."""
    return re.sub(r"([\\*?\[\]!#])", r"\\\1", uri)


def split(case: Case) -> Iterator[Tried]:
    """The document cut anew with larger chunks, until one holds the evidence."""
    library, gold = case.lab.library, case.facts.gold
    document = case.lab.ask.resolver.document(gold.doc_id or "")
    if document is None:
        return
    kind = document.type if document.type in library.config.chunk_for else ""
    now = library.config.chunk_for[kind] if kind else library.config.chunk
    setting = f"chunk.{kind}.size" if kind else "chunk.size"
    sizes = sorted({*_SIZES, now.parent_size})  # no setting may be larger than that of the parents
    for size in (size for size in sizes if now.size < size <= now.parent_size):
        config = replace(library.config, chunk=replace(now, size=size), chunk_for={})
        cut = Cutters.of(config, library.embedder()).cut(document)
        if any(holds(gold, document.id, chunk.span) for chunk in cut.chunks):
            remedy = Remedy(setting, str(now.size), str(size), (case.question.id,))
            yield Tried(f"With {setting} = {size} one chunk holds it.", remedy)
            return
    limit = min(now.parent_size, library.embedder().limit)
    yield Tried(f"No larger chunk keeps it whole: chunk.parent_size and the model allow {limit:,} tokens.")


def without_text(case: Case) -> Iterator[Tried]:
    """The file read again by each program for pictures that is installed, until the place has text."""
    library, qrel = case.lab.library, case.facts.gold.qrel
    if library.config.parse.ocr:
        yield Tried("The settings let OCR read it, and it found no text there.")
        return
    readers = installed()
    if not readers:
        yield Tried(f"No OCR is installed to try it with: {HINT}")
    for name in readers:
        config = replace(library.config, parse=replace(library.config.parse, ocr=name))
        file = FoundFile(qrel.uri, resolve(library.root, qrel.uri), 0, 0, 0, 0, root=library.root)
        (read,) = read_documents([file], config)
        found = None if isinstance(read, InputError) else Resolver(OneFile(read)).gold(qrel)
        if found is not None and not found.problem:
            remedy = Remedy("parse.ocr", '""', written(name), (case.question.id,))
            yield Tried(f"With parse.ocr = {written(name)} there is text.", remedy)
            return
        yield Tried(f"With parse.ocr = {written(name)} there is none either.")
