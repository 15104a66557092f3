"""Measures of a ranking as values: their names in and out, and their value for one question or many.

A document is relevant when its judgement is above 0; one without a judgement is not relevant. Gains are
linear (the judgement itself), as in trec_eval, whose values per question these equal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pincite.errors import UsageError

_MAX_CUTOFF = 1_000_000

_TREC_EVAL = {
    "nDCG": ("ndcg", "ndcg_cut_{}"),
    "R": ("", "recall_{}"),
    "RR": ("recip_rank", ""),
    "AP": ("map", "map_cut_{}"),
    "P": ("", "P_{}"),
    "Hit": ("", "success_{}"),
    "Judged": ("", ""),
}
"""The measures, each with trec_eval's name for it without and with a cutoff, "" where it has none."""

_MEANINGS = {
    "nDCG": "gains found early count more, over the best order of all that is judged; gain = judgement",
    "R": "relevant found / all relevant",
    "RR": "1 / rank of the first relevant",
    "AP": "mean precision at each relevant, over all relevant",
    "P": "relevant found / k",
    "Hit": "1 if anything relevant is found",
    "Judged": "judged results / results",
}

_NEEDS_CUTOFF = frozenset({"R", "P", "Hit", "Judged"})

_SPELLINGS = {
    "ndcg": "nDCG",
    "ndcg_cut": "nDCG",
    "r": "R",
    "recall": "R",
    "rr": "RR",
    "mrr": "RR",
    "recip_rank": "RR",
    "ap": "AP",
    "map": "AP",
    "map_cut": "AP",
    "p": "P",
    "precision": "P",
    "hit": "Hit",
    "success": "Hit",
    "judged": "Judged",
}
"""Names in lower case: ours, those of ir_measures, and those of trec_eval."""

_SPELT = re.compile(r"([a-z_]+?)(?:[@_.]([+-]?[0-9]+))?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure over the first `cutoff` results, or over all of them where it is None.

    `name` is one of nDCG, R, RR, AP, P, Hit, Judged; `UsageError` for another, for a cutoff that is missing
    (R, P, Hit and Judged need one) or outside 1 to 1,000,000.
    """

    name: str
    cutoff: int | None = None

    def __post_init__(self) -> None:
        if self.name not in _TREC_EVAL:
            raise _unknown(str(self))
        if self.cutoff is None and self.name in _NEEDS_CUTOFF:
            raise _wrong(self.name, f"needs a number of results, such as {self.name}@10")
        if self.cutoff is not None and not 1 <= self.cutoff <= _MAX_CUTOFF:
            raise _wrong(str(self), f"expected a number of results from 1 to {_MAX_CUTOFF:,}")

    def __str__(self) -> str:
        """`nDCG@10`, `RR`: the spelling of ir_measures, but Hit for its Success."""
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"

    @property
    def meaning(self) -> str:
        """What it is, in a line."""
        return _MEANINGS[self.name]

    @property
    def trec_eval(self) -> str:
        """trec_eval's name of it (`ndcg_cut_10`, `recip_rank`), "" where trec_eval has no such measure."""
        return _TREC_EVAL[self.name][self.cutoff is not None].format(self.cutoff)


def parse_measure(text: str) -> Measure:
    """The measure of a name as ir_measures (`nDCG@10`) or trec_eval (`ndcg_cut_10`) spells it, in any case.

    `UsageError` for an unknown name, with the nearest one as hint, and for a cutoff that cannot be.
    """
    found = _SPELT.fullmatch(text.strip())
    if not found or found[1].lower() not in _SPELLINGS:
        raise _unknown(text)
    spelling, digits = found[1].lower(), found[2]
    if digits is None and spelling.endswith("_cut"):
        raise _wrong(text, f"needs a number of results, such as {spelling}_10")
    return Measure(_SPELLINGS[spelling], None if digits is None else int(digits[:12]))


def _wrong(text: str, expected: str) -> UsageError:
    return UsageError(f"measure {text[:40]}: {expected}", stage="evaluate")


def _unknown(text: str) -> UsageError:
    """The error for a name that is none, with the nearest measure as its hint."""
    known = ", ".join(f"{name}@10" if name in _NEEDS_CUTOFF else name for name in _TREC_EVAL)
    hint = "No parameters are taken: gains are linear, and relevant means above 0." if "(" in text else ""
    message = f"there is no measure {text[:40]!r}; known: {known}"
    return UsageError(message, stage="evaluate", hint=hint or _nearest(text.strip()[:40]))


def _nearest(text: str) -> str:
    """`did you mean nDCG@10?` with the cutoff that was asked for, "" where nothing is near."""
    from difflib import get_close_matches

    word, digits = re.match(r"[a-z_]*[a-z]", text.lower()), re.search(r"[1-9][0-9]{0,5}$", text)
    near = get_close_matches(word[0], _SPELLINGS, n=1) if word else []
    if not near:
        return ""
    name = _SPELLINGS[near[0]]
    cutoff = digits[0] if digits else "10" if name in _NEEDS_CUTOFF else ""
    return f"did you mean {name}@{cutoff}?" if cutoff else f"did you mean {name}?"


# ── one question ──────────────────────────────────────────────────────────────────────────────
_Grades = Sequence[int | None]
"""The judgement at each place of a ranking, None without one."""


def score(measure: Measure, ranked: Sequence[str], judged: Mapping[str, int]) -> float:
    """The value of a measure for one question, from 0 to 1.

    `ranked` holds document ids, best first; `judged` the judgement of each judged document, found or not.
    A document that is there twice counts at its first place; later ones hold their place as not relevant.
    Without a relevant document every measure is 0, except Judged.
    """
    k = measure.cutoff or max(len(ranked), len(judged))
    relevant = sorted((grade for grade in judged.values() if grade > 0), reverse=True)
    return _FORMULAS[measure.name](_grades(ranked[:k], judged), relevant, k)


def _grades(ranked: Sequence[str], judged: Mapping[str, int]) -> list[int | None]:
    """The judgement at each place, None without one and where a document comes again."""
    seen: set[str] = set()
    places: list[int | None] = []
    for doc_id in ranked:
        places.append(None if doc_id in seen else judged.get(doc_id))
        seen.add(doc_id)
    return places


def _hits(places: _Grades) -> list[int]:
    """The ranks, from 1, that hold a relevant document."""
    return [rank for rank, grade in enumerate(places, 1) if grade is not None and grade > 0]


def _dcg(gains: Sequence[int]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1) if gain > 0)


def _ndcg(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """Σ gain / log₂(rank + 1), over that of the best order of all judged documents, cut at k as well.

    Järvelin & Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", with the discount of
    Burges et al. 2005 from the first rank on and linear gain.
    """
    return _dcg([grade or 0 for grade in places]) / _dcg(relevant[:k]) if relevant else 0.0


def _recall(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """Relevant documents in the first k, over all relevant ones."""
    return len(_hits(places)) / len(relevant) if relevant else 0.0


def _precision(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """Relevant documents in the first k, over k, however few were returned."""
    return len(_hits(places)) / k


def _reciprocal_rank(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """1 / rank of the first relevant document, 0 without one. Voorhees 1999, "The TREC-8 QA track report"."""
    return 1 / hits[0] if (hits := _hits(places)) else 0.0


def _average_precision(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """Precision at the rank of each relevant document found, summed, over all relevant ones.

    Buckley & Voorhees 2000, "Evaluating evaluation measure stability".
    """
    precisions = (found / rank for found, rank in enumerate(_hits(places), 1))
    return math.fsum(precisions) / len(relevant) if relevant else 0.0


def _hit(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """1 if a relevant document is in the first k, else 0."""
    return float(bool(_hits(places)))


def _judged(places: _Grades, relevant: Sequence[int], k: int) -> float:
    """The share of the results in the first k that have a judgement, whatever it is; 0 without results."""
    return sum(grade is not None for grade in places) / len(places) if places else 0.0


_FORMULAS: Mapping[str, Callable[[_Grades, Sequence[int], int], float]] = {
    "nDCG": _ndcg,
    "R": _recall,
    "RR": _reciprocal_rank,
    "AP": _average_precision,
    "P": _precision,
    "Hit": _hit,
    "Judged": _judged,
}


# ── many questions ────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Scores:
    """Values per question and their means, both by the measure's name, and what the means leave out.

    `by_question` has the questions with a relevant judgement, in the order of the judgements; only they
    enter `means`, which is empty when there is none. `empty` names those of them that found nothing: they
    count as 0. `without_relevant` names the questions that have no relevant judgement, `unjudged` the
    rankings of questions the judgements do not know.
    """

    measures: tuple[Measure, ...]
    by_question: Mapping[str, Mapping[str, float]]
    means: Mapping[str, float]
    empty: tuple[str, ...]
    without_relevant: tuple[str, ...]
    unjudged: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many questions the means are over."""
        return len(self.by_question)

    @property
    def answered(self) -> int:
        """How many of them found anything at all."""
        return self.total - len(self.empty)

    def values(self, measure: Measure | str) -> dict[str, float]:
        """The values of one measure by question, for intervals and comparisons."""
        return {question_id: values[str(measure)] for question_id, values in self.by_question.items()}


def measure_all(
    measures: Sequence[Measure],
    rankings: Mapping[str, Sequence[str]],
    qrels: Mapping[str, Mapping[str, int]],
) -> Scores:
    """The values of rankings (document ids by question, best first) by judgements (of documents by question).

    A question without a ranking found nothing. The order of the questions changes no value.
    """
    wanted = tuple(dict.fromkeys(measures))
    scored = [one for one, judged in qrels.items() if any(grade > 0 for grade in judged.values())]
    by_question = {
        one: {str(m): score(m, rankings.get(one, ()), qrels[one]) for m in wanted} for one in scored
    }
    return Scores(
        measures=wanted,
        by_question=by_question,
        means={str(m): _mean([values[str(m)] for values in by_question.values()]) for m in wanted if scored},
        empty=tuple(one for one in scored if not rankings.get(one)),
        without_relevant=tuple(one for one in qrels if one not in by_question),
        unjudged=tuple(one for one in rankings if one not in qrels),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
