"""PPTX: slides as sections, what stands on them in reading order, and what hangs on them, marked."""

from __future__ import annotations

import pytest

from extracted import headings_of, parts_of, read
from office_files import CORE, DRAWN, frame, place, presentation, relationships, shape, slide
from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse
from pincite.parse.zips import Zip
from pincite.types import Document, Span

TITLE, BODY, NUMBER = 'type="title"', 'idx="1"', 'type="sldNum" idx="12"'
RELS = "ppt/slides/_rels/slide1.xml.rels"


def _read(*slides: str, **more: str) -> Document:
    parts = {name.replace("__", "/").replace("_xml", ".xml"): text for name, text in more.items()}
    return read("deck.pptx", presentation(slides, parts))


def _lines(*paragraphs: str) -> str:
    return "".join(f"<a:p>{one}</a:p>" for one in paragraphs)


def _words(text: str, properties: str = "") -> str:
    return f"{properties}<a:r><a:t>{text}</a:t></a:r>"


# ── slides ────────────────────────────────────────────────────────────────────────────────────
def test_a_slide_is_a_section_with_its_title_and_its_shapes_as_places() -> None:
    document = _read(
        shape("Title 1", "Pumps", holder=TITLE) + shape("Text 2", "Keep dry."),
        shape("Text 1", "No title here."),
    )
    assert parts_of(document) == [
        ("heading", "slide 1, Title 1", "Pumps"),
        ("paragraph", "slide 1, Text 2", "Keep dry."),
        ("paragraph", "slide 2, Text 1", "No title here."),
    ]
    assert document.title == "Pumps"
    assert [section.title for section in document.sections] == ["Pumps", ""]
    assert document.heading_path(document.blocks[-1].section) == ()
    assert document.origins.place(Span(0, 16)).part == "slide 1"
    assert document.origins.place(Span(0, len(document.text))).location("d.pptx") == "d.pptx#slide 1-2"


def test_slides_stand_under_the_title_slide() -> None:
    document = _read(
        shape("Title 1", "Yearly review", holder='type="ctrTitle"'), shape("Title 1", "Sales", holder=TITLE)
    )
    assert headings_of(document) == [(1, "Yearly review"), (2, "Sales")]


def test_hidden_slides_are_marked_and_lost_ones_named() -> None:
    hidden = slide(shape("Title 1", "Old prices", holder=TITLE), 'show="0"')
    assert texts(_read(hidden)) == ["[hidden slide] Old prices"]
    untitled = slide(shape("Text 1", "No title"), 'show="0"')
    assert texts(_read(untitled)) == ["[hidden slide]", "No title"]
    broken = presentation([""], {"ppt/_rels/presentation.xml.rels": relationships()})
    assert read("deck.pptx", broken).losses.dropped == ("slide 1: its part is missing in the file",)


def test_properties_become_metadata() -> None:
    document = read("deck.pptx", presentation([shape("T", "word")], {"docProps/core.xml": CORE}))
    assert (document.title, document.language) == ("Spare parts", "en")
    assert document.meta["author"] == "Ada Koray"


def test_footers_are_listed_once_as_left_out_and_hidden_shapes_named() -> None:
    footer = shape("Footer 3", "For members only", holder='type="ftr" idx="11"')
    hidden = shape("Old", "secret").replace('id="2"', 'id="2" hidden="1"')
    group = f"<p:grpSp><p:nvGrpSpPr><p:cNvPr hidden='1'/></p:nvGrpSpPr>{shape('In', 'more')}</p:grpSp>"
    number = '<a:p><a:fld type="slidenum"><a:t>2</a:t></a:fld></a:p>'
    document = _read(
        shape("T", "First") + footer + hidden + group,
        shape("T", "Second") + footer + shape("N", number, holder=NUMBER),
    )
    assert texts(document) == ["First", "Second"]
    assert [
        (document.text[cut.span.start : cut.span.end], cut.reason, document.origins.place(cut.span).part)
        for cut in document.left_out
    ] == [("For members only", "slide footer", "slide 1, Footer 3")]
    assert document.losses.dropped == ("slide 1: a hidden shape (2)",)


# ── reading order ─────────────────────────────────────────────────────────────────────────────
def test_shapes_are_read_from_top_left_to_bottom_right_through_groups() -> None:
    group = (
        "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x='0' y='100'/><a:ext cx='200' cy='100'/>"
        "<a:chOff x='5000' y='9000'/><a:chExt cx='400' cy='200'/></a:xfrm></p:grpSpPr>"
        f"{shape('b', 'right', at=place(5300, 9010))}{shape('a', 'left', at=place(5000, 9000))}</p:grpSp>"
    )
    tree = (
        shape("d", "bottom", at=place(0, 400))
        + group
        + shape("n", "7", holder=NUMBER, at=place(0, 0))
        + shape("t", "Title", holder=TITLE, at=place(0, 800))
        + shape("c", "top", at=place(300, 0))
    )
    assert texts(_read(tree)) == ["Title", "top", "left", "right", "bottom"]


def test_headings_over_columns_go_with_their_columns() -> None:
    tree = "".join(
        [
            shape("b1", "It is cheap.", at=place(0, 200, 400, 600)),
            shape("b2", "It is slow.", at=place(500, 210, 400, 600)),
            shape("h2", "Cons", at=place(500, 100, 400, 60)),
            shape("h1", "Pros", at=place(0, 100, 400, 60)),
        ]
    )
    assert texts(_read(tree)) == ["Pros", "It is cheap.", "Cons", "It is slow."]


def test_a_placeholder_stands_where_its_layout_has_it() -> None:
    layout = slide(shape("L", "prompt", holder='type="body" idx="1"', at=place(0, 10)))
    more = {
        RELS: relationships(("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml")),
        "ppt/slideLayouts/slideLayout1.xml": layout,
    }
    tree = shape("below", "second", at=place(0, 300)) + shape("held", "first", holder=BODY)
    assert texts(read("deck.pptx", presentation([tree], more))) == ["first", "second"]


def test_a_layout_of_many_slides_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Zip.__init__.__kwdefaults__, "limit", 200_000)
    layout = slide(shape("L", "prompt " * 10_000, holder='type="body" idx="1"', at=place(0, 10)))
    more = {"ppt/slideLayouts/slideLayout1.xml": layout}
    reference = relationships(("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml"))
    more |= {f"ppt/slides/_rels/slide{n}.xml.rels": reference for n in range(1, 11)}
    document = read("deck.pptx", presentation([shape("T", f"Slide {n}") for n in range(10)], more))
    assert texts(document) == [f"Slide {n}" for n in range(10)] and not document.losses.dropped


# ── text ──────────────────────────────────────────────────────────────────────────────────────
def test_lists_keep_their_levels_and_numbers() -> None:
    dot, deep = '<a:pPr><a:buChar char="•"/></a:pPr>', '<a:pPr lvl="1"><a:buChar char="–"/></a:pPr>'
    number = '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>'
    tree = shape(
        "Text 1",
        _lines(
            _words("Before:"), _words("one", dot), _words("under one", deep), _words("two", dot),
            _words("first", number), _words("second", number),
        ),
    )  # fmt: skip
    assert parts_of(_read(tree)) == [
        ("paragraph", "slide 1, Text 1", "Before:"),
        ("list", "slide 1, Text 1", "one\n  under one"),
        ("list", "slide 1, Text 1", "two"),
        ("list", "slide 1, Text 1", "a) first"),
        ("list", "slide 1, Text 1", "b) second"),
    ]


def test_line_breaks_fields_symbols_and_equations() -> None:
    wings = '<a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>\uf0e0</a:t></a:r>'
    field = '<a:fld type="slidenum"><a:t>9</a:t></a:fld><a:fld type="datetime1"><a:t>May 2026</a:t></a:fld>'
    sum_ = "<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>"
    fallback = f"<mc:Fallback>{_words('?')}</mc:Fallback>"
    choice = f"<mc:AlternateContent><mc:Choice>{sum_}</mc:Choice>{fallback}</mc:AlternateContent>"
    tree = shape("Text 1", _lines(_words("in") + wings + _words("out") + "<a:br/>" + field, choice))
    assert texts(_read(tree)) == ["in→out\nMay 2026", "a+b"]


# ── tables, charts, SmartArt, pictures ────────────────────────────────────────────────────────
def _cell(text: str, attribute: str = "id", value: int = 0) -> str:
    return f"<a:tc {attribute}='{value}'><a:txBody>{_lines(_words(text)) if text else ''}</a:txBody></a:tc>"


def test_tables_have_a_header_and_repeat_merged_cells() -> None:
    table = (
        '<a:tbl><a:tblPr firstRow="1"/>'
        f"<a:tr>{_cell('Pump')}{_cell('Load', 'gridSpan', 2)}{_cell('', 'hMerge', 1)}</a:tr>"
        f"<a:tr>{_cell('')}{_cell('min')}{_cell('max')}</a:tr>"
        f"<a:tr>{_cell('P1', 'rowSpan', 2)}{_cell('3')}{_cell('9')}</a:tr>"
        f"<a:tr>{_cell('', 'vMerge', 1)}{_cell('4')}{_cell('')}</a:tr></a:tbl>"
    )
    document = _read(frame("Table 3", table))
    header = "Pump | Load | Load\n| min | max"
    assert parts_of(document) == [
        ("table", "slide 1, Table 3", header),
        ("row", "slide 1, Table 3", "P1 | 3 | 9"),
        ("row", "slide 1, Table 3", "P1 | 4"),
    ]
    assert document.blocks[-1].header == header


def test_a_list_of_names_and_values_has_no_header() -> None:
    lines = [("Owner", "Pia Koch"), ("Hull number", "DE-KCH-33812"), ("Length", "12.5 m")]
    inner = "".join(f"<a:tr>{_cell(name)}{_cell(value)}</a:tr>" for name, value in lines)
    document = _read(frame("Table 3", f'<a:tbl><a:tblPr firstRow="1"/>{inner}</a:tbl>'))
    assert [(b.kind, b.header) for b in document.blocks] == [("row", "")] * 3


def test_a_long_merged_cell_stands_once() -> None:
    long = "Seal kits are kept dry. " * 10
    head = f"<a:tr>{_cell(long.strip(), 'gridSpan', 2)}{_cell('', 'hMerge', 1)}</a:tr>"
    document = _read(frame("Table 3", f"<a:tbl>{head}<a:tr>{_cell('a')}{_cell('b')}</a:tr></a:tbl>"))
    assert texts(document) == [long.strip(), "a | b"]


def _points(name: str, *values: str, code: str = "") -> str:
    points = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values))
    kind = "num" if code else "str"
    shown = f"<c:formatCode>{code}</c:formatCode>" if code else ""
    return f"<c:{name}><c:{kind}Ref><c:{kind}Cache>{shown}{points}</c:{kind}Cache></c:{kind}Ref></c:{name}>"


def test_charts_are_tables_of_what_they_show() -> None:
    values = _points("val", "0.25", "0.5", code="0%")
    series = f"<c:ser>{_points('tx', 'Sales')}{_points('cat', 'Q1', 'Q2')}{values}</c:ser>"
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Share</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    plot = f"<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea>"
    chart = f"<c:chartSpace {DRAWN}><c:chart>{title}{plot}</c:chart></c:chartSpace>"
    more = {RELS: relationships(("rId9", "chart", "../charts/chart1.xml")), "ppt/charts/chart1.xml": chart}
    tree = frame("Chart 2", '<c:chart r:id="rId9"/>')
    document = read("deck.pptx", presentation([tree], more))
    assert texts(document) == ["[chart] Share\n| Sales", "Q1 | 25%", "Q2 | 50%"]
    assert document.blocks[-1].header == "[chart] Share\n| Sales"


def test_the_title_of_the_axis_of_categories_heads_their_column() -> None:
    def titled(words: str) -> str:
        return f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{words}</a:t></a:r></a:p></c:rich></c:tx></c:title>"

    values = _points("val", "3", "4", code="0")
    series = f"<c:ser>{_points('tx', 'Sales')}{_points('cat', 'Q1', 'Q2')}{values}</c:ser>"
    axes = f"<c:catAx>{titled('Quarter')}</c:catAx><c:valAx>{titled('Million')}</c:valAx>"
    chart = f"<c:chart><c:plotArea><c:barChart>{series}</c:barChart>{axes}</c:plotArea></c:chart>"
    more = {
        RELS: relationships(("rId9", "chart", "../charts/chart1.xml")),
        "ppt/charts/chart1.xml": f"<c:chartSpace {DRAWN}>{chart}</c:chartSpace>",
    }
    tree = frame("Chart 2", '<c:chart r:id="rId9"/>')
    document = read("deck.pptx", presentation([tree], more))
    assert texts(document) == ["[chart] Quarter, Million\nQuarter | Sales", "Q1 | 3", "Q2 | 4"]


def test_smartart_is_read_as_a_list_of_its_nodes() -> None:
    points = "".join(
        f'<dgm:pt modelId="{id_}"><dgm:t>{_lines(_words(text))}</dgm:t></dgm:pt>'
        for id_, text in (("2", "Second"), ("1", "First"), ("3", "detail"))
    )
    links = "".join(
        f'<dgm:cxn srcId="{a}" destId="{b}" srcOrd="{n}"/>'
        for a, b, n in (("0", "1", 0), ("0", "2", 1), ("1", "3", 0))
    )
    model = (
        f'<dgm:dataModel {DRAWN}><dgm:ptLst><dgm:pt modelId="0" type="doc"/>{points}</dgm:ptLst>'
        f"<dgm:cxnLst>{links}</dgm:cxnLst></dgm:dataModel>"
    )
    more = {
        RELS: relationships(("rId9", "diagramData", "../diagrams/data1.xml")),
        "ppt/diagrams/data1.xml": model,
    }
    tree = frame("Diagram 3", '<dgm:relIds r:dm="rId9"/>')
    assert texts(read("deck.pptx", presentation([tree], more))) == ["First\n  detail", "Second"]


def _picture(described: str) -> str:
    return f'<p:pic><p:nvPicPr><p:cNvPr id="5" name="Picture 5" descr="{described}"/></p:nvPicPr></p:pic>'


def test_pictures_are_kept_by_their_description_and_else_named() -> None:
    tree = _picture("A pump on a bench") + _picture("scan.png") + _picture("") + frame("Sheet", "<p:oleObj/>")
    document = _read(tree)
    assert parts_of(document) == [("paragraph", "slide 1, Picture 5", "[image: A pump on a bench]")]
    assert document.losses.dropped == ("slide 1: a picture (2)", "slide 1: an embedded object (Sheet)")
    bare = _read(_picture(""), shape("Text 1", "Body"))
    assert texts(bare) == ["Body"]
    assert bare.losses.dropped == ("slide 1, which has no text: a picture",)


def test_notes_and_comments_are_marked() -> None:
    notes = slide(
        shape("Notes 2", "Say it slowly.", holder='type="body" idx="1"')
        + shape("Number 3", "1", holder=NUMBER)
        + shape("Text 4", "Wait for questions.")
    )
    more = {
        RELS: relationships(
            ("rId1", "notesSlide", "../notesSlides/notesSlide1.xml"),
            ("rId2", "comments", "../comments/c1.xml"),
        ),
        "ppt/notesSlides/notesSlide1.xml": notes,
        "ppt/commentAuthors.xml": f'<p:cmAuthorLst {DRAWN}><p:cmAuthor id="3" name="Ada"/></p:cmAuthorLst>',
        "ppt/comments/c1.xml": f'<p:cmLst {DRAWN}><p:cm authorId="3" dt="2026-03-01T10:00:00">'
        "<p:text>Check this.</p:text></p:cm></p:cmLst>",
    }
    document = read("deck.pptx", presentation([shape("Text 1", "Body")], more))
    assert parts_of(document)[1:] == [
        ("paragraph", "slide 1, notes", "[notes] Say it slowly."),
        ("paragraph", "slide 1, notes", "[notes] Wait for questions."),
        ("paragraph", "slide 1, comment", "[comment by Ada, 2026-03-01] Check this."),
    ]


# ── files that cannot be read ─────────────────────────────────────────────────────────────────
def test_damaged_presentations_are_refused_by_name() -> None:
    good = presentation([shape("Text 1", "Body")])
    for bad, reason in (
        (good[: len(good) // 2], "zip"),
        (b"plain words", "not a zip file"),
        (presentation(["<p:sp>"]), "not valid XML"),
    ):
        with pytest.raises(InputError, match=reason) as caught:
            parse(source("deck.pptx", bad))
        assert "deck.pptx" in str(caught.value)


def test_a_damaged_slide_or_summary_costs_only_itself() -> None:
    broken = {"ppt/slides/slide2.xml": "<p:sld", "docProps/core.xml": "<x"}
    document = read("deck.pptx", presentation([shape("T", "First"), "", shape("T", "Third")], broken))
    assert parts_of(document) == [
        ("paragraph", "slide 1, T", "First"),
        ("paragraph", "slide 3, T", "Third"),
    ]
    assert [one.partition(" is not valid XML")[0] for one in document.losses.dropped] == [
        "ppt/slides/slide2.xml", "docProps/core.xml",
    ]  # fmt: skip


def test_groups_within_groups_are_read_however_deep() -> None:
    tree = "<p:grpSp>" * 100 + shape("Text 1", "Deep") + "</p:grpSp>" * 100
    assert texts(_read(tree)) == ["Deep"]


def test_a_damaged_part_that_the_text_can_do_without_is_named() -> None:
    more = {
        RELS: relationships(("rId1", "notesSlide", "../notesSlides/n1.xml"), ("rId9", "chart", "../c.xml")),
        "ppt/notesSlides/n1.xml": "<p:notes",
        "ppt/c.xml": "no XML",
    }
    tree = shape("Text 1", "Body") + frame("Chart 2", '<c:chart r:id="rId9"/>')
    document = read("deck.pptx", presentation([tree], more))
    assert texts(document) == ["Body"]
    assert [one.partition(" is not valid XML")[0] for one in document.losses.dropped] == [
        "ppt/c.xml", "ppt/notesSlides/n1.xml",
    ]  # fmt: skip
