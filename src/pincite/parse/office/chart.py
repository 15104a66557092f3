"""The words and values of a chart as Office files store them: titles, series, categories (DrawingML)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.parse.sheets.number_format import GENERAL, shown_number

if TYPE_CHECKING:
    from lxml import etree

MAX_POINTS = 2_000  # rows of one chart that are read
MAX_SERIES = 100


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart's title, the titles of its axes, and its table: a header row and one row per category.

    `cut` counts the rows and series beyond the limits.
    """

    title: str
    axes: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    cut: int = 0

    def names(self) -> list[str]:
        """Title, titles of axes and names of series, each once."""
        return list(dict.fromkeys(filter(None, (self.title, *self.axes, *self.header))))


def read_chart(root: etree._Element) -> Chart:
    """The chart of a chart part; what it does not state is empty."""
    chart = root.find("{*}chart")
    if chart is None:
        return Chart("")
    title = _title(chart.find("{*}title"))
    axes = tuple(filter(None, (_title(one) for one in chart.iterfind("{*}plotArea/*/{*}title"))))
    found = list(chart.iterfind("{*}plotArea/*/{*}ser"))
    series = found[:MAX_SERIES]
    labels = next((values for one in series if (values := _points(one, "cat", "xVal"))), {})
    columns = [_points(one, "val", "yVal") for one in series]
    points = sorted({*labels, *(point for values in columns for point in values)})
    names = tuple(_words(one.find("{*}tx")) for one in series)
    rows = tuple(
        (labels.get(point, str(point + 1)), *(values.get(point, "") for values in columns))
        for point in points[:MAX_POINTS]
    )
    cut = max(0, len(points) - MAX_POINTS) + len(found) - len(series)
    return Chart(title, axes, ("", *names), rows, cut)


def _title(element: etree._Element | None) -> str:
    """The words of a title, typed or taken from cells."""
    if element is None:
        return ""
    paragraphs = ["".join(p.itertext("{*}t")) for p in element.iter("{*}p")]
    return " ".join(" ".join(paragraphs).split()) or _words(element.find("{*}tx"))


def _words(element: etree._Element | None) -> str:
    if element is None:
        return ""
    return " ".join(" ".join(value.text or "" for value in element.iter("{*}v")).split())


def _points(series: etree._Element, *names: str) -> dict[int, str]:
    """The stored values of a series by their number, as their format shows them."""
    element = next((found for name in names if (found := series.find("{*}" + name)) is not None), None)
    if element is None:
        return {}
    code = element.findtext(".//{*}formatCode") or GENERAL
    textual = element.find(".//{*}strCache") is not None or element.find(".//{*}strLit") is not None
    values: dict[int, str] = {}
    levels = element.findall(".//{*}lvl")
    for point in (levels[0] if levels else element).iter("{*}pt"):
        index, raw = point.get("idx", ""), point.findtext("{*}v") or ""
        if index.isdecimal() and len(index) < 8:
            values[int(index)] = raw if textual or levels else _shown(raw, code)
    return values


def _shown(raw: str, code: str) -> str:
    try:
        return shown_number(float(raw), code)
    except (ValueError, OverflowError):
        return raw
