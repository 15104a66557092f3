"""The engine's text scores against Lucene's BM25 formula, written here from the paper.

score(q, d) = Σ idf(t) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · |d| / avgdl)),
idf(t) = ln(1 + (N − n + .5) / (n + .5))
(Robertson & Zaragoza 2009, with Lucene's idf, which is never negative), k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from keyword_search import Keyword
from pincite.analyze import analyze

TOLERANCE = 0.01
WORDS = [f"word{i}" for i in range(400)] + [
    "pump",
    "pumps",
    "ERR-5021",
    "loadInvoiceById",
    "v1.2.3",
    "泵轴承",
    "café",
]


def bags_of(docs: Mapping[str, str]) -> dict[str, Counter[str]]:
    """The terms of each document with their frequencies."""
    return {name: Counter(analyze(text, side="document").split()) for name, text in docs.items()}


def bm25(query: str, bags: Mapping[str, Counter[str]], k1: float = 1.2, b: float = 0.75) -> dict[str, float]:
    """The scores over 0 by name."""
    average = sum(bag.total() for bag in bags.values()) / len(bags)
    scores: dict[str, float] = {}
    for term in set(analyze(query, side="query").split()):
        holding = [name for name, bag in bags.items() if term in bag]
        idf = math.log(1 + (len(bags) - len(holding) + 0.5) / (len(holding) + 0.5))
        for name in holding:
            tf, length = bags[name][term], bags[name].total()
            weight = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))
            scores[name] = scores.get(name, 0.0) + weight
    return scores


def corpus(count: int, seed: int) -> dict[str, str]:
    """Texts of 1 to 60 words; a few words are frequent, most are rare."""
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    rng.shuffle(weights)
    return {f"doc{i:05}": " ".join(rng.choices(WORDS, weights, k=rng.randint(1, 60))) for i in range(count)}


def queries(seed: int, count: int = 25) -> Iterator[str]:
    rng = random.Random(seed)
    yield from ("pump", "err-5021", "loadInvoiceById", "1.2.3", "轴承", "cafe")
    for _ in range(count):
        yield " ".join(rng.sample(WORDS, rng.randint(1, 6)))


def agree(search: Keyword, docs: Mapping[str, str], seed: int) -> None:
    """Scores of all documents agree, and none is missing or added, for every query."""
    bags = bags_of(docs)
    for query in queries(seed):
        expected = bm25(query, bags)
        found = dict(search.search(query, k=len(docs)))
        assert found.keys() == expected.keys(), query
        assert found == pytest.approx(expected, abs=TOLERANCE), query


def test_scores_equal_the_formula_also_after_updates_and_deletions(tmp_path: Path) -> None:
    docs = corpus(1500, seed=1)
    with Keyword(tmp_path, docs) as search:
        agree(search, docs, seed=2)
        gone = sorted(docs)[::2]
        search.delete(gone)
        docs = {name: text for name, text in docs.items() if name not in set(gone)}
        newer = dict(zip(sorted(docs)[::5], corpus(len(docs), seed=3).values(), strict=False))
        search.put(newer)
        docs |= newer
        agree(search, docs, seed=4)


def test_statistics_stay_global_under_a_filter(tmp_path: Path) -> None:
    docs = corpus(800, seed=5)
    with Keyword(tmp_path, docs) as search:
        bags = bags_of(docs)
        for query in queries(seed=6):
            everywhere = bm25(query, bags)
            odd = {name: score for name, score in everywhere.items() if int(name[3:]) % 2}
            found = dict(search.search(query, k=len(docs), parity=1))
            assert found.keys() == odd.keys(), query
            assert found == pytest.approx(odd, abs=TOLERANCE), query
