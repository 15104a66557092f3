"""F23–F28: what keyword search alone must find, through the real analysis and the real engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from keyword_search import Keyword, read_docs, read_rows
from pincite.analyze import analyze, identifier

HERE = Path(__file__).parent
WITH_FIRST = ["F24", "F25", "F26", "F27"]


def expected(fault: str) -> dict[str, dict[str, object]]:
    loaded: dict[str, dict[str, object]] = json.loads((HERE / fault / "expect.json").read_text("utf-8"))
    return loaded


@pytest.mark.parametrize("fault", WITH_FIRST)
def test_first_result_and_what_must_stay_out(fault: str, tmp_path: Path) -> None:
    rows = read_rows(HERE / fault / "queries.tsv")
    with Keyword(tmp_path, read_docs(HERE / fault / "docs.jsonl")) as search:
        for row in rows:
            found = search.found(row["query"])
            assert found[:1] == ([row["first"]] if row["first"] else []), row
            unwanted = (row.get("not_returned") or "").split(",")
            assert not set(unwanted) & set(found), row
    assert len(rows) >= 9


@pytest.mark.parametrize(
    ("name", "query", "first"),
    [("half", "valve", ["d1", "d2"]), ("most", "system backup", ["e2", "e1", "e3"]), ("one", "only", ["f1"])],
)
def test_f23_a_frequent_word_keeps_a_positive_weight(
    name: str, query: str, first: list[str], tmp_path: Path
) -> None:
    with Keyword(tmp_path, read_docs(HERE / "F23" / f"{name}.jsonl")) as search:
        hits = search.search(query)
    assert [name for name, _ in hits] == first
    assert all(score > 0 for _, score in hits)
    scores = expected("F23")[name].get("scores_lucene_idf_k1_1.2_b_0.75", {})
    assert isinstance(scores, dict)
    assert {n: pytest.approx(s, abs=1e-5) for n, s in hits if n in scores} == scores
    assert len({round(score, 6) for name, score in hits if name in ("d1", "d2", "e1", "e3")}) <= 1


def test_f23_the_weight_falls_as_the_word_becomes_frequent(tmp_path: Path) -> None:
    n = 12
    docs = {f"d{i:02}": " ".join(f"w{j}" for j in range(1, n + 1) if i < j) for i in range(n)}
    padded = {
        name: f"{text} {' '.join(f'p{k}' for k in range(n - len(text.split())))}"
        for name, text in docs.items()
    }
    with Keyword(tmp_path, padded) as search:
        weights = [search.search(f"w{j}")[0][1] for j in range(1, n + 1)]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == n
    assert weights[-1] > 0


def test_f24_latin_words_inside_chinese_text_are_words() -> None:
    assert "rack" in analyze("Rack监控任务", side="document").split()
    assert analyze("Rack监控", side="query") == "rack 监控"


def test_f25_the_exact_identifier_outranks_its_parts(tmp_path: Path) -> None:
    with Keyword(tmp_path, read_docs(HERE / "F25" / "docs.jsonl")) as search:
        for query in ["loadInvoiceById", "decodeXMLHeader", "drain_queue_slowly"]:
            scores = dict(search.search(query))
            best = max(scores, key=lambda name: scores[name])
            assert best != "prose.md"
            assert identifier(query) in search.terms(read_docs(HERE / "F25" / "docs.jsonl")[best]).split()
            assert scores[best] > scores.get("prose.md", 0.0)


def test_f26_the_right_code_scores_strictly_higher(tmp_path: Path) -> None:
    with Keyword(tmp_path, read_docs(HERE / "F26" / "docs.jsonl")) as search:
        scores = dict(search.search("ERR-5021"))
    assert scores["err-5021.md"] > max(scores["err-5012.md"], scores["room.md"])


def test_f27_no_text_raises(tmp_path: Path) -> None:
    strings = [*expected("F27")["must_not_raise"], "(" * 10_000, json.loads('"\\ud800"'), '"' * 10_001]
    with Keyword(tmp_path, read_docs(HERE / "F27" / "docs.jsonl")) as search:
        for query in strings:
            assert set(search.found(str(query))) <= {"k9"}, query


def test_f28_stop_words_only_punctuation_and_nothing(tmp_path: Path) -> None:
    expect = expected("F28")
    with Keyword(tmp_path, read_docs(HERE / "F28" / "docs.jsonl")) as search:
        for query, name in expect["first"].items():
            assert search.found(query)[0] == name
        for query, names in expect["set"].items():
            assert sorted(search.found(query)) == names
        for query in [*expect["empty"], "🪤", "\n\t"]:
            assert search.search(query) == []
