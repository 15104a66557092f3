"""Label files: every form there is, however it was saved; what is wrong is told by line, all at once."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_linear
from labels import jsonl, refused, saved
from pincite.errors import InputError
from pincite.evaluate.labels.files import add_questions
from pincite.evaluate.questions import question_set, read_questions
from pincite.types import Qrel, Question, QuestionSet, Span


def tsv(folder: Path, content: str | bytes) -> tuple[Question, ...]:
    return read_questions(saved(folder, "q.tsv", content)).questions


# ── TSV ───────────────────────────────────────────────────────────────────────────────────────
def test_question_and_target(tmp_path: Path) -> None:
    found = tsv(tmp_path, "How deep?\ta.md:7\nWho?\t\n")
    assert found == (
        Question("q1", "How deep?", (Qrel("q1", "a.md", 7, 7),)),
        Question("q2", "Who?", (), answerable=False),
    )


@pytest.mark.parametrize(
    ("cell", "locations"),
    [
        ("a.md:7", ["a.md:7"]),
        ("a.md:7-12", ["a.md:7-12"]),
        ("a.md: 7 – 12 ", ["a.md:7-12"]),
        ("a.pdf#page=3", ["a.pdf#page=3"]),
        ("a.pdf p. 3", ["a.pdf#page=3"]),
        ("a.pdf p.3", ["a.pdf#page=3"]),
        ("a.md", ["a.md"]),
        ("./a.md:2", ["a.md:2"]),
        ("notes/../a.md:2", ["a.md:2"]),
        ("a:b.md:2", ["a:b.md:2"]),
        ("a:b.md:2:9", ["a:b.md:2"]),
        ("a.md#L7,b.md#L2-L9", ["a.md:7", "b.md:2-9"]),
        ("/root/a.md:1", ["/root/a.md:1"]),
        ("C:\\docs\\a.md:1", ["C:\\docs\\a.md:1"]),
        ("10:30 talk.md", ["10:30 talk.md"]),
        ("a.md:1,b.md:2, c.pdf p. 3", ["a.md:1", "b.md:2", "c.pdf#page=3"]),
        ("a.md,b.md:2,", ["a.md", "b.md:2"]),
        ("notes, old, 2024.md:7,b.md:1", ["notes, old, 2024.md:7", "b.md:1"]),
        ("README,LICENSE", ["README,LICENSE"]),
        ("a.md:1,LICENSE", ["a.md:1", "LICENSE"]),
        ("a.md:1,a.md:1", ["a.md:1"]),
        ('"quoted".md:1', ['"quoted".md:1']),
        ("gro\u0308ße.md", ["größe.md"]),
    ],
)
def test_targets(tmp_path: Path, cell: str, locations: list[str]) -> None:
    (question,) = tsv(tmp_path, f"What?\t{cell}\n")
    assert [qrel.location for qrel in question.qrels] == locations
    assert {qrel.group for qrel in question.qrels} == {""}


def test_a_cell_of_many_commas_takes_no_time(tmp_path: Path) -> None:
    def read(commas: int) -> None:
        found = tsv(tmp_path, "".join(f"Which {n}?\t{'a,' * min(commas, 4900)}b.md:7\n" for n in range(10)))
        assert [len(one.qrels) for one in found] == [1] * 10 and found[0].qrels[0].line_start == 7

    assert_linear(read, 1_225)


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("a.md:0", "lines count from 1"),
        ("a.md:-3", "lines count from 1"),
        ("a.pdf#page=0", "pages count from 1"),
        ("a.md:7-3", "the last line is before the first"),
        ("../a.md:1", "outside the folder"),
        ("b/../../a.md", "outside the folder"),
        ("x," * 6000, "at most 10000"),
    ],
)
def test_impossible_targets(tmp_path: Path, cell: str, what: str) -> None:
    (told,) = refused(saved(tmp_path, "q.tsv", f"ok\ta.md:1\nWhat?\t{cell}\n"))
    assert told.startswith("q.tsv:2: ") and what in told


def test_a_header_names_the_columns(tmp_path: Path) -> None:
    text = "Tags\tExpected\tnotes\tQuery\tquestion_id\tanswer\na, b ,\ta.md:1\tmine\tHow?\t007\tso\n"
    assert tsv(tmp_path, text) == (
        Question("007", "How?", (Qrel("007", "a.md", 1, 1),), answer="so", tags=("a", "b")),
    )


def test_columns_at_the_end_may_be_missing(tmp_path: Path) -> None:
    found = tsv(tmp_path, "question\ttarget\ttags\nA?\ta.md\nB?\ta.md\tx\n")
    assert [q.tags for q in found] == [(), ("x",)]


def test_without_a_column_of_targets_nothing_is_said_of_answers(tmp_path: Path) -> None:
    found = tsv(tmp_path, "id\tquestion\n1\tA?\n2\tB?\n")
    assert [(q.id, q.answerable, q.judged) for q in found] == [("1", True, ()), ("2", True, ())]


def test_a_first_row_that_holds_a_column_name_is_no_header(tmp_path: Path) -> None:
    assert [q.text for q in tsv(tmp_path, "query\tquery.md:4\ntext\tq.md\n")] == ["query", "text"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_line_ends_marks_comments_and_blanks(tmp_path: Path, end: str, start: str) -> None:
    rows = ["# mine", "question\ttarget", "", 'say "so\ta.md:1 ', "  ", "# a.md:2", "it's\tb.md:2"]
    found = tsv(tmp_path, start + end.join(rows))
    assert [(q.id, q.text, q.qrels[0].location) for q in found] == [
        ("q1", 'say "so', "a.md:1"),
        ("q2", "it's", "b.md:2"),
    ]


def test_a_spreadsheets_utf_16(tmp_path: Path) -> None:
    assert tsv(tmp_path, "größe?\ta.md:1\n".encode("utf-16"))[0].text == "größe?"
    (told,) = refused(saved(tmp_path, "odd.tsv", b"\xff\xfea\x00\x00\xd8b\x00"))
    assert told.startswith("odd.tsv:1: not UTF-16")


def test_utf_16_without_its_mark_is_named(tmp_path: Path) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        told = refused(saved(tmp_path, "q.tsv", "Which valve?\ta.md:1\nWho?\t\n".encode(encoding)))
        assert told == ["q.tsv:1: every second byte is 0: UTF-16 without its byte-order mark (encoding)"]


@pytest.mark.parametrize(
    ("row", "location"),
    [
        ("question\tpath\tline|A?\ta.md\t7", "a.md:7"),
        ("question\tlines\tpath|A?\t7-9\ta.md", "a.md:7-9"),
        ("question\tpath\tline_start\tline_end|A?\ta.md\t7\t9", "a.md:7-9"),
        ("page\tquestion\tpath|3\tA?\ta.pdf", "a.pdf#page=3"),
        ("question\tpath\tline|A?\ta.md\t", "a.md"),
    ],
)
def test_lines_and_pages_may_have_a_column(tmp_path: Path, row: str, location: str) -> None:
    (question,) = tsv(tmp_path, row.replace("|", "\n"))
    assert [qrel.location for qrel in question.qrels] == [location]


@pytest.mark.parametrize(
    "row", ["a.md\tseven", "a.md\t0", "a.md:3\t7", "a.md,b.md\t7", "a.md\t\t9", "a.md\t9\t7"]
)
def test_a_column_of_lines_that_cannot_be_is_no_label_of_the_whole_file(tmp_path: Path, row: str) -> None:
    told = refused(saved(tmp_path, "q.tsv", f"question\tpath\tline\tline_end\nA?\t{row}\n"))
    assert len(told) == 1 and told[0].startswith("q.tsv:2: ")


def test_a_column_of_lines_says_nothing_of_a_question_without_an_answer(tmp_path: Path) -> None:
    assert not tsv(tmp_path, "question\tpath\tline\nA?\t\t\n")[0].answerable


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    rows = [b"id\tquestion\ttarget", b"1\tA?\ta.md:0", b"1\tB?\tb.md", b"\tC?\tc.md", b"4\t\td.md", b"5\tE?"]
    told = refused(saved(tmp_path, "q.tsv", b"\n".join([*rows, b"6\t\xe9\ta.md"])))
    assert sorted(re.findall(r"^q\.tsv:(\d)", "\n".join(told), re.M)) == ["2", "3", "4", "5", "6", "7"]
    assert "id '1' is that of line 2 too" in "\n".join(told)


def test_the_first_twenty_are_told(tmp_path: Path) -> None:
    told = refused(saved(tmp_path, "q.tsv", "A?\ta.md:0\n" * 23))
    assert len(told) == 21 and told[-1] == "… and 3 more"


def test_a_field_too_many_is_told(tmp_path: Path) -> None:
    (told,) = refused(saved(tmp_path, "q.tsv", "A?\ta.md:1\nq2\tB?\tb.md:1\n"))
    assert told == "q.tsv:2: 3 fields where 2 are expected; a header line names more columns"


def test_a_field_too_few_is_told_with_what_stands_between_fields(tmp_path: Path) -> None:
    told = refused(saved(tmp_path, "q.csv", "What is it?,a.md:1\nWhere is it\n"))
    assert told == [
        "q.csv:1: 1 field where 2 are expected; tabs stand between fields, not commas, and one stays when "
        "the target is empty",
        "q.csv:2: 1 field where 2 are expected; the tab stays when the target is empty",
    ]


@pytest.mark.parametrize("content", ["", "\n\n# only\n", "question\ttarget\n", "\ufeff"])
def test_no_questions(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="no questions"):
        tsv(tmp_path, content)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_questions(tmp_path / "none.tsv")
    with pytest.raises(InputError, match=r"queries\.jsonl"):
        read_questions(tmp_path)


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1).map(
    str.strip
)
ASKED = WORDS.filter(lambda text: text and not text.startswith(("#", "{", "\ufeff")))


@given(st.lists(ASKED, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_characters_stand_in_a_tsv(questions: list[str], end: str, last: bool) -> None:
    rows = ["question\ttarget", *(f"{question}\ta.md:1" for question in questions)]
    found = in_memory(f"{end.join(rows)}{end * last}".encode())
    assert [question.text for question in found.questions] == questions


def in_memory(content: bytes) -> QuestionSet:
    """The questions of a file with this content; Hypothesis has no folder of its own for each example."""
    with tempfile.TemporaryDirectory() as folder:
        return read_questions(saved(Path(folder), "q.tsv", content))


# ── native ────────────────────────────────────────────────────────────────────────────────────
def test_native_rows(tmp_path: Path) -> None:
    place = {"uri": "a.md", "line_start": 3, "line_end": 4, "quote": "so", "relevance": 2, "group": "g"}
    rows = jsonl(
        {"question_id": "x", "question": "A?", "evidence": [place, {"uri": "b.pdf", "page": 2}], "mine": 1},
        {"question": "B?", "answerable": False, "tags": ["t"], "synthetic": True, "answer": "no"},
        {"question_id": 7, "question": "C?", "evidence": [{"uri": "c.md", "line_start": 5}]},
    )
    assert read_questions(saved(tmp_path, "q.jsonl", "\ufeff" + rows)).questions == (
        Question(
            "x",
            "A?",
            (Qrel("x", "a.md", 3, 4, quote="so", relevance=2, group="g"), Qrel("x", "b.pdf", page=2)),
        ),
        Question("q2", "B?", (), False, "no", ("t",), True),
        Question("7", "C?", (Qrel("7", "c.md", 5, 5),)),
    )


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"question": ""}, "the question is empty"),
        ({"evidence": []}, "question: missing"),
        ({"question": 1.5}, "question: expected a string"),
        ({"question": "A?", "question_id": []}, "question_id: expected a string"),
        ({"question": "A?", "evidnce": []}, "evidnce: did you mean evidence?"),
        ({"question": "A?", "evidence": "a.md"}, "evidence: expected a list"),
        ({"question": "A?", "evidence": ["a.md"]}, "evidence 1: expected an object"),
        ({"question": "A?", "evidence": [{}]}, "evidence 1: uri: missing, the file"),
        ({"question": "A?", "evidence": [{"uri": " "}]}, "evidence 1: uri: the path is empty"),
        ({"question": "A?", "evidence": [{"uri": "../a"}]}, "outside the folder"),
        ({"question": "A?", "evidence": [{"uri": "a", "line_start": 0}]}, "line_start: counts from 1"),
        ({"question": "A?", "evidence": [{"uri": "a", "line_start": "3"}]}, "line_start: expected a whole"),
        ({"question": "A?", "evidence": [{"uri": "a", "line_start": 3, "line_end": 2}]}, "line_end: needs"),
        ({"question": "A?", "evidence": [{"uri": "a", "line_end": 2}]}, "line_end: needs"),
        ({"question": "A?", "evidence": [{"uri": "a", "page": -1}]}, "page: counts from 1"),
        ({"question": "A?", "evidence": [{"uri": "a", "chars": [4, 4]}]}, "chars: expected"),
        ({"question": "A?", "evidence": [{"uri": "a", "chars": [0, 10**30]}]}, "chars: expected"),
        ({"question": "A?", "evidence": [{"uri": "a", "relevance": True}]}, "relevance: expected a whole"),
        ({"question": "A?", "evidence": [{"uri": "a", "relevance": 10**400}]}, "relevance: expected a whole"),
        ({"question": "A?", "evidence": [{"uri": "a", "relevance": -(10**400)}]}, "relevance: expected a wh"),
        ({"question": "A?", "evidence": [{"uri": "a", "line_start": 10**30}]}, "line_start: expected a"),
        ({"question": "A?", "evidence": [{"uri": "a", "qoute": "x"}]}, "qoute: did you mean quote?"),
        ({"question": "A?", "answerable": "no"}, "answerable: expected true or false"),
        ({"question": "A?", "tags": [1]}, "tags: expected strings"),
    ],
)
def test_native_faults(tmp_path: Path, row: Mapping[str, object], what: str) -> None:
    told = refused(saved(tmp_path, "q.jsonl", jsonl({"question": "ok"}, row)))
    assert told and all(line.startswith("q.jsonl:2: ") for line in told)
    assert any(what in line for line in told)


def test_lines_that_are_no_objects(tmp_path: Path) -> None:
    told = refused(saved(tmp_path, "q.jsonl", '{"question": "ok"}\n[1]\n{"a":\n' + "[" * 100_000 + "\n"))
    assert [line.split(": ")[0] for line in told] == ["q.jsonl:2", "q.jsonl:3", "q.jsonl:4"]


def test_half_a_character_is_no_text(tmp_path: Path) -> None:
    path = saved(tmp_path, "q.jsonl", '{"question": "a \\ud83d b"}\n')
    assert read_questions(path).questions[0].text == "a \ufffd b"


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMED = TEXT.filter(str.strip)
QRELS = st.builds(
    Qrel,
    st.just("x"),
    st.sampled_from(["a.md", "größe/b c.md", "https://example.org//x"]),
    quote=TEXT,
    quote_sha=st.sampled_from(["", "ab12"]),
    relevance=st.integers(-1, 4),
    group=TEXT,
) | st.sampled_from(
    [
        Qrel("x", "a.md", 3, 3),
        Qrel("x", "a.md", 3, 9),
        Qrel("x", "a", page=2),
        Qrel("x", "a", chars=Span(0, 9)),
    ]
)
QUESTIONS = st.builds(
    Question,
    st.just("x"),
    NAMED,
    st.lists(QRELS, max_size=3).map(tuple),
    st.booleans(),
    TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
    st.booleans(),
)


@given(QUESTIONS)
def test_what_is_written_is_read_back(question: Question) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.jsonl"
        add_questions(path, [question])
        found = read_questions(path)
    assert found == question_set("set", [question])


def test_the_written_form(tmp_path: Path) -> None:
    qrel = Qrel("x", "a.md", 7, 8, quote="每年", quote_sha="ab")
    add_questions(tmp_path / "q.jsonl", [Question("x", "A?", (qrel,), tags=("t",)), Question("y", "B?")])
    assert (tmp_path / "q.jsonl").read_text("utf-8") == (
        '{"question_id": "x", "question": "A?", "evidence": [{"uri": "a.md", "line_start": 7, "line_end": 8, '
        '"quote": "每年", "quote_sha": "ab", "relevance": 1}], "answerable": true, "tags": ["t"]}\n'
        '{"question_id": "y", "question": "B?", "evidence": [], "answerable": true}\n'
    )


def test_the_hash_is_of_what_the_questions_say(tmp_path: Path) -> None:
    one = read_questions(saved(tmp_path, "a.tsv", "A?\ta.md:1\n"))
    same = read_questions(saved(tmp_path, "b.tsv", "\ufeff# mine\r\nquestion\ttarget\r\nA? \ta.md:1-1"))
    other = read_questions(saved(tmp_path, "c.tsv", "A?\ta.md:2\n"))
    assert (one.name, same.name) == ("a", "b")
    assert one.sha256 == same.sha256 != other.sha256 and len(one.sha256) == 64


# ── documentation ─────────────────────────────────────────────────────────────────────────────
def test_the_documented_forms_are_read(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/questions.md").read_text("utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S)
    (table,) = [text for language, text in blocks if not language]
    assert [len(question.qrels) for question in tsv(tmp_path, table)] == [1, 1, 2, 0]
    native, _ = [text for language, text in blocks if language == "json"]
    (question,) = read_questions(saved(tmp_path, "q.jsonl", native)).questions
    assert question.qrels == (Qrel("deep", "manual.md", 80, 81, quote="to a depth of 2 m"),)
