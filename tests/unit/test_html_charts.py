"""Charts are well-formed SVG that says what it shows, and what they show is what was measured."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from made_runs import diagnosed, question, run_of
from pincite.evaluate.html_report.charts import Series, bar, curves, histogram, interval, series, strip
from pincite.evaluate.html_report.markup import Markup, clip, count, number, percent, signed, tag
from pincite.evaluate.html_report.parts import legs, recall
from pincite.evaluate.measures import measure_all, parse_measure

SVG = "{http://www.w3.org/2000/svg}"


def parsed(chart: str) -> ET.Element:
    """The chart as XML; every number in it is inside the view box, with room for labels."""
    root = ET.fromstring(chart)
    assert root.tag == f"{SVG}svg" and root.attrib["role"] == "img"
    wide, tall = map(float, root.attrib["viewBox"].split()[2:])
    for element in root.iter():
        for names, most in ((("x", "cx", "x1", "x2"), wide), (("y", "cy", "y1", "y2"), tall)):
            assert all(0 <= float(element.attrib[name]) <= most for name in names if name in element.attrib)
    return root


def title(chart: str) -> str:
    return parsed(chart).findtext(f"{SVG}title") or ""


def texts(chart: str) -> list[str]:
    return [one.text or "" for one in parsed(chart).iter(f"{SVG}text")]


# ── curves ────────────────────────────────────────────────────────────────────────────────────
def test_a_curve_rises_where_something_is_found() -> None:
    one = series("recall", [(3, 1.0), (1, 0.5), (3, 0.5)], 4)
    assert one.points == ((1, 0.125), (3, 0.5))
    assert [one.at(k) for k in (1, 2, 3, 99)] == [0.125, 0.125, 0.5, 0.5]
    assert series("none", [], 3).at(10) == 0.0


def test_recall_at_every_k_is_the_measure() -> None:
    ranks = {"q1": (1, 4), "q2": (2,), "q3": (), "q4": (7, 8, 30)}
    relevant = {"q1": 2, "q2": 3, "q3": 1, "q4": 4}
    rankings = {q: [f"r{n}" if n in at else f"x{n}" for n in range(1, 41)] for q, at in ranks.items()}
    judged = {
        q: {f"r{n}": 1 for n in (*at, *range(90, 90 + relevant[q] - len(at)))} for q, at in ranks.items()
    }
    asked = [
        question(n, 1, question_id=q, relevant=relevant[q], relevant_at=at)
        for n, (q, at) in enumerate(ranks.items(), 1)
    ]
    curve = recall("recall", run_of(asked))
    for k in (1, 2, 3, 4, 7, 8, 10, 29, 30, 40):
        measure = parse_measure(f"R@{k}")
        assert curve.at(k) == pytest.approx(measure_all([measure], rankings, judged).means[str(measure)])


def test_curves_of_legs_come_from_the_ranks_of_the_findings() -> None:
    run = diagnosed(
        run_of([question(1, 1), question(2, 30), question(3, None), question(4, 2, synthetic=True)])
    )
    lines = {one.name: one for one in legs(run)}
    assert list(lines) == ["lexical", "dense", "fused"]
    assert [lines["lexical"].at(k) for k in (1, 2, 30)] == pytest.approx([1 / 3, 1 / 3, 2 / 3])
    assert lines["dense"].points == ()


@pytest.mark.parametrize(("k", "deepest"), [(1, 1), (1, 2), (10, 100), (100, 100), (3, 1_000_000)])
def test_a_chart_of_curves_says_its_values_and_stays_in_its_box(k: int, deepest: int) -> None:
    lines = [Series("a", ((1, 0.25), (2, 0.5))), Series("<b>", ())]
    chart = curves("Recall at k", lines, k=k, deepest=deepest)
    at = "50 %" if k > 1 else "25 %"
    assert title(chart) == f"Recall at k: a {at} at {k:,}; <b> 0 % at {k:,}"
    assert f"k = {k:,}" in texts(chart) and "100 %" in texts(chart) and "1" in texts(chart)
    assert [one.attrib["class"] for one in parsed(chart).iter(f"{SVG}path")] == ["curve s1", "curve s2"]


# ── strips ────────────────────────────────────────────────────────────────────────────────────
def test_a_strip_marks_each_stage_with_its_rank_or_as_gone() -> None:
    ranks = {"lexical": 12, "dense": None, "fused": 31, "hits": None, "context": None}
    chart = strip(ranks, k=10)
    root = parsed(chart)
    assert (
        title(chart) == "lexical rank 12, dense not there, fused rank 31, hits not there, context not there"
    )
    assert len(list(root.iter(f"{SVG}circle"))) == 2 and len(list(root.iter(f"{SVG}path"))) == 3
    assert {"lexical", "dense", "fused", "hits", "context", "12", "31", "k = 10"} == set(texts(chart))
    assert sum(one.attrib["class"] == "link" for one in root.iter(f"{SVG}line")) == 4


@pytest.mark.parametrize(
    "ranks", [{"lexical": 1}, {"fused": None}, {"hits": 100_000}, {"a": 1, "b": 2, "c": 3}]
)
def test_strips_at_the_edges(ranks: dict[str, int | None]) -> None:
    assert len(texts(strip(ranks, k=1))) == len(ranks) + sum(rank is not None for rank in ranks.values()) + 1


def test_a_lower_rank_stands_higher() -> None:
    root = parsed(strip({"lexical": 1, "dense": 10, "fused": 100}, k=10))
    heights = [float(one.attrib["cy"]) for one in root.iter(f"{SVG}circle")]
    assert heights == sorted(heights) and len(set(heights)) == 3


# ── bars, intervals, times ────────────────────────────────────────────────────────────────────
def test_a_bar_is_as_long_as_its_share() -> None:
    for share in (0.0, 0.5, 1.0):
        (_, long) = ET.fromstring(bar(share, "half")).iter(f"{SVG}rect")
        assert float(long.attrib["width"]) == 100 * share


@pytest.mark.parametrize(
    ("values", "side"), [((0.2, 0.1, 0.3), "up"), ((-0.2, -0.3, -0.1), "down"), ((0.0, -0.1, 0.1), "even")]
)
def test_an_interval_of_a_difference_is_coloured_by_its_side_of_zero(
    values: tuple[float, float, float], side: str
) -> None:
    chart = interval(*values, least=-0.3, most=0.3)
    assert [one.attrib["class"] for one in parsed(chart).iter(f"{SVG}circle")] == [f"dot {side}"]


def test_an_interval_outside_of_its_axis_stays_in_its_box() -> None:
    assert title(interval(1.2, -3.0, 4.0)) == "1.2000, from -3.0000 to 4.0000"


def test_a_histogram_counts_every_value() -> None:
    chart = histogram([1.0, 1.0, 2.0, 64.0], [("p50", 1.0), ("p95", 64.0)])
    assert title(chart) == "Milliseconds of 4 questions: p50 1.0 ms, p95 64.0 ms"
    heights = [float(one.attrib["height"]) for one in parsed(chart).iter(f"{SVG}rect")]
    assert heights == [76, 38, 38] and {"1 ms", "10 ms", "2", "p50"} <= set(texts(chart))
    parsed(histogram([0.0], [("p50", 0.0)]))


# ── markup ────────────────────────────────────────────────────────────────────────────────────
def test_children_and_attributes_are_escaped_unless_they_are_markup() -> None:
    inner = tag("b", "1 < 2 & 3")
    assert inner == "<b>1 &lt; 2 &amp; 3</b>"
    assert tag("p", inner, [inner, "<"], class_='"><script>') == (
        f'<p class="&quot;&gt;&lt;script&gt;">{inner}{inner}&lt;</p>'
    )
    assert tag("meta", name_="x", content=None) == '<meta name="x"/>'
    assert isinstance(inner, Markup)


def test_numbers_and_texts_as_people_read_them() -> None:
    assert [number(12.0), number(12.25), number(100)] == ["12", "12.2", "100"]
    assert [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == [
        "0 %",
        "0.1 %",
        "50 %",
        "99.9 %",
        "100 %",
    ]
    assert [signed(v) for v in (0.0213, -0.0213, 0.0, -0.00001)] == ["+0.0213", "−0.0213", "0.0000", "0.0000"]
    assert [count(1, "question"), count(1200, "question")] == ["1 question", "1,200 questions"]
    assert clip(" a\n b ") == "a b" and clip("abcdef", 3) == "abc… (3 more characters)"
