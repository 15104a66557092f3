"""XML of untrusted make: no entities of its own, no files, no network, bounded depth."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.errors import InputError

if TYPE_CHECKING:
    from lxml import etree

_HEAD = 65_536  # bytes in which entities are looked for before parsing, for a clear reason
_SUBSET = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:\s|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE[^>\[]*\[", re.DOTALL
)

_LIBRARY = re.compile(r",? ?(?:use|try) XML_PARSE_HUGE(?: option)?| ?\(<string>, line \d+\)")
_DEPTH = re.compile(r"Excessive depth in document: (\d+)")


def parse_xml(data: bytes, *, uri: str, name: str = "", recover: bool = False) -> etree._Element:
    """The root element. Nothing is expanded or fetched, and XML that declares entities is refused.

    `name` is that of the member, for the message; `recover` reads on over faults. Raises `InputError`.
    """
    from lxml import etree

    where = _checked(data, uri, name)
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=recover,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{where} {_fault(error)}", uri=uri) from error
    if root is None:
        raise InputError(f"{where} holds no XML", uri=uri)
    _refuse_entities(root, where, uri)
    return root


def iter_xml(data: bytes, *, uri: str, name: str, tags: tuple[str, ...]) -> Iterator[etree._Element]:
    """The elements of these tags (`{*}row`) as they end, each gone once the next is asked for.

    For large parts of many equal elements: memory stays flat. Raises `InputError` as `parse_xml` does.
    """
    from lxml import etree

    where = _checked(data, uri, name)
    found = etree.iterparse(
        io.BytesIO(data), events=("end",), tag=tags, resolve_entities=False, load_dtd=False, no_network=True,
        huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        for n, (_, element) in enumerate(found):
            if not n:
                _refuse_entities(element, where, uri)
            yield element
            parent = element.getparent()
            element.clear()
            while parent is not None and element.getprevious() is not None:
                del parent[0]
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{where} {_fault(error)}", uri=uri) from error


def iter_children(
    data: bytes, *, uri: str, name: str, parent: str, tags: tuple[str, ...]
) -> Iterator[etree._Element]:
    """The children of these tags of the elements named `parent`, whole, each gone once the next is asked for.

    What is inside a child may have these tags too. Raises `InputError` as `parse_xml` does, and when there
    is no such parent.
    """
    from lxml import etree

    where = _checked(data, uri, name)
    found = etree.iterparse(
        io.BytesIO(data), events=("end",), tag=(*tags, parent), resolve_entities=False, load_dtd=False,
        no_network=True, huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip
    parents = 0
    try:
        for n, (_, element) in enumerate(found):
            if not n:
                _refuse_entities(element, where, uri)
            above = element.getparent()
            if element.tag == parent:
                parents += 1
            elif above is not None and above.tag == parent:
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del above[0]
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{where} {_fault(error)}", uri=uri) from error
    if not parents:
        raise InputError(f"{where} has no {parent.rpartition('}')[2]}", uri=uri)


def _fault(error: Exception) -> str:
    """What is wrong, in words: for a limit, without the option of the library that would lift it."""
    text = _LIBRARY.sub("", str(error))
    if found := _DEPTH.match(text):
        return f"is nested more than {found[1]} elements deep (the limit)"
    return f"is not valid XML ({text})"


def _checked(data: bytes, uri: str, name: str) -> str:
    """The name for messages. Raises `InputError` for XML that declares entities at once."""
    where = f"{uri}: {name}" if name else uri
    head = data[:_HEAD].replace(b"\0", b"")  # UTF-16 has a NUL beside each letter
    subset = _SUBSET.match(head)
    if subset and b"<!ENTITY" in head[subset.end() :]:
        raise InputError(f"{where} declares entities of its own, which are not read", uri=uri)
    return where


def _refuse_entities(element: etree._Element, where: str, uri: str) -> None:
    """Raises `InputError` where the document does declare entities: without them its text has gaps."""
    declared = element.getroottree().docinfo.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise InputError(f"{where} declares entities of its own, which are not read", uri=uri)
