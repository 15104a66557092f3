"""The words of PDF files against their pages as another library reads them (`pip install pdfplumber`)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from bounded import bounded

from pincite.errors import PinciteError
from pincite.parse import parse
from pincite.protocols import Source
from pincite.types import Document, Place, Run, RunOrigins

_LETTERS = re.compile(r"[^\W_]+")
_EDGE = 1.5  # points by which a letter's middle may stand outside its box
_UNKNOWN = re.compile(r"\(cid:\d+\)")
_MOST_PAGES = 20
_SECONDS = 120.0
_TOLD = 8
_Letter = tuple[float, float, str]
"""Its middle, from the left and from the top, and the letter."""


def measure_boxes(data: Path) -> dict[str, Any]:
    """Over all files: words of runs, and how many of them stand in the boxes cited for them; words of the
    pages, and how many of them the document holds. By file those under 99 % and 97 %."""
    found: dict[str, Any] = {}
    for path in sorted([*(data / "northwind").rglob("*.pdf"), *(data / "awkward").rglob("*.pdf")]):
        told = bounded(lambda path=path: pdf_words(path), _SECONDS)
        found[str(path.relative_to(data))] = told.value if told.state == "done" else {"not_read": told.value}
    counted = {name: one for name, one in found.items() if one.get("words")}
    keys = ("words", "found", "on_pages", "held")
    total = {"files": len(counted), **{key: sum(one[key] for one in counted.values()) for key in keys}}
    total["boxes"] = round(total["found"] / max(1, total["words"]), 5)
    total["kept"] = round(total["held"] / max(1, total["on_pages"]), 5)
    below = {
        name: one
        for name, one in counted.items()
        if one["found"] < 0.99 * one["words"] or one["held"] < 0.97 * one["on_pages"]
    }
    return {
        "all": total,
        "below": below,
        "not_read": {name: one["not_read"] for name, one in found.items() if "not_read" in one},
    }


def boxes_table(measured: dict[str, Any]) -> str:
    """The totals as a sentence, then the files below in Markdown."""
    total = measured["all"]
    boxes = f"{total['found']:,} of {total['words']:,} words of {total['files']} files ({total['boxes']:.2%})"
    kept = f"of {total['on_pages']:,} words that pdfplumber sees, the documents have {total['kept']:.2%}"
    lines = [f"{boxes} stand in the boxes cited for them; {kept}.\n"]
    for name, one in measured["below"].items():
        lines.append(f"- {name}: {one['found']} of {one['words']} in their boxes; {one['missed'][:2]}")
        lines.append(f"  {one['held']} of the {one['on_pages']} on its pages; not {one['without'][:80]!r}")
    return "\n".join(lines)


def pdf_words(path: Path) -> dict[str, Any]:
    """How many words of a PDF's runs pdfplumber finds inside the boxes that the runs cite, and the other way
    round how many of the words it sees on these pages the document has, in any order.

    Of a long file at most 20 pages are read again, evenly spread. A word of a run counts when its letters
    stand in the box next to each other; spaces are not compared, for libraries see them differently.
    """
    import pdfplumber

    try:
        document = parse(Source(path.name, path.read_bytes(), ""))
    except PinciteError:
        return {"words": 0}
    if not isinstance(document.origins, RunOrigins):
        return {"words": 0}
    by_page = _by_page(document, document.origins.runs)
    pages = sorted(by_page)
    chosen = pages[:: -(-len(pages) // _MOST_PAGES)] if pages else []
    counts = Counter(pages=len(chosen))
    missed: list[str] = []
    without: list[str] = []
    with pdfplumber.open(path) as again:
        for number in chosen:
            page = again.pages[number - 1]
            letters = [_letter(char, page.cropbox) for char in page.chars]
            missed += _check_boxes(document, by_page[number], letters, counts)
            without += _check_page(document, by_page[number], page.extract_text() or "", counts)
    return {**counts, "missed": missed[:_TOLD], "without": " ".join(without[:_TOLD])}


def _check_boxes(
    document: Document, runs: list[Run], letters: list[_Letter], counts: Counter[str]
) -> list[str]:
    """Counts the words of a page's runs and those found in their boxes; returns what is not."""
    missed = []
    for run in runs:
        there = _inside(letters, run.place)
        for word in _LETTERS.findall(_folded(document.text[run.span.start : run.span.end])):
            held = word in there
            counts.update(words=1, found=held)
            if not held:
                missed.append(f"p. {run.place.page}: {word} not in {there[:60]}")
    return missed


def _check_page(document: Document, runs: list[Run], seen: str, counts: Counter[str]) -> list[str]:
    """Counts the words seen on a page and those the document has of it; returns those it has not."""
    texts = (document.text[run.span.start : run.span.end] for run in runs)
    ours = "".join(_LETTERS.findall(_folded(" ".join(texts))))
    on_page = _LETTERS.findall(_UNKNOWN.sub("", seen))
    without = [word for word in on_page if _folded(word) not in ours and _folded(word[::-1]) not in ours]
    counts.update(on_pages=len(on_page), held=len(on_page) - len(without))
    return without


def _by_page(document: Document, runs: tuple[Run, ...]) -> dict[int, list[Run]]:
    """The runs of each page, but for form fields and annotations, which are not among a page's letters."""
    drawn = [
        block.span
        for block in document.blocks
        if document.text.startswith(("[note]", "[field]"), block.span.start)
    ]
    pages: dict[int, list[Run]] = {}
    for run in runs:
        if run.place.page is not None and run.place.boxes and not any(span.holds(run.span) for span in drawn):
            pages.setdefault(run.place.page, []).append(run)
    return pages


def _letter(char: dict[str, Any], shown: tuple[float, ...]) -> _Letter:
    """The letter, its middle counted from the corner of what is shown of the page."""
    across, down = (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2
    return across - shown[0], down - shown[1], _folded(_UNKNOWN.sub("", char["text"]))


def _inside(letters: list[_Letter], place: Place) -> str:
    """The letters in the place's boxes without spaces: as the file has them, from left to right, and back."""
    text = ""
    for box in place.boxes:
        held = [
            one
            for one in letters
            if box.left - _EDGE <= one[0] <= box.right + _EDGE
            and box.top - _EDGE <= one[1] <= box.bottom + _EDGE
        ]
        in_sight = sorted(held, key=lambda one: one[0])
        for order in (held, in_sight, in_sight[::-1]):
            text += "".join(_LETTERS.findall("".join(one[2] for one in order))) + " "
    return text


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
