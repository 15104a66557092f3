"""Office files as packages: parts by name, what each is, and what they refer to (ECMA-376, part 2)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pincite.errors import InputError
from pincite.parse.xml import iter_children, parse_xml
from pincite.parse.zips import MAX_INFLATED, Zip
from pincite.types import Meta, MetaValue

if TYPE_CHECKING:
    from lxml import etree

MAX_XML = 100_000_000  # bytes of one XML part
MAX_TAGS = 4_000_000  # of a part that is read as a tree, in which each takes some hundred bytes

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
"""The namespace of references by id."""

_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = (
    (b"officeDocument/relationships", b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
    (b"wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"presentationml/main", b"http://schemas.openxmlformats.org/presentationml/2006/main"),
    (b"spreadsheetml/main", b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"),
    (b"officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
    (b"drawingml/", b"http://schemas.openxmlformats.org/drawingml/2006/"),
)
"""Namespaces of the strict form of the standard, and those nearly every file uses."""

_PROPERTIES = {
    "creator": "author",
    "created": "date",
    "modified": "modified_date",
    "keywords": "keywords",
    "subject": "subject",
    "description": "description",
}


@dataclass(frozen=True, slots=True)
class Relationship:
    """A reference of one part to another: `kind` is the last word of its type (`image`, `slideLayout`).

    `target` is the name of a part of the package or, if `external`, an address, which is never fetched.
    """

    id: str
    kind: str
    target: str
    external: bool


class Package:
    """An Office file as its parts. Raises `InputError` if it is none, or damaged; see `Zip` for the limits.

    Part names have no leading `/`; upper and lower case are one, as the standard has it.
    """

    def __init__(self, data: bytes, uri: str) -> None:
        self.uri = uri
        self.damaged: list[str] = []  # parts the text can do without, that could not be read
        self._zip = Zip(data, uri)
        self._names: dict[str, str] = {}
        for name in self._zip:
            self._names.setdefault(name.replace("\\", "/").lstrip("/").lower(), name)
        self._relationships: dict[str, dict[str, Relationship]] = {}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._names

    @property
    def names(self) -> list[str]:
        """The names of all parts, lower case, in the order of the file's directory."""
        return list(self._names)

    def read(self, name: str) -> bytes:
        """The bytes of a part. Raises `InputError` when there is none of this name."""
        if name not in self:
            raise InputError(f"{self.uri}: the part {name} is missing", uri=self.uri)
        return self._zip.read(self._names[name.lower()])

    def xml(self, name: str) -> etree._Element:
        """The root element of a part."""
        data = self.xml_data(name, limit=MAX_XML)
        check_tags(data, uri=self.uri, name=name)
        return parse_xml(data, uri=self.uri, name=name)

    def children(self, name: str, parent: str, tags: tuple[str, ...]) -> Iterator[etree._Element]:
        """The children of these tags of one element of a part, one at a time; see `iter_children`."""
        data = self.xml_data(name, limit=MAX_XML)
        return iter_children(data, uri=self.uri, name=name, parent=parent, tags=tags)

    def xml_data(self, name: str, *, limit: int = MAX_INFLATED) -> bytes:
        """The XML of a part; the strict form's namespaces are turned into the usual ones."""
        data = self.read(name)
        if len(data) > limit:
            message = f"{self.uri}: {name} has {len(data) / 1e6:,.0f} MB of XML"
            raise InputError(f"{message}; the limit is {limit / 1e6:,.0f} MB", uri=self.uri)
        if _STRICT in data:
            for strict, usual in _TRANSITIONAL:
                data = data.replace(_STRICT + strict, usual)
        return data

    def optional(self, name: str) -> etree._Element | None:
        """The root element of a part the text can do without; a damaged or missing one is noted."""
        try:
            return self.xml(name)
        except InputError as error:
            self.note(error)
            return None

    def note(self, error: InputError, left: str = "it is not read") -> None:
        """Notes what is wrong with a part, once, and what is `left` out for it."""
        note = f"{error.message.removeprefix(f'{self.uri}: ')}; {left}"
        self.damaged += [] if note in self.damaged else [note]

    def refuse_unread(self) -> None:
        """Raises `InputError` with the first fault noted: for a file of which nothing else could be read."""
        if self.damaged:
            raise InputError(f"{self.uri}: {self.damaged[0]}", uri=self.uri)

    def items(self, name: str) -> list[etree._Element]:
        """The elements in the root of a part the text can do without."""
        root = self.optional(name)
        return list(root) if root is not None else []

    def first(self, name: str, kind: str) -> etree._Element | None:
        """The root of the first part that `name` refers to as `kind`, which the text can do without."""
        return next((self.optional(part) for part in self.related(name, kind)[:1]), None)

    def relationships(self, name: str = "") -> dict[str, Relationship]:
        """What a part refers to, by reference id, in the order of the file; "" is the package itself."""
        if name not in self._relationships:
            folder, _, base = name.rpartition("/")
            file = posixpath.join(folder, "_rels", f"{base}.rels")
            self._relationships[name] = self._read_relationships(file, folder) if file in self else {}
        return self._relationships[name]

    def _read_relationships(self, file: str, folder: str) -> dict[str, Relationship]:
        found: dict[str, Relationship] = {}
        for element in self.items(file):
            target, id_ = element.get("Target", ""), element.get("Id", "")
            external = element.get("TargetMode") == "External"
            if not external:
                path = unquote(target).replace("\\", "/").partition("#")[0]
                target = posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
            kind = element.get("Type", "").rstrip("/").rpartition("/")[2]
            found[id_] = Relationship(id_, kind, target, external)
        return found

    def related(self, name: str, kind: str) -> list[str]:
        """The names of the parts present that `name` refers to as `kind`, in the order of the file."""
        refs = self.relationships(name).values()
        return [r.target for r in refs if r.kind == kind and not r.external and r.target in self]

    def main(self, usual: str) -> str:
        """The name of the main part; `usual` is taken when the package does not say which it is."""
        found = self.related("", "officeDocument")
        if not found and usual not in self:
            raise InputError(f"{self.uri}: the part {usual} is missing; the file is damaged", uri=self.uri)
        return found[0] if found else usual

    def macros(self, main: str) -> tuple[str, ...]:
        """The macros of the file, which are named and never run; `main` is its main part."""
        return ("macros (never run)",) if self.related(main, "vbaProject") else ()

    def properties(self) -> tuple[str, Meta, str]:
        """Title, metadata and language as the core properties state them; what is unset is left out."""
        parts = self.related("", "core-properties") or ["docProps/core.xml"]
        if parts[0] not in self:
            return "", {}, ""
        given: dict[str, str] = {}
        for element in self.items(parts[0]):
            text = " ".join((element.text or "").split())
            if text and isinstance(element.tag, str):
                given.setdefault(element.tag.rpartition("}")[2], text)
        meta = {name: property_value(name, given[key]) for key, name in _PROPERTIES.items() if key in given}
        return given.get("title", ""), meta, main_language(given.get("language", ""))


def check_tags(data: bytes, *, uri: str, name: str) -> None:
    """Raises `InputError` for XML whose tree would fill the memory: of more than `MAX_TAGS` tags."""
    tags = data.count(b"<")
    if tags > MAX_TAGS:
        message = f"{uri}: {name} has {tags:,} tags of XML"
        raise InputError(f"{message}; the limit is {MAX_TAGS:,}", uri=uri)


def property_value(name: str, text: str) -> MetaValue:
    """A property as metadata: a date for dates, a list for keywords, else the text."""
    if name == "keywords":
        words = tuple(word.strip() for word in text.replace(";", ",").split(",") if word.strip())
        return words or text
    if name.endswith("date"):
        try:
            return date.fromisoformat(text[:10])
        except ValueError:
            return text
    return text


def main_language(tag: str) -> str:
    """The main part of a language tag, lower case: `zh` for `zh-CN`, "" for what is none."""
    main = tag.strip().lower().replace("_", "-").partition("-")[0]
    return main if main.isalpha() and 2 <= len(main) <= 8 else ""
