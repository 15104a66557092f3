"""What an EPUB says of itself: where its package is, the order of its chapters, metadata, and locks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pincite.errors import InputError
from pincite.parse.office.opc import main_language
from pincite.parse.writer import plain_text
from pincite.parse.xml import parse_xml
from pincite.parse.zips import Zip
from pincite.types import Meta, MetaValue

if TYPE_CHECKING:
    from lxml import etree

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_RIGHTS = {
    "META-INF/license.lcpl": "Readium LCP",
    "META-INF/rights.xml": "Adobe ADEPT",
    "META-INF/sinf.xml": "Apple FairPlay",
}
_NAMES = {
    "creator": "author",
    "subject": "keywords",
    "description": "description",
    "publisher": "publisher",
    "identifier": "identifier",
    "rights": "rights",
}
_TAG = re.compile(r"<[^<>]{0,400}>")
_MAX_VALUE = 10_000


@dataclass(frozen=True, slots=True)
class Package:
    """The package of a book: member names in reading order, their media types, and its metadata.

    `folder` is that of the package file; `nav` and `ncx` are the members with tables of contents, or "".
    """

    folder: str
    spine: tuple[str, ...]
    types: Mapping[str, str]
    nav: str
    ncx: str
    title: str
    language: str
    meta: Meta

    def shown(self, name: str) -> str:
        """A member's name as the book's own files know it."""
        return name.removeprefix(f"{self.folder}/") if self.folder else name


def open_package(files: Zip) -> Package:
    """The package of a book. Raises `InputError` if it has none, no chapters, or is locked."""
    name = _package_name(files)
    root = parse_xml(files.read(name), uri=files.uri, name=name, recover=True)
    folder = posixpath.dirname(name)
    items = {item.get("id"): item for item in _all(root, "item") if item.get("href")}
    spine = next(_all(root, "spine"), None)
    order = [items.get(ref.get("idref")) for ref in _all(root, "itemref")] if spine is not None else []
    chapters = tuple(dict.fromkeys(resolve(folder, item.get("href")) for item in order if item is not None))
    if not chapters:
        raise InputError(f"{files.uri}: this EPUB names no chapters in the spine of {name}", uri=files.uri)
    _refuse_locked(files, chapters)
    nav = next((i for i in items.values() if "nav" in (i.get("properties") or "").split()), None)
    ncx = items.get(spine.get("toc")) if spine is not None else None
    return Package(
        folder=folder,
        spine=chapters,
        types={resolve(folder, i.get("href")): i.get("media-type") or "" for i in items.values()},
        nav=resolve(folder, nav.get("href")) if nav is not None else "",
        ncx=resolve(folder, ncx.get("href")) if ncx is not None else "",
        title=next(_texts(root, "title"), ""),
        language=main_language(next(_texts(root, "language"), "")),
        meta=dict(_meta(root)),
    )


def resolve(folder: str, href: str) -> str:
    """The member a link in `folder` names, without its anchor."""
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def local_name(element: etree._Element) -> str:
    """An element's name without its namespace; "" for what is no element."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _package_name(files: Zip) -> str:
    """The package file that the container names, else the first that ends as one."""
    if _CONTAINER in files:
        root = parse_xml(files.read(_CONTAINER), uri=files.uri, name=_CONTAINER, recover=True)
        for rootfile in _all(root, "rootfile"):
            name = posixpath.normpath(unquote(rootfile.get("full-path") or ""))
            if name in files:
                return name
    found = next((name for name in files if name.lower().endswith(".opf")), None)
    if found is None:
        raise InputError(f"{files.uri}: not a valid EPUB: it holds no package file (.opf)", uri=files.uri)
    return found


def _refuse_locked(files: Zip, chapters: tuple[str, ...]) -> None:
    """Raises `InputError` for a book whose chapters are encrypted; fonts may be."""
    locked: set[str] = set()
    if _ENCRYPTION in files:
        root = parse_xml(files.read(_ENCRYPTION), uri=files.uri, name=_ENCRYPTION, recover=True)
        for entry in _all(root, "EncryptedData"):
            method = next((m.get("Algorithm") or "" for m in _all(entry, "EncryptionMethod")), "")
            if not method.startswith(_FONT_ALGORITHMS):
                names = [
                    posixpath.normpath(unquote(r.get("URI") or "")) for r in _all(entry, "CipherReference")
                ]
                locked.update(names)
    if locked.intersection(chapters) or any(name in files and files.is_encrypted(name) for name in chapters):
        scheme = next((what for name, what in _RIGHTS.items() if name in files), "")
        what = f"protected with DRM ({scheme})" if scheme else "encrypted (protected with DRM)"
        raise InputError(
            f"{files.uri}: the chapters of this EPUB are {what}; it cannot be read",
            uri=files.uri,
            hint="Use a copy without DRM.",
        )


def _meta(root: etree._Element) -> Iterator[tuple[str, MetaValue]]:
    for given, name in _NAMES.items():
        values = tuple(dict.fromkeys(_texts(root, given)))
        if values:
            yield name, values if len(values) > 1 or name == "keywords" else values[0]
    published = next(_texts(root, "date"), "")
    if published:
        yield "date", as_date(published)
    for element in _all(root, "meta"):
        if element.get("property") == "dcterms:modified" and (text := _text(element)):
            yield "modified_date", as_date(text)
            return


def as_date(text: str) -> MetaValue:
    """The date a text starts with, else the text."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return text


def _texts(root: etree._Element, name: str) -> Iterator[str]:
    """The texts of the Dublin Core elements of this name, without markup."""
    for element in _all(root, name):
        if (text := _text(element)) and "purl.org/dc" in element.tag:
            yield text


def _text(element: etree._Element) -> str:
    text = "".join(element.itertext())[:_MAX_VALUE]
    return " ".join(plain_text(_TAG.sub(" ", text)).split())


def _all(root: etree._Element, name: str) -> Iterator[etree._Element]:
    return (element for element in root.iter() if local_name(element) == name)
