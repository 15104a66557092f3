"""The report in a browser, where there is one: it shows something, complains of nothing, and fits a phone."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from chromium import Browser, browser, chromium
from made_runs import diagnosed, question, run_of
from pincite.evaluate.html_report.diff import diff_page
from pincite.evaluate.html_report.page import run_page
from pincite.evaluate.versus import versus

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")

LONG = "Aeußerstlangeswortohneeineeinzigestelleandermanestrennenkönnte" * 4


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run with every part, one without a diagnosis, and a diff; long words and foreign scripts in them."""
    texts = ["<script>alert(1)</script>", LONG, "探头保修多少个月？", "ما هو ضغط المضخة؟", "Why?", "How?"]
    ranks = [(1, 30), (40, 2), (None, None), (3, 1), (12, 1), (1, 1)]
    asked = [
        [
            question(n, pair[at], text, expected=(f"{LONG}.md:7",))
            for n, (text, pair) in enumerate(zip(texts, ranks, strict=True))
        ]
        for at in (0, 1)
    ]
    base, new = (diagnosed(run_of(questions)) for questions in asked)
    made = {
        "run": run_page(base, "base"),
        "plain": run_page(run_of(asked[0], settings={"model": LONG}), LONG),
        "diff": diff_page(versus(base, new), "base", "new"),
    }
    folder = tmp_path_factory.mktemp("pages")
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, "utf-8")
    return {name: folder / f"{name}.html" for name in made}


def colours(png: bytes) -> int:
    """How many different bytes the pixels of a PNG consist of."""
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    return len(set(zlib.decompress(data)))


@pytest.mark.parametrize("name", ["run", "plain", "diff"])
@pytest.mark.parametrize(("width", "dark"), [(320, False), (390, True), (390, False), (1280, False)])
def test_it_shows_something_complains_of_nothing_and_fits(
    tab: Browser, pages: dict[str, Path], name: str, width: int, dark: bool
) -> None:
    tab.open(pages[name], width=width, dark=dark)
    assert tab.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert colours(tab.screenshot(whole=False)) > 30
    background = tab.value("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(17, 21, 27)") is dark
    assert tab.errors == []


def test_a_blank_page_would_be_seen(tab: Browser, tmp_path: Path) -> None:
    (tmp_path / "blank.html").write_text("<p></p><script>nothing.there()</script>")
    tab.open(tmp_path / "blank.html", width=390)
    assert colours(tab.screenshot(whole=False)) < 10 and len(tab.errors) == 1


def test_the_table_is_sorted_and_filtered(tab: Browser, pages: dict[str, Path]) -> None:
    tab.open(pages["run"], width=1280)
    rows = "[...document.querySelectorAll('#all tbody tr')]"
    shown = f"{rows}.filter(row => !row.hidden).map(row => row.cells[2].textContent)"
    assert tab.value(shown) == ["40", "–", "12", "1", "3", "1"]
    tab.value("document.querySelectorAll('#all th button')[1].click()")
    assert tab.value(shown) == ["1", "1", "3", "12", "40", "–"]
    tab.value("document.querySelector('#all input[type=checkbox]').click()")
    assert tab.value(shown) == ["12", "40", "–"]
    tab.value(
        "{ const box = document.querySelector('#all input[type=search]');"
        " box.value = '探头'; box.dispatchEvent(new Event('input')); }"
    )
    assert (
        tab.value(shown) == ["–"]
        and tab.value("document.querySelector('.filter span').textContent") == "1 of 6"
    )
    assert tab.errors == []


def test_it_can_be_printed(tab: Browser, pages: dict[str, Path]) -> None:
    tab.open(pages["run"], width=1280)
    printed = tab.pdf()
    assert printed.startswith(b"%PDF") and len(printed) > 10_000
