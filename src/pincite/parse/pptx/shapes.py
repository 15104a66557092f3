"""The shapes of a slide in reading order: groups flattened, places inherited from layout and master."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.parse.office.drawingml import chosen

if TYPE_CHECKING:
    from lxml import etree

MAX_SHAPES = 5_000  # of one slide
_SHAPES = frozenset({"sp", "pic", "graphicFrame", "cxnSp", "contentPart"})
_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"ftr", "dt", "sldNum", "hdr"})
_SAME_ROW = 0.5  # of the lower of two shapes must stand beside the other


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle in the file's units: left, top, width, height."""

    left: float = 0.0
    top: float = 0.0
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape with its place on the slide and, for a placeholder, its type and those it inherits from.

    `hidden` means that it, or a group it is in, is not shown.
    """

    element: etree._Element
    frame: Frame
    placeholder: str | None = None
    inherited: tuple[etree._Element, ...] = field(default=())
    hidden: bool = False

    @property
    def kind(self) -> str:
        """`sp`, `pic`, `graphicFrame` …"""
        return str(self.element.tag).rpartition("}")[2]

    @property
    def name(self) -> str:
        """The name the program or author gave the shape."""
        return " ".join(self.properties.get("name", "").split()) if self.properties is not None else ""

    @property
    def properties(self) -> etree._Element | None:
        """The element with name, description and visibility."""
        return self.element.find("./*/{*}cNvPr")

    @property
    def is_title(self) -> bool:
        """Whether it holds the slide's title."""
        return self.placeholder in _TITLES


@dataclass(frozen=True, slots=True)
class _Scale:
    """From a group's own coordinates to those of the slide."""

    factor_x: float = 1.0
    factor_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def apply(self, frame: Frame) -> Frame:
        return Frame(
            frame.left * self.factor_x + self.shift_x,
            frame.top * self.factor_y + self.shift_y,
            frame.width * self.factor_x,
            frame.height * self.factor_y,
        )


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a slide: those to read, title first, then in reading order; footers, dates and slide
    numbers; hidden ones; and how many are beyond `MAX_SHAPES`."""

    shown: list[Shape]
    furniture: list[Shape]
    hidden: list[Shape]
    more: int


def slide_shapes(tree: etree._Element, bases: Sequence[etree._Element]) -> Shapes:
    """The shapes of a slide's tree; `bases` are the shape trees of layout and master."""
    known = [_placeholders(base) for base in bases]
    shapes: list[Shape] = []
    more = 0
    for element, scale, hidden in _flattened(tree):
        if len(shapes) == MAX_SHAPES:
            more += 1
        else:
            before = shapes[-1].frame if shapes else Frame()
            shapes.append(_shape(element, scale, known, before, hidden=hidden or _is_hidden(element)))
    shown = [shape for shape in shapes if not shape.hidden and shape.placeholder not in _FURNITURE]
    titles = [shape for shape in shown if shape.is_title][:1]
    return Shapes(
        shown=titles + _ordered([shape for shape in shown if shape not in titles]),
        furniture=[shape for shape in shapes if not shape.hidden and shape.placeholder in _FURNITURE],
        hidden=[shape for shape in shapes if shape.hidden],
        more=more,
    )


def _is_hidden(element: etree._Element) -> bool:
    properties = element.find("./*/{*}cNvPr")
    return properties is not None and properties.get("hidden") in ("1", "true")


def _flattened(tree: etree._Element) -> Iterator[tuple[etree._Element, _Scale, bool]]:
    """The shapes of a tree and of its groups, in the order of the file.

    Each has how its group is scaled, and whether that is hidden.
    """
    todo = [(child, _Scale(), False) for child in reversed(tree)]
    while todo:
        element, scale, hidden = todo.pop()
        kind = element.tag.rpartition("}")[2]
        if kind == "grpSp":
            inner, hidden = _group_scale(element, scale), hidden or _is_hidden(element)
            todo.extend((child, inner, hidden) for child in reversed(element))
        elif kind == "AlternateContent":
            taken = chosen(element)
            todo.extend((child, scale, hidden) for child in reversed(taken if taken is not None else ()))
        elif kind in _SHAPES:
            yield element, scale, hidden


def _group_scale(group: etree._Element, outer: _Scale) -> _Scale:
    form = group.find("{*}grpSpPr/{*}xfrm")
    if form is None:
        return outer
    own, inner = _frame(form, "off", "ext"), _frame(form, "chOff", "chExt")
    x = own.width / inner.width if inner.width else 1.0
    y = own.height / inner.height if inner.height else 1.0
    return _Scale(
        outer.factor_x * x,
        outer.factor_y * y,
        outer.shift_x + outer.factor_x * (own.left - inner.left * x),
        outer.shift_y + outer.factor_y * (own.top - inner.top * y),
    )


def _frame(form: etree._Element, offset: str, extent: str) -> Frame:
    at, size = form.find("{*}" + offset), form.find("{*}" + extent)
    left, top = (_number(at, name) for name in ("x", "y"))
    width, height = (_number(size, name) for name in ("cx", "cy"))
    return Frame(left, top, width, height)


def _number(element: etree._Element | None, name: str) -> float:
    """An attribute as a number; 0 for what is none or out of all bounds."""
    text = element.get(name, "") if element is not None else ""
    return float(text) if text.lstrip("-").isdecimal() and len(text) < 16 else 0.0


def _shape(
    element: etree._Element,
    scale: _Scale,
    known: Sequence[dict[str, etree._Element]],
    before: Frame,
    *,
    hidden: bool,
) -> Shape:
    """A shape; one without a place of its own or its placeholder's stands with the one before it."""
    holder = element.find("./*/{*}nvPr/{*}ph")
    type_ = None if holder is None else holder.get("type", "obj")
    inherited: list[etree._Element] = []
    if holder is not None:
        keys: tuple[str, ...] = (f"#{holder.get('idx', '0')}", _family(type_ or ""))
        for base in known:
            inherited += [base[key] for key in keys if key in base][:1]
            keys = keys[1:] if inherited else keys  # a master's placeholders have numbers of their own
    forms = (one.find("./{*}spPr/{*}xfrm") for one in (element, *inherited))
    own = element.find("./{*}xfrm")
    form = own if own is not None else next((one for one in forms if one is not None), None)
    frame = scale.apply(_frame(form, "off", "ext")) if form is not None else before
    return Shape(element, frame, type_, tuple(inherited), hidden)


def _placeholders(tree: etree._Element) -> dict[str, etree._Element]:
    """The placeholders of a layout or master by number and by family."""
    found: dict[str, etree._Element] = {}
    for element in tree.iterfind("{*}sp"):
        holder = element.find("./*/{*}nvPr/{*}ph")
        if holder is not None:
            found.setdefault(f"#{holder.get('idx', '0')}", element)
            found.setdefault(_family(holder.get("type", "obj")), element)
    return found


def _family(type_: str) -> str:
    """The type of placeholder that a master has for a type: title, body, or the type itself."""
    if type_ in _TITLES:
        return "title"
    return type_ if type_ in _FURNITURE else "body"


# ── reading order ─────────────────────────────────────────────────────────────────────────────
def _ordered(shapes: list[Shape]) -> list[Shape]:
    """Rows from the top, each from the left; headings over columns go with what stands under them."""
    rows: list[list[Shape]] = []
    for shape in sorted(shapes, key=lambda one: one.frame.top):
        if rows and _beside(rows[-1][0].frame, shape.frame):
            rows[-1].append(shape)
        else:
            rows.append([shape])
    for row in rows:
        row.sort(key=lambda one: one.frame.left)
    out: list[Shape] = []
    n = 0
    while n < len(rows):
        if n + 1 < len(rows) and _are_headings(rows[n], rows[n + 1]):
            out += [shape for pair in zip(rows[n], rows[n + 1], strict=True) for shape in pair]
            n += 2
        else:
            out += rows[n]
            n += 1
    return out


def _beside(one: Frame, other: Frame) -> bool:
    """Whether two shapes stand in one row: at the same height for half of the lower one."""
    common = min(one.top + one.height, other.top + other.height) - max(one.top, other.top)
    return common > 0 and common >= _SAME_ROW * min(one.height, other.height)


def _are_headings(row: list[Shape], below: list[Shape]) -> bool:
    """Whether a row is as many low shapes of one width over higher ones of the same columns."""
    if not 2 <= len(row) == len(below):
        return False
    widths = [shape.frame.width for shape in row]
    low = 2 * max(shape.frame.height for shape in row) <= min(shape.frame.height for shape in below)
    aligned = all(
        abs(a.frame.left - b.frame.left) <= 0.2 * max(a.frame.width, 1)
        for a, b in zip(row, below, strict=True)
    )
    return low and aligned and max(widths) <= 1.2 * min(widths)
