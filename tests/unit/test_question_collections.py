"""Labels of collections: BEIR folders, TREC topics, and the public sets where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labels import jsonl, refused, saved
from pincite.errors import InputError, UsageError
from pincite.evaluate.questions import qrels_files, read_questions
from pincite.types import Qrel, Question, Span

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))

# ── BEIR and TREC ─────────────────────────────────────────────────────────────────────────────
QUERIES = jsonl(
    {"_id": "1", "text": "one", "metadata": {"answers": ["so", "thus"], "type": "Multi"}},
    {"_id": "2", "text": "two", "metadata": {"answerable": False}},
    {"_id": "3", "text": "three", "metadata": {"tags": ["t"]}},
)
QREL_LINES = "query-id\tcorpus-id\tscore\n1\td 1\t2\n1\td2\t1\n9\td2\t1\n"


def test_a_beir_folder(tmp_path: Path) -> None:
    saved(tmp_path, "queries.jsonl", QUERIES)
    saved(tmp_path, "qrels.tsv", QREL_LINES)
    found = read_questions(tmp_path)
    assert found.name == tmp_path.name
    assert found.questions == (
        Question("1", "one", (Qrel("1", "d 1", relevance=2), Qrel("1", "d2")), answer="so", tags=("Multi",)),
        Question("2", "two", (), answerable=False),
        Question("3", "three", (), tags=("t",)),
    )
    assert read_questions(tmp_path / "queries.jsonl").questions == found.questions


def test_a_beir_folder_of_splits(tmp_path: Path) -> None:
    saved(tmp_path, "queries.jsonl", QUERIES)
    for split in ("dev", "test", "train"):
        saved(tmp_path, f"qrels/{split}.tsv", f"query-id\tcorpus-id\tscore\n1\t{split}\t1\n")
    assert [path.stem for path in qrels_files(tmp_path)] == ["test", "dev", "train"]
    found = read_questions(tmp_path)
    assert found.name == f"{tmp_path.name}/test" and found.questions[0].qrels[0].uri == "test"
    found = read_questions(tmp_path, tmp_path / "qrels/dev.tsv")
    assert found.name == f"{tmp_path.name}/dev" and found.questions[0].qrels[0].uri == "dev"


def test_spans_take_the_place_of_their_documents(tmp_path: Path) -> None:
    saved(tmp_path, "queries.jsonl", QUERIES)
    saved(tmp_path, "qrels.tsv", QREL_LINES)
    span = {"query_id": "1", "doc_id": "d 1", "start": 4, "end": 6, "text": "so"}
    saved(tmp_path, "spans.jsonl", jsonl(span, {**span, "start": 9, "end": 11}, {**span, "query_id": "3"}))
    first, _, third = read_questions(tmp_path).questions
    assert [(r.uri, r.chars, r.relevance) for r in first.qrels] == [
        ("d 1", Span(4, 6), 2),
        ("d 1", Span(9, 11), 2),
        ("d2", None, 1),
    ]
    assert third.qrels == (Qrel("3", "d 1", chars=Span(4, 6), quote="so"),)
    for end in (4, 10**30):
        saved(tmp_path, "spans.jsonl", jsonl(span, {**span, "end": end}))
        assert refused(tmp_path)[0].startswith("spans.jsonl:2: ")


def test_a_published_query_without_text_stays(tmp_path: Path) -> None:
    saved(tmp_path, "queries.jsonl", jsonl({"_id": "1", "text": ""}, {"_id": "2", "text": "two"}))
    assert [question.text for question in read_questions(tmp_path).questions] == ["", "two"]


def test_cited_pages(tmp_path: Path) -> None:
    cites = [{"file": "a.pdf", "page": 7, "here": True}]
    saved(tmp_path, "queries.jsonl", jsonl({"_id": "1", "text": "one", "metadata": {"cites": cites}}))
    assert read_questions(tmp_path).questions[0].qrels == (Qrel("1", "a.pdf", page=7),)


def test_qrels_of_other_questions(tmp_path: Path) -> None:
    saved(tmp_path, "queries.jsonl", QUERIES)
    strangers = saved(tmp_path, "other.tsv", "7 d1 1\n8 d2 1\n")
    with pytest.raises(InputError, match="judge none of the questions"):
        read_questions(tmp_path, strangers)


def test_qrels_with_a_bad_line(tmp_path: Path) -> None:
    saved(tmp_path, "queries.jsonl", QUERIES)
    bad = saved(tmp_path, "qrels.tsv", "1\td1\tmuch\n")
    with pytest.raises(InputError, match="much"):
        read_questions(tmp_path, bad)


TOPICS = """
<top>
<num> Number: 301
<title> International
  Organized Crime
<desc> Description:
Identify organizations.
</top>
<top><num>302</num><title>Topic: Polio</title></top>
"""


def test_topics(tmp_path: Path) -> None:
    qrels = saved(tmp_path, "q.txt", "301 0 FT-1 1\n301 0 FT-2 0\n302 0 FT-3 2\n")
    found = read_questions(saved(tmp_path, "topics.txt", TOPICS), qrels)
    assert found.questions == (
        Question(
            "301", "International Organized Crime", (Qrel("301", "FT-1"), Qrel("301", "FT-2", relevance=0))
        ),
        Question("302", "Polio", (Qrel("302", "FT-3", relevance=2),)),
    )
    with pytest.raises(UsageError, match="qrels"):
        read_questions(tmp_path / "topics.txt")


def test_topics_with_faults(tmp_path: Path) -> None:
    qrels = saved(tmp_path, "q.txt", "301 0 FT-1 1\n")
    text = "<top>\n<num> 301\n</top>\n<top>\n<num> 302\n<title> a\n<top>\n<num> 302\n<title> b\n</top>\n"
    told = refused(saved(tmp_path, "topics.txt", text), qrels)
    assert told == [
        "topics.txt:1: this <top> has no <num> or no <title>",
        "topics.txt:7: id '302' is that of line 4 too",
    ]


def test_simple_topics(tmp_path: Path) -> None:
    qrels = saved(tmp_path, "q.txt", "1 0 a 1\n")
    found = read_questions(saved(tmp_path, "topics.tsv", "1\tone?\n2\ttwo?\n"), qrels)
    assert found.questions == (Question("1", "one?", (Qrel("1", "a"),)), Question("2", "two?"))
    (told,) = refused(saved(tmp_path, "bad.tsv", "1\tone?\n2 two?\n"), qrels)
    assert told == "bad.tsv:2: expected id<TAB>text"


def test_a_native_file_takes_no_qrels(tmp_path: Path) -> None:
    qrels = saved(tmp_path, "q.txt", "1 0 a 1\n")
    with pytest.raises(UsageError, match="its own judgements"):
        read_questions(saved(tmp_path, "q.jsonl", jsonl({"question": "A?"})), qrels)


# ── public collections ────────────────────────────────────────────────────────────────────────
COUNTS = {
    "scifact": (300, 339, 300, 0),
    "cranfield": (225, 1837, 225, 0),
    "cisi": (112, 3114, 76, 0),
    "xquad_en": (1190, 1190, 1190, 0),
    "xquad_zh": (1190, 1190, 1190, 0),
    "cmrc2018_trial": (1002, 1002, 1002, 0),
    "chunking_eval": (472, 790, 472, 0),
    "squad2_en": (1097, 862, 523, 574),
    "lihua_world": (637, 662, 566, 65),
    "hotpotqa_train100": (100, 200, 100, 0),
    "northwind": (246, 201, 201, 45),
    "anthropic_docs": (100, 192, 100, 0),
}
"""Questions, judgements (or spans), questions with judgements, and unanswerable ones."""


@pytest.mark.parametrize("name", COUNTS)
def test_public_collections_are_read_whole(name: str) -> None:
    if not (DATA / name).is_dir():
        pytest.skip(f"{DATA / name} is not there")
    found = read_questions(DATA / name).questions
    judged = sum(bool(question.judged) for question in found)
    unanswerable = sum(not question.answerable for question in found)
    assert (len(found), sum(len(q.qrels) for q in found), judged, unanswerable) == COUNTS[name]
