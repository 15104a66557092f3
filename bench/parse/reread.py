"""Words of documents against what stands at the places they name, read again without Pincite.

Lines of HTML, LaTeX and subtitles are those of the file; cells of notebooks are read as JSON, chapters of
e-books out of the archive, cells of sheets with python-calamine, slides out of the archive with python-pptx
(`pip install python-calamine python-pptx`). Comments and charts of sheets are not read again.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from bounded import bounded
from expected import File

from pincite.errors import PinciteError
from pincite.parse import parse
from pincite.protocols import Source
from pincite.types import Document, Place, RunOrigins

_LETTERS = re.compile(r"[^\W_]+")
_TAG = re.compile(r"<[^<>]*>")
_CELLS = re.compile(r"(.+)!([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$")
_SECONDS = 60.0
_TOLD = 6
_NOT_CELLS = frozenset({"xlsx", "xls", "ods"})
"""Endings of files with marked blocks, such as comments, that stand in no cell."""
At = Callable[[Place], str]
"""What stands at a place."""


def measure_places(files: Sequence[File]) -> dict[str, Any]:
    """By type: words of all runs, and those found at the places the runs name; and files under 99 %."""
    sums: dict[str, Counter[str]] = {}
    below: dict[str, Any] = {}
    for file in files:
        if file.ext not in _READERS:
            continue
        told = bounded(lambda file=file: _words(file), _SECONDS)
        if told.state != "done":
            below[file.name] = told.value
        elif told.value.get("words"):
            counts = {"files": 1, "words": told.value["words"], "found": told.value["found"]}
            sums.setdefault(told.value["type"], Counter()).update(counts)
            if told.value["found"] < 0.99 * told.value["words"]:
                below[file.name] = told.value
    return {"by_type": {kind: dict(counts) for kind, counts in sorted(sums.items())}, "below": below}


def places_table(measured: dict[str, Any]) -> str:
    """The counts by type in Markdown, and the files below."""
    lines = ["| type | files | words | at their place |", "|---|---|---|---|"]
    for kind, counts in measured["by_type"].items():
        share = counts["found"] / counts["words"]
        lines.append(f"| {kind} | {counts['files']} | {counts['words']:,} | {share:.2%} |")
    lines += [f"- {name}: {one}" for name, one in measured["below"].items()]
    return "\n".join(lines)


def _words(file: File) -> dict[str, Any]:
    try:
        document = parse(Source(file.name, file.path.read_bytes(), ""))
    except PinciteError:
        return {}
    if not isinstance(document.origins, RunOrigins):
        return {}
    at = cache(_READERS[file.ext](file.path, document))
    marked = [block.span for block in document.blocks if document.text.startswith("[", block.span.start)]
    words = found = 0
    missed = []
    for run in document.origins.runs:
        if file.ext in _NOT_CELLS and any(span.holds(run.span) for span in marked):
            continue
        there = _joined(f"{at(run.place)} {run.place.part or ''}")
        for word in _LETTERS.findall(_folded(document.text[run.span.start : run.span.end])):
            words += 1
            found += word in there
            if word not in there and len(missed) < _TOLD:
                missed.append(f"{word} not at {run.place.part or run.place.line_start}: {there[:50]}")
    return {"type": document.type, "words": words, "found": found, "missed": missed}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _joined(text: str) -> str:
    """The letters and digits of a text without what stands between them."""
    return "".join(_LETTERS.findall(_folded(text)))


def _lines(path: Path, document: Document) -> At:
    source = path.read_bytes().decode(document.encoding, errors="replace")
    lines = source.replace("\r\n", "\n").split("\n")

    def at(place: Place) -> str:
        text = "\n".join(lines[(place.line_start or 1) - 1 : place.line_end])
        return html.unescape(_TAG.sub("", text)) + html.unescape(text)

    return at


def _chapters(path: Path, document: Document) -> At:
    with ZipFile(path) as book:
        texts = {name: book.read(name).decode("utf-8", errors="replace") for name in book.namelist()}

    def at(place: Place) -> str:
        name = (place.part or "").partition("#")[0]
        held = next((text for member, text in texts.items() if member.endswith(name)), "")
        return html.unescape(_TAG.sub("", held)) + html.unescape(held)

    return at


def _notebook(path: Path, document: Document) -> At:
    notebook = json.loads(path.read_bytes())
    sheets = notebook.get("worksheets", ())
    cells = notebook.get("cells") or [cell for sheet in sheets for cell in sheet.get("cells", ())]

    def at(place: Place) -> str:
        number = re.match(r"cell (\d+)", place.part or "")
        return "".join(_strings(cells[int(number[1]) - 1])) if number else ""

    return at


def _strings(value: Any) -> list[str]:
    """All strings in a value of JSON, in order; HTML among them also without its tags."""
    if isinstance(value, str):
        return [value, html.unescape(_TAG.sub("", value))] if "<" in value or "&" in value else [value]
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [str(value)]
    return [text for one in held for text in _strings(one)]


def _slides(path: Path, document: Document) -> At:
    with ZipFile(path) as deck:
        parts = {
            name: deck.read(name).decode("utf-8", errors="replace")
            for name in deck.namelist()
            if "ml" in name
        }
    from pptx import Presentation

    slides = list(Presentation(str(path)).slides)

    def at(place: Place) -> str:
        number = re.match(r"slide (\d+)", place.part or "")
        if not number:
            return ""
        slide = slides[int(number[1]) - 1]
        others = (one.target_part for one in slide.part.rels.values() if not one.is_external)
        held = "".join(parts.get(str(part.partname).lstrip("/"), "") for part in (slide.part, *others))
        return html.unescape(_TAG.sub("", held)) + html.unescape(held)

    return at


def _sheets(path: Path, document: Document) -> At:
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_path(str(path))
    sheets = {name: _grid(book.get_sheet_by_name(name)) for name in book.sheet_names}

    def at(place: Place) -> str:
        found = _CELLS.match(place.part or "")
        if not found or found[1].strip("'") not in sheets:
            return ""
        rows = range(int(found[3]), int(found[5] or found[3]) + 1)
        columns = range(_column(found[2]), _column(found[4] or found[2]) + 1)
        sheet = sheets[found[1].strip("'")]
        return "".join(
            str(sheet[row - 1][column - 1])
            for row in rows
            for column in columns
            if row <= len(sheet) and column <= len(sheet[row - 1])
        )

    return at


def _grid(sheet: Any) -> list[list[Any]]:
    """The rows of a sheet from A1 on; each cell of a merged one has its value."""
    rows: list[list[Any]] = sheet.to_python(skip_empty_area=False)
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        for row in rows[top : bottom + 1]:
            row[left : right + 1] = [rows[top][left]] * len(row[left : right + 1])
    return rows


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


_READERS: dict[str, Callable[[Path, Document], At]] = {
    "html": _lines, "tex": _lines, "vtt": _lines, "epub": _chapters, "ipynb": _notebook, "pptx": _slides,
    "xlsx": _sheets, "xls": _sheets, "ods": _sheets,
}  # fmt: skip
