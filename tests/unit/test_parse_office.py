"""What Office formats share: charts, SmartArt, alternatives, equations."""

from __future__ import annotations

from lxml import etree

from office_files import DRAWN
from pincite.parse.office.chart import Chart, read_chart
from pincite.parse.office.drawingml import body_text, diagram_nodes, drawn


def _xml(text: str) -> etree._Element:
    return etree.fromstring(text)


def _points(name: str, *values: str, kind: str = "num") -> str:
    points = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values))
    return f"<c:{name}><c:{kind}Ref><c:{kind}Cache>{points}</c:{kind}Cache></c:{kind}Ref></c:{name}>"


def _chart(*series: str, title: str = "") -> Chart:
    plot = f"<c:plotArea><c:chart>{''.join(f'<c:ser>{one}</c:ser>' for one in series)}</c:chart></c:plotArea>"
    return read_chart(_xml(f"<c:chartSpace {DRAWN}><c:chart>{title}{plot}</c:chart></c:chartSpace>"))


def test_points_of_a_scatter_plot_stand_at_their_own_x() -> None:
    first = _points("tx", "North", kind="str") + _points("xVal", "1", "2") + _points("yVal", "10", "20")
    second = _points("tx", "South", kind="str") + _points("xVal", "2", "5", "5")
    chart = _chart(first, second + _points("yVal", "7", "8", "9"))
    assert chart.header == ("", "North", "South")
    assert chart.rows == (("1", "10", ""), ("2", "20", "7"), ("5", "", "8"), ("5", "", "9"))


def test_series_without_labels_have_those_of_the_first_that_has_some() -> None:
    chart = _chart(_points("val", "3", "4"), _points("cat", "May", "June", kind="str") + _points("val", "5"))
    assert chart.rows == (("May", "3", "5"), ("June", "4", ""))


def test_labels_of_several_levels_are_read_whole() -> None:
    def level(*points: tuple[int, str]) -> str:
        inside = "".join(f'<c:pt idx="{n}"><c:v>{text}</c:v></c:pt>' for n, text in points)
        return f"<c:lvl>{inside}</c:lvl>"

    levels = level((0, "Q1"), (1, "Q2"), (2, "Q1")) + level((0, "2025"), (2, "2026"))
    labels = f"<c:cat><c:multiLvlStrRef>{levels}</c:multiLvlStrRef></c:cat>"
    assert _chart(labels + _points("val", "1", "2", "3")).rows == (
        ("2025 Q1", "1"),
        ("2025 Q2", "2"),
        ("2026 Q1", "3"),
    )


def test_charts_of_newer_versions_are_read() -> None:
    space = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"'
    data = (
        '<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Start</cx:pt>'
        '<cx:pt idx="1">Sales</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="0.0">'
        '<cx:pt idx="0">4</cx:pt><cx:pt idx="1">-1.25</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>'
    )
    series = (
        "<cx:series><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx><cx:dataId val='0'/></cx:series>"
    )
    title = "<cx:title><cx:tx><cx:txData><cx:v>Bridge</cx:v></cx:txData></cx:tx></cx:title>"
    plot = f"<cx:plotArea><cx:plotAreaRegion>{series}</cx:plotAreaRegion></cx:plotArea>"
    chart = read_chart(
        _xml(f"<cx:chartSpace {space}>{data}<cx:chart>{title}{plot}</cx:chart></cx:chartSpace>")
    )
    assert (chart.title, chart.header) == ("Bridge", ("", "Cash"))
    assert chart.rows == (("Start", "4.0"), ("Sales", "-1.3"))


def test_words_are_whole_over_runs_and_apart_over_breaks_and_paragraphs() -> None:
    def run(text: str) -> str:
        return f"<a:r><a:t>{text}</a:t></a:r>"

    first = f"<a:p>{run('Val')}{run('ves')}<a:br/>{run('closed')}</a:p>"
    assert body_text(_xml(f"<p:txBody {DRAWN}>{first}<a:p>{run('x')}</a:p></p:txBody>")) == "Valves closed x"


def test_nodes_of_smartart_are_read_once_even_in_a_circle() -> None:
    def node(id_: str, *runs: str) -> str:
        inside = "".join(f"<a:r><a:t>{text}</a:t></a:r>" for text in runs)
        return f'<dgm:pt modelId="{id_}"><dgm:t><a:p>{inside}</a:p></dgm:t></dgm:pt>'

    links = "".join(f'<dgm:cxn srcId="{a}" destId="{b}"/>' for a, b in ("12", "34", "43"))
    nodes = node("1", "Pl", "an") + node("2", "draw") + node("3", "do") + node("4", "look")
    inside = f"<dgm:ptLst>{nodes}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst>"
    data = _xml(f"<dgm:dataModel {DRAWN}>{inside}</dgm:dataModel>")
    assert diagram_nodes(data) == [(0, "Plan"), (1, "draw"), (0, "do"), (1, "look")]


def test_of_alternatives_one_is_read() -> None:
    either = (
        "<mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>"
    )
    inside = either.format("<a:b/>", "<a:c/>") + either.format("", "<a:d><a:e/></a:d>")
    tree = _xml(f"<a:x {DRAWN}>{inside}</a:x>")
    assert [one.tag[-2:] for one in drawn(tree) if one.tag[-2] == "}"] == ["}b", "}d", "}e"]
