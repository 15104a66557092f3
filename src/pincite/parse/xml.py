"""XML of untrusted make: no entities of its own, no files, no network, bounded depth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.errors import InputError

if TYPE_CHECKING:
    from lxml import etree

_DOCTYPE = re.compile(rb"<!(?:DOCTYPE[^>\[]*\[|ENTITY)")


def parse_xml(data: bytes, *, uri: str, name: str = "", recover: bool = False) -> etree._Element:
    """The root element. A document type with declarations is refused: nothing of it is expanded or fetched.

    `name` is that of the member, for the message; `recover` reads on over faults. Raises `InputError`.
    """
    from lxml import etree

    where = f"{uri}: {name}" if name else uri
    head = data[:65_536].replace(b"\0", b"")  # UTF-16 has a NUL beside each letter
    if _DOCTYPE.search(head):
        raise InputError(f"{where} declares entities of its own, which are not read", uri=uri)
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=recover,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{where} is not valid XML ({error})", uri=uri) from error
    if root is None:
        raise InputError(f"{where} holds no XML", uri=uri)
    return root
