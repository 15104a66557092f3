"""TREC files in every form they come in, what is refused, and what is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import InputError, UsageError
from pincite.evaluate.trec import read_qrels, read_run, write_qrels, write_run

IDS = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=6
).filter(lambda text: text != "#" and not set(text) & set("␉␊␋␌␍␠\ufeff"))


def stored(folder: Path, content: str | bytes) -> Path:
    path = folder / "file.trec"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


# ── runs ──────────────────────────────────────────────────────────────────────────────────────
RUN = {"q1": ("b", "a"), "007": ("文档",)}


@pytest.mark.parametrize(
    "content",
    [
        "q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.75 tag\n007 Q0 文档 1 3 tag\n",
        "q1\tQ0\ta\t1\t0.5\ttag\nq1\tQ0\tb\t2\t0.75\ttag\n007\tQ0\t文档\t1\t3\ttag",
        "\ufeffq1 Q0 a 1 0.5 tag\r\n\r\nq1  Q0  b 2 7.5e-1 tag \r\n007 Q0 文档 1 3 tag\r\n",
        "# made by hand\nq1 Q0 a 1 .5 tag\nq1\tQ0 b 2\t0.75 tag\n007 Q0 文档 1 3. tag\n",
        "q1 a 1 0.5\nq1 b 2 0.75\n007 文档 1 3\n",
        "query-id\tcorpus-id\tscore\nq1\ta\t0.5\nq1\tb\t0.75\n007\t文档\t3\n",
        "query-id\trank\tcorpus-id\nq1\t2\ta\nq1\t1\tb\n007\t1\t文档\n",
        "qid docid rank score\nq1 a 1 0.5\nq1 b 2 0.75\n007 文档 9 -3\n",
    ],
)
def test_forms_of_a_run(tmp_path: Path, content: str) -> None:
    found = read_run(stored(tmp_path, content))
    assert found == RUN
    assert list(found) == ["q1", "007"]


def test_other_encodings_are_read(tmp_path: Path) -> None:
    assert (
        read_run(stored(tmp_path, "q1 Q0 a 1 2 t\nq1 Q0 b 2 3 t\n007 Q0 文档 1 3 t\n".encode("utf-16")))
        == RUN
    )


def test_ties_go_by_document_id_falling_in_single_precision(tmp_path: Path) -> None:
    lines = [
        ("a", "0.5"),
        ("c", "0.5"),
        ("b", "0.500000001"),
        ("é", "0.5"),
        ("~", "0.5"),
        ("top", "0.500001"),
    ]
    run = "".join(f"q Q0 {doc} {rank} {value} t\n" for rank, (doc, value) in enumerate(lines, 1))
    assert read_run(stored(tmp_path, run))["q"] == ("top", "é", "~", "c", "b", "a")


def test_ids_with_spaces_in_a_table(tmp_path: Path) -> None:
    table = "query-id\tcorpus-id\tscore\nq1\ta file.md\t2\nq1\tb.md\t1\n"
    assert read_run(stored(tmp_path, table)) == {"q1": ("a file.md", "b.md")}


def test_an_empty_file_has_no_questions(tmp_path: Path) -> None:
    assert read_run(stored(tmp_path, "\n\n")) == {}
    assert read_qrels(stored(tmp_path, "")) == {}


# ── qrels ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "content",
    [
        "q1 0 a 2\nq1 0 b -1\n007 0 文档 0\n",
        "q1\ta\t2\nq1\tb\t-1\n007\t文档\t0\n",
        "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t-1\n007\t文档\t0\n",
        "\ufeffquery-id\tcorpus-id\tscore\r\nq1\ta\t2\r\nq1\tb\t-1.0\r\n\r\n007\t文档\t0",
        "corpus-id\trelevance\tquery_id\na\t+2\tq1\nb\t-1\tq1\n文档\t0\t007\n",
        "q1 0\ta\t2\nq1 0\tb\t-1\n007 0\t文档\t0\n",
    ],
)
def test_forms_of_qrels(tmp_path: Path, content: str) -> None:
    assert read_qrels(stored(tmp_path, content)) == {"q1": {"a": 2, "b": -1}, "007": {"文档": 0}}


def test_a_document_with_spaces_in_three_columns(tmp_path: Path) -> None:
    assert read_qrels(stored(tmp_path, "q1\ta file.md\t1\n")) == {"q1": {"a file.md": 1}}


# ── refused ───────────────────────────────────────────────────────────────────────────────────
def test_every_bad_line_of_a_run_is_named(tmp_path: Path) -> None:
    lines = [
        "q1 Q0 a 1 0.5 t",
        "q1 Q0 b 2 high t",
        "q1 Q0 c 3",
        "",
        "q1 Q0 a 4 0.1 t",
        "q1 Q0 d 5 nan t",
        "q1 Q0 e 6 1_0 t",
        "q1",
    ]
    with pytest.raises(InputError) as caught:
        read_run(stored(tmp_path, "\n".join(lines)))
    told = str(caught.value).splitlines()
    assert told[0].endswith("file.trec: 6 lines cannot be used:")
    assert told[1] == "  line 2: expected a number as score, got 'high'"
    assert told[2] == told[6].replace("line 8", "line 3").replace("1 field", "4 fields")
    assert told[3] == "  line 5: document 'a' of question 'q1' is on line 1 already"
    assert told[4] == "  line 6: expected a number as score, got 'nan'"
    assert told[5] == "  line 7: expected a number as score, got '1_0'"
    assert told[6].startswith("  line 8: expected `question Q0 document rank score tag`")
    assert told[6].endswith("; got 1 field")


def test_every_bad_line_of_qrels_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_qrels(stored(tmp_path, "q1\ta\t1\nq1\tb\t0.5\nq1\ta\t2\nq1\t\t1\nq1\td\tyes\n"))
    assert str(caught.value).splitlines()[1:] == [
        "  line 2: expected a whole number, got '0.5'",
        "  line 3: document 'a' of question 'q1' is on line 1 already",
        "  line 4: the id of the question or of the document is empty",
        "  line 5: expected a whole number, got 'yes'",
    ]


def test_of_many_bad_lines_the_first_are_shown_and_the_rest_counted(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_qrels(stored(tmp_path, "q1 0 a 1\n" + "wrong\n" * 500))
    told = str(caught.value).splitlines()
    assert "500 lines" in told[0]
    assert (told[1][:8], told[20][:9], told[-1], len(told)) == ("  line 2", "  line 21", "  and 480 more", 22)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("query-id\tcorpus-id\ttitle", "no column for scores"),
        ("query-id\tcorpus-id\tscore\trelevance", "two columns of one kind"),
    ],
)
def test_a_header_line_that_does_not_do_is_refused(tmp_path: Path, header: str, told: str) -> None:
    with pytest.raises(InputError, match=f"line 1: the header line names {told}"):
        read_qrels(stored(tmp_path, header + "\n"))


def test_a_row_must_have_the_columns_of_the_header(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2: expected the 3 columns of the header line; got 2 fields"):
        read_qrels(stored(tmp_path, "query-id\tcorpus-id\tscore\nq1\ta\n"))


def test_a_table_of_relevance_by_rank_is_no_qrels(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column for scores"):
        read_qrels(stored(tmp_path, "query-id\trank\tcorpus-id\nq1\t1\ta\n"))


@pytest.mark.parametrize("content", [b"q1 Q0 a\0 1 2 t\n", b"\x89PNG\r\n\x1a\n\0\0"])
def test_what_is_not_text_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="not text"):
        read_run(stored(tmp_path, content))


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_run(tmp_path / "none.run")


def test_a_trec_line_without_tag_and_score_is_not_taken_for_another_form(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: expected a whole number, got 'a'"):
        read_run(stored(tmp_path, "q1 Q0 a 0.5\n"))


# ── written ───────────────────────────────────────────────────────────────────────────────────
def test_a_run_is_written_with_scores_by_rank(tmp_path: Path) -> None:
    write_run(tmp_path / "run", {"q1": ("b", "a file.md"), "q2": (), "q3": ("文档",)}, tag="base")
    assert (tmp_path / "run").read_bytes().decode("utf-8") == (
        "q1 Q0 b 1 -1 base\nq1 Q0 a␠file.md 2 -2 base\nq3 Q0 文档 1 -1 base\n"
    )
    assert read_run(tmp_path / "run") == {"q1": ("b", "a file.md"), "q3": ("文档",)}
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_qrels_are_written_as_trec_has_them(tmp_path: Path) -> None:
    write_qrels(tmp_path / "qrels", {"q1": {"a": 2, "b c": 0}})
    assert (tmp_path / "qrels").read_text("utf-8") == "q1 0 a 2\nq1 0 b␠c 0\n"


@pytest.mark.parametrize("bad", ["", "#", "a␠b", "a\0b", "\ufeffa", "a\udc80"])
def test_an_id_that_would_not_come_back_is_refused(tmp_path: Path, bad: str) -> None:
    with pytest.raises(UsageError, match="cannot stand in a TREC file"):
        write_run(tmp_path / "run", {"q": (bad,)})
    assert list(tmp_path.iterdir()) == []


def test_a_document_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="question 'q' ranks a document twice"):
        write_run(tmp_path / "run", {"q": ("a", "b", "a")})


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written: No such file"):
        write_run(tmp_path / "none" / "run", {"q": ("a",)})


@settings(deadline=None)
@given(st.dictionaries(IDS, st.lists(IDS, min_size=1, max_size=5, unique=True), max_size=4))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, rankings) -> None:
    path = tmp_path_factory.getbasetemp() / "again.trec"
    write_run(path, rankings)
    assert read_run(path) == {q: tuple(ranked) for q, ranked in rankings.items()}
    qrels = {q: {doc: at - 1 for at, doc in enumerate(ranked)} for q, ranked in rankings.items()}
    write_qrels(path, qrels)
    assert read_qrels(path) == qrels
