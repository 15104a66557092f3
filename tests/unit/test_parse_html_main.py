"""The main content of saved pages: what is told apart, that nothing is lost, and that places stay."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from growth import assert_linear
from html_checks import kinds, left, page_of
from parsed import lines_of, source, texts
from pincite.config import ParseConfig
from pincite.parse import parse
from pincite.parse.html import parse_html

OUTSIDE = "outside the main content"
DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared/data"))
SAVED = DATA / "awkward" / "readability"

PROSE = [
    "The pump is oiled once a week, before the first shift, with the oil that the plate names, and no other.",
    "A dry pump runs hot, wears its seals, and fails within a month, as the records of three plants show.",
    "Whoever oils it signs the card, so that the next shift knows what was done, by whom, and when it was.",
    "Oil that was opened a year ago is not used again, because it has taken up water, dust, and air since.",
]
PAGE = (
    "<title>Oil the pump - Northwind</title><body>\n"
    "<div class=site-header><a href=/>Home</a> <a href=/p>Parts</a></div>\n"
    "<nav><a href=/>Start</a></nav>\n"
    "<div id=wrap>\n<article class=post><h1>Oil the pump</h1>\n"
    + "\n".join(f"<p>{each}</p>" for each in PROSE)
    + "\n<table><tr><th>Oil<th>Days<th>Plant<tr><td>A<td>7<td>North<tr><td>B<td>9<td>South</table>\n"
    "<aside>See our shop</aside></article>\n"
    "<div class=related><a href=/1>More pumps</a> <a href=/2>More oil</a></div>\n</div>\n"
    "<div role=complementary>Join us</div>\n<footer>© Northwind</footer>"
)


def test_the_article_is_in_blocks_and_what_stands_around_it_is_listed() -> None:
    document = page_of(PAGE, main=True)
    assert texts(document) == ["Oil the pump", *PROSE, "Oil | Days | Plant", "A | 7 | North", "B | 9 | South"]
    assert left(document) == [
        (OUTSIDE, "Home Parts"),
        ("navigation", "Start"),
        (OUTSIDE, "See our shop\n\nMore pumps More oil\n\nJoin us\n\n© Northwind"),
    ]
    assert [lines_of(document, block)[0] for block in document.blocks] == [5, 6, 7, 8, 9, 10, 10, 10]
    assert (document.title, document.sections[0].title) == ("Oil the pump", "Oil the pump")


def test_without_the_mode_only_navigation_is_left_out() -> None:
    document = page_of(PAGE)
    assert left(document) == [("navigation", "Start")]
    assert document.text.split() == page_of(PAGE, main=True).text.split()


def test_the_setting_reaches_the_parser() -> None:
    given = source("a.html", PAGE)
    assert not any(one.reason == OUTSIDE for one in parse(given).left_out)
    assert any(one.reason == OUTSIDE for one in parse(given, ParseConfig(main_content=True)).left_out)


def test_a_page_without_an_article_is_kept_whole() -> None:
    document = page_of("<p>Oil it.</p>", main=True)
    assert texts(document) == ["Oil it."] and left(document) == []
    assert texts(page_of("<table><tr><td>1<td>2</table>", main=True)) == ["1 | 2"]


def test_content_in_cells_of_a_page_laid_out_by_a_table_is_found() -> None:
    body = "".join(f"<p>{each}</p>" for each in PROSE)
    page = f"<table><tr><td class=share><a href=/>Home</a><br><a href=/p>Parts</a><td>{body}</table>"
    document = page_of(page, main=True)
    assert kinds(document) == [("paragraph", each) for each in PROSE]
    assert left(document) == [(OUTSIDE, "Home\nParts")]


def test_paragraphs_made_by_line_breaks_count() -> None:
    page = f"<div class=links><a href=/>Home</a></div><div>{'<br><br>'.join(PROSE)}</div>"
    document = page_of(page, main=True)
    assert "Home" not in " ".join(texts(document)) and all(each in document.text for each in PROSE)
    assert left(document) == [(OUTSIDE, "Home")]


def test_hidden_prose_is_no_content() -> None:
    hidden = "".join(f"<p>{each}</p>" for each in PROSE)
    shown = "".join(f"<p>{each.replace('pump', 'fan').replace('oil', 'wax')}</p>" for each in PROSE)
    document = page_of(f"<div hidden>{hidden * 3}</div><div>{shown}</div>", main=True)
    assert len(document.blocks) == 4 and "pump" not in document.text


@pytest.mark.parametrize(
    "unit",
    [
        "<div>x, y and more words of a text,</div>",
        "<div><p>x, y and more words of a text,",
        "<table><tr><td>x",
        "<div class=share>x",
        "<a><div>x",
        "<ul><li><a href=x>y</a>",
        "<section>words, words, words, words, words",
    ],
)
@pytest.mark.timeout(60)
def test_time_grows_with_the_page_and_no_faster(unit: str) -> None:
    def parsed(size: int) -> None:
        parse_html(source("a.html", unit * (size // len(unit))), main_content=True)

    assert_linear(parsed, 15_000)


def _in_order(one: list[str], two: list[str]) -> int:
    """The length of the longest common subsequence, by bits (Hyyrö 2004)."""
    where: dict[str, int] = {}
    for i, word in enumerate(one):
        where[word] = where.get(word, 0) | (1 << i)
    full = (1 << len(one)) - 1
    bits = full
    for word in two:
        met = bits & where.get(word, 0)
        bits = ((bits + met) | (bits - met)) & full
    return len(one) - bits.bit_count()


def _words(blocks: list[str]) -> list[str]:
    """Words, and each Chinese or Japanese character for itself."""
    return re.findall(r"[\u3040-\u9fff]|[^\W\u3040-\u9fff]+", "\n".join(blocks))


@pytest.mark.skipif(not SAVED.is_dir(), reason="the saved pages are not here (PINCITE_DATA)")
@pytest.mark.timeout(120)
def test_saved_pages_give_the_words_of_their_articles() -> None:
    scores = {}
    for folder in sorted(SAVED.iterdir()):
        given = source(folder.name, (folder / "source.html").read_bytes())
        expected = source(folder.name, (folder / "expected.html").read_bytes())
        got = _words(texts(parse_html(given, main_content=True)))
        wanted = _words(texts(parse_html(expected)))
        scores[folder.name] = 2 * _in_order(got, wanted) / max(1, len(got) + len(wanted))
    assert len(scores) >= 100
    assert sum(scores.values()) / len(scores) >= 0.98
    assert sorted(name for name, score in scores.items() if score < 0.8) == []
