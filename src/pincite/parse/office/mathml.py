"""Equations in MathML as one line of text: `x^2`, `a/b`, `√(x)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

_SKIPPED = frozenset({"annotation", "annotation-xml", "mphantom"})
_MARKS = {
    "msup": ("^",), "msub": ("_",), "msubsup": ("_", "^"), "mover": ("^",), "munder": ("_",),
    "munderover": ("_", "^"),
}  # fmt: skip


def equation(element: etree._Element) -> str:
    """The equation in an element as text. Its depth is that of the XML, which the XML reader bounds."""
    return " ".join(_shown(element).split())


def _shown(element: etree._Element) -> str:
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "annotation"
    if name in _SKIPPED:
        return ""
    if not len(element):
        return element.text or ""
    parts = [_shown(child) for child in element]
    if name in _MARKS and len(parts) == len(_MARKS[name]) + 1:
        scripts = zip(_MARKS[name], parts[1:], strict=True)
        return parts[0] + "".join(mark + _grouped(part) for mark, part in scripts)
    if name == "mfrac" and len(parts) == 2:
        return f"{_grouped(parts[0])}/{_grouped(parts[1])}"
    if name == "mroot" and len(parts) == 2:
        return f"√[{parts[1]}]({parts[0]})"
    text = (", " if name == "mtr" else "; " if name == "mtable" else "").join(parts)
    return f"√({text})" if name == "msqrt" else f"({text})" if name == "mfenced" else text


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.replace(".", "").isalnum() else f"({text})"
