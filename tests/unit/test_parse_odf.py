"""OpenDocument texts and presentations: headings, lists, tables, notes, changes, slides, and their places."""

from __future__ import annotations

from datetime import date
from time import process_time

import pytest

from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse
from pincite.types import Document
from word_files import blocks, odf_file, odf_part, parts, read_odt, sound

STYLES = (
    '<style:style style:name="Title" style:family="paragraph"/>'
    '<style:style style:name="Quotations" style:family="paragraph"/>'
    '<style:style style:name="Caption" style:family="paragraph"/>'
    '<style:style style:name="Preformatted_20_Text" style:family="paragraph"/>'
)
AUTOMATIC = (
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Caption"/>'
    '<style:style style:name="T1" style:family="text">'
    '<style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="T2" style:family="text">'
    '<style:text-properties style:text-position="super 58%"/></style:style>'
)


def odt(inside: str, automatic: str = "") -> bytes:
    return odf_file(inside, automatic=AUTOMATIC + automatic, styles=STYLES)


def t(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def test_headings_titles_quotes_and_code() -> None:
    body = (
        t("Pump manual", "P1")
        + h("Safety", 1)
        + t("Wear gloves.")
        + h("Valves", 2)
        + t("Twice.", "Quotations")
    )
    code = t("if x:", "Preformatted_20_Text") + t('<text:s text:c="4"/>y()', "Preformatted_20_Text")
    document = sound(odt(body + code), "a.odt")
    assert document.title == "Pump manual"
    assert [(s.title, s.level) for s in document.sections] == [
        ("Pump manual", 1),
        ("Safety", 1),
        ("Valves", 2),
    ]
    assert blocks(document)[-2:] == [("quote", "Twice."), ("code", "if x:\n    y()")]
    assert parts(document)[2] == "paragraph 3"


def test_white_space_breaks_tabs_and_spaces_as_the_format_has_them() -> None:
    body = t(
        "  one\n  two <text:span> three</text:span><text:tab/>four<text:line-break/>five<text:s text:c='3'/>6"
    )
    assert texts(read_odt(odt(body))) == ["one two three\tfour\nfive   6"]


def test_form_controls_are_named() -> None:
    document = read_odt(odt(t("a <draw:control draw:control='c1'/>b")))
    assert texts(document) == ["a b"]
    assert document.losses.dropped == ("paragraph 1: a form control",)


def test_scripts_are_no_text() -> None:
    assert texts(read_odt(odt(t("a <text:script>var x = 1;</text:script>b")))) == ["a b"]


def test_a_space_count_is_bounded() -> None:
    assert len(read_odt(odt(t('a<text:s text:c="99999999999"/>b'))).text) == 1_002


def test_powers_stay_powers_and_hidden_text_is_out_and_named() -> None:
    body = t(
        '10<text:span text:style-name="T2">6</text:span> m<text:span text:style-name="T1">secret</text:span>'
    )
    body += t('<text:hidden-text text:is-hidden="true">no</text:hidden-text>Seen.')
    body += t('<text:hidden-paragraph text:is-hidden="true"/>Never.')
    body += f'<text:section text:display="none">{t("Out.")}</text:section>'
    document = read_odt(odt(body))
    assert texts(document) == ["10⁶ m", "Seen."]
    assert document.losses.dropped == (
        "paragraph 1, paragraph 2, paragraph 3: hidden text (3 times)",
        "paragraph 3: a hidden section",
    )


LISTS = (
    '<text:list-style style:name="L1">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" '
    'text:display-levels="2"/>'
    '<text:list-level-style-bullet text:level="3" text:bullet-char="&#xf0b7;"/></text:list-style>'
)


def items(*inside: str, name: str = "L1", more: str = "") -> str:
    each = "".join(
        f"<text:list-item>{one if one.startswith('<') else t(one)}</text:list-item>" for one in inside
    )
    return (
        f"<text:list{f' text:style-name={chr(34)}{name}{chr(34)}' if name else ''} {more}>{each}</text:list>"
    )


def test_lists_are_numbered_as_shown() -> None:
    inner = items("in", "in", name="") + items(items("deep", name=""), name="")
    body = items("x", t("x") + inner, "x") + t("Text.") + items("y", more='text:continue-numbering="true"')
    body += (
        items("z") + '<text:list text:style-name="L1"><text:list-header>' + t("none") + "</text:list-header>"
    )
    body += f'<text:list-item text:start-value="7">{t("w")}{t("more")}</text:list-item></text:list>'
    document = sound(odt(body, LISTS), "a.odt")
    assert texts(document) == [
        "1. x",
        "2. x",
        "2.a) in",
        "2.b) in",
        "• deep",
        "3. x",
        "Text.",
        "4. y",
        "1. z",
        "none",
        "7. w",
        "more",
    ]
    assert [block.kind for block in document.blocks].count("list") == 9


def test_headings_are_numbered_by_the_outline() -> None:
    levels = "".join(
        f'<text:outline-level-style text:level="{n}" style:num-format="1" text:display-levels="{n}"/>'
        for n in (1, 2)
    )
    data = odf_file(
        h("A", 1) + h("B", 2) + h("C", 2) + h("D", 1) + h("E", 2),
        styles=f"<text:outline-style>{levels}</text:outline-style>",
    )
    assert [s.title for s in read_odt(data).sections] == ["1 A", "1.1 B", "1.2 C", "2 D", "2.1 E"]


def cell(text: str, **spans: int) -> str:
    given = " ".join(f'table:number-{name}-spanned="{count}"' for name, count in spans.items())
    return f"<table:table-cell {given}>{text if text.startswith('<') else t(text)}</table:table-cell>"


COVERED = "<table:covered-table-cell/>"


def table(*rows: str, head: str = "") -> str:
    top = f"<table:table-header-rows>{head}</table:table-header-rows>" if head else ""
    return f"<table:table>{top}{''.join(rows)}</table:table>"


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(c if c.startswith('<') else cell(c) for c in cells)}</table:table-row>"


def test_tables_have_headers_captions_and_merged_cells() -> None:
    body = t("Table 1: Prices", "P2") + table(
        row(cell("North", rows=2), "Seal", "4"),
        row(COVERED, "Pump", "90"),
        row("South", cell("sold out", columns=2), COVERED),
        head=row("Region", "Item", "Price"),
    )
    document = sound(odt(body), "a.odt")
    assert texts(document) == [
        "Table 1: Prices",
        "Region | Item | Price",
        "North | Seal | 4",
        "North | Pump | 90",
        "South | sold out",
    ]
    assert document.blocks[3].header == "Table 1: Prices\n\nRegion | Item | Price"
    assert parts(document) == [
        "paragraph 1",
        "table 1 row 1",
        "table 1 row 2",
        "table 1 row 3",
        "table 1 row 4",
    ]


def test_a_list_of_names_and_values_has_no_header_unless_it_says_so() -> None:
    lines = [row("Owner", "Pia Koch"), row("Hull number", "DE-KCH-33812"), row("Length", "12.5 m")]
    assert {(b.kind, b.header) for b in read_odt(odt(table(*lines))).blocks} == {("row", "")}
    stated = read_odt(odt(table(*lines[1:], head=lines[0])))
    assert stated.blocks[-1].header == "Owner | Pia Koch"


def test_repeated_cells_and_widths_are_bounded() -> None:
    wide = '<table:table-cell table:number-columns-repeated="1000000000"/>'
    many = f'<table:table-cell table:number-columns-repeated="1000000000">{t("x")}</table:table-cell>'
    assert len(read_odt(odt(table(row("a", wide, "b"), row("c", many)))).text) < 5_000


def test_tables_in_cells_that_are_repeated_are_read_once() -> None:
    nested = t("deep")
    for _ in range(4):
        cell = f'<table:table-cell table:number-columns-repeated="100">{nested}</table:table-cell>'
        nested = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    assert texts(read_odt(odt(nested))) == ["deep"]


def test_empty_cells_repeated_without_end_are_bounded() -> None:
    empty = '<table:covered-table-cell table:number-columns-repeated="999999"/>' * 5_000
    one, two = (f"<table:table-cell>{t(text)}</table:table-cell>" for text in ("a", "b"))
    table = f"<table:table><table:table-row>{one}{empty}{two}</table:table-row></table:table>"
    start = process_time()
    cells = texts(read_odt(odt(table)))
    assert process_time() - start < 3  # some 10 s and 1 GB if each were made
    assert [cell.strip() for cell in cells[0].split("|") if cell.strip()] == ["a", "b"]


def test_notes_and_comments_follow_their_paragraph() -> None:
    note = (
        '<text:note text:note-class="{}"><text:note-citation>{}</text:note-citation>'
        "<text:note-body>{}</text:note-body></text:note>"
    )
    comment = "<office:annotation><dc:creator>Ann Lee</dc:creator><dc:date>2026-01-01</dc:date>"
    comment += t("Check.") + "</office:annotation>"
    body = t(
        "Fees"
        + note.format("footnote", "1", t("By law."))
        + " rise"
        + note.format("endnote", "i", t("Yearly."))
    )
    document = sound(odt(body + t(f"Next{comment}.")), "a.odt")
    assert texts(document) == [
        "Fees[1] rise[i]",
        "[footnote 1] By law.",
        "[endnote i] Yearly.",
        "Next.",
        "[comment by Ann Lee] Check.",
    ]
    assert parts(document) == ["paragraph 1", "footnote 1", "endnote i", "paragraph 2", "comment 1"]


REGIONS = (
    "<text:tracked-changes>"
    '<text:changed-region text:id="i"><text:insertion/></text:changed-region>'
    '<text:changed-region text:id="j"><text:insertion/></text:changed-region>'
    f'<text:changed-region text:id="d"><text:deletion>{t("400")}</text:deletion></text:changed-region>'
    "</text:tracked-changes>"
)


def between(id: str, text: str) -> str:
    return f'<text:change-start text:change-id="{id}"/>{text}<text:change-end text:change-id="{id}"/>'


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("final", ["The fee is 450 EUR.", "One", "two."]),
        ("original", ["The fee is 400 EUR.", "Onetwo."]),
        ("all", ["The fee is [deleted: 400][inserted: 450] EUR.", "One", "two."]),
    ],
)
def test_tracked_changes(mode: str, expected: list[str]) -> None:
    body = REGIONS + t('The fee is <text:change text:change-id="d"/>' + between("i", "450") + " EUR.")
    body += t('One<text:change-start text:change-id="j"/>') + t('<text:change-end text:change-id="j"/>two.')
    document = read_odt(odt(body), mode)
    assert texts(document) == expected
    assert document.meta["tracked_changes"] is True


def test_a_deletion_is_shown_once_however_often_it_is_named() -> None:
    body = REGIONS + t('<text:change text:change-id="d"/>' * 50)
    assert texts(read_odt(odt(body), "original")) == ["400"]


def test_boxes_pictures_formulas_and_charts() -> None:
    box = f"<draw:frame><draw:text-box>{t('In the box.')}</draw:text-box></draw:frame>"
    picture = "<draw:frame><draw:image/><svg:desc>A red button</svg:desc></draw:frame>"
    picture += "<draw:frame><draw:image/></draw:frame>"
    formula = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>'
    chart = '<draw:frame><draw:object xlink:href="./Object 2"/><draw:image/></draw:frame>'
    ole = "<draw:frame><draw:object-ole/></draw:frame>"
    more = {
        "Object 1/content.xml": odf_part(
            "math:math",
            "<math:mi>E</math:mi><math:mo>=</math:mo><math:msup><math:mi>c</math:mi><math:mn>2</math:mn></math:msup>",
        ),
        "Object 2/content.xml": odf_part(
            "office:document-content",
            f"<chart:chart><chart:title>{t('Sales')}</chart:title>"
            f"{table(row('May', '4'), head=row('', 'Units'))}</chart:chart>",
        ),
    }
    body = t(f"Before {box}after {formula}.") + t(picture) + t(chart) + t(ole)
    document = sound(odf_file(body, more=more), "a.odt")
    assert texts(document) == [
        "Before after E=c^2.",
        "In the box.",
        "[image: A red button]",
        "[chart] Sales",
        "| Units",
        "May | 4",
    ]
    assert document.losses.dropped == (
        "paragraph 2: a picture without a description",
        "paragraph 4: an embedded file",
    )


def test_contents_headers_and_footers_are_in_no_block() -> None:
    index = f"<text:index-body>{t('Safety 3')}{t('Repair 9')}</text:index-body>"
    index = f"<text:table-of-content>{index}</text:table-of-content>"
    master = odf_part(
        "office:document-styles",
        "<office:master-styles><style:master-page>"
        f"<style:header>{t('Draft 7')}</style:header><style:footer>{t('Page 1')}</style:footer>"
        "</style:master-page></office:master-styles>",
    )
    document = sound(odf_file(index + t("Body."), more={"styles.xml": master}), "a.odt")
    assert texts(document) == ["Body."]
    assert [(document.text[cut.span.start : cut.span.end], cut.reason) for cut in document.left_out] == [
        ("Safety 3\nRepair 9", "table of contents"),
        ("Draft 7", "page header"),
        ("Page 1", "page footer"),
    ]


def with_meta(pages: int) -> Document:
    meta = (
        "<office:meta><dc:title>Spare parts</dc:title><meta:initial-creator>Ada Koray</meta:initial-creator>"
        "<dc:creator>Someone Else</dc:creator><meta:creation-date>2026-03-01T10:00:00</meta:creation-date>"
        "<meta:keyword>pump</meta:keyword><meta:keyword>seal</meta:keyword><dc:language>en-GB</dc:language>"
        f'<meta:document-statistic meta:page-count="{pages}"/></office:meta>'
    )
    body = t("One.") + "<text:soft-page-break/>" + t("Two <text:soft-page-break/>three.")
    return sound(odf_file(body, more={"meta.xml": odf_part("office:document-meta", meta)}), "a.odt")


def test_metadata_and_pages_that_agree_with_it() -> None:
    document = with_meta(3)
    assert (document.title, document.language) == ("Spare parts", "en")
    assert document.meta == {"author": "Ada Koray", "date": date(2026, 3, 1), "keywords": ("pump", "seal")}
    places = [document.origins.place(block.span) for block in document.blocks]
    assert [(place.page, place.page_end) for place in places] == [(1, None), (2, 3)]
    assert all(with_meta(4).origins.place(block.span).page is None for block in with_meta(4).blocks)


def frame(kind: str, *inside: str) -> str:
    text = "".join(t(one) for one in inside)
    return f'<draw:frame presentation:class="{kind}"><draw:text-box>{text}</draw:text-box></draw:frame>'


SLIDES = (
    '<draw:page draw:name="a">'
    + frame("outline", "Body one.")
    + frame("title", "Pump", "sales")
    + f"<draw:g><draw:custom-shape>{t('Shape text.')}</draw:custom-shape></draw:g>"
    + frame("footer", "Acme")
    + f"<presentation:notes>{frame('notes', 'Say hello.')}</presentation:notes></draw:page>"
    + '<draw:page draw:style-name="dp2">'
    + f"<draw:frame>{table(row('A', 'B'), row('1', '2'))}</draw:frame></draw:page>"
)
HIDDEN = (
    '<style:style style:name="dp2" style:family="drawing-page">'
    '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
)


def test_slides_have_their_title_first_and_notes_last() -> None:
    document = sound(odf_file(SLIDES, kind="presentation", automatic=HIDDEN), "a.odp")
    assert document.type == "odp"
    assert blocks(document) == [
        ("heading", "Pump sales"),
        ("paragraph", "Body one."),
        ("paragraph", "Shape text."),
        ("paragraph", "[notes] Say hello."),
        ("paragraph", "[hidden slide]"),
        ("table", "A | B"),
        ("row", "1 | 2"),
    ]
    assert parts(document)[:4] == ["slide 1"] * 4 and parts(document)[5:] == ["slide 2"] * 2
    assert [cut.reason for cut in document.left_out] == ["slide footer"]
    assert [section.title for section in document.sections] == ["Pump sales", ""]


def test_a_slide_whose_title_is_empty_is_a_section_of_its_own() -> None:
    def page(title: str, body: str) -> str:
        titled = f'<draw:frame presentation:class="title"><draw:text-box>{title}</draw:text-box></draw:frame>'
        below = f"<draw:frame><draw:text-box>{t(body)}</draw:text-box></draw:frame>"
        return f"<draw:page>{titled}{below}</draw:page>"

    document = sound(odf_file(page(t("One"), "first") + page("", "second"), kind="presentation"), "a.odp")
    assert [section.title for section in document.sections] == ["One", ""]
    assert document.heading_path(document.blocks[-1].section) == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"words", "this is not a valid OpenDocument file"),
        (odf_file("", more={"content.xml": "<x/>"}), "content.xml holds no text document"),
        (odf_file("", more={"content.xml": "<x"}), "content.xml is not valid XML"),
        (
            odf_file(
                "",
                more={"META-INF/manifest.xml": odf_part("manifest:manifest", "<manifest:encryption-data/>")},
            ),
            "locked with a password",
        ),
    ],
)
def test_what_cannot_be_read_is_told_by_name(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(source("folder/a.odt", data))
    assert message in caught.value.message and "folder/a.odt" in caught.value.message


def test_a_damaged_member_that_the_text_can_do_without_is_named() -> None:
    document = read_odt(odf_file(t("Text."), more={"styles.xml": "<x", "meta.xml": "<y"}))
    assert texts(document) == ["Text."]
    styles, meta = document.losses.dropped
    assert styles.startswith("styles.xml is not valid XML") and meta.startswith("meta.xml is not valid XML")


def test_a_cut_file_is_refused_at_any_length() -> None:
    good = odt(t("Good."))
    for end in range(1, len(good), 97):
        with pytest.raises(InputError):
            parse(source("a.odt", good[:end]))
