"""The words of PDF files against their pages as another library reads them (`pip install pdfplumber`)."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

from bounded import bounded

from pincite.errors import PinciteError
from pincite.parse import parse
from pincite.protocols import Source
from pincite.types import Box, Run, RunOrigins

_LETTERS = re.compile(r"[^\W_]+")
_EDGE = 1.5  # points by which a letter's middle may stand outside its box
_MOST_PAGES = 20
_SECONDS = 120.0
_TOLD = 8


def measure_boxes(data: Path) -> dict[str, Any]:
    """By file, and over all: pages and words read again, and the words found in the boxes cited for them."""
    found: dict[str, Any] = {}
    for path in sorted([*(data / "northwind").rglob("*.pdf"), *(data / "awkward").rglob("*.pdf")]):
        told = bounded(lambda path=path: pdf_words(path), _SECONDS)
        found[str(path.relative_to(data))] = told.value if told.state == "done" else {"not_read": told.value}
    counted = [one for one in found.values() if one.get("words")]
    words, held = (sum(one[key] for one in counted) for key in ("words", "found"))
    total = {"files": len(counted), "words": words, "found": held, "share": round(held / max(1, words), 5)}
    below = {
        name: one for name, one in found.items() if one.get("words") and one["found"] < 0.99 * one["words"]
    }
    for name, one in below.items():
        print(f"- {name}: {one['found']} of {one['words']} words; {one['missed'][:3]}")
    return {
        "all": total,
        "below": below,
        "not_read": {k: v["not_read"] for k, v in found.items() if "not_read" in v},
    }


def pdf_words(path: Path) -> dict[str, Any]:
    """How many words of a PDF's runs pdfplumber finds inside the boxes that the runs cite.

    Of a long file at most 20 pages are read again, evenly spread. A word counts when its letters stand in the
    box next to each other; spaces are not compared, for libraries see them differently.
    """
    import pdfplumber

    try:
        document = parse(Source(path.name, path.read_bytes(), ""))
    except PinciteError:
        return {"words": 0}
    if not isinstance(document.origins, RunOrigins):
        return {"words": 0}
    words = found = 0
    missed: list[str] = []
    by_page = _by_page(document.origins.runs)
    pages = sorted(by_page)
    chosen = pages[:: -(-len(pages) // _MOST_PAGES)] if pages else []
    with pdfplumber.open(path) as again:
        for number in chosen:
            letters = [_letter(char) for char in again.pages[number - 1].chars]
            for run in by_page[number]:
                there = _inside(letters, run.place.boxes, number)
                for word in _LETTERS.findall(_folded(document.text[run.span.start : run.span.end])):
                    words += 1
                    held = word in there or word[::-1] in there
                    found += held
                    if not held and len(missed) < _TOLD:
                        missed.append(f"p. {number}: {word} not in {there[:60]}")
    return {"words": words, "found": found, "pages": len(chosen), "missed": missed}


def _by_page(runs: tuple[Run, ...]) -> dict[int, list[Run]]:
    pages: dict[int, list[Run]] = {}
    for run in runs:
        if run.place.page is not None and run.place.boxes:
            pages.setdefault(run.place.page, []).append(run)
    return pages


_Letter = tuple[float, float, float, str]
"""Middle from the left and from the top, the foot, and the letter."""


def _letter(char: dict[str, Any]) -> _Letter:
    middle = (char["top"] + char["bottom"]) / 2
    return (char["x0"] + char["x1"]) / 2, middle, char["bottom"], _folded(char["text"])


def _inside(letters: list[_Letter], boxes: tuple[Box, ...], page: int) -> str:
    """The letters in the boxes without spaces: as the file has them, then from left to right."""
    text = ""
    for box in boxes:
        if box.page != page:
            continue
        held = [
            one
            for one in letters
            if box.left - _EDGE <= one[0] <= box.right + _EDGE
            and box.top - _EDGE <= one[1] <= box.bottom + _EDGE
        ]
        in_file = "".join(one[3] for one in held)
        in_sight = "".join(one[3] for one in sorted(held, key=lambda one: one[0]))
        text += "".join(_LETTERS.findall(in_file)) + " " + "".join(_LETTERS.findall(in_sight)) + " "
    return text


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
