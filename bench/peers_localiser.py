"""Two public tools that name the part of a RAG pipeline that failed, on the cases of `faults.py`.

    python bench/faults.py --size 6 --draw peers --export cases.jsonl
    python -m venv peers && peers/bin/pip install openagent-eval==0.4.10 ragmortem==0.2.0
    peers/bin/python bench/peers_localiser.py cases.jsonl --model FOLDER [--save FILE]

FOLDER is a local copy of all-MiniLM-L6-v2, for which ragmortem's thresholds are made; nothing is downloaded.
Both tools judge from what a pipeline wrote down, without the files and the index that Pincite looks into; so
a verdict of theirs is right when it names the right part of the pipeline, as the tables below read it in
their favour, and Pincite's code is measured by the same tables. What a tool has no word for is counted apart,
and so is a fault that cannot be seen from where they look.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

Case = dict[str, Any]
Words = Mapping[str, frozenset[str]]  # a tool's verdict → the codes that it may stand for

# ── what their verdicts may stand for ─────────────────────────────────────────────────────────
_CORPUS = {"not-in-corpus", "failed-to-parse", "lost-in-parsing", "page-without-text"}
_RETRIEVE = {"not-embedded", "filtered-out", "missed-lexical", "missed-dense", "missed-both"}
_RANK = {"lost-in-fusion", "lost-in-rerank"}
_ANSWER = {"not-used", "contradicted", "should-not-have-abstained"}

OPENAGENT: Words = {
    # Its advice for "retrieval" includes documents that are not in the store and an index that is stale; a
    # context without the evidence is "missing_context", whichever step between left it out.
    "retrieval": frozenset({*_CORPUS, "stale-index", *_RETRIEVE, *_RANK, "dropped-budget"}),
    "chunking": frozenset({"split-by-chunking"}),
    "generation": frozenset({*_ANSWER, "should-have-abstained"}),
    "none": frozenset({"found"}),
}
RAGMORTEM: Words = {
    "retrieval_miss": frozenset(_RETRIEVE),
    # "Retrieved as a candidate, but cut off from the context": also where one leg had it, the other not.
    "ranking_miss": frozenset({*_RANK, "dropped-budget", "missed-lexical", "missed-dense", "not-embedded"}),
    "generation_ignored_context": frozenset(_ANSWER),
    # "The corpus holds no supporting evidence": of that, files that are absent or gave no text are cases too.
    "should_abstain": frozenset({"should-have-abstained", *_CORPUS}),
    "no_failure": frozenset({"found"}),
}
# Without a reference answer it asks only why a trace failed: it has no word for one that did not.
RAGMORTEM_OBSERVED: Words = {one: codes for one, codes in RAGMORTEM.items() if one != "no_failure"}
UNDECIDED = "unknown"
BEFORE_ANSWER = frozenset(
    {*_CORPUS, "stale-index", "split-by-chunking", *_RETRIEVE, *_RANK, "dropped-budget", "dropped-duplicate"}
)
REFUSAL = "I do not have sufficient information to answer this question."  # a form that ragmortem knows


# ── the cases ─────────────────────────────────────────────────────────────────────────────────
def read(path: Path) -> tuple[list[Case], dict[str, str]]:
    """The cases, and the texts of chunks by id."""
    cases: list[Case] = []
    texts: dict[str, str] = {}
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "chunks" in row:
                texts.update({one: value["text"] for one, value in row["chunks"].items()})
            else:
                cases.append(row)
    return cases, texts


def answer_of(case: Case) -> str:
    """What the answer stage wrote; a refusal in words that are known as one."""
    return REFUSAL if case["refused"] and case["answer_of_case"] else str(case["answer"])


def contexts(case: Case, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """(id, text) of what the answer stage saw: whole chunks, and pieces of those that were cut."""
    found: list[tuple[str, str]] = []
    for number, passage in enumerate(case["context"]):
        whole = [(one, texts[one]) for one in passage["whole"]]
        found += whole or [(f"piece-{number}", passage["text"])]
    return found


def unseen(case: Case) -> bool:
    """Whether the evidence's words are in the context, or in the index, in spite of the fault.

    So with copies, with an index older than the files, and with labels that name another place.
    """
    shown = " ".join(" ".join(passage["text"].split()) for passage in case["context"]).casefold()
    words = " ".join(case["reference"].split()).casefold()
    indexed = any(one in case["index"] for chunks in case["gold"]["chunks"] for one in chunks)
    kept = case["code"] in {*_CORPUS, "stale-index"} and indexed
    return kept or (case["code"] in BEFORE_ANSWER and bool(words) and words in shown)


# ── openagent-eval ────────────────────────────────────────────────────────────────────────────
_DEFAULT = ("context_recall", "context_precision", "faithfulness", "answer_relevancy")
_NO_PRECISION = ("context_recall", "faithfulness", "answer_relevancy")  # one chunk of five is at most .2
_NO_RELEVANCY = ("context_recall", "faithfulness")  # without a model: words that question and answer share


def openagent(case: Case, texts: Mapping[str, str], metrics: Sequence[str]) -> tuple[str, set[str]]:
    """The part it blames first, and all parts it finds a fault in.

    Its own metrics, computed by its own code. Of several chunks that hold the same evidence, the one that was
    retrieved is named as the expected one. Questions without evidence get no metrics of retrieval, which it
    would otherwise set to 0.
    """
    from openagent_eval.diagnosis import BlameAttribution, ChunkingQualityAnalyzer, ComponentScores
    from openagent_eval.metrics import METRIC_REGISTRY

    shown = [text for _, text in contexts(case, texts)]
    held = [[texts[one] for one in chunks] for chunks in case["gold"]["chunks"]]
    expected = [next((text for text in group if text in shown), group[0]) for group in held]
    given = {
        "question": case["question"],
        "answer": answer_of(case),
        "contexts": shown,
        "retrieved_contexts": shown,
        "ground_truth": case["reference"],
        "ground_truth_contexts": expected,
    }
    wanted = [one for one in metrics if expected or not one.startswith("context")]
    measured = {name: METRIC_REGISTRY[name]().evaluate(**given).score for name in wanted}
    blamed = BlameAttribution().analyze(
        ComponentScores(
            question=case["question"],
            retrieval_scores={one: score for one, score in measured.items() if one.startswith("context")},
            generation_scores={
                one: score for one, score in measured.items() if not one.startswith("context")
            },
            context_count=len(shown),
            context_lengths=list(map(len, shown)),
            answer_length=len(given["answer"]),
        )
    )
    issues = ChunkingQualityAnalyzer().analyze(case["question"], shown)
    listed = {one.blame.value for one in blamed.failure_modes} | ({"chunking"} if issues else set())
    return blamed.target.value, listed or {"none"}


# ── ragmortem ─────────────────────────────────────────────────────────────────────────────────
class Similar:
    """Cosines of texts under a local model, each text embedded once."""

    def __init__(self, folder: Path) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(str(folder), device="cpu")
        self._rows: dict[str, Any] = {}

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        fresh = [one for one in dict.fromkeys([question, *texts]) if one not in self._rows]
        if fresh:
            made = self._model.encode(fresh, normalize_embeddings=True, show_progress_bar=False)
            self._rows.update(zip(fresh, made, strict=True))
        asked = self._rows[question]
        return [max(-1.0, min(1.0, float(self._rows[one] @ asked))) for one in texts]


class Index:
    """The chunks of a case's index, as ragmortem asks for a corpus: a list of chunks that can be searched."""

    def __init__(self, case: Case, texts: Mapping[str, str], similar: Similar) -> None:
        from ragmortem import Chunk

        self.chunks = [Chunk(id=one, text=texts[one], source="") for one in case["index"]]
        self._similar = similar

    def retrieve(self, query: str, k: int = 3) -> tuple[list[Any], list[float]]:
        scores = self._similar(query, [one.text for one in self.chunks])
        best = sorted(range(len(scores)), key=lambda at: (-scores[at], self.chunks[at].id))[:k]
        return [self.chunks[at] for at in best], [scores[at] for at in best]


def ragmortem(case: Case, texts: Mapping[str, str], similar: Similar, mode: str) -> str:
    """Its verdict, suspected or proven. `mode`: "reference", "corpus", "trace".

    Shown chunks are those of the context; candidates are these and the rest of the last ranking. Each of both
    is ordered by similarity, as its thresholds expect. Questions without a reference answer are judged by the
    corpus. There it is given no candidates: with them it is undecided more often and right less often.
    """
    from ragmortem import diagnose

    mode = "corpus" if mode == "reference" and not case["reference"] else mode
    last = case["stages"].get("rerank") or case["stages"].get("fuse") or []
    shown = contexts(case, texts)
    ids = {one for one, _ in shown}
    best = _by_similarity(case["question"], shown, similar)
    rest = _by_similarity(case["question"], [(one, texts[one]) for one, _ in last if one not in ids], similar)
    found = diagnose(
        query=case["question"],
        retrieved_chunks=best,
        candidate_chunks=None if mode == "corpus" else [*best, *rest],
        top_k=len(best),
        context="\n\n".join(text for _, text in shown),
        answer=answer_of(case),
        corpus=None if mode == "trace" else Index(case, texts, similar),
        mode="trace_only" if mode == "trace" else "corpus_aware",
        reference_answer=case["reference"] if mode == "reference" else None,
    )
    return str(found.canonical_failure_type.value)


def _by_similarity(question: str, chunks: Sequence[tuple[str, str]], similar: Similar) -> list[Case]:
    scores = similar(question, [text for _, text in chunks])
    made = [{"id": one, "text": text, "score": s} for (one, text), s in zip(chunks, scores, strict=True)]
    return sorted(made, key=lambda one: -float(one["score"]))


# ── counting ──────────────────────────────────────────────────────────────────────────────────
def fits(words: Words, expected: str, verdicts: Iterable[str]) -> bool:
    """Whether one of the verdicts may stand for the code."""
    return any(expected in words.get(one, ()) for one in verdicts)


def same_word(words: Words, expected: str, named: str) -> bool:
    """Whether a verdict may stand for both codes."""
    return any({expected, named} <= codes for codes in words.values())


def table(
    cases: Sequence[Case], words: Words, judge: Callable[[Case], tuple[str, set[str]]]
) -> dict[str, Any]:
    """What a tool said of every case, and how often that was right where it has a word for it."""
    known = frozenset().union(*words.values())
    rows = [(case, *judge(case)) for case in cases if case["code"] in known]
    apart = [row for row in rows if unseen(row[0])]
    rows = [row for row in rows if not unseen(row[0])]
    codes = list(dict.fromkeys(case["code"] for case, _, _ in rows))
    return {
        "no_such_verdict": dict(Counter(case["code"] for case in cases if case["code"] not in known)),
        "unseen": dict(Counter(case["code"] for case, _, _ in apart)),
        **_shares(rows, words),
        "by_corpus": {
            name: _shares([row for row in rows if row[0]["corpus"] == name], words)
            for name in dict.fromkeys(case["corpus"] for case, _, _ in rows)
        },
        "by_code": {code: _by_code([row for row in rows if row[0]["code"] == code], words) for code in codes},
    }


def _by_code(rows: Sequence[tuple[Case, str, set[str]]], words: Words) -> dict[str, Any]:
    """Of one code's cases: how many, how many the tool and Pincite named rightly, and what the tool said."""
    return {
        "cases": len(rows),
        "right": sum(fits(words, case["code"], [said]) for case, said, _ in rows),
        "pincite": sum(same_word(words, case["code"], case["named"]) for case, _, _ in rows),
        "said": dict(Counter(said for _, said, _ in rows).most_common()),
    }


def _shares(rows: Sequence[tuple[Case, str, set[str]]], words: Words) -> dict[str, Any]:
    n = max(1, len(rows))
    always = {one: sum(fits(words, case["code"], [one]) for case, _, _ in rows) / n for one in words}
    best = max(always, key=lambda one: always[one])
    return {
        "cases": len(rows),
        "right": round(sum(fits(words, case["code"], [said]) for case, said, _ in rows) / n, 4),
        "right_among_listed": round(sum(fits(words, c["code"], {s, *more}) for c, s, more in rows) / n, 4),
        "undecided": round(sum(said == UNDECIDED for _, said, _ in rows) / n, 4),
        "pincite_same_words": round(sum(same_word(words, c["code"], c["named"]) for c, _, _ in rows) / n, 4),
        "pincite_exact_code": round(sum(c["code"] == c["named"] for c, _, _ in rows) / n, 4),
        "always_the_same": [best, round(always[best], 4)],
    }


def tools(
    texts: Mapping[str, str], similar: Similar
) -> Iterable[tuple[str, Words, Callable[[Case], tuple[str, set[str]]]]]:
    """(name, its words, its judgement of a case) of each tool in each way to run it."""
    for metrics, name in (
        (_DEFAULT, "openagent-eval, its default metrics"),
        (_NO_PRECISION, "openagent-eval, without precision"),
        (_NO_RELEVANCY, "openagent-eval, recall and faithfulness"),
    ):

        def blame(case: Case, metrics: Sequence[str] = metrics) -> tuple[str, set[str]]:
            return openagent(case, texts, metrics)

        yield name, OPENAGENT, blame
    for mode, name, words in (
        ("reference", "ragmortem, corpus and reference answer", RAGMORTEM),
        ("corpus", "ragmortem, corpus", RAGMORTEM_OBSERVED),
        ("trace", "ragmortem, trace alone", RAGMORTEM_OBSERVED),
    ):

        def judge(case: Case, mode: str = mode) -> tuple[str, set[str]]:
            return ragmortem(case, texts, similar, mode), set()

        yield name, words, judge


def _quiet() -> None:
    """No look at a model hub, and no line of log for each model that is not there."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    logging.disable(logging.WARNING)
    from loguru import logger

    logger.remove()


def main() -> int:
    options = argparse.ArgumentParser(description="Public localisers on the injected faults.")
    options.add_argument("cases", type=Path, help="what faults.py --export wrote")
    options.add_argument("--model", type=Path, required=True, help="a local folder of all-MiniLM-L6-v2")
    options.add_argument("--save", type=Path, help="write the tables as JSON")
    given = options.parse_args()
    _quiet()
    cases, texts = read(given.cases)
    similar = Similar(given.model)
    found: dict[str, Any] = {}
    print(
        f"{'tool':<44}{'cases':>6}{'right':>8}{'listed':>8}{'undecided':>11}{'always one':>12}{'Pincite':>9}"
    )
    for name, words, judge in tools(texts, similar):
        row = found[name] = table(cases, words, judge)
        always = row["always_the_same"][1]
        print(
            f"{name:<44}{row['cases']:>6}{row['right']:>8.1%}{row['right_among_listed']:>8.1%}"
            f"{row['undecided']:>11.1%}{always:>12.1%}{row['pincite_same_words']:>9.1%}",
            flush=True,
        )
    exact = sum(case["code"] == case["named"] for case in cases) / max(1, len(cases))
    print(f"Pincite by its own codes, all {len(cases)} cases: {exact:.1%}")
    if given.save:
        packages = ("openagent-eval", "ragmortem", "sentence-transformers", "torch")
        head = {
            "versions": {"python": platform.python_version(), **{one: version(one) for one in packages}},
            "cases": len(cases),
            "by_corpus": dict(Counter(case["corpus"] for case in cases)),
            "pincite_exact_code": round(exact, 4),
            "words": {
                "openagent-eval": {verdict: sorted(codes) for verdict, codes in OPENAGENT.items()},
                "ragmortem": {verdict: sorted(codes) for verdict, codes in RAGMORTEM.items()},
            },
        }
        text = json.dumps({**head, "tools": found}, indent=1, ensure_ascii=False)
        given.save.write_text(text + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
