"""Where sentences end: abbreviations, numbers, quotations, layout, and long lines in linear time."""

from __future__ import annotations

import pytest

from growth import assert_linear
from pincite.chunk.sentences import line_spans, paragraph_spans, sentence_spans


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text, 0, len(text))]


ONE_LINE = [
    "Open the valve. |Wait ten minutes. |Done!",
    "Dr. Ada Byron called Mr. Hu at 5 p.m. yesterday. |She was late.",
    "Use a hard cover, e.g. Steel. |Do not use wood, i.e. anything that burns.",
    "See Fig. 3, Fig. S3, Sec. 2 and No. 5. |Was that all? |No. |It was not.",
    "He left the U.S. Army in May. |In the U.S. |The rule differs.",
    "Seal it to 3.5 mm with v1.2.3 of the tool. |Version 2.0. |Next.",
    "Read https://example.org/a.b?c=d.e, then go on. |It helps.",
    "J. K. Rowe et al. measured it. |So did Smith et al. |The end.",
    "Write to Valve Inc. Berlin for parts. |We are Valve Inc. |It is small.",
    "“Close it.” |He did (at once.) |Good.[12] |More **bold.** |End",
    '"Why?" he asked. |"Because." |She left.',
    "Yahoo! is a name. |Wait... and see. |Wait... |Then see.",
    "press enter. |then wait. |ok thanks. |bye",
    "Pipes, valves, etc. are listed. |Pumps etc. |Then more.",
    "E. coli grows at approx. 37 °C. |S. aureus does too.",
    "1. Tighten the screw. |Check it.",
    "你好。|真的吗？|“是的。”|他说：价格是3.5元；|不贵！",
    "请等待24小时。|型号V2.1可用。",
    "「はい。」と言った。|次へ進む。",
    "真的吗?|是的!|好",
    "밸브를 닫으십시오. |기다리십시오.",
    "वाल्व बंद करें। |रुकें।",
    "هل أغلقت الصمام؟ |نعم.",
]


OTHER_LANGUAGES = [
    "Am 1. Mai und am 3. Oktober ist geschlossen. |Am 24. und 31. Dezember auch.",
    "Der Müll wird am 2. und 4. Dienstag im Monat abgeholt. |Danach nicht.",
    "Der 2. Vorsitzende ist Ingo Lass, die 3. Vorsitzende Ute Kern. |Sie wohnt im 2. Stock.",
    "Er ist zum 1. März fällig. |Wer nicht zahlt, geht. |Bis 15. Januar zahlen. |Am 3. 10. 2026 ist zu.",
    "Das steht auf Seite 3. |Der Hof liegt zwischen 2 und 5. |Danach kommt Halle 7. |Tor 8 ist zu.",
    "Herr Dr. med. Voß wohnt in der Goethestr. 5 in Kiel. |Prof. Kern, Hr. Lass und Fr. Koch auch.",
    "Die Kaution beträgt ca. 900 Euro inkl. MwSt. und Porto. |Es kostet 3 Mio. Euro. |Mehr nicht.",
    "Siehe § 5 Abs. 2 Nr. 3 bzw. Art. 7, d. h. Satz 1. |Eisen, z. B. Stahl, u. a. Metalle usw. |Der Rest.",
    "Dipl.-Ing. Kern bestellt Art.-Nr. 5 zzgl. Fracht. |Evtl. auch zwei.",
    "M. Dupont et Mme. Leroy citent l'art. 5, p. ex. le lundi. |Puis rien.",
    "El Sr. García y la Sra. López leen la pág. 5 y el núm. 3. |Nada más.",
    "Il sig. Rossi legge a pag. 3 di ferro, legno ecc. |Poi va.",
    "O Sr. Lima e a Sra. Reis viram a pág. 2. |Dhr. Jansen komt bijv. morgen, blz. 5.",
    "Keep it in mind. |I met Phil. |He is a gem. |It is 3. |March on.",
]


@pytest.mark.parametrize("text", ONE_LINE + OTHER_LANGUAGES)
def test_sentences_of_one_line(text: str) -> None:
    assert sentences(text.replace("|", "")) == [part.strip() for part in text.split("|")]


def test_a_line_break_ends_a_sentence_only_where_the_layout_says_so() -> None:
    text = (
        "# The pump. Safe\n\nOpen the\nvalve. Then\r\nwait.\n- First item. More\n  of it\n- second\n"
        "1) third\n\n| a. B | c |\n|---|---|\n| x. Y | z |\n```sh\n# a. B\n\nls -l\n```\n"
        "Head\n====\nEnd. Of it"
    )
    assert sentences(text) == [
        "# The pump. Safe",
        "Open the\nvalve.",
        "Then\r\nwait.",
        "- First item.",
        "More\n  of it",
        "- second",
        "1) third",
        "| a. B | c |",
        "|---|---|",
        "| x. Y | z |",
        "```sh",
        "# a. B",
        "ls -l",
        "```",
        "Head\n====",
        "End.",
        "Of it",
    ]


def test_tildes_under_a_heading_are_no_fence() -> None:
    assert sentences("Pump\n~~~~\n\nOne. Two.\n\n~~~\nx. Y\n~~~\n") == [
        "Pump\n~~~~",
        "One.",
        "Two.",
        "~~~",
        "x. Y",
        "~~~",
    ]


def test_rows_without_borders_are_whole_lines() -> None:
    rows = ["No. | Item | Qty.", "71 | Whisk. Of birch | 140", "72 | Towel", "Item no. | Art.", "9 | x"]
    text = "Stock of May.\nTable 1. Prices\n" + "\n".join(rows) + "\nSold daily. Never | on Sunday.\n"
    assert sentences(text) == ["Stock of May.", "Table 1.", "Prices", *rows, "Sold daily. Never | on Sunday."]
    assert sentences("Pipe a | b. Then wait.") == ["Pipe a | b.", "Then wait."], "one bar is no table"


def test_a_wrapped_year_is_no_list_item() -> None:
    assert sentences("It was built in\n2019. Then it broke.") == ["It was built in\n2019.", "Then it broke."]


def test_a_wrapped_ordinal_is_no_list_item() -> None:
    assert sentences("Wir schließen am\n3. Oktober. Bis dann.") == [
        "Wir schließen am\n3. Oktober.",
        "Bis dann.",
    ]
    assert sentences("1. Holz und\n2. Stein") == ["1. Holz und", "2. Stein"]


def test_spans_count_from_the_start_of_the_whole_text() -> None:
    text = "Skip. Keep this. And this. Not that."
    assert [text[s.start : s.end] for s in sentence_spans(text, 6, 26)] == ["Keep this.", "And this."]


def test_lines_keep_their_indentation_and_paragraphs_their_first_lines() -> None:
    text = "def f():\r\n    return 1\r\n\r\n    \r\n    x = 2  \n\n\n  y\n"
    assert [text[s.start : s.end] for s in line_spans(text, 0, len(text))] == [
        "def f():",
        "    return 1",
        "    x = 2",
        "  y",
    ]
    assert [text[s.start : s.end] for s in paragraph_spans(text, 0, len(text))] == [
        "def f():\r\n    return 1",
        "    x = 2",
        "  y",
    ]


@pytest.mark.parametrize(
    "unit", [".", "!?", "a. ", "x", "。", '.")', "\n", "a\n", "...\n", "- ", "`", "| ", "1. "]
)
def test_time_grows_with_the_length_only(unit: str) -> None:
    def cut(size: int) -> None:
        text = unit * (size // len(unit))
        sentence_spans(text, 0, len(text))

    assert_linear(cut, 15_000)


def test_a_heading_of_asciidoc_stands_alone() -> None:
    text = "= Guide\n== Valves\nThe valve closes\nclockwise.\n=== Two\na\n= b == c\n"
    spans = sentence_spans(text, 0, len(text))
    assert [text[s.start : s.end] for s in spans] == [
        "= Guide",
        "== Valves",
        "The valve closes\nclockwise.",
        "=== Two",
        "a",
        "= b == c",
    ]
