"""The 201 questions of `northwind` that cite a page: is that page among the pages of the five chunks found?

A chunk that runs over two pages counts for both; `by_first_page` counts each chunk for the page it begins on
alone. In some 37 labels the page is the one before the words, so each figure is also given with the page
after accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

from common import rows

import pincite
from pincite.types import Place

K = 5
Cites = list[tuple[str, int]]


def measure_pages(collection: Path, work: Path) -> dict[str, Any]:
    """Page R@5 over all questions, and for each what was cited, what was found, and what counts."""
    folder = work / "northwind"
    if not folder.exists():
        copytree(collection / "pdfs", folder)
    questions = {}
    with pincite.open(folder) as library:
        report = library.sync()
        for row in rows(collection / "queries.jsonl"):
            cited = list(_cited(row))
            if cited:
                hits = library.search(str(row["text"]), k=K).hits
                found = [(hit.stored.uri, *_pages(hit.stored.place)) for hit in hits]
                questions[str(row["_id"])] = {"cited": cited, "found": found, **_judged(cited, found)}
    figures = ("by_pages", "or_page_after", "by_first_page", "by_first_page_or_page_after")
    totals = {key: round(sum(q[key] for q in questions.values()) / len(questions), 4) for key in figures}
    over = sum(last > first for q in questions.values() for _, first, last in q["found"])
    return {
        "k": K, "questions": len(questions), "page_recall": totals, "chunks": report.chunks,
        "model": report.model, "chunks_over_pages": over, "each": questions,
    }  # fmt: skip


def _pages(place: Place) -> tuple[int, int]:
    first = place.page or 0
    return first, place.page_end or first


def _cited(row: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for cite in row["metadata"].get("cites", ()):
        if cite.get("here", True) and cite.get("page"):
            yield str(cite["file"]), int(cite["page"])


def _judged(cited: Cites, found: list[tuple[str, int, int]]) -> dict[str, float]:
    """The share of the cited pages that were found, in four ways of counting."""
    after = [(0,), (0, 1)]
    shares = [
        sum(any(_holds(one, file, page + d) for one in span for d in more) for file, page in cited)
        / len(cited)
        for span in (found, [(file, first, first) for file, first, _ in found])
        for more in after
    ]
    return dict(
        zip(
            ("by_pages", "or_page_after", "by_first_page", "by_first_page_or_page_after"), shares, strict=True
        )
    )


def _holds(found: tuple[str, int, int], file: str, page: int) -> bool:
    return found[0] == file and found[1] <= page <= found[2]


def pages_table(measured: Mapping[str, Any]) -> str:
    """Page R@5 in the four ways, in Markdown."""
    by = measured["page_recall"]
    return "\n".join(
        [
            f"| page R@{K}, {measured['questions']} questions | the page cited | or the page after |",
            "|---|---|---|",
            f"| all pages of a chunk | {by['by_pages']:.3f} | {by['or_page_after']:.3f} |",
            f"| its first page alone | {by['by_first_page']:.3f} | {by['by_first_page_or_page_after']:.3f} |",
            f"\nOf the chunks found, {measured['chunks_over_pages']} run over two pages.",
        ]
    )
