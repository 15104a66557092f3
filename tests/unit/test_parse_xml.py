"""XML of untrusted make: entities are refused wherever they are declared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.errors import InputError
from pincite.parse.xml import iter_children, iter_xml, parse_xml

_LATE = b"<!--" + b"x" * 70_000 + b"-->"
_DECLARED = b'<!DOCTYPE a [<!ENTITY x "gone">]><a><b>one &x; two</b></a>'


def _first_of_all(data: bytes) -> object:
    return list(iter_xml(data, uri="a.xml", name="", tags=("b",)))


def _first_child(data: bytes) -> object:
    return list(iter_children(data, uri="a.xml", name="", parent="a", tags=("b",)))


def _tree(data: bytes) -> object:
    return parse_xml(data, uri="a.xml")


@pytest.mark.parametrize("read", [_tree, _first_of_all, _first_child])
@pytest.mark.parametrize(
    "data",
    [
        _DECLARED,
        _LATE + _DECLARED,
        '<?xml version="1.0" encoding="UTF-16"?>'.encode("utf-16") + _DECLARED.decode().encode("utf-16-le"),
        b'<!DOCTYPE a [<!ENTITY % x "y">]><a><b/></a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a><b>&x;</b></a>',
    ],
)
def test_xml_that_declares_entities_is_refused(read: Callable[[bytes], object], data: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.xml declares entities of its own"):
        read(data)


def test_a_listing_of_a_document_type_declares_nothing() -> None:
    data = b"<!DOCTYPE a [<!ELEMENT b ANY>]><a><b><![CDATA[<!DOCTYPE c [<!ENTITY]]></b></a>"
    plain = b"<a><b><![CDATA[<!DOCTYPE c [<!ENTITY x 'y'>]>]]></b></a>"
    assert parse_xml(plain, uri="a.xml").findtext("b") == "<!DOCTYPE c [<!ENTITY x 'y'>]>"
    assert parse_xml(data.replace(b"<!ENTITY", b""), uri="a.xml").findtext("b") == "<!DOCTYPE c ["


def test_many_comments_before_the_root_take_no_time() -> None:
    data = b"<!-- -->" * 8_000 + b"<?x " * 4_000
    with pytest.raises(InputError, match="not valid XML"):
        parse_xml(data, uri="a.xml")


@pytest.mark.parametrize("read", [_tree, _first_of_all, _first_child])
def test_xml_nested_too_deeply_is_refused_with_the_limit(read: Callable[[bytes], object]) -> None:
    with pytest.raises(InputError) as refused:
        read(b"<a>" + b"<b>" * 300 + b"x" + b"</b>" * 300 + b"</a>")
    assert refused.value.message == "a.xml is nested more than 256 elements deep (the limit)"


def test_a_fault_of_xml_is_told_with_its_line() -> None:
    with pytest.raises(InputError) as refused:
        _tree(b"<a>\n<b></a>")
    assert refused.value.message == (
        "a.xml is not valid XML (Opening and ending tag mismatch: b line 2 and a, line 2, column 8)"
    )
