"""Faults of the legs and of fusion."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from injected.cases import fault
from injected.corpora import Copy, Corpus, K, Passing, points
from pincite.analyze import analyze
from pincite.config import SearchConfig
from pincite.index.catalog import SqliteCatalog, vector_key
from pincite.models import profile
from pincite.protocols import Point
from pincite.types import Finding, Question

_SHALLOW = SearchConfig(depth=10)
_WHOLE = SearchConfig(depth=1000)
_LEXICAL, _DENSE = SearchConfig(legs=("lexical",)), replace(_SHALLOW, legs=("dense",))


def _swap_vectors(root: Path, one: Passing) -> None:
    """Gives the evidence's chunks the vector of the text that is farthest from them."""
    catalog = SqliteCatalog(root / ".pincite" / "catalog.db")
    every = catalog.vectors_of(catalog.point_ids(0, 100_000))
    ids, rows = list(every), np.stack(list(every.values()))
    fingerprint = catalog.get("model")["fingerprint"]
    swapped = {}
    for point, stored in catalog.stored(points(one)).items():
        far = ids[int(np.argmin(rows @ every[point]))]
        swapped[vector_key(fingerprint, stored.chunk.dense_text)] = every[far]
    with catalog.transaction():
        catalog.put_vectors(swapped)
    catalog.close()
    shutil.rmtree(root / ".pincite" / "search")  # it is made anew from the catalog


def _strip_terms(copy: Copy, one: Passing) -> None:
    """Takes the words of the evidence's chunks out of the search index, as a broken analyzer would."""
    index, catalog = copy.open.index(), copy.open.catalog
    vectors = index.vectors(points(one))
    stored = catalog.stored(points(one))
    index.upsert([Point(point, "zzzzz", entry.meta) for point, entry in stored.items()])
    index.set_vectors(vectors)


def _broken(
    corpus: Corpus,
    n: int,
    name: str,
    fits: Callable[[Passing], bool],
    settings: SearchConfig,
    *,
    k: int,
    left: frozenset[str],
    swap: bool = False,
    strip: bool = False,
) -> Iterator[Finding]:
    """Questions lost with vectors swapped or words not indexed, whose evidence is in the pools `left` alone.

    The farthest text from the evidence may still be near the question, so pools are looked at.
    """
    found = 0
    for one in corpus.pick(8 * n, name, fits):
        if found == n:
            return
        with corpus.copy(prepare=lambda root, one=one: _swap_vectors(root, one) if swap else None) as copy:  # type: ignore[misc]
            if strip:
                _strip_terms(copy, one)
            held, lost = copy.pools(one.question, one.holders, settings), copy.lost(one.question, k, settings)
            if held == left and lost:
                found += 1
                yield copy.why(one.question, k=k, settings=settings)


def _anyone(one: Passing) -> bool:
    return True


def _first(one: Passing) -> bool:
    return one.rank == 1


def _dense_runs(corpus: Corpus) -> Callable[[Passing], bool]:
    """Whether the index's model reads the question, so that its dense leg runs."""
    with corpus.copy() as copy:
        model = profile(copy.open.choice)
    return lambda one: model.reads(one.question.text)


_NONE, _LEXICAL_ONLY, _DENSE_ONLY = frozenset[str](), frozenset({"lexical"}), frozenset({"dense"})


@fault("missed-dense", "vectors swapped, dense leg")
def swapped_dense(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _broken(corpus, n, "swapped dense", _anyone, _DENSE, k=K, left=_NONE, swap=True)


@fault("missed-dense", "vectors swapped, both legs")
def swapped_both(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _broken(corpus, n, "swapped both", _first, _SHALLOW, k=1, left=_LEXICAL_ONLY, swap=True)


@fault("missed-lexical", "words of the evidence not indexed, lexical leg")
def stripped_alone(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _broken(corpus, n, "stripped alone", _anyone, _LEXICAL, k=K, left=_NONE, strip=True)


@fault("missed-lexical", "words of the evidence not indexed, both legs")
def stripped_both(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _broken(corpus, n, "stripped both", _first, _SHALLOW, k=1, left=_DENSE_ONLY, strip=True)


@fault("missed-both", "words not indexed and vectors swapped")
def stripped_and_swapped(corpus: Corpus, n: int) -> Iterator[Finding]:
    fits = _dense_runs(corpus)
    return _broken(corpus, n, "both", fits, _SHALLOW, k=K, left=_NONE, swap=True, strip=True)


@fault("missed-both", "pools of one")
def pools_of_one(corpus: Corpus, n: int) -> Iterator[Finding]:
    settings, found, fits = SearchConfig(depth=1), 0, _dense_runs(corpus)
    with corpus.copy() as copy:
        for one in corpus.pick(len(corpus.passing), "one", fits, distinct=False):
            lost = copy.lost(one.question, 1, settings)  # an exact match needs no pool
            if found < n and lost and not copy.pools(one.question, one.holders, settings, k=1):
                found += 1
                yield copy.why(one.question, k=1, settings=settings)


# ── questions in other words ──────────────────────────────────────────────────────────────────
@fault("missed-lexical", "a question in other words, lexical leg")
def other_words(corpus: Corpus, n: int) -> Iterator[Finding]:
    found = 0
    with corpus.copy() as copy:
        for one in corpus.pick(3 * n, "words", distinct=False):
            question = _in_other_words(corpus, one, copy)
            if question and found < n and not copy.pools(question, one.holders, _LEXICAL):
                found += 1
                yield copy.why(question, settings=_LEXICAL)


def _in_other_words(corpus: Corpus, one: Passing, copy: Copy) -> Question | None:
    """The question in another language, or else in words of which its evidence's chunks hold none."""
    text = corpus.foreign.get(one.question.id) or _words_it_lacks(corpus, one, copy)
    return replace(one.question, text=text) if text.strip() else None


def _words_it_lacks(corpus: Corpus, one: Passing, copy: Copy) -> str:
    """Words of other questions that the evidence's chunks and file names do not hold."""
    stemmers = copy.open.config.stemmers
    stored = copy.open.catalog.stored(points(one)).values()
    texts = [f"{entry.chunk.dense_text} {entry.uri}" for entry in stored]
    held = set(analyze(" ".join(texts), side="document", stemmers=stemmers).split())
    at = corpus.passing.index(one)
    others = (*corpus.passing[at + 1 :], *corpus.passing[:at])
    words = [word for other in others for word in other.question.text.rstrip("?？").split()]
    fresh = [word for word in words if not held & set(analyze(word, side="query", stemmers=stemmers).split())]
    return " ".join(list(dict.fromkeys(fresh))[:8])


# ── fusion ────────────────────────────────────────────────────────────────────────────────────
def _badly_fused(corpus: Corpus, n: int, name: str, settings: SearchConfig) -> Iterator[Finding]:
    """Questions whose evidence is first, then in both whole pools but not first under these settings."""
    found = 0
    with corpus.copy() as copy:
        for one in corpus.pick(len(corpus.passing), name, _first, distinct=False):
            if found == n:
                return
            both = len(copy.pools(one.question, one.holders, settings)) == 2
            if both and copy.lost(one.question, 1, settings):
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
