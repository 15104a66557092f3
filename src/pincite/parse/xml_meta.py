"""Title, language and metadata of document XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING

from pincite.parse.epub.package import as_date, local_name
from pincite.parse.office.opc import main_language
from pincite.parse.writer import plain_text
from pincite.types import MetaValue

if TYPE_CHECKING:
    from lxml import etree

_HEADS = frozenset(
    (
        "front", "article-meta", "book-meta", "teiHeader", "info", "articleinfo", "bookinfo", "chapterinfo",
        "prolog", "SDOBI", "us-bibliographic-data-grant", "us-bibliographic-data-application",
        "subdoc-bibliographic-information",
    )
)  # fmt: skip
_TITLES = ("article-title", "book-title", "invention-title", "title-of-invention", "B540", "title")
_PEOPLE = frozenset(("inventor", "first-named-inventor", "B721", "author", "contrib"))
_FIRST = frozenset(("given-names", "given-name", "first-name", "firstname", "forename", "FNM"))
_LAST = frozenset(("surname", "last-name", "family-name", "lastname", "SNM"))
_DATES = ("pub-date", "publication-reference", "document-date", "B140", "pubdate", "date")
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)$")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_meta(root: etree._Element) -> tuple[str, str, dict[str, MetaValue]]:
    """Title (of the head, else of the root), language, and authors, date and keywords as far as stated."""
    heads = [one for one in root if local_name(one) in _HEADS]
    found = [one for head in heads for one in head.iter()]
    titles = [*_named(found, _TITLES), *_named(root, ("title",))]
    meta: dict[str, MetaValue] = {}
    authors = tuple(dict.fromkeys(filter(None, map(_person, _people(found)))))
    if authors:
        meta["author"] = authors[0] if len(authors) == 1 else authors
    days = [day for one in _named(found, _DATES) if (day := _day(one)) is not None]
    if days:
        meta["date"] = days[0]
    keywords = tuple(dict.fromkeys(filter(None, map(_text, _named(found, ("kwd", "keyword"))))))
    if keywords:
        meta["keywords"] = keywords
    language = main_language(root.get(_LANGUAGE) or root.get("lang") or "")
    return (_text(titles[0]) if titles else ""), language, meta


def _named(elements: Iterable[etree._Element], names: tuple[str, ...]) -> list[etree._Element]:
    """The elements of these names, those of the first name first."""
    kept = [one for one in elements if local_name(one) in names]
    return sorted(kept, key=lambda one: names.index(local_name(one)))


def _people(found: list[etree._Element]) -> Iterator[etree._Element]:
    """Authors and inventors; contributors of another kind (editors) are none."""
    for one in found:
        if local_name(one) in _PEOPLE and one.get("contrib-type", "author") == "author":
            yield one


def _person(element: etree._Element) -> str:
    """`Given Surname`; the whole text where a name is not taken apart."""
    first = next((_text(one) for one in element.iter() if local_name(one) in _FIRST), "")
    last = next((_text(one) for one in element.iter() if local_name(one) in _LAST), "")
    return " ".join(filter(None, (first, last))) or _text(element)[:200]


def _day(element: etree._Element) -> MetaValue | None:
    """The date an element states as year, month and day, or as one text."""
    values = {local_name(one): _text(one) for one in element.iter() if one is not element}
    try:
        if "year" in values:
            return date(int(values["year"]), int(values["month"]), int(values["day"]))
    except (KeyError, ValueError):
        return None
    text = values.get("date") or element.get("when") or _text(element)
    if found := _DAY.match(text):
        made = as_date("-".join(found.groups()))
        return made if isinstance(made, date) else None
    return None


def _text(element: etree._Element) -> str:
    return " ".join(plain_text("".join(str(text) for text in element.itertext())).split())
