"""The table of contents of an EPUB: its navigation page, or the NCX of older books."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.parse.decode import decode
from pincite.parse.epub.package import Package, local_name, resolve
from pincite.parse.html.blocks import clean
from pincite.parse.html.tokens import Tag, read_tokens
from pincite.parse.writer import plain_text
from pincite.parse.xml import parse_xml
from pincite.parse.zips import Zip

if TYPE_CHECKING:
    from lxml import etree

MAX_ENTRIES = 20_000
_MAX_TITLE = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table of contents: the member and anchor it leads to, its title, its depth from 1."""

    name: str
    anchor: str
    title: str
    depth: int


def read_contents(files: Zip, package: Package) -> list[Entry]:
    """The entries in their order; none if the book has no table of contents."""
    entries: list[Entry] = []
    if package.nav in files:
        entries = list(_from_page(files, package.nav))
    if not entries and package.ncx in files:
        root = parse_xml(files.read(package.ncx), uri=files.uri, name=package.ncx, recover=True)
        entries = list(_from_ncx(root, posixpath.dirname(package.ncx)))
    return entries[:MAX_ENTRIES]


def _from_page(files: Zip, name: str) -> Iterator[Entry]:
    """The links in the list of `<nav epub:type="toc">`, each as deep as its list."""
    source = decode(files.read(name), uri=files.uri).text
    folder, depth, inside = posixpath.dirname(name), 0, False
    href, words = "", list[str]()
    for token in read_tokens(source):
        if not isinstance(token, Tag):
            if href:
                words.append(clean(source[token.start : token.end]))
        elif token.name == "nav":
            inside, depth = token.opens and "toc" in token.attributes.get("epub:type", "").split(), 0
        elif inside and token.name == "ol":
            depth += 1 if token.opens else -1
        elif inside and token.name == "a":
            if not token.opens and href:
                yield from _entry(folder, href, " ".join(words), depth)
            href, words = (clean(token.attributes.get("href", "")) if token.opens else ""), []


def _from_ncx(root: etree._Element, folder: str) -> Iterator[Entry]:
    waiting = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        label, target = "", ""
        for child in element:
            if local_name(child) == "navLabel":
                label = label or " ".join("".join(child.itertext()).split())
            elif local_name(child) == "content":
                target = target or child.get("src") or ""
        if local_name(element) == "navPoint" and target:
            yield from _entry(folder, target, label, depth)
        points = [child for child in element if local_name(child) in ("navMap", "navPoint")]
        waiting.extend((child, depth + (local_name(child) == "navPoint")) for child in reversed(points))


def _entry(folder: str, href: str, title: str, depth: int) -> Iterator[Entry]:
    title = " ".join(plain_text(title).split())[:_MAX_TITLE]
    if title:
        yield Entry(resolve(folder, href), href.partition("#")[2], title, max(1, depth))
