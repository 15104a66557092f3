"""HTML: what a reader sees, in words that are never welded, with the source line of every piece."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growth import assert_linear
from html_checks import kinds, page_of
from parsed import lines_of, source, texts
from pincite.parse.html import parse_html
from pincite.types import RunOrigins


def test_blocks_of_every_kind_with_their_lines() -> None:
    document = page_of(
        "<title>T &amp; U</title>\n<h1>Top</h1>\n<p>One <b>bold</b>word\n  more<br>next\n"
        "<ul><li>a<ul><li>b</ul>\n<li><p>c</p><p>d</p></ul>\n<blockquote><p>q<p>r</blockquote>\n"
        "<dl><dt>Term<dd><p>Meaning</dl>\n<pre>\n  x = 1\n\n  y &lt; 2\n</pre>end"
    )
    assert document.title == "T & U"
    assert kinds(document) == [
        ("heading", "Top"),
        ("paragraph", "One boldword more\nnext"),
        ("list", "a\nb"),
        ("list", "c\nd"),
        ("quote", "q"),
        ("quote", "r"),
        ("list", "Term\nMeaning"),
        ("code", "  x = 1\n\n  y < 2"),
        ("paragraph", "end"),
    ]
    assert [lines_of(document, b) for b in document.blocks] == [
        (2, 2),
        (3, 4),
        (5, 5),
        (6, 6),
        (7, 7),
        (7, 7),
        (8, 8),
        (10, 12),
        (13, 13),
    ]


@pytest.mark.parametrize(
    ("page", "kept", "left"),
    [
        ("<nav><a>Home</a><a>Parts</a></nav><p>Oil it.</p>", ["Oil it."], ["Home Parts"]),
        ("<p>One</p><nav><h2>More</h2><ul><li>A<li>B</ul></nav><p>Two", ["One", "Two"], ["More\n\nA\n\nB"]),
        ("<p>One <span role=' Navigation '>Next</span> two", ["One", "two"], ["Next"]),
        ("<div role=navigation><nav>In</nav> out</div>rest", ["rest"], ["In\n\nout"]),
        ("<ul><li>Tap<nav>Up</nav>Seal</ul>", ["Tap", "Seal"], ["Up"]),
        ("<nav><table><tr><th>A<tr><td>1</table></nav>x", ["x"], ["A\n1"]),
        ("<nav>a</nav><nav>b</nav>c<nav>d", ["c"], ["a\n\nb", "d"]),
        ("<nav hidden>a</nav><p>b", ["b"], []),
        ("<table><tr><th>A<tr><td><nav>1</nav></table>", ["A", "1"], []),  # a cell of data stays whole
        ("<h1>Pump <i role=navigation>up</i></h1>", ["Pump up"], []),
        ("<h1>Pump<nav>up</nav></h1>", ["Pump"], ["up"]),
        ("<p role=note>a</p><header>b</header>", ["a", "b"], []),
        ("<nav>only</nav>", [], ["only"]),
    ],
)
def test_navigation_is_left_out_and_listed(page: str, kept: list[str], left: list[str]) -> None:
    document = page_of(page)
    assert [text for _, text in kinds(document)] == kept
    assert [document.text[each.span.start : each.span.end] for each in document.left_out] == left
    assert {each.reason for each in document.left_out} <= {"navigation"}
    headings = [text for kind, text in kinds(document) if kind == "heading"]
    assert [section.title for section in document.sections] == headings


def test_tables_are_rows_under_their_header_and_caption() -> None:
    document = page_of(
        "<table><caption>Torques</caption><thead><tr><th>Part<th>Size<th>Nm</thead>\n"
        "<tr><td>Cap<td><td>12\n<tr><td><td>M6<td>\n<tr><td><td><td></table><p>after"
    )
    assert kinds(document) == [
        ("paragraph", "Torques"),
        ("table", "Part | Size | Nm"),
        ("row", "Cap |  | 12"),
        ("row", "| M6"),
        ("paragraph", "after"),
    ]
    assert [b.header for b in document.blocks if b.kind == "row"] == ["Torques\nPart | Size | Nm"] * 2


def test_cells_that_span_stand_in_each_of_their_columns_and_rows() -> None:
    document = page_of(
        "<table><tr><th rowspan=2>Part<th colspan=2>2024<tr><th>Q1<th>Q2\n"
        "<tr><td rowspan=2>Cap<td>1<td>2\n<tr><td colspan=2>5\n<tr><td colspan=3>in boxes of ten\n"
        "<tr><td>Bolt<td>7</table>"
    )
    assert kinds(document) == [
        ("table", "Part | 2024 | 2024"),
        ("table", "Part | Q1 | Q2"),
        ("row", "Cap | 1 | 2"),
        ("row", "Cap | 5 | 5"),
        ("row", "in boxes of ten"),
        ("row", "Bolt | 7"),
    ]
    assert lines_of(document, document.blocks[3]) == (2, 3)  # the cell from the row above is cited too
    assert document.blocks[3].header == "Part | 2024 | 2024\nPart | Q1 | Q2"


def test_a_long_cell_is_written_once_and_keeps_its_columns() -> None:
    long = "word " * 50
    document = page_of(f"<table><tr><td rowspan=2>{long}<td>a<tr><td>b</table>")
    assert [text for _, text in kinds(document)] == [f"{long.strip()} | a", "| b"]


def test_the_caption_of_a_figure_belongs_to_the_table_right_under_it() -> None:
    document = page_of(
        "<figure><figcaption>Oils</figcaption>\n<table><tr><th>A<th>B<tr><td>1<td>2</table></figure>"
        "<figure><img alt=Pump><figcaption>The pump</figcaption></figure><table><tr><td>3<td>4</table>"
    )
    assert [(b.kind, b.header) for b in document.blocks] == [
        ("paragraph", ""),
        ("table", ""),
        ("row", "Oils\nA | B"),
        ("paragraph", ""),
        ("paragraph", ""),
        ("row", ""),
    ]


def test_items_of_ordered_lists_have_the_numbers_a_browser_shows() -> None:
    document = page_of(
        "<ol start=3><li>a<li hidden>no<li><p>b</p><ol type=a><li>x<li value=9>y</ol><li></ol>c<ul><li>d</ul>"
    )
    assert texts(document) == ["3. a", "4. b\na. x\ni. y", "c", "d"]


def test_a_table_without_a_header_row_has_rows_only() -> None:
    document = page_of("<table><tr><th>Cap<td>12<tr><th>Bolt<td>14</table>")
    assert kinds(document) == [("row", "Cap | 12"), ("row", "Bolt | 14")]
    assert {b.header for b in document.blocks} == {""}


def test_cells_that_name_their_row_are_no_header() -> None:
    document = page_of("<table><tr><th scope=row>Owner<th>Pia Koch<tr><th scope=row>Port<th>Kiel</table>")
    assert kinds(document) == [("row", "Owner | Pia Koch"), ("row", "Port | Kiel")]


def test_a_table_in_preformatted_text_has_its_cells_in_rows() -> None:
    document = page_of(
        "<pre>\n<table>\n <caption>T</caption>\n <tr>\n <th>A\n <th>B\n <tr><td>1<td>2</table>"
    )
    assert kinds(document) == [("paragraph", "T"), ("table", "A | B"), ("row", "1 | 2")]
    assert document.blocks[2].header == "T\nA | B"


def test_layout_tables_are_no_data() -> None:
    document = page_of(
        "<table><tr><td><h2>H</h2><p>text</td><td><table><tr><th>k<th>v</tr><tr><td>a<td>b</table></table>"
    )
    assert kinds(document) == [
        ("heading", "H"),
        ("paragraph", "text"),
        ("table", "k | v"),
        ("row", "a | b"),
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<script>secret()</script>seen",
        "<script>if (a < b) { run('<p>secret</p>') }</script>seen",
        "<style>secret{}</style>seen",
        "<SCRIPT type=x>secret</ScRiPt >seen",
        "<template><p>secret</template>seen",
        "<noscript>secret</noscript>seen",
        "<svg><title>secret</title><text>secret</text></svg>seen",
        "<!-- secret --> seen",
        "<!-- secret > --> seen",
        "<!secret>seen",
        "<?secret ?>seen",
        "<p hidden>secret</p>seen",
        "<p aria-hidden='true'>secret<p>seen",
        "<div style='color:red; DISPLAY : none'>secret<div>secret</div></div>seen",
        "<span style=visibility:hidden>secret</span>seen",
        "<span style='font-size:0px'>secret</span>seen",
        "<span style='opacity: 0'>secret</span>seen",
        "<div style='dis&#112;lay:none'>secret</div>seen",
        "<table hidden><tr><td>secret<tr><td>secret</table>seen",
        "seen<!-- secret",
        "seen<script>secret",
        "seen<input type=hidden value=secret>",
    ],
)
def test_what_no_reader_sees_is_left_out(page: str) -> None:
    document = page_of(page)
    assert document.text.strip() == "seen"


@pytest.mark.parametrize(
    "page",
    ["<body style='opacity:0'>seen", "<p style='opacity:0.8'>seen", "<details><summary>seen</details>"],
)
def test_what_a_reader_may_see_is_kept(page: str) -> None:
    assert page_of(page).text == "seen"


def test_hidden_text_can_be_kept_in_marked_blocks_of_its_own() -> None:
    page = (
        "<p>one <span hidden>s1</span> two</p>\n<div hidden><p>s2</p><p>s3</p></div>\n"
        "<table><tr><td>a<b hidden>s4</b><td>b</table>"
    )
    document = page_of(page, hidden=True)
    assert texts(document) == ["one two", "[hidden] s1", "[hidden] s2 s3", "a | b", "[hidden] s4"]
    assert [lines_of(document, b)[0] for b in document.blocks] == [1, 1, 2, 3, 3]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<a>Home</a><a>Parts</a>", "Home Parts"),
        ("see <a>here</a>.", "see here."),
        ("cat<i>s</i>", "cats"),
        ("a<wbr>b", "ab"),
        ("a<br>b", "a\nb"),
        ("soft&shy;ware", "software"),
        ("a&nbsp;b\u00a0c", "a b c"),
        ("&amp;lt;b&gt; &copy &#x41; 5 < 6", "&lt;b> © A 5 < 6"),
        ("你好\n世界 hi\nho", "你好世界 hi ho"),
        ("<option>a<option>b", "a\n\nb"),
        ("<button>a</button><button>b</button>", "a b"),
        ("x <img alt='the seal' src=y> y", "x the seal y"),
        ("3 < 4 and a <b", "3 < 4 and a <b"),
        ("<title>never closed<p>a", "never closed\n\na"),
        ("</p></div>a</b>", "a"),
        ("a</p>b", "a b"),
        ("<h2>Open <p>a", "Open\n\na"),
        ("<div><span><div>a</span>b</div>c</div>", "ab\n\nc"),
        ("<div><table><tr><td>a</div>b<td>c</table>d</div>e", "ab | c\n\nd\n\ne"),
        ('<link =" "=" " href=x><p>a', "a"),
        ("10<sup>6</sup> H<sub>2</sub>O x<sup>2</sup>", "10⁶ H2O x2"),
        ("in 2019<sup><a href=#n1>1</a></sup>", "in 2019¹"),
        ("<details><summary>More</summary>all</details>", "More\n\nall"),
    ],
)
def test_words_are_neither_welded_nor_split(page: str, text: str) -> None:
    assert page_of(page).text == text


def test_an_image_s_text_stands_on_the_lines_of_its_attribute() -> None:
    document = page_of("<p>see <img src='salt=x'\n title=y\n ALT = 'the\nseal &amp; cap'>now")
    assert document.text == "see the seal & cap now"
    assert isinstance(document.origins, RunOrigins)
    assert [run.place.line_start for run in document.origins.runs] == [1, 3, 4]


def test_sections_follow_the_headings() -> None:
    document = page_of("<h1>A<div>b</div></h1><h3>C</h3>x<h2></h2><h2>D</h2>")
    assert [(s.level, s.title, s.parent) for s in document.sections] == [
        (1, "A b", -1),
        (3, "C", 0),
        (2, "D", 0),
    ]
    assert document.title == "A b"


_UNITS = [
    "<!--",
    "<a ",
    "<a b='",
    '<a b="x>',
    "<",
    "&",
    "&#",
    "</",
    "<![",
    "<script>",
    "<p>a ",
    "<div>",
    "<li>a",
]
_UNITS += [
    "<ul><li>",
    "<table><tr><td>a",
    "<b><i></b>",
    "<h1>a",
    "<div hidden>x",
    "<svg>",
    "<br>a",
    "<pre>a\n",
    "<table><tr><td rowspan=9999 colspan=99>x",
    "<tr><td rowspan=9999 colspan=99>x<td>y",
    "<ol><li>a",
    "<div>a, ",
    "<a><div>",
]


@pytest.mark.parametrize("unit", [*_UNITS, "&#" + "9" * 5000 + ";"])
def test_nothing_hangs(unit: str) -> None:
    def parsed(size: int) -> None:
        page = unit * (size // len(unit) + 1)
        for hidden in (False, True):
            parse_html(source("a.html", page), hidden_html=hidden, main_content=hidden)

    assert_linear(parsed, 6_000)


_TAGS = (
    "p div h1 h2 ul li table tr td th caption thead pre b a br hr dl dt dd blockquote span title img script"
)


@pytest.mark.parametrize("tags", ["<textarea>", "<title>", "<title><textarea>x", "<p><textarea>"])
def test_end_tags_that_never_come_are_looked_for_once(tags: str) -> None:
    def parsed(size: int) -> None:
        parse_html(source("a.html", tags * (size // len(tags))), hidden_html=False)

    assert_linear(parsed, 60_000)


_PARTS = st.one_of(
    st.sampled_from(_TAGS.split()).map(lambda name: f"<{name}>"),
    st.sampled_from(_TAGS.split()).map(lambda name: f"</{name}>"),
    st.sampled_from(
        [
            "one",
            "two ",
            "\n",
            " ",
            "&amp;",
            "<",
            "<p hidden>",
            "<td colspan=3>",
            "<th rowspan=2>",
            "<ol><li>",
            "<sup>",
            "4",
            "</div\n>",
            "<!-- c -->",
            "你",
            "\r\n",
        ]
    ),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(_PARTS, max_size=40).map("".join), st.booleans(), st.booleans())
def test_any_page_is_sound(page: str, hidden: bool, main: bool) -> None:
    page_of(page, hidden=hidden, main=main)


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("<>/!-='\"&;#a1 \n\tphbr"), max_size=80))
def test_any_characters_are_read(page: str) -> None:
    page_of(page, hidden=True)


@pytest.mark.parametrize("empty", ["<script src='a.js'/>", "<style type='text/css' />"])
def test_an_element_of_xhtml_that_is_closed_at_once_swallows_nothing(empty: str) -> None:
    page = page_of(f"<?xml version='1.0'?><html><head>{empty}</head><body><p>Low tide.</p></body></html>")
    assert page.text == "Low tide."


def test_a_comment_may_end_with_an_exclamation_mark() -> None:
    assert page_of("<p>High</p><!-- x --!><p>low</p>").text == "High\n\nlow"


@pytest.mark.parametrize(
    ("page", "size"),
    [
        (lambda size: "<a" + " =" * size + " x>y", 20_000),
        (lambda size: "<title>" + "a - " * size + "</title>" + "<h1>x</h1>" * (size * 2 // 5), 3_000),
    ],
    ids=["equals signs in a tag", "a long title and many headings"],
)
def test_hostile_tags_and_titles_take_linear_time(page: Callable[[int], str], size: int) -> None:
    assert_linear(lambda size: parse_html(source("a.html", page(size))), size)


def test_of_a_formula_only_what_is_shown_is_read() -> None:
    source_form = "<annotation encoding='application/x-tex'>x^2</annotation>"
    assert page_of(f"<p>So <math><semantics><mi>x</mi>{source_form}</semantics></math>.").text == "So x."


def test_sections_of_cdata_are_text_in_xml_alone() -> None:
    body = "<p>High <![CDATA[& low > ebb]]> tide</p>"
    assert page_of(f"<?xml version='1.0'?><html><body>{body}</body></html>").text == "High & low > ebb tide"
    assert page_of("<p>High <![CDATA[ x ]]>tide</p>").text == "High tide"


@pytest.mark.parametrize(
    "shown", ["<img src=a>", "<img alt='' src=a>", "<svg><text>x</text></svg>", "<video></video>"]
)
def test_words_around_a_picture_are_apart(shown: str) -> None:
    assert page_of(f"<p>Price{shown}5 €, <b>in</b>side").text == "Price 5 €, inside"


def test_names_with_a_prefix_are_those_without_in_xml() -> None:
    head = "<h:head><h:title>T</h:title><h:style>p{}</h:style></h:head>"
    page = page_of(
        f"<?xml version='1.0'?><h:html>{head}<h:body><h:h1>High</h:h1><h:p>low</h:p></h:body></h:html>"
    )
    assert (page.title, kinds(page)) == ("T", [("heading", "High"), ("paragraph", "low")])
