"""The lines that hits are shown with are those of the file, whatever their text was extracted from."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import all_chunks, library
from office_files import rows, workbook
from pincite.cli.render import place_link, search_text
from pincite.cli.terminal import Terminal
from pincite.errors import InputError
from pincite.parse import parse
from pincite.parse.detect import EXTRACTED
from pincite.protocols import Source
from pincite.types import LineOrigins, Place
from word_files import p, word_file

PAGES = {
    "one.html": "<title>T</title>\n\n<h1>Pump</h1>\n\n<p>Oil the\npump today.</p>\n<ul><li>Tap</li>\n\n"
    "<li>Seal</li></ul>\n",
    "two.html": "<h1>Pump</h1>\n<p>Oil it.</p>\n<p>Fill it.</p>\n",  # as many lines as its text
    "pre.html": "<p>Before</p>\n<pre>\nopen pump\n\n  wait\nclose pump\n</pre>\n",
    "note.md": "# Pump\n\nOil it.\n\n- Tap\n- Seal\n",
    "rows.csv": "part,oil\npump,yes\ntap,no\n",
    "plain.txt": "Pump\n\n\nTap\r\nSeal\n",
}


def test_every_shown_line_stands_where_its_number_says(tmp_path: Path) -> None:
    with library(tmp_path, PAGES) as opened:
        opened.sync()
        hits = all_chunks(opened)
        assert {hit.stored.uri for hit in hits} == PAGES.keys()
        for hit in hits:
            file = (tmp_path / hit.stored.uri).read_bytes().decode().split("\n")
            numbers = opened.line_numbers(hit)
            lines = hit.stored.chunk.text.split("\n")
            assert len(numbers) == len(lines)
            for number, line in zip(numbers, lines, strict=True):
                if line.strip():
                    assert number is not None
                    assert line.split()[0] in file[number - 1], (hit.stored.uri, number, line)


def test_hits_of_pages_are_printed_with_their_lines(tmp_path: Path) -> None:
    with library(tmp_path, {"one.html": PAGES["one.html"]}) as opened:
        result = opened.search("pump")
        numbers = {hit.rank: opened.line_numbers(hit) for hit in result.hits}
    text = search_text(result, root=tmp_path, term=Terminal(), stemmers=("english",), numbers=numbers)
    shown = [line.split(None, 1) for line in text.splitlines() if line.startswith("     ")]
    assert shown == [["3", "Pump"], ["5", "Oil the pump today."], ["7", "Tap"], ["9", "Seal"]]


ENTRIES = (
    '{"site": {"name": "Quay", "guard": "Bo Falk"}, "sizes": [1, 2, 3, 4, 5], "more": {"a": "b", "c": "d"}}'
)
TEXTS = ("md", "rst", "html", "csv", "tsv", "json", "jsonl", "txt", "py", "go", "adoc", "tex", "org")


@pytest.mark.parametrize("text", ["1\n", ENTRIES])
@pytest.mark.parametrize("ending", TEXTS)
def test_which_texts_are_extracted(ending: str, text: str) -> None:
    document = parse(Source(f"a.{ending}", text.encode(), ""))
    assert isinstance(document.origins, LineOrigins) or document.type in EXTRACTED


def test_a_place_is_shown_with_the_number_of_its_item_but_without_its_neighbours(tmp_path: Path) -> None:
    numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        '<w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    word = word_file(p("Gloves", numbered) + p("Lamp", numbered), numbering=numbering)
    book = workbook({"One": rows([["Part", "Price"], ["Rotor", 80]])})
    with library(tmp_path, {"list.docx": word, "rows.xlsx": book}) as opened:
        opened.sync()
        assert opened.show("list.docx#paragraph 2").lines == ("2. Lamp",)
        assert opened.show("rows.xlsx#One!B2").lines == ("80",)
        sheet = opened.show("rows.xlsx#One")
        assert (sheet.place, sheet.lines) == (
            "rows.xlsx#One!A1:B2",
            ("One", "", "Part | Price", "Rotor | 80"),
        )
        assert opened.show("rows.xlsx").place == "rows.xlsx"


def test_what_could_not_be_read_is_told_where_it_is_asked_for(tmp_path: Path) -> None:
    hidden = workbook({"One": rows([["Part"]]), "Two": rows([["Price"]])}, states={"Two": "hidden"})
    with library(tmp_path, {"rows.xlsx": hidden, "cut.pdf": b"%PDF-1.7\ncut"}) as opened:
        opened.sync()
        for place, told in {
            "rows.xlsx#Two!A1": "sheet Two: hidden, not read",
            "rows.xlsx#Three!A1": "has nothing at 'Three!A1'",
            "cut.pdf": "damaged",
            "cut.pdf#page=1": "damaged",
        }.items():
            with pytest.raises(InputError, match=told):
                opened.show(place)


@pytest.mark.parametrize(
    ("place", "more"),
    [
        (Place(line_start=7, line_end=7, part="01:02:03"), " (01:02:03)"),
        (Place(page=4, page_label="ii"), " (p. ii)"),
        (Place(page=4, page_end=5, page_label="4"), " (to page 5)"),
        (Place(page=4), ""),
        (Place(part="slide 3"), ""),
    ],
)
def test_what_else_tells_a_place_stands_beside_it(place: Place, more: str) -> None:
    shown = place_link(place, "a.x", root=Path("/lib"), term=Terminal())
    assert shown == place.location("a.x") + more
