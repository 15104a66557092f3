"""Document XML: text without tags, with the lines of the source; other XML stays as it is."""

from __future__ import annotations

from datetime import date

import pytest

from extracted import headings_of, parts_of, read
from parsed import source
from pincite.errors import InputError
from pincite.parse import document_type, parse

JATS = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS.dtd">
<article xml:lang="en"><front><journal-meta><journal-id>x1</journal-id></journal-meta><article-meta>
<title-group><article-title>Tides of <italic>Mars</italic></article-title></title-group>
<contrib-group><contrib><name><surname>Lee</surname><given-names>Ann</given-names></name></contrib>
<contrib><name><surname>Roy</surname><given-names>Bo</given-names></name></contrib></contrib-group>
<pub-date><day>2</day><month>3</month><year>2024</year></pub-date><volume>7</volume>
<abstract><p>Short.</p></abstract><kwd-group><kwd>tide</kwd><kwd>moon</kwd></kwd-group>
</article-meta></front>
<body><sec><label>1.</label><title>Method</title>
<p>Some 10<sup>6</sup> grains
of CO<sub>2</sub> fell <xref rid="a">[1]</xref>.<fn><p>By weight.</p></fn></p>
<list list-type="order"><list-item><p>Sift.</p></list-item><list-item><p>Weigh.</p></list-item></list>
<sec><title>Data</title>
<table-wrap><label>Table 1</label><caption><p>Grains.</p></caption><table>
<thead><tr><th>Site</th><th>Count</th></tr></thead>
<tbody><tr><td rowspan="2">North</td><td>4</td></tr><tr><td>5</td></tr></tbody></table></table-wrap>
<fig><label>Fig 1</label><caption><p>A map.</p></caption><graphic/></fig>
</sec></sec></body>
<back><ref-list><title>References</title>
<ref><label>1</label><mixed-citation>Roy B. <source>Dust</source> <volume>9</volume>.</mixed-citation></ref>
</ref-list></back></article>
"""


def test_an_article_is_its_text_with_lines() -> None:
    document = read("a.nxml", JATS)
    assert document.type == "xml"
    assert parts_of(document) == [
        ("heading", "4-4", "Tides of Mars"),
        ("paragraph", "5-6", "Ann Lee, Bo Roy"),
        ("paragraph", "8-8", "Short."),
        ("paragraph", "8-8", "tide moon"),
        ("heading", "10-10", "1. Method"),
        ("paragraph", "11-12", "Some 10⁶ grains of CO2 fell [1].[1]"),
        ("paragraph", "12-12", "[footnote 1] By weight."),
        ("list", "13-13", "1. Sift."),
        ("list", "13-13", "2. Weigh."),
        ("heading", "14-14", "Data"),
        ("paragraph", "15-15", "Table 1 Grains."),
        ("table", "16-16", "Site | Count"),
        ("row", "17-17", "North | 4"),
        ("row", "17-17", "North | 5"),
        ("paragraph", "18-18", "Fig 1 A map."),
        ("heading", "20-20", "References"),
        ("list", "21-21", "1 Roy B. Dust 9."),
    ]
    assert headings_of(document) == [(1, "Tides of Mars"), (2, "1. Method"), (3, "Data"), (2, "References")]
    rows = [block for block in document.blocks if block.kind == "row"]
    assert {row.header for row in rows} == {"Table 1 Grains.\n\nSite | Count"}
    assert (document.title, document.language) == ("Tides of Mars", "en")
    assert document.meta == {
        "author": ("Ann Lee", "Bo Roy"), "date": date(2024, 3, 2), "keywords": ("tide", "moon"),
    }  # fmt: skip
    assert document.losses.dropped == ("a picture",)


def test_docbook_with_code_lists_and_notes() -> None:
    document = read(
        "b.xml",
        '<book xmlns="http://docbook.org/ns/docbook"><title>Pumps</title><chapter><title>Start</title>'
        "<para>Read<footnote><para>Twice.</para></footnote> on.</para>\n"
        "<programlisting>run\n  fast</programlisting>"
        "<orderedlist><listitem><para>One</para></listitem></orderedlist>"
        "<variablelist><varlistentry><term>psi</term><listitem><para>a unit</para></listitem></varlistentry>"
        "</variablelist></chapter></book>",
    )
    assert parts_of(document) == [
        ("heading", "1-1", "Pumps"),
        ("heading", "1-1", "Start"),
        ("paragraph", "1-1", "Read[1] on."),
        ("paragraph", "1-1", "[footnote 1] Twice."),
        ("code", "2-3", "run\n  fast"),
        ("list", "3-3", "1. One"),
        ("list", "3-3", "psi a unit"),
    ]
    assert headings_of(document) == [(1, "Pumps"), (2, "Start")]


def test_a_patent_is_its_title_description_and_claims() -> None:
    document = read(
        "p.xml",
        '<!DOCTYPE us-patent-grant SYSTEM "x.dtd" [ ]>\n<us-patent-grant lang="EN">'
        "<us-bibliographic-data-grant><publication-reference><document-id><date>20140318</date></document-id>"
        "</publication-reference><invention-title>Seed drill</invention-title><us-parties><inventors>"
        "<inventor><last-name>Ito</last-name><first-name>Jun</first-name></inventor></inventors></us-parties></us-bibliographic-data-grant>\n"
        '<description><heading level="1">FIELD</heading><p>Seeds.</p></description>\n'
        "<claims><claim><claim-text><b>1</b>. A drill with<claim-text>a wheel</claim-text>"
        "</claim-text></claim></claims></us-patent-grant>",
    )
    assert parts_of(document) == [
        ("heading", "2-2", "Seed drill"),
        ("heading", "3-3", "FIELD"),
        ("paragraph", "3-3", "Seeds."),
        ("list", "4-4", "1. A drill with\na wheel"),
    ]
    assert document.meta == {"author": "Jun Ito", "date": date(2014, 3, 18)}


def test_entities_are_never_expanded() -> None:
    document = read(
        "e.xml",
        '<!DOCTYPE article [\n<!ENTITY a "aaaa">\n<!ENTITY f SYSTEM "file:///etc/passwd">]>\n'
        "<article><p>An &alpha;, an &agr;, &a;&f; end.</p></article>",
    )
    assert parts_of(document) == [("paragraph", "4-4", "An α, an α, end.")]
    assert document.losses.dropped == ("the entity &a;", "the entity &f;")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<config><p>1</p></config>", "text"),
        ("<book id='1'><price>3</price></book>", "text"),
        ("<?xml version='1.0'?><!-- <article> --><project/>", "text"),
        ("no XML", "text"),
        ("", "text"),
        ("<html><p>Web.</p></html>", "html"),
        ("<t:TEI xmlns:t='x'><t:p>a</t:p></t:TEI>", "xml"),
        ("<!DOCTYPE topic [<!-- ] --> <!ENTITY a ']>'>]><topic><p>a</p></topic>", "xml"),
        ("<!DOCTYPE article [" + "<!--" * 50_000, "text"),
        ("<!DOCTYPE article [" + "<" * 200_000, "text"),
    ],
)
def test_the_root_says_what_a_file_is(text: str, kind: str) -> None:
    assert document_type("a.xml", text.encode()) == kind


def test_tei_with_notes_verse_and_labelled_rows() -> None:
    document = read(
        "t.xml",
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
        "<titleStmt><title>Letters</title></titleStmt><publicationStmt><p>Public.</p></publicationStmt></fileDesc></teiHeader>\n"
        "<text><body><div><head>First</head><p>I write<note>Draft.</note> soon.</p>"
        "<lg><l>One</l>\n<l>Two</l></lg>"
        '<table><head>Costs</head><row role="label"><cell>A</cell><cell>B</cell></row>'
        "<row><cell>1</cell><cell>2</cell></row></table></div></body></text></TEI>",
    )
    assert parts_of(document) == [
        ("heading", "1-1", "Letters"),
        ("heading", "2-2", "First"),
        ("paragraph", "2-2", "I write[1] soon."),
        ("paragraph", "2-2", "[footnote 1] Draft."),
        ("quote", "2-3", "One\nTwo"),
        ("paragraph", "3-3", "Costs"),
        ("table", "3-3", "A | B"),
        ("row", "3-3", "1 | 2"),
    ]
    assert document.blocks[-1].header == "Costs\n\nA | B"


def test_lines_beyond_65535_are_right() -> None:
    document = read("l.xml", "<article>" + "\n" * 70_000 + "<p>far\n<b>away</b></p>\n<p>end</p></article>")
    assert parts_of(document) == [
        ("paragraph", "70001-70002", "far away"),
        ("paragraph", "70003-70003", "end"),
    ]


def test_lines_beyond_65535_that_cannot_be_counted_are_not_stated() -> None:
    text = "<article><p>near</p>" + "\n" * 70_000 + "<!--\n--><p>far</p></article>"
    assert parts_of(read("l.xml", text)) == [
        ("paragraph", "1-1", "near"),
        ("paragraph", "after line 65534", "far"),
    ]


def test_tables_within_tables_and_long_lists_take_linear_time() -> None:
    nested = "<table><tr><td>" * 60 + "deep" + "</td></tr></table>" * 60
    many = "<orderedlist>" + "<listitem><p>a</p></listitem>" * 20_000 + "</orderedlist>"
    document = read("n.xml", f"<article><p>start</p>{nested}{many}</article>")
    blocks = parts_of(document)
    assert blocks[1][::2] == ("row", "deep")
    assert blocks[-1] == ("list", "1-1", "20000. a")


def test_other_xml_keeps_its_tags() -> None:
    assert parse(source("c.xml", "<config><p>1</p></config>")).text == "<config><p>1</p></config>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<article><p>cut", "a.xml is not valid XML"),
        ("<article><p>a</q></article>", "a.xml is not valid XML"),
        ("<article><p>" + "<b>" * 5_000 + "</article>", "a.xml is nested more than 256 elements deep"),
    ],
)
def test_bad_input_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(source("a.xml", text))
