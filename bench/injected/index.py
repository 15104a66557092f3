"""Faults of chunks, vectors and filters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from injected.cases import fault
from injected.corpora import Copy, Corpus, K, Passing, points
from pincite.config import ChunkConfig, Config, SearchConfig
from pincite.filter import parse_filter
from pincite.pipeline import ingest
from pincite.protocols import Embedder, Vectors
from pincite.types import Finding, Span

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
        failing.append(Failing(corpus.make_embedder(config, name)))
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
        lost = [one.question for one in picked if copy.lost(one.question, k, settings)]
        for question in lost[:n]:
            yield copy.why(question, k=k, settings=settings)


def _dense_texts(copy: Copy, picked: Sequence[Passing]) -> set[str]:
    stored = copy.open.catalog.stored([point for one in picked for point in points(one)])
    return {one.chunk.dense_text for one in stored.values()}


@fault("not-embedded", "the model fails for the evidence, dense leg")
def unembedded_dense(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _unembedded(corpus, n, "unembedded dense", SearchConfig(legs=("dense",)), K)


@fault("not-embedded", "the model fails for the evidence, both legs")
def unembedded_both(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _unembedded(corpus, n, "unembedded both", SearchConfig(), 1)


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
