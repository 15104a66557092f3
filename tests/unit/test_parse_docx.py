"""Word files: headings, text, notes, changes, drawings, and where each block stands."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest

from office_files import CORE, relationships, zipped
from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse
from word_files import blocks, p, parts, read_word, row, run, sound, table, word_file

STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="N"/>
  <w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Ours"><w:name w:val="Chapter of ours"/>
  <w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="U2"><w:name w:val="Überschrift 2"/></w:style>
<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="C1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
"""


def styled(text: str, style: str) -> str:
    return p(text, f'<w:pStyle w:val="{style}"/>')


def test_headings_come_from_outline_levels_inherited_ones_and_names_in_other_languages() -> None:
    body = (
        styled("Pump manual", "T")
        + styled("Safety", "berschrift1")
        + p("Wear gloves.")
        + styled("Valves", "U2")
        + p("Close valve B.")
        + styled("Repair", "Ours")
        + p("By hand", '<w:outlineLvl w:val="1"/>')
        + p("Call us.", '<w:pStyle w:val="Loop"/>')
    )
    document = sound(word_file(body, styles=STYLES))
    assert document.title == "Pump manual"
    assert [(s.title, s.level) for s in document.sections] == [
        ("Pump manual", 1),
        ("Safety", 1),
        ("Valves", 2),
        ("Repair", 1),
        ("By hand", 2),
    ]
    assert document.heading_path(document.blocks[4].section) == ("Safety", "Valves")
    assert parts(document)[4] == "paragraph 5"


def test_a_long_paragraph_in_a_heading_style_is_text() -> None:
    document = read_word(word_file(styled("word " * 80, "berschrift1"), styles=STYLES))
    assert document.blocks[0].kind == "paragraph" and not document.sections
    titled = read_word(word_file(styled("word " * 80, "T") + styled("Pumps", "T"), styles=STYLES))
    assert titled.title == "Pumps"


def test_quotes_and_code_and_contents_are_told_by_their_style() -> None:
    body = styled("Safety\t3", "C1") + styled("Repair\t9", "C1") + styled("Measure twice.", "Q")
    body += styled("if x:", "Code") + styled("    y()", "Code")
    document = sound(word_file(body, styles=STYLES))
    assert blocks(document) == [("quote", "Measure twice."), ("code", "if x:\n    y()")]
    assert [(document.text[cut.span.start : cut.span.end], cut.reason) for cut in document.left_out] == [
        ("Safety\t3\nRepair\t9", "table of contents")
    ]


def test_breaks_tabs_hyphens_and_symbols_are_text() -> None:
    runs = (
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>non</w:t><w:noBreakHyphen/><w:t>stop</w:t></w:r>"
        '<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'
        '<w:r><w:sym w:font="Webdings" w:char="F041"/></w:r>'
    )
    document = read_word(word_file(p(raw=runs)))
    assert texts(document) == ["a\tb\nnon-stopα✓"]
    assert document.losses.dropped == ("paragraph 1: the symbol F041 of the font Webdings",)


def test_a_power_of_a_number_is_not_more_digits_of_it() -> None:
    up = '<w:vertAlign w:val="superscript"/>'
    runs = run("10") + run("6", up) + run(" per m") + run("2", up) + run(" and 5") + run("-3", up)
    assert texts(read_word(word_file(p(raw=runs)))) == ["10⁶ per m2 and 5⁻³"]


def test_fields_give_their_result_and_not_their_code() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        "<w:r><w:t>inner code</w:t></w:r>"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>page 9</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    simple = '<w:fldSimple w:instr="TITLE"><w:r><w:t>Manual</w:t></w:r></w:fldSimple>'
    body = p(raw=run("See ") + field + run(" of the ") + simple + run("."))
    assert texts(read_word(word_file(body))) == ["See page 9 of the Manual."]


def test_a_field_that_is_never_closed_hides_nothing() -> None:
    body = p(raw='<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("Close valve B.")) + p("Then rest.")
    assert texts(read_word(word_file(body))) == ["Close valve B.", "Then rest."]


def test_what_is_wrapped_in_controls_links_and_tags_is_text() -> None:
    link = f'<w:hyperlink r:id="rId9">{run("our site")}</w:hyperlink>'
    tag = f'<w:smartTag>{run(" in ")}<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>'
    tag += f"{run('Oslo')}</w:sdtContent></w:sdt></w:smartTag>"
    body = f"<w:sdt><w:sdtContent>{p(raw=run('See ') + link + tag)}</w:sdtContent></w:sdt>{p('Next.')}"
    document = read_word(word_file(body))
    assert texts(document) == ["See our site in Oslo", "Next."]
    assert parts(document) == ["paragraph 1", "paragraph 2"]


def test_check_boxes_and_lists_of_forms_show_their_state() -> None:
    box = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>'
    box += '</w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    choice = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/>'
    choice += '<w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData></w:fldChar></w:r>'
    choice += '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    assert texts(read_word(word_file(p(raw=box + run(" paid, ") + choice)))) == ["☒ paid, blue"]


def test_hidden_text_is_out_and_named() -> None:
    body = p(
        raw=run("Seen. ") + run("Not this. ", "<w:vanish/>") + run("Nor that.", '<w:rStyle w:val="Secret"/>')
    )
    body += p(raw=run("Shown.", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>'))
    document = read_word(word_file(body, styles=STYLES))
    assert texts(document) == ["Seen.", "Shown."]
    assert document.losses.dropped == ("paragraph 1: hidden text (2 times)",)


def test_what_is_left_behind_is_named_in_few_words_however_much_it_is() -> None:
    hidden = p(raw=run("No.", "<w:vanish/>")) * 5_000
    symbols = "".join(f'<w:r><w:sym w:font="F{i}" w:char="E000"/></w:r>' for i in range(5_000))
    dropped = read_word(word_file(hidden + p(raw=symbols))).losses.dropped
    assert dropped[0] == (
        "paragraph 1, paragraph 2, paragraph 3, paragraph 4, paragraph 5 …: hidden text (5000 times)"
    )
    assert len(dropped) == 201 and dropped[-1] == "paragraph 5001: more of other kinds (4801 times)"


def test_notes_and_comments_follow_the_paragraph_that_refers_to_them() -> None:
    body = p(
        raw=run("Fees rise")
        + '<w:r><w:footnoteReference w:id="2"/></w:r>'
        + run(" in May")
        + '<w:r><w:endnoteReference w:id="3"/></w:r><w:r><w:commentReference w:id="0"/></w:r>'
        + '<w:r><w:footnoteReference w:id="2"/></w:r>'
    ) + p("Next.")
    notes = '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>-</w:t></w:r></w:p></w:footnote>'
    document = sound(
        word_file(
            body,
            footnotes=notes + f'<w:footnote w:id="2">{p("By law.")}{p("Twice.")}</w:footnote>',
            endnotes=f'<w:endnote w:id="3">{p("Each year.")}</w:endnote>',
            comments=f'<w:comment w:id="0" w:author="Ann Lee">{p("Check this.")}</w:comment>'
            f'<w:comment w:id="1">{p("Lost.")}</w:comment>',
        )
    )
    assert texts(document) == [
        "Fees rise[1] in May[i][1]",
        "[footnote 1] By law.\nTwice.",
        "[endnote i] Each year.",
        "[comment by Ann Lee] Check this.",
        "Next.",
        "[comment] Lost.",
    ]
    assert parts(document) == [
        "paragraph 1",
        "footnote 1",
        "endnote i",
        "comment 1",
        "paragraph 2",
        "comment 2",
    ]


CHANGED = (
    p(
        raw=run("The fee is ")
        + f'<w:del w:id="1">{run("400")}</w:del><w:ins w:id="2">{run("450")}</w:ins>'
        + run(" EUR.")
    )
    + p(raw=f'<w:ins w:id="3">{run("New clause.")}</w:ins>', properties='<w:rPr><w:ins w:id="4"/></w:rPr>')
    + p(raw=f'<w:del w:id="5">{run("Old clause.")}</w:del>', properties='<w:rPr><w:del w:id="6"/></w:rPr>')
    + p(raw=f'<w:moveFrom w:id="7">{run("Six weeks.")}</w:moveFrom>')
    + p(raw=run("Notice: ") + f'<w:moveTo w:id="8">{run("Six weeks.")}</w:moveTo>')
    + table(
        row("Kept", "1"),
        row("Gone", "2", properties='<w:del w:id="9"/>'),
        row("Came", "3", properties='<w:ins w:id="9"/>'),
    )
)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("final", ["The fee is 450 EUR.", "New clause.", "Notice: Six weeks.", "Kept | 1", "Came | 3"]),
        ("original", ["The fee is 400 EUR.", "Old clause.", "Six weeks.", "Notice:", "Kept | 1", "Gone | 2"]),
        (
            "all",
            [
                "The fee is [deleted: 400][inserted: 450] EUR.",
                "[inserted: New clause.]",
                "[deleted: Old clause.]",
                "[deleted: Six weeks.]",
                "Notice: [inserted: Six weeks.]",
                "Kept | 1",
                "[deleted: Gone] | [deleted: 2]",
                "[inserted: Came] | [inserted: 3]",
            ],
        ),
    ],
)
def test_tracked_changes(mode: str, expected: list[str]) -> None:
    document = read_word(word_file(CHANGED), mode)
    assert texts(document) == expected
    assert document.meta["tracked_changes"] is True


def test_a_paragraph_whose_end_was_deleted_joins_the_next() -> None:
    body = (
        p("One ", '<w:rPr><w:del w:id="1"/></w:rPr>')
        + p("two.")
        + p("End ", '<w:rPr><w:del w:id="2"/></w:rPr>')
    )
    document = sound(word_file(body))
    assert texts(document) == ["One two.", "End"]
    assert parts(document) == ["paragraph 1-2", "paragraph 3"]
    assert texts(read_word(word_file(body), "original")) == ["One", "two.", "End"]


def test_a_file_without_changes_does_not_say_it_has_any() -> None:
    assert "tracked_changes" not in read_word(word_file(p("Plain."))).meta


BOX = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"


def test_a_text_box_with_a_fallback_is_read_once_and_after_its_paragraph() -> None:
    choice = f"<wp:anchor><a:graphic><wps:wsp><wps:txbx>{BOX}</wps:txbx></wps:wsp></a:graphic></wp:anchor>"
    both = (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{choice}</w:drawing></mc:Choice>'
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    document = sound(word_file(p(raw=run("Before ") + both + run("after."))))
    assert texts(document) == ["Before after.", "In the box."]
    assert parts(document) == ["paragraph 1", "paragraph 1"]
    alone = f"<w:r><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r>"
    assert texts(read_word(word_file(p(raw=alone)))) == ["In the box."]


def picture(description: str, place: str = "inline") -> str:
    inside = (
        f'<wp:docPr id="1" name="x" descr="{description}"/><a:graphic><a:blip r:embed="rId5"/></a:graphic>'
    )
    return f"<w:r><w:drawing><wp:{place}>{inside}</wp:{place}></w:drawing></w:r>"


def test_pictures_give_their_description_or_are_named() -> None:
    body = p(raw=run("Press ") + picture("the red button") + run(".")) + p(
        raw=picture("A duck", "anchor") + run("Text.")
    )
    document = read_word(word_file(body + p(raw=picture("scan001.png")) + p(raw=picture(""))))
    assert texts(document) == ["Press [image: the red button].", "Text.", "[image: A duck]"]
    assert document.losses.dropped == ("paragraph 3, paragraph 4: a picture without a description (2 times)",)


def test_embedded_files_and_macros_are_named_and_not_read() -> None:
    ole = '<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12" r:id="rId7"/></w:object></w:r>'
    data = word_file(
        p(raw=run("Sheet: ") + ole) + '<w:altChunk r:id="rId8"/>',
        more={
            "word/_rels/document.xml.rels": relationships(("r1", "vbaProject", "vbaProject.bin")),
            "word/vbaProject.bin": b"x",
        },
    )
    document = read_word(data)
    assert texts(document) == ["Sheet:"]
    assert document.losses.dropped == (
        "paragraph 1: an embedded file (Excel.Sheet.12)",
        "paragraph 1: an imported file",
        "macros (never run)",
    )


def test_a_chart_is_a_table_of_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = (
        '<w:r><w:drawing><wp:inline><a:graphic><c:chart r:id="c1"/></a:graphic></wp:inline></w:drawing></w:r>'
    )
    points = '<c:pt idx="0"><c:v>{}</c:v></c:pt>'
    series = (
        f"<c:ser><c:tx><c:strRef><c:strCache>{points.format('Sales')}</c:strCache></c:strRef></c:tx>"
        f"<c:cat><c:strRef><c:strCache>{points.format('May')}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:numCache>{points.format('4.3')}</c:numCache></c:numRef></c:val></c:ser>"
    )
    space = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    plot = f"<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea>"
    chart = f"<c:chartSpace {space}><c:chart>{plot}</c:chart></c:chartSpace>"
    data = word_file(
        p(raw=drawing),
        more={
            "word/_rels/document.xml.rels": relationships(("c1", "chart", "charts/c.xml")),
            "word/charts/c.xml": chart,
        },
    )
    assert blocks(sound(data)) == [("paragraph", "[chart]"), ("table", "| Sales"), ("row", "May | 4.3")]
    monkeypatch.setattr("pincite.parse.office.chart.MAX_POINTS", 0)
    document = read_word(data)
    assert document.losses.dropped == ("paragraph 1: 1 rows or series of a chart (beyond the limit)",)


def test_equations_are_a_line_of_text() -> None:
    def r(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    fraction = f"<m:f><m:num>{r('a+b')}</m:num><m:den>{r('2')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{r('x')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>"
    sign = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
    total = f"<m:nary>{sign}<m:sub>{r('i=1')}</m:sub><m:sup>{r('n')}</m:sup><m:e>{r('i')}</m:e></m:nary>"
    root = f"<m:rad><m:deg/><m:e>{r('y')}</m:e></m:rad>"
    body = p(
        raw=run("So ")
        + f"<m:oMath>{fraction}{r('=')}{power}{r('+')}{total}{r('+')}{root}</m:oMath>"
        + run(".")
    )
    assert texts(read_word(word_file(body))) == ["So (a+b)/2=x^2+∑_(i=1)^n i+√(y)."]


def test_equations_beside_each_other_and_between_paragraphs_are_whole() -> None:
    one, two = (f"<m:oMath><m:r><m:t>{text}</m:t></m:r></m:oMath>" for text in ("a=b", "c=d"))
    between = f"<m:oMathPara>{one}</m:oMathPara>"
    document = sound(word_file(p(raw=one + two) + between + p("Then.")))
    assert texts(document) == ["a=b c=d", "a=b", "Then."]
    assert parts(document) == ["paragraph 1", "paragraph 2", "paragraph 3"]


def test_equations_are_read_however_deep() -> None:
    deep = "<m:oMath>" * 230 + "<m:r><m:t>x</m:t></m:r>" + "</m:oMath>" * 230
    assert texts(read_word(word_file(p(raw=deep)))) == ["x"]


def test_of_alternatives_within_a_run_one_is_text() -> None:
    space = 'xmlns:e="http://schemas.microsoft.com/office/word/2015/wordml/symex"'
    known = f'<mc:Choice><e:symEx {space} e:font="Segoe UI Emoji" e:char="1F60A"/></mc:Choice>'
    older = "<mc:Fallback><w:t>\N{SMILING FACE WITH OPEN MOUTH}</w:t></mc:Fallback>"
    first = f"<w:r><mc:AlternateContent>{known}{older}</mc:AlternateContent></w:r>"
    second = f"<w:r><mc:AlternateContent>{older}</mc:AlternateContent><w:t>one\ntwo</w:t></w:r>"
    assert texts(read_word(word_file(p(raw=first + second)))) == [
        "\N{SMILING FACE WITH SMILING EYES}\N{SMILING FACE WITH OPEN MOUTH}one two"
    ]


def test_notes_with_marks_of_their_own_are_not_counted() -> None:
    notes = "".join(
        f'<w:footnote w:id="{n}">{p(text)}</w:footnote>' for n, text in ((2, "Own."), (3, "Next."))
    )
    own = '<w:r><w:footnoteReference w:id="2" w:customMarkFollows="1"/><w:t>*</w:t></w:r>'
    body = p(raw=run("Close") + own + run(" it") + '<w:r><w:footnoteReference w:id="3"/></w:r>')
    document = sound(word_file(body, footnotes=notes))
    assert texts(document) == ["Close* it[1]", "[footnote *] Own.", "[footnote 1] Next."]
    assert parts(document) == ["paragraph 1", "footnote *", "footnote 1"]


def test_a_note_that_hidden_text_refers_to_is_named() -> None:
    hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:footnoteReference w:id="2"/></w:r>'
    body = p(raw=run("Seen.") + hidden)
    document = read_word(word_file(body, footnotes=f'<w:footnote w:id="2">{p("Note.")}</w:footnote>'))
    assert texts(document) == ["Seen."]
    assert document.losses.dropped == ("paragraph 1: hidden text",)


def test_drop_caps_belong_to_their_word() -> None:
    body = p("O", '<w:framePr w:dropCap="drop"/>') + p("nce upon a time.")
    assert texts(read_word(word_file(body))) == ["Once upon a time."]


def test_page_headers_and_footers_are_in_no_block() -> None:
    document = sound(word_file(p("Body."), header=p("Draft 7"), footer=p("Confidential")))
    assert texts(document) == ["Body."]
    left = {cut.reason: document.text[cut.span.start : cut.span.end] for cut in document.left_out}
    assert left == {"page header": "Draft 7", "page footer": "Confidential"}
    assert document.origins.place(document.left_out[0].span).part == "page header"


def test_what_is_left_behind_in_headers_is_named() -> None:
    logo = "<w:r><w:drawing><wp:anchor><wp:docPr/><a:blip/></wp:anchor></w:drawing></w:r>"
    header = p(raw=logo + run("Draft 7") + run("secret", "<w:vanish/>"))
    document = read_word(word_file(p("Body."), header=header))
    assert document.losses.dropped == (
        "page header: a picture without a description",
        "page header: hidden text",
    )


def paged(stated: int) -> bytes:
    broken = "<w:r><w:lastRenderedPageBreak/></w:r>"
    body = p("One.") + p(raw=run("Two ") + broken + run("three."))
    both = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>x</w:t></w:r></w:p>"
    body += table(f"<w:tr><w:tc>{both}</w:tc><w:tc>{both}</w:tc></w:tr>") + p("Four.")
    app = f'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>{stated}</Pages></Properties>'
    return word_file(body, more={"docProps/app.xml": app})


def test_pages_are_given_when_the_marks_agree_with_the_number_the_file_states() -> None:
    document = sound(paged(3))
    places = [document.origins.place(block.span) for block in document.blocks]
    assert [(place.page, place.page_end) for place in places] == [(1, None), (1, 2), (3, None), (3, None)]
    assert places[0].part == "paragraph 1"


@pytest.mark.parametrize("stated", [1, 2, 4])
def test_pages_are_not_given_otherwise(stated: int) -> None:
    document = read_word(paged(stated))
    assert all(document.origins.place(block.span).page is None for block in document.blocks)
    assert texts(document) == texts(read_word(paged(3)))


def test_core_properties() -> None:
    document = sound(word_file(p("Body."), more={"docProps/core.xml": CORE}))
    assert (document.title, document.language) == ("Spare parts", "en")
    assert document.meta == {"author": "Ada Koray", "date": date(2026, 3, 1), "keywords": ("pump", "seal")}


def test_the_strict_form_of_the_standard_is_read_too() -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = f'<w:document xmlns:w="{strict}"><w:body>{p("Strict text.")}</w:body></w:document>'
    assert texts(read_word(word_file("", more={"word/document.xml": body}))) == ["Strict text."]


def test_a_main_part_of_another_name_is_found() -> None:
    body = word_file(p("Elsewhere."))
    data = zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relationships(("r1", "officeDocument", "/word/other.xml")),
            "WORD/Other.xml": _document_of(body),
        }
    )
    assert texts(read_word(data)) == ["Elsewhere."]


def _document_of(data: bytes) -> bytes:
    return zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml")


def test_an_empty_file_has_no_blocks() -> None:
    document = read_word(word_file(p() + p("  ")))
    assert not document.blocks and document.text == ""


GOOD = word_file(p("Good."))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"plain words", "this is not a valid Word file"),
        (
            zipped({"[Content_Types].xml": "<Types/>", "word/x.xml": "<x/>"}),
            "the part word/document.xml is missing",
        ),
        (word_file("", more={"word/document.xml": "<w:document"}), "word/document.xml is not valid XML"),
        (word_file("", more={"word/document.xml": "<x/>"}), "word/document.xml has no body"),
        (
            word_file("", more={"word/document.xml": "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"}),
            "entities of its own",
        ),
        (
            word_file("<w:p>" * 300 + "</w:p>" * 300),
            "word/document.xml is nested more than 256 elements deep",
        ),
    ],
)
def test_what_cannot_be_read_is_told_by_name(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(source("folder/a.docx", data))
    assert message in caught.value.message and "folder/a.docx" in caught.value.message
    assert caught.value.uri == "folder/a.docx"


def test_a_damaged_part_that_the_text_can_do_without_is_named() -> None:
    broken = {"word/styles.xml": "<w:styles", "docProps/core.xml": "<x"}
    document = read_word(word_file(p("Text."), styles="", more=broken))
    assert texts(document) == ["Text."]
    styles, core = document.losses.dropped
    assert styles.startswith("word/styles.xml is not valid XML") and styles.endswith("it is not read")
    assert core.startswith("docProps/core.xml is not valid XML")


def test_a_cut_file_is_refused_at_any_length() -> None:
    for end in range(1, len(GOOD), 97):
        with pytest.raises(InputError):
            parse(source("a.docx", GOOD[:end]))


def test_a_locked_word_file_is_told_as_such() -> None:
    with pytest.raises(InputError, match=r"a\.docx"):
        parse(source("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2048))


def test_deep_nesting_within_the_reader_s_limit_is_read() -> None:
    nested = "<w:ins>" * 200 + run("deep") + "</w:ins>" * 200
    tables = "<w:tbl><w:tr><w:tc>" * 70 + p("inner") + "</w:tc></w:tr></w:tbl>" * 70
    assert texts(read_word(word_file(p(raw=nested) + tables))) == ["deep", "inner"]
