"""What a page says of itself: title, author, dates, keywords and language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from pincite.parse.html.blocks import clean
from pincite.parse.html.tokens import Tag, Text
from pincite.parse.office.opc import main_language
from pincite.types import MetaValue

# In order of trust: what stands first in a row counts, wherever it stands in the page.
_META = {
    "author": ("author", "dc.creator", "dcterms.creator", "article:author", "parsely-author", "byl"),
    "description": (
        "description",
        "dc.description",
        "dcterms.description",
        "og:description",
        "twitter:description",
    ),
    "keywords": ("keywords", "news_keywords"),
    "date": (
        "article:published_time",
        "date",
        "dc.date",
        "dcterms.date",
        "dc.date.issued",
        "dcterms.issued",
        "dcterms.created",
        "datepublished",
        "parsely-pub-date",
        "og:published_time",
        "pubdate",
    ),
    "modified_date": ("article:modified_time", "dcterms.modified", "datemodified", "og:updated_time"),
}
_SEPARATED = re.compile(r"\s+[|\-–—·•»«:/\\>]{1,2}\s+|(?<=\w):\s+")
_JSON_DATE = re.compile(r'"(datePublished|dateModified)"\s{0,20}:\s{0,20}"([^"]{10,40})"')
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def head_meta(source: str, tokens: Sequence[Tag | Text]) -> Mapping[str, MetaValue]:
    """Author, dates, description and keywords from `<meta>`; the first of each.

    Dates also from the page's JSON-LD, and from `<time>`.
    """
    given = _given(tokens)
    meta: dict[str, MetaValue] = {}
    for name, sources in _META.items():
        content = next((given[source] for source in sources if _says(given, source)), "")
        if content:
            meta[name] = _value(name, content)
    for name, day in (*_linked_data(source), *_times(tokens)):
        meta.setdefault(name, day)
    return meta


def _given(tokens: Iterable[Tag | Text]) -> dict[str, str]:
    """The content of each `<meta>` by its name, lower case; the first of equal names."""
    given: dict[str, str] = {}
    for tag in tokens:
        if isinstance(tag, Tag) and tag.name == "meta":
            content = clean(tag.attributes.get("content", "")).strip()
            for key in ("name", "property", "itemprop", "http-equiv"):
                for name in tag.attributes.get(key, "").lower().split() if content else ():
                    given.setdefault(name, content)
    return given


def _says(given: Mapping[str, str], source: str) -> bool:
    """Whether a page gives this value; an author's address is no name."""
    return source in given and not (source == "article:author" and "://" in given[source])


def _value(name: str, content: str) -> MetaValue:
    if name == "keywords":
        return tuple(word.strip() for word in content.split(",") if word.strip()) or content
    return _day(content) or content if name.endswith("date") else content


def _day(content: str) -> date | None:
    found = _ISO_DAY.match(content.strip())
    try:
        return date.fromisoformat(found.group()) if found else None
    except ValueError:
        return None


def _linked_data(source: str) -> Iterable[tuple[str, date]]:
    """The dates in the first scripts of linked data, each read up to 100,000 characters."""
    at = 0
    for _ in range(8):
        if (at := source.find("application/ld+json", at)) < 0:
            return
        end = source.find("</", at, at + 100_000)
        for found in _JSON_DATE.finditer(source, at, end if end > 0 else at + 100_000):
            if day := _day(found.group(2)):
                yield ("date" if found.group(1) == "datePublished" else "modified_date"), day
        at += 1


def _times(tokens: Iterable[Tag | Text]) -> Iterable[tuple[str, date]]:
    """The dates of `<time>` elements that say of themselves when the page was published or changed."""
    for tag in tokens:
        if isinstance(tag, Tag) and tag.opens and tag.name == "time":
            said = f"{tag.attributes.get('itemprop', '')} {tag.attributes.get('class', '')}".lower()
            published = "pubdate" in tag.attributes or "published" in said
            day = _day(tag.attributes.get("datetime", ""))
            if day and (published or "modified" in said or "updated" in said):
                yield ("date" if published else "modified_date"), day


def page_title(title: str, tokens: Sequence[Tag | Text], headings: Sequence[tuple[int, str]]) -> str:
    """The title of the page itself: without the name of the site, where a heading or `og:title` shows it.

    `headings` are levels and texts in the order of the page. Without `<title>` it is `og:title`, or the first
    heading of the highest kind.
    """
    stated = _given(tokens)
    given = " ".join(stated.get("og:title", "").split())
    tops = [text for level, text in headings if level == 1]
    site = _folded(stated.get("og:site_name", ""))
    if not title or (_folded(title) == site and (given or tops)):
        return given or next(iter(tops), headings[0][1] if headings else "")
    ends = _ends(title) - {"", site}
    return max((own for own in (*tops, given) if _folded(own) in ends), key=len, default=title)


def _ends(title: str) -> set[str]:
    """What a title may be without the name of its site.

    All up to a separator, or all behind one if that is the longer part.
    """
    cuts = [(found.start(), found.end()) for found in _SEPARATED.finditer(title)][:8]
    behind = (title[end:] for _, end in cuts)
    return {_folded(title[:start]) for start, _ in cuts} | {
        _folded(t) for t in behind if 2 * len(t) > len(title)
    }


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def page_language(tokens: Sequence[Tag | Text]) -> str:
    """The main part of the page's language, lower case: `zh` for `zh-CN`; empty if it is not said."""
    said = [
        tag.attributes.get("lang") or tag.attributes.get("xml:lang") or ""
        for tag in tokens
        if isinstance(tag, Tag) and tag.opens and tag.name in ("html", "body")
    ]
    given = _given(tokens)
    for lang in (*said, given.get("content-language", ""), given.get("og:locale", "")):
        if main := main_language(lang):
            return main
    return ""
