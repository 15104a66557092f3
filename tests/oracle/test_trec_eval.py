"""Measures against trec_eval itself (through pytrec_eval), ir_measures, and ranx where it is installed."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.evaluate.measures import measure_all, parse_measure, score
from pincite.evaluate.trec import read_qrels, read_run, write_qrels, write_run

TOLERANCE = 1e-9
NAMES = [
    "nDCG",
    "RR",
    "AP",
    *(f"{name}@{k}" for name in ("nDCG", "R", "AP", "P", "Hit") for k in (1, 3, 10, 1000)),
]
MEASURES = [parse_measure(name) for name in NAMES]
SHARED = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared/data"))

DOCS = [*"abcdefghij", "é", "ü", "文档", "🙂", "Z", "~"]
SCORES = st.sampled_from([0.0, 0.5, 0.5 + 1e-9, 0.5 + 1e-6, 1.0, -2.5, 1e-42, 3e38, 1e300, 7.0])
RUN = st.dictionaries(st.sampled_from(DOCS), SCORES, max_size=len(DOCS))
JUDGED = st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 4), min_size=1, max_size=len(DOCS)).filter(
    lambda judged: max(judged.values()) >= 0  # trec_eval reads beyond its memory otherwise
)
QUESTIONS = st.sampled_from(["q1", "q2", "问题", "10"])
Qrels = Mapping[str, Mapping[str, int]]


def trec_eval(run: Mapping[str, Mapping[str, float]], qrels: Qrels) -> dict[str, dict[str, float]]:
    """trec_eval's values by question and our name of the measure; 0 for a question that is not in the run."""
    evaluator = pytrec_eval.RelevanceEvaluator(
        {q: dict(judged) for q, judged in qrels.items()}, {measure.trec_eval for measure in MEASURES}
    )
    found = evaluator.evaluate({q: dict(scores) for q, scores in run.items()})
    return {q: {str(m): found.get(q, {}).get(m.trec_eval, 0.0) for m in MEASURES} for q in qrels}


def check(
    rankings: Mapping[str, Sequence[str]], run: Mapping[str, Mapping[str, float]], qrels: Qrels
) -> None:
    wanted = trec_eval(run, qrels)
    for question_id, judged in qrels.items():
        ranked = rankings.get(question_id, ())
        found = {str(measure): score(measure, ranked, judged) for measure in MEASURES}
        assert found == pytest.approx(wanted[question_id], abs=TOLERANCE, rel=0), question_id


def own_run(rankings: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    return {q: {doc: -rank for rank, doc in enumerate(ranked, 1)} for q, ranked in rankings.items()}


@settings(deadline=None)  # it writes a file
@given(st.dictionaries(QUESTIONS, RUN), st.dictionaries(QUESTIONS, JUDGED, min_size=1))
def test_imported_runs(tmp_path_factory: pytest.TempPathFactory, run, qrels) -> None:
    folder = tmp_path_factory.getbasetemp()
    lines = [f"{q} Q0 {doc} 1 {value!r} x\n" for q, scores in run.items() for doc, value in scores.items()]
    (folder / "imported.run").write_text("".join(lines), "utf-8")
    check(read_run(folder / "imported.run"), run, qrels)


@given(
    st.dictionaries(QUESTIONS, st.lists(st.sampled_from(DOCS), unique=True)),
    st.dictionaries(QUESTIONS, JUDGED, min_size=1),
)
def test_own_runs(rankings, qrels) -> None:
    check(rankings, own_run(rankings), qrels)


def test_long_rankings() -> None:
    chance = random.Random(5)
    docs = [f"d{at}" for at in range(5000)]
    qrels = {f"q{at}": {doc: chance.randrange(-1, 4) for doc in chance.sample(docs, 300)} for at in range(20)}
    rankings = {question_id: chance.sample(docs, chance.randrange(1, 3000)) for question_id in qrels}
    check(rankings, own_run(rankings), qrels)


def test_files_we_write_give_trec_eval_our_values(tmp_path: Path) -> None:
    chance = random.Random(6)
    docs = ["a file.md", "b.md", "文档/操作 手册.md", "c.md", "d.md#7", "é.md"]
    qrels = {f"q {at}": {doc: chance.randrange(3) for doc in docs[:4]} for at in range(9)}
    rankings = {question_id: tuple(chance.sample(docs, 5)) for question_id in qrels}
    write_run(tmp_path / "run", rankings)
    write_qrels(tmp_path / "qrels", qrels)
    assert (read_run(tmp_path / "run"), read_qrels(tmp_path / "qrels")) == (rankings, qrels)
    with (
        (tmp_path / "run").open(encoding="utf-8") as run,
        (tmp_path / "qrels").open(encoding="utf-8") as labels,
    ):
        written = trec_eval(pytrec_eval.parse_run(run), pytrec_eval.parse_qrel(labels))
    for (question_id, judged), wanted in zip(qrels.items(), written.values(), strict=True):
        for measure in MEASURES:
            assert score(measure, rankings[question_id], judged) == pytest.approx(
                wanted[str(measure)], abs=TOLERANCE
            )


def shared_sets() -> list[str]:
    return sorted(path.parent.name for path in SHARED.glob("*/qrels.tsv"))


@pytest.mark.skipif(not shared_sets(), reason="the public collections are not here (PINCITE_DATA)")
@pytest.mark.parametrize("name", shared_sets())
def test_public_judgements(name: str) -> None:
    """Rankings that hold some of the relevant documents among documents of other questions, at random."""
    qrels = read_qrels(SHARED / name / "qrels.tsv")
    docs = sorted({doc for judged in qrels.values() for doc in judged})
    rankings: dict[str, list[str]] = {}
    for at, (question_id, judged) in enumerate(qrels.items()):
        chance = random.Random(at)
        drawn = {
            *chance.sample(docs, min(len(docs), 60)),
            *chance.sample(sorted(judged), len(judged) * 2 // 3 or 1),
        }
        rankings[question_id] = chance.sample(sorted(drawn), len(drawn))
    del rankings[next(iter(rankings))]
    check(rankings, own_run(rankings), qrels)


# ── other implementations ─────────────────────────────────────────────────────────────────────
SPELT = [*NAMES, "RR@3", "RR@10", "Judged@10", "Judged@3"]


@pytest.mark.parametrize("name", SPELT)
def test_ir_measures_reads_our_names(name: str) -> None:
    theirs = name.replace("Hit", "Success")
    assert str(ir_measures.parse_measure(theirs)) == theirs
    assert str(parse_measure(theirs)) == name


def test_ir_measures_gives_the_same_values() -> None:
    rankings, qrels = random_questions(7)
    measures = [parse_measure(name) for name in SPELT]
    ours = measure_all(measures, rankings, qrels)
    theirs = [ir_measures.parse_measure(str(measure).replace("Hit", "Success")) for measure in measures]
    values = Counter(
        {
            (metric.query_id, str(metric.measure).replace("Success", "Hit")): metric.value
            for metric in ir_measures.iter_calc(theirs, qrels, own_run(rankings))
        }
    )
    for question_id, found in ours.by_question.items():
        for name, value in found.items():
            assert value == pytest.approx(values[question_id, name], abs=TOLERANCE), (question_id, name)


@pytest.mark.filterwarnings("ignore:unsafe cast")  # numba, compiling ranx
@pytest.mark.timeout(600)  # compiling takes a minute
def test_ranx_gives_the_same_values() -> None:
    ranx = pytest.importorskip("ranx")
    rankings, qrels = random_questions(8)
    relevant = {q: {doc: grade for doc, grade in qrels[q].items() if grade > 0} for q in rankings}
    names = {"nDCG@10": "ndcg@10", "R@10": "recall@10", "P@5": "precision@5"}
    names |= {"RR": "mrr", "AP": "map", "Hit@3": "hit_rate@3", "nDCG@3": "ndcg@3"}
    run = ranx.Run(
        {q: {doc: 1000.0 + value for doc, value in own.items()} for q, own in own_run(rankings).items()}
    )
    theirs = ranx.evaluate(ranx.Qrels(relevant), run, list(names.values()))
    ours = measure_all([parse_measure(name) for name in names], rankings, relevant)
    assert {names[name]: mean for name, mean in ours.means.items()} == pytest.approx(theirs, abs=TOLERANCE)


def random_questions(seed: int) -> tuple[dict[str, list[str]], dict[str, dict[str, int]]]:
    """Rankings of all questions but one and judgements with grades, each with a relevant document."""
    chance = random.Random(seed)
    docs = [f"d{at}" for at in range(60)]
    qrels = {
        f"q{at}": {**{doc: chance.randrange(4) for doc in chance.sample(docs, 20)}, docs[at]: 1}
        for at in range(40)
    }
    rankings = {question_id: chance.sample(docs, chance.randrange(1, 50)) for question_id in qrels}
    del rankings["q0"]
    return rankings, qrels
