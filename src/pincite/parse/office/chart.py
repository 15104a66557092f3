"""The words and values of a chart as Office files store them: titles, series, categories (DrawingML)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.parse.office.drawingml import body_text
from pincite.parse.sheets.number_format import GENERAL, shown_number

if TYPE_CHECKING:
    from lxml import etree

MAX_POINTS = 2_000  # rows of one chart that are read
MAX_SERIES = 100
_MAX_DIGITS = 7  # of a point's number
_TEXTUAL = ("{*}strCache", "{*}strLit")


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart's title, the titles of its axes, and its table: a header row and one row per category.

    The header row begins with the title of the axis of categories, or is empty there if it has none. `cut`
    counts the rows and series beyond the limits.
    """

    title: str
    axes: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    cut: int = 0

    def names(self) -> list[str]:
        """Title, titles of axes and names of series, each once."""
        return list(dict.fromkeys(filter(None, (self.title, *self.axes, *self.header))))


@dataclass(frozen=True, slots=True)
class _Series:
    """A name, and what stands at each point by its number; `labels` are empty where those of others hold."""

    name: str
    labels: dict[int, str]
    values: dict[int, str]


def read_chart(root: etree._Element) -> Chart:
    """The chart of a chart part; what it does not state is empty."""
    chart = root.find("{*}chart")
    if chart is None:
        return Chart("")
    axes = (_title(one) for one in chart.iterfind("{*}plotArea/*/{*}title"))
    found = [_series(one) for one in chart.iterfind("{*}plotArea/*/{*}ser")]
    found += [_newer_series(root, one) for one in chart.iterfind("{*}plotArea/{*}plotAreaRegion/{*}series")]
    series = found[:MAX_SERIES]
    rows = _rows(series)
    cut = max(0, len(rows) - MAX_POINTS) + len(found) - len(series)
    return Chart(
        title=_title(chart.find("{*}title")),
        axes=tuple(filter(None, axes)),
        header=(_category(chart), *(one.name for one in series)),
        rows=tuple(rows[:MAX_POINTS]),
        cut=cut,
    )


def _category(chart: etree._Element) -> str:
    """The title of the axis that names the categories."""
    axes = (chart.find(f"{{*}}plotArea/{{*}}{kind}Ax/{{*}}title") for kind in ("cat", "date", "ser"))
    return next((_title(title) for title in axes if title is not None), "")


def _rows(series: list[_Series]) -> list[tuple[str, ...]]:
    """A row for each label with the values of all series there; a label of two points has two rows.

    Each series may have labels of its own, as the points of a scatter plot have; else the first ones hold.
    """
    common = next((one.labels for one in series if one.labels), {})
    table: dict[tuple[str, int], dict[int, str]] = {}
    for n, one in enumerate(series):
        labels, seen = one.labels or common, Counter[str]()
        for point in sorted({*labels, *one.values}):
            label = labels.get(point, str(point + 1))
            seen[label] += 1
            table.setdefault((label, seen[label]), {})[n] = one.values.get(point, "")
    return [(label, *(cells.get(n, "") for n in range(len(series)))) for (label, _), cells in table.items()]


def _title(element: etree._Element | None) -> str:
    """The words of a title, typed or taken from cells."""
    return "" if element is None else body_text(element) or _words(element.find("{*}tx"))


def _words(element: etree._Element | None) -> str:
    if element is None:
        return ""
    return " ".join(" ".join(value.text or "" for value in element.iter("{*}v")).split())


def _series(element: etree._Element) -> _Series:
    labels, values = (
        next((found for name in names if (found := element.find("{*}" + name)) is not None), None)
        for names in (("cat", "xVal"), ("val", "yVal"))
    )
    name = _words(element.find("{*}tx"))
    return _Series(name, {} if labels is None else _labels(labels), {} if values is None else _points(values))


def _labels(element: etree._Element) -> dict[int, str]:
    """The labels of points; of several levels, those that hold for more points stand first: `2025 Q1`."""
    inner, *outer = element.findall(".//{*}lvl") or [element]
    labels = _points(inner, textual=bool(outer))
    for level in outer:
        groups, above = _points(level, textual=True), ""
        for point in sorted({*labels, *groups}):
            above = groups.get(point, above)
            if point in labels:
                labels[point] = f"{above} {labels[point]}".strip()
    return labels


def _points(element: etree._Element, *, textual: bool = False) -> dict[int, str]:
    """The stored values by their number, as their format shows them."""
    textual = textual or element.tag.endswith("}lvl") or any(True for _ in element.iter(*_TEXTUAL))
    code = element.findtext(".//{*}formatCode") or GENERAL
    found = ((point.get("idx", ""), point.findtext("{*}v") or "") for point in element.iter("{*}pt"))
    return {
        int(index): raw if textual else _shown(raw, code)
        for index, raw in found
        if index.isdecimal() and len(index) <= _MAX_DIGITS
    }


def _newer_series(root: etree._Element, element: etree._Element) -> _Series:
    """A series of a chart of newer versions (waterfall, treemap …), whose data stand apart by id."""
    held = element.find("{*}dataId")
    id_ = held.get("val") if held is not None else None
    data = next((one for one in root.iterfind("{*}chartData/{*}data") if one.get("id") == id_), None)
    labels: dict[int, str] = {}
    values: dict[int, str] = {}
    for dimension in data if data is not None else ():
        into = values if dimension.tag.endswith("}numDim") else labels
        for level in reversed(dimension.findall("{*}lvl")):
            code = level.get("formatCode") or GENERAL
            for point in level.iterfind("{*}pt"):
                index, raw = point.get("idx", ""), (point.text or "").strip()
                if index.isdecimal() and len(index) <= _MAX_DIGITS:
                    shown = _shown(raw, code) if into is values else raw
                    into[int(index)] = f"{into.get(int(index), '')} {shown}".strip()
    return _Series(_words(element.find("{*}tx")), labels, values)


def _shown(raw: str, code: str) -> str:
    try:
        return shown_number(float(raw), code)
    except ValueError:
        return raw
