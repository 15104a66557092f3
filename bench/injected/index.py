"""Faults of chunks, vectors, filters, legs and fusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from injected.cases import fault
from injected.corpora import K, Copy, Corpus, Passing, points
from pincite.analyze import analyze
from pincite.config import ChunkConfig, Config, SearchConfig
from pincite.errors import ModelError
from pincite.filter import parse_filter
from pincite.index.catalog import SqliteCatalog, vector_key
from pincite.models import load_embedder
from pincite.pipeline import ingest, search
from pincite.protocols import Embedder, Point, Vectors
from pincite.types import Finding, Query, Question, Span

_SHALLOW = SearchConfig(depth=10)
_WHOLE = SearchConfig(depth=1000)
_TINY = 12  # tokens


# ── chunks ────────────────────────────────────────────────────────────────────────────────────
def _split(corpus: Corpus, n: int, strategy: str) -> Iterator[Finding]:
    """Everything cut into tiny chunks, and asked by words alone; evidence far longer than any chunk."""
    tiny = ChunkConfig(strategy=strategy, size=_TINY, overlap=0)
    with corpus.copy(config=Config(chunk=tiny)) as copy:
        ingest(copy.open, embed=False)
        catalog, found = copy.open.catalog, 0
        for one in corpus.pick(len(corpus.passing), f"split {strategy}", distinct=False):
            document = catalog.document(one.gold.doc_id or "")
            assert document is not None
            whole = _long_evidence(one, document.text)
            largest = max(end - start for _, start, end in catalog.points_of(document.id))
            if len(whole) > 2 * largest + 1 and found < n:
                found += 1
                quoted = one.labelled(chars=whole, quote="", line_start=None, line_end=None)
                yield copy.why(quoted, settings=SearchConfig(legs=("lexical",)))


def _long_evidence(one: Passing, text: str) -> Span:
    """The evidence, or the whole line it stands on if that is longer."""
    start = text.rfind("\n", 0, one.span.start) + 1
    end = text.find("\n", one.span.end)
    line = Span(start, len(text) if end == -1 else end)
    return max((one.span, line), key=len)


@fault("split-by-chunking", "tiny chunks")
def tiny_chunks(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _split(corpus, n, "structural")


@fault("split-by-chunking", "tiny windows of tokens")
def tiny_windows(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _split(corpus, n, "tokens")


# ── vectors ───────────────────────────────────────────────────────────────────────────────────
@dataclass
class Failing:
    """The model it is made of, but for texts that hold certain words: those it cannot embed."""

    model: Embedder
    words: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    @property
    def dimension(self) -> int:
        return self.model.dimension

    @property
    def limit(self) -> int:
        return self.model.limit

    def count(self, texts: Sequence[str]) -> list[int]:
        return self.model.count(texts)

    def spans(self, text: str) -> list[Span]:
        return self.model.spans(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        rows = np.array(self.model.embed_documents(texts))
        for at, text in enumerate(texts):
            if any(words in text for words in self.words):
                rows[at] = np.nan
        return rows

    def embed_query(self, text: str) -> Vectors:
        return self.model.embed_query(text)

    def close(self) -> None:
        self.model.close()


def _unembedded(corpus: Corpus, n: int, name: str, settings: SearchConfig, k: int) -> Iterator[Finding]:
    """Files read anew while the model fails for the evidence's chunks."""
    picked = corpus.pick(4 * n, name, lambda one: one.rank <= k)
    failing: list[Failing] = []

    def make(config: Config, name: str) -> Embedder:
        load = corpus.make_embedder or (lambda config, name: load_embedder(config.model, name=name))
        failing.append(Failing(load(config, name)))
        return failing[-1]

    with corpus.copy(make_embedder=make) as copy:
        texts = _dense_texts(copy, picked)
        kept = {one.uri: (copy.root / one.uri).read_bytes() for one in picked}
        for uri in kept:
            (copy.root / uri).rename(copy.root / f"{uri}.lock")  # left out like every lock file
        copy.library.sync()
        for uri in kept:
            (copy.root / f"{uri}.lock").rename(copy.root / uri)
        for model in failing:
            model.words.update(texts)
        copy.library.sync()
        yield from _effective(copy, picked, n, settings, k)


def _dense_texts(copy: Copy, picked: Sequence[Passing]) -> set[str]:
    stored = copy.open.catalog.stored([point for one in picked for point in points(one)])
    return {one.chunk.dense_text for one in stored.values()}


def _effective(
    copy: Copy, picked: Sequence[Passing], n: int, settings: SearchConfig, k: int
) -> Iterator[Finding]:
    """Findings on the first `n` questions that are lost under the fault."""
    found = 0
    for one in picked:
        if found < n and copy.lost(one.question, k=k, settings=settings):
            found += 1
            yield copy.why(one.question, k=k, settings=settings)


@fault("not-embedded", "the model fails for the evidence, dense leg")
def unembedded_dense(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _unembedded(corpus, n, "unembedded dense", SearchConfig(legs=("dense",)), K)


@fault("not-embedded", "the model fails for the evidence, both legs")
def unembedded_both(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _unembedded(corpus, n, "unembedded both", SearchConfig(), 1)


def _swap_vectors(root: Path, picked: Sequence[Passing]) -> None:
    """Gives the evidence's chunks the vector of the text that is farthest from them."""
    catalog = SqliteCatalog(root / ".pincite" / "catalog.db")
    every = catalog.vectors_of(catalog.point_ids(0, 100_000))
    ids, rows = list(every), np.stack(list(every.values()))
    fingerprint = catalog.get("model")["fingerprint"]
    swapped = {}
    for one in picked:
        for point, stored in catalog.stored(points(one)).items():
            far = ids[int(np.argmin(rows @ every[point]))]
            swapped[vector_key(fingerprint, stored.chunk.dense_text)] = every[far]
    with catalog.transaction():
        catalog.put_vectors(swapped)
    catalog.close()


@fault("missed-dense", "vectors swapped, dense leg")
def swapped_dense(corpus: Corpus, n: int) -> Iterator[Finding]:
    settings = replace(_SHALLOW, legs=("dense",))
    for one in corpus.pick(n, "swapped dense"):
        with corpus.copy(prepare=lambda root, one=one: _swap_vectors(root, [one])) as copy:  # type: ignore[misc]
            yield from _effective(copy, [one], 1, settings, K)


@fault("missed-dense", "vectors swapped, both legs")
def swapped_both(corpus: Corpus, n: int) -> Iterator[Finding]:
    found = 0
    for one in corpus.pick(4 * n, "swapped both", lambda one: one.rank == 1):
        if found < n:
            with corpus.copy(prepare=lambda root, one=one: _swap_vectors(root, [one])) as copy:  # type: ignore[misc]
                if "dense" in _pools(copy, one.question, _SHALLOW):
                    continue  # the farthest text is near this question
                for finding in _effective(copy, [one], 1, _SHALLOW, 1):
                    found += 1
                    yield finding


# ── words ─────────────────────────────────────────────────────────────────────────────────────
def _strip_terms(copy: Copy, one: Passing) -> None:
    """Takes the words of the evidence's chunks out of the search index, as a broken analyzer would."""
    index, catalog = copy.open.index(), copy.open.catalog
    vectors = index.vectors(points(one))
    stored = catalog.stored(points(one))
    index.upsert([Point(point, "zzzzz", entry.meta) for point, entry in stored.items()])
    index.set_vectors(vectors)


def _in_other_words(corpus: Corpus, one: Passing, copy: Copy) -> Question | None:
    """The question in another language, or in words of which its evidence's chunks hold none."""
    text = corpus.foreign.get(one.question.id)
    stemmers = copy.open.config.stemmers
    if text is None:
        chunks = copy.open.catalog.stored(points(one)).values()
        held = {
            term
            for entry in chunks
            for term in analyze(
                f"{entry.chunk.dense_text} {entry.uri}", side="document", stemmers=stemmers
            ).split()
        }
        words = [word for other in corpus.passing for word in other.question.text.rstrip("?？").split()]
        fresh = [w for w in words if not held & set(analyze(w, side="query", stemmers=stemmers).split())]
        at = int(one.question.id.lstrip("q").split(".")[0] or 0) if one.question.id[1:].isdigit() else 0
        text = " ".join(dict.fromkeys(fresh[at * 5 % max(1, len(fresh) - 8) :][:8]))
    return replace(one.question, text=text) if text.strip() else None


@fault("missed-lexical", "a question in other words, lexical leg")
def other_words(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        found, settings = 0, SearchConfig(legs=("lexical",))
        for one in corpus.pick(3 * n, "words", distinct=False):
            question = _in_other_words(corpus, one, copy)
            if question and found < n and copy.lost(question, settings=settings):
                if not _pools(copy, question, settings):
                    found += 1
                    yield copy.why(question, settings=settings)


def _pools(copy: Copy, question: Question, settings: SearchConfig, k: int = 1) -> set[str]:
    """The legs whose pool holds the evidence."""
    (gold,) = copy.lab().ask.resolver.resolve(question)
    result = search(copy.open, Query(question.text, k=k), settings=settings)
    held = set()
    for step in result.trace.steps:
        if step.stage in ("lexical", "dense"):
            ids = {str(item["chunk_id"]) for item in step.items}
            held |= {step.stage} if ids & _holders(copy, gold) else set()
    return held


def _holders(copy: Copy, gold: object) -> set[str]:
    from pincite.evaluate.golds import holds
    from pincite.types import Gold, chunk_id

    assert isinstance(gold, Gold)
    rows = copy.open.catalog.points_of(gold.doc_id or "")
    return {chunk_id(p) for p, start, end in rows if holds(gold, gold.doc_id or "", Span(start, end))}


@fault("missed-lexical", "words of the evidence not indexed, both legs")
def stripped_both(corpus: Corpus, n: int) -> Iterator[Finding]:
    found = 0
    for one in corpus.pick(5 * n, "stripped both", lambda one: one.rank == 1):
        if found < n:
            with corpus.copy() as copy:
                _strip_terms(copy, one)
                if _pools(copy, one.question, _SHALLOW) != {"dense"}:
                    continue
                for finding in _effective(copy, [one], 1, _SHALLOW, 1):
                    found += 1
                    yield finding


@fault("missed-lexical", "words of the evidence not indexed, lexical leg")
def stripped_alone(corpus: Corpus, n: int) -> Iterator[Finding]:
    settings = SearchConfig(legs=("lexical",))
    for one in corpus.pick(n, "stripped alone"):
        with corpus.copy() as copy:
            _strip_terms(copy, one)
            yield from _effective(copy, [one], 1, settings, K)


@fault("missed-both", "words not indexed and vectors swapped")
def stripped_and_swapped(corpus: Corpus, n: int) -> Iterator[Finding]:
    found = 0
    for one in corpus.pick(4 * n, "both", _read_by_model(corpus)):
        if found < n:
            with corpus.copy(prepare=lambda root, one=one: _swap_vectors(root, [one])) as copy:  # type: ignore[misc]
                _strip_terms(copy, one)
                if not _pools(copy, one.question, _SHALLOW, K) and copy.lost(one.question, settings=_SHALLOW):
                    found += 1
                    yield copy.why(one.question, settings=_SHALLOW)


def _read_by_model(corpus: Corpus):  # type: ignore[no-untyped-def]
    """Questions whose dense leg runs: the sample's model does not read Chinese."""
    return lambda one: corpus.name != "sample" or one.question.text.isascii()


@fault("missed-both", "pools of one")
def pools_of_one(corpus: Corpus, n: int) -> Iterator[Finding]:
    settings, found = SearchConfig(depth=1), 0
    with corpus.copy() as copy:
        for one in corpus.pick(len(corpus.passing), "one", _read_by_model(corpus), distinct=False):
            if (
                found < n
                and not _pools(copy, one.question, settings)
                and copy.lost(one.question, k=1, settings=settings)
            ):
                found += 1
                yield copy.why(one.question, k=1, settings=settings)


# ── filter ────────────────────────────────────────────────────────────────────────────────────
def _filtered(corpus: Corpus, n: int, name: str, expression: str) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, name, distinct=False):
            document = copy.open.catalog.document(one.gold.doc_id or "")
            assert document is not None
            given = expression.format(uri=one.uri, type=document.type)
            filter = parse_filter([given], copy.open.catalog.get("fields"))
            yield copy.why(one.question, filter=filter)


@fault("filtered-out", "by path")
def by_path(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _filtered(corpus, n, "path", "path!={uri}")


@fault("filtered-out", "by type")
def by_type(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _filtered(corpus, n, "type", "type!={type}")


@fault("filtered-out", "by date")
def by_date(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _filtered(corpus, n, "date", "modified<2000-01-01")


# ── fusion ────────────────────────────────────────────────────────────────────────────────────
def _badly_fused(corpus: Corpus, n: int, name: str, settings: SearchConfig) -> Iterator[Finding]:
    """Questions whose evidence is first, then in both whole pools but not first under these settings."""
    found = 0
    with corpus.copy() as copy:
        for one in corpus.pick(len(corpus.passing), name, lambda one: one.rank == 1, distinct=False):
            if found < n and copy.lost(one.question, k=1, settings=settings):
                if len(_pools(copy, one.question, settings)) == 2:
                    found += 1
                    yield copy.why(one.question, k=1, settings=settings)


@fault("lost-in-fusion", "lexical weight 0")
def no_lexical_weight(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _badly_fused(corpus, n, "lexical 0", replace(_WHOLE, lexical_weight=0.0, dense_weight=1.0))


@fault("lost-in-fusion", "dense weight 0")
def no_dense_weight(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _badly_fused(corpus, n, "dense 0", replace(_WHOLE, lexical_weight=1.0, dense_weight=0.0))


@fault("lost-in-fusion", "reciprocal ranks")
def by_ranks(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _badly_fused(corpus, n, "rrf", replace(_WHOLE, fusion="rrf"))
