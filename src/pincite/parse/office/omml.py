"""Equations of Office files (OMML) as one line of text: `(a+b)/2`, `x^2`, `∑_(i=1)^n i`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SIMPLE_LENGTH = 1


def equation(element: etree._Element) -> str:
    """The equation in an element as text. Its depth is that of the XML, which the XML reader bounds."""
    return " ".join(_inner(element).split())


def _inner(element: etree._Element | None) -> str:
    """The text of everything in an element, in order."""
    out = []
    for child in element if element is not None else ():  # a generator would be one more call for each level
        out.append(_shown(child))
    return "".join(out)


def _shown(element: etree._Element) -> str:
    if not isinstance(element.tag, str):
        return ""
    space, _, name = element.tag.rpartition("}")
    if name == "t" or name == "delText":
        return element.text or ""
    if name.endswith("Pr") or name == "instrText":
        return ""
    if name == "br":
        return " "
    shape = _SHAPES.get(name) if space + "}" == M else None
    text = shape(element) if shape else _inner(element)
    return text + " " if name == "oMath" else text


def _part(element: etree._Element, name: str) -> str:
    return _inner(element.find(M + name)).strip()


def _grouped(text: str) -> str:
    """The text as one operand: in brackets unless it is a single word or number."""
    return text if text.replace(".", "").isalnum() or len(text) <= _SIMPLE_LENGTH else f"({text})"


def _property(element: etree._Element, name: str, default: str) -> str:
    found = element.find(f"{M}{element.tag.rpartition('}')[2]}Pr/{M}{name}")
    return default if found is None else found.get(f"{M}val", default)


def _fraction(e: etree._Element) -> str:
    bar = "¦" if _property(e, "type", "bar") == "noBar" else "/"  # one above the other, as in binomials
    return f"{_grouped(_part(e, 'num'))}{bar}{_grouped(_part(e, 'den'))}"


def _scripts(e: etree._Element) -> str:
    """A base with what stands below and above it."""
    below, above = _part(e, "sub"), _part(e, "sup")
    base = _part(e, "e")
    return base + (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")


def _before(e: etree._Element) -> str:
    below, above = _part(e, "sub"), _part(e, "sup")
    return (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "") + _part(e, "e")


def _root(e: etree._Element) -> str:
    degree = _part(e, "deg")
    sign = {"": "√", "3": "∛", "4": "∜"}.get(degree, f"√[{degree}]")
    return f"{sign}({_part(e, 'e')})"


def _operator(e: etree._Element) -> str:
    """A sum, integral or product over what follows."""
    below, above = _part(e, "sub"), _part(e, "sup")
    sign = _property(e, "chr", "∫")
    limits = (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
    return f"{sign}{limits} {_part(e, 'e')}"


def _limit(e: etree._Element) -> str:
    mark = "_" if e.tag == f"{M}limLow" else "^"
    return f"{_part(e, 'e')}{mark}{_grouped(_part(e, 'lim'))}"


def _function(e: etree._Element) -> str:
    return f"{_part(e, 'fName')} {_part(e, 'e')}"


def _delimited(e: etree._Element) -> str:
    separator = _property(e, "sepChr", "|")
    inner = separator.join(_inner(one).strip() for one in e.iterfind(f"{M}e"))
    return f"{_property(e, 'begChr', '(')}{inner}{_property(e, 'endChr', ')')}"


def _accented(e: etree._Element) -> str:
    return _part(e, "e") + _property(e, "chr", "\u0302")


def _matrix(e: etree._Element) -> str:
    rows = (", ".join(_inner(cell).strip() for cell in row.iterfind(f"{M}e")) for row in e.iterfind(f"{M}mr"))
    return "; ".join(rows)


def _lines(e: etree._Element) -> str:
    return "; ".join(_inner(line).strip() for line in e.iterfind(f"{M}e"))


_SHAPES: dict[str, Callable[[etree._Element], str]] = {
    "f": _fraction,
    "sSub": _scripts,
    "sSup": _scripts,
    "sSubSup": _scripts,
    "sPre": _before,
    "rad": _root,
    "nary": _operator,
    "limLow": _limit,
    "limUpp": _limit,
    "func": _function,
    "d": _delimited,
    "acc": _accented,
    "m": _matrix,
    "eqArr": _lines,
}
