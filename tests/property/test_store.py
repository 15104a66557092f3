"""What is stored comes back as it was, and after every sync both legs find exactly the files' text."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counters import BLANK_SEPARATED
from embedders import bag_of_words, maker
from libraries import PLAIN, write
from parsed import source
from pincite.chunk import make_chunker
from pincite.config import ChunkConfig
from pincite.contextualise import contextualise
from pincite.embed import unit
from pincite.index.catalog import SqliteCatalog, vector_key
from pincite.library import Library
from pincite.parse import parse
from pincite.types import Everything, MetaValue, SearchResult

FEW = max(6, settings().max_examples // 12)  # of the profile; each example is several syncs

SCALARS = (
    st.text(max_size=30)
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False)
    | st.booleans()
    | st.dates(date(1, 1, 1))
)
META = st.dictionaries(
    st.text(min_size=1, max_size=20), SCALARS | st.lists(SCALARS, max_size=3).map(tuple), max_size=5
)
LINES = st.lists(
    st.sampled_from(
        ["# Valve", "## 阀门", "Oil the seal.", "", "| a | b |", "|---|---|", "| 1 | 2\u2028 |", "\x0c"]
    ),
    max_size=20,
)
NAMES = st.sampled_from(["a.md", "b.html", "c.txt", "d.csv", "e.py"])


def prepared(name: str, lines: Sequence[str]):  # type: ignore[no-untyped-def]
    """A parsed file with its situated chunks."""
    document = parse(source(name, "\n".join(lines)))
    chunker = make_chunker(ChunkConfig(size=8, parent_size=8), BLANK_SEPARATED, 12)
    return document, contextualise(document, chunker(document), BLANK_SEPARATED, limit=12).chunks


@settings(deadline=None)
@given(NAMES, LINES, META)
def test_documents_chunks_metadata_and_vectors_come_back(
    name: str, lines: list[str], meta: dict[str, MetaValue]
) -> None:
    document, chunks = prepared(name, lines)
    vectors = {
        vector_key("m", c.dense_text): unit(np.ones(3, np.float32) * (n + 1)) for n, c in enumerate(chunks)
    }
    with tempfile.TemporaryDirectory() as folder:
        catalog = SqliteCatalog(Path(folder) / "catalog.db")
        with catalog.transaction():
            catalog.put_document(document, meta, chunks, "m")
            catalog.put_vectors(vectors)
        catalog.close()
        catalog = SqliteCatalog(Path(folder) / "catalog.db")
        found = catalog.document(document.id)
        own = catalog.document(document.id, own_meta=True)
        stored = catalog.chunks_between(document.id, 0, len(chunks))
        rows = catalog.vectors_of([one.point_id for one in stored])
        counts = catalog.counts()
        catalog.close()
    assert found == replace(document, meta=meta)
    assert own == document
    assert tuple(one.chunk for one in stored) == chunks
    assert [one.ordinal for one in stored] == list(range(len(chunks)))
    for one in stored:
        assert one.place == document.origins.place(one.chunk.span)
        assert dict(one.meta) == meta
        assert np.array_equal(rows[one.point_id], vectors[vector_key("m", one.chunk.dense_text)])
    assert (counts["chunks"], counts["pending"]) == (len(chunks), 0)


# ── syncs ─────────────────────────────────────────────────────────────────────────────────────
PARAGRAPHS = st.lists(st.sampled_from([f"word{n} common" for n in range(12)]), max_size=5)
CONTENT = PARAGRAPHS.map(lambda parts: "\n\n".join(f"## Part\n\n{part}" for part in parts))
FILES = st.sampled_from(["a.md", "b.md", "sub/a.md", "c.txt"])
STEP = st.tuples(st.dictionaries(FILES, st.none() | CONTENT, max_size=3), st.booleans())


def apply(root: Path, there: dict[str, str], changes: Mapping[str, str | None]) -> None:
    """Writes and removes files in the folder, and in the picture of it."""
    for uri, text in changes.items():
        if text is not None:
            write(root, {uri: text})
            there[uri] = text
        elif there.pop(uri, None) is not None:
            (root / uri).unlink()


def words(text: str) -> list[str]:
    return sorted(re.findall(r"word\d+", text))


def check_search(lib: Library, there: Mapping[str, str]) -> None:
    """Each leg finds the files' words, all of them and no others, at the places where they stand."""
    wanted = {uri: words(text) for uri, text in there.items() if words(text)}
    for legs in (("lexical",), ("dense",), ("lexical", "dense")):
        found: dict[str, list[str]] = {}
        for hit in lib.search("common", legs=legs, k=1000).hits:
            assert hit.stale is None
            text = there[hit.stored.uri]
            assert text[hit.stored.chunk.span.start : hit.stored.chunk.span.end] == hit.stored.chunk.text
            found.setdefault(hit.stored.uri, []).extend(words(hit.stored.chunk.text))
        assert {uri: sorted(here) for uri, here in found.items()} == wanted, legs


def check_stores(lib: Library) -> None:
    """Rows, points and vectors agree, and nothing waits to be applied."""
    opened = lib._open()
    catalog, index = opened.catalog, opened.index()
    points = catalog.point_ids(0, 10_000)
    assert index.count(Everything()) == len(points) == catalog.counts()["chunks"]
    assert catalog.counts()["pending"] == 0 and catalog.outbox.is_empty()
    kept, indexed = catalog.vectors_of(points), index.vectors(points)
    assert kept.keys() == indexed.keys() == set(points)
    for point in points:
        np.testing.assert_allclose(indexed[point], kept[point], atol=1e-6)
    texts = {stored.chunk.dense_text for stored in catalog.stored(points).values()}
    assert len({vector.tobytes() for vector in kept.values()}) <= len(texts)
    assert catalog.drop_unused_vectors() == 0, "a vector no chunk needs is kept"


@settings(max_examples=FEW, deadline=None)
@given(st.lists(STEP, min_size=1, max_size=4))
def test_after_every_sync_both_legs_find_what_the_files_hold(
    steps: list[tuple[dict[str, str | None], bool]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, there = Path(folder), dict[str, str]()
        make = maker(bag_of_words())
        lib = Library(root, root / ".pincite", PLAIN, make_embedder=make)
        try:
            for changes, reopen in steps:
                apply(root, there, changes)
                report = lib.sync(allow_empty=True)
                assert report.found == len(there) and report.failed == report.skipped == ()
                if reopen:
                    lib.close()
                    lib = Library(root, root / ".pincite", PLAIN, make_embedder=make)
                check_search(lib, there)
                check_stores(lib)
                again = lib.sync(allow_empty=True)
                assert again.unchanged == again.indexed and again.embedded == 0
                assert again.added == again.changed == again.removed == again.moved == ()
        finally:
            lib.close()


# ── an index that grew, and one made at once ──────────────────────────────────────────────────
VOCABULARY = [
    "valve",
    "pump",
    "seal",
    "lid",
    "motor",
    "cable",
    "oil",
    "hose",
    "error",
    "week",
    "阀门",
    "x-5021",
]


def edit(root: Path, rng: random.Random) -> None:
    """Writes and removes some files."""
    for _ in range(rng.randint(1, 10)):
        path = root / f"{rng.randrange(30)}.md"
        if path.exists() and rng.random() < 0.3:
            path.unlink()
        else:
            parts = [
                " ".join(rng.choices(VOCABULARY, k=rng.randint(2, 60))) for _ in range(rng.randint(1, 4))
            ]
            path.write_text("".join(f"## {rng.choice(VOCABULARY)}\n\n{part}.\n\n" for part in parts), "utf-8")


def scores(result: SearchResult) -> dict[str, float]:
    """The fused score of every hit."""
    return {hit.stored.chunk.id: hit.candidate.fused for hit in result.hits}


@pytest.mark.parametrize("seed", range(2))
def test_an_index_that_grew_gives_what_one_made_at_once_gives(tmp_path: Path, seed: int) -> None:
    """The same hits with the same scores, but for the last digits of 32-bit sums."""
    rng, root, make = random.Random(seed), tmp_path / "docs", maker(bag_of_words())
    root.mkdir()
    write(root, {"kept.md": "# Valve\n\nThe valve and the pump."})
    with Library(root, tmp_path / "grown", PLAIN, make_embedder=make) as grown:
        for _ in range(6):
            edit(root, rng)
            grown.sync()
        with Library(root, tmp_path / "fresh", PLAIN, make_embedder=make) as fresh:
            fresh.sync()
            for _ in range(40):
                query = " ".join(rng.sample(VOCABULARY, rng.randint(1, 7)))
                one, other = scores(grown.search(query, k=1000)), scores(fresh.search(query, k=1000))
                assert one == pytest.approx(other, abs=2e-6), query
                assert list(one.values()) == pytest.approx(list(other.values()), abs=2e-6), query
