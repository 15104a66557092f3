"""What a page says of itself: title, dates, author, language."""

from __future__ import annotations

import datetime

import pytest

from html_checks import page_of


def test_head_data_becomes_metadata() -> None:
    document = page_of(
        "<html lang=zh-CN><meta name=Author content='A &amp; B'><meta property='article:published_time' "
        "content=2026-01-02T10:00:00Z><meta name=keywords content='x, y'><meta name=viewport content=z>"
    )
    assert dict(document.meta) == {
        "author": "A & B",
        "date": datetime.date(2026, 1, 2),
        "keywords": ("x", "y"),
    }
    assert (document.language, document.text) == ("zh", "")


@pytest.mark.parametrize(
    "page",
    [
        "<time datetime=2020-05-06>now</time><time itemprop=datePublished datetime='2024-02-03T01Z'></time>",
        "<time pubdate datetime=2024-02-03>x</time><time pubdate datetime=2020-01-01>y</time>",
        "<meta itemprop=datePublished content=2024-02-03>",
        "<meta name=date content=2020-01-01><meta property=article:published_time content=2024-02-03>",
        '<script type="application/ld+json">{"datePublished" : "2024-02-03T07:00:00+01:00"}</script>',
    ],
)
def test_the_day_of_publication_is_found_where_pages_say_it(page: str) -> None:
    assert page_of(page).meta["date"] == datetime.date(2024, 2, 3)


def test_dates_that_are_none_are_kept_as_said_and_others_are_not_guessed() -> None:
    assert page_of("<meta name=date content='last week'>").meta["date"] == "last week"
    assert page_of("<meta name=date content=2024-13-40>").meta["date"] == "2024-13-40"
    assert "date" not in page_of("<time datetime=2024-02-03>today</time>").meta
    changed = page_of("<time class='updated' datetime=2024-02-03>x</time>").meta
    assert dict(changed) == {"modified_date": datetime.date(2024, 2, 3)}


def test_an_address_is_no_author() -> None:
    assert "author" not in page_of("<meta property=article:author content=https://example.org/ann>").meta
    assert page_of("<meta property=article:author content='Ann Lee'>").meta["author"] == "Ann Lee"


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Oil the pump - Northwind</title><h1>Oil the Pump</h1>", "Oil the Pump"),
        ("<title>Northwind: Oil the pump</title><h1>Oil the pump</h1>", "Oil the pump"),
        ("<title>Oil | the pump | Northwind</title><h1>Oil | the pump</h1>", "Oil | the pump"),
        ("<title>Oil the pump - Northwind</title><h1>Northwind</h1>", "Oil the pump - Northwind"),
        ("<title>Oil the pump - Northwind</title><h1>Another</h1>", "Oil the pump - Northwind"),
        ("<title>Oil – North</title><meta property=og:title content=Oil>", "Oil"),
        (
            "<title>North - Oil</title><meta property=og:site_name content=North><h1>North</h1>",
            "North - Oil",
        ),
        ("<title>North</title><meta property=og:site_name content=North><h1>Oil</h1>", "Oil"),
        ("<title>Oil - North</title><nav><h1>Oil</h1></nav>", "Oil - North"),
        ("<meta property=og:title content='Oil it'><h1>Oil</h1>", "Oil it"),
        ("<h2>Two</h2><h1>One</h1>", "One"),
        ("<h3>Three</h3><h2>Two</h2>", "Three"),
        ("<p>none", ""),
    ],
)
def test_the_title_is_the_page_s_own(page: str, title: str) -> None:
    assert page_of(page).title == title


@pytest.mark.parametrize(
    ("page", "language"),
    [
        ("<html lang=de-AT>", "de"),
        ("<html><body lang=fr>", "fr"),
        ("<html lang=''><meta http-equiv=Content-Language content=es>", "es"),
        ("<meta property=og:locale content=pt_BR>", "pt"),
        ("<p lang=it>x", ""),
    ],
)
def test_the_language_is_what_the_page_says(page: str, language: str) -> None:
    assert page_of(page).language == language
