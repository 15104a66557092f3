"""OpenDocument files as packages: their content, styles and metadata (OASIS OpenDocument 1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.errors import InputError
from pincite.parse.office.opc import MAX_XML, check_tags, main_language, property_value
from pincite.parse.xml import parse_xml
from pincite.parse.zips import Zip
from pincite.types import Meta, MetaValue

if TYPE_CHECKING:
    from lxml import etree

_ODF = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OFFICE, TEXT, TABLE = _ODF % "office", _ODF % "text", _ODF % "table"
STYLE, DRAW, META = _ODF % "style", _ODF % "drawing", _ODF % "meta"
PRESENTATION, CHART, MANIFEST = _ODF % "presentation", _ODF % "chart", _ODF % "manifest"
SVG, FO = _ODF % "svg-compatible", _ODF % "xsl-fo-compatible"
DC, XLINK = "{http://purl.org/dc/elements/1.1/}", "{http://www.w3.org/1999/xlink}"
XML = "{http://www.w3.org/XML/1998/namespace}"
MATH = "{http://www.w3.org/1998/Math/MathML}"

_PROPERTIES = {
    f"{META}initial-creator": "author",
    f"{DC}creator": "author",
    f"{META}creation-date": "date",
    f"{DC}date": "modified_date",
    f"{META}keyword": "keywords",
    f"{DC}subject": "subject",
    f"{DC}description": "description",
}


class OdfPackage:
    """An OpenDocument file. Raises `InputError` if it is locked or damaged; see `Zip` for the limits."""

    def __init__(self, data: bytes, uri: str) -> None:
        self.uri = uri
        self.damaged: list[str] = []  # members the text can do without, that could not be read
        self._zip = Zip(data, uri)
        if "META-INF/manifest.xml" in self._zip:
            manifest = self.xml("META-INF/manifest.xml")
            if next(manifest.iter(f"{MANIFEST}encryption-data"), None) is not None:
                message = f"{uri}: this OpenDocument file is locked with a password; it cannot be read"
                raise InputError(f"{message} (save it without one)", uri=uri, code="locked")
        if "content.xml" not in self._zip:
            raise InputError(f"{uri}: content.xml is missing; the file is damaged", uri=uri)

    def __contains__(self, name: object) -> bool:
        return name in self._zip

    def read(self, name: str) -> bytes:
        """The bytes of a member. Raises `KeyError` when there is none of this name."""
        return self._zip.read(name)

    def xml(self, name: str) -> etree._Element:
        """The root element of a member."""
        data = self.read(name)
        if len(data) > MAX_XML:
            message = f"{self.uri}: {name} has {len(data) / 1e6:,.0f} MB of XML"
            raise InputError(f"{message}; the limit is {MAX_XML / 1e6:,.0f} MB", uri=self.uri)
        check_tags(data, uri=self.uri, name=name)
        return parse_xml(data, uri=self.uri, name=name)

    def optional(self, name: str) -> etree._Element | None:
        """The root element of a member the text can do without; a damaged one is noted."""
        if name not in self._zip:
            return None
        try:
            return self.xml(name)
        except InputError as error:
            self.damaged.append(error.message.removeprefix(f"{self.uri}: ") + "; it is not read")
            return None

    def body(self, kind: str) -> etree._Element:
        """The element that holds the content: `kind` is `text`, `presentation` or `spreadsheet`."""
        found = self.content.find(f"{OFFICE}body/{OFFICE}{kind}")
        if found is None:
            raise InputError(f"{self.uri}: content.xml holds no {kind} document", uri=self.uri)
        return found

    @cached_property
    def content(self) -> etree._Element:
        """The root of content.xml."""
        return self.xml("content.xml")

    @cached_property
    def styles(self) -> etree._Element | None:
        """The root of styles.xml, if there is one."""
        return self.optional("styles.xml")

    def object(self, reference: str) -> etree._Element | None:
        """The content of an object inside the file (`./Object 1`), if it is XML that can be read."""
        return self.optional(reference.removeprefix("./").rstrip("/") + "/content.xml")

    def losses(self) -> tuple[str, ...]:
        """What is not read of the file: damaged members, and its macros, which are never run."""
        held = any(name.startswith(("Basic/", "Scripts/")) for name in self._zip)
        return (*self.damaged, *(["macros (never run)"] if held else []))

    def properties(self) -> Properties:
        """Title, metadata, language and number of pages as the file states them."""
        root = self.optional("meta.xml")
        return read_properties(root.iterfind(f"{OFFICE}meta/*") if root is not None else iter(()))


@dataclass(frozen=True, slots=True)
class Properties:
    """What a file states of itself; `pages` is 0 where it does not say."""

    title: str
    meta: Meta
    language: str
    pages: int


def read_properties(elements: Iterator[etree._Element]) -> Properties:
    """The properties in the elements of a metadata part; the first of each counts, keywords all do."""
    title, language, pages = "", "", 0
    meta: dict[str, MetaValue] = {}
    keywords: list[str] = []
    for element in elements:
        text = " ".join("".join(element.itertext()).split())
        name = _PROPERTIES.get(str(element.tag), "")
        if element.tag == f"{DC}title":
            title = text
        elif element.tag == f"{DC}language":
            language = main_language(text)
        elif element.tag == f"{META}document-statistic":
            stated = element.get(f"{META}page-count", "")
            pages = int(stated[:9]) if stated.isdecimal() else 0
        elif name == "keywords" and text:
            keywords.append(text)
        elif name and text and (element.tag == f"{META}initial-creator" or name not in meta):
            meta[name] = property_value(name, text)
    if keywords:
        meta["keywords"] = property_value("keywords", ", ".join(keywords))
    return Properties(title, meta, language, pages)
