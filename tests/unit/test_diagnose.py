"""The localiser as a pure function: hand-made facts and traces, and the code each must have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pincite.evaluate.diagnose import CODES, STAGES, Verdict, diagnose
from pincite.evaluate.proof.facts import Facts, FileState
from pincite.evaluate.proof.fused_anew import recovered
from pincite.evaluate.proof.used import cites
from pincite.types import (
    Answer,
    Citation,
    Claim,
    Context,
    DropCode,
    Dropped,
    Evidence,
    Gold,
    Leg,
    Place,
    Problem,
    Qrel,
    Query,
    Searched,
    SearchResult,
    Span,
    Step,
    Trace,
)

GOLD = "g"
WORDS = "Replace the seal ring every 24 months"


def facts(*holders: str, group: str = "", problem: Problem = "", uri: str = "a.md", **more: object) -> Facts:
    """Facts of one gold that stands at characters 100–200 of its document."""
    qrel = Qrel("q", uri, 7, 7, group=group)
    gold = Gold(qrel, None if problem == "not in corpus" else uri, Span(100, 200), problem=problem)
    return replace(Facts(gold, frozenset(holders), text=WORDS), **more)  # type: ignore[arg-type]


def others(n: int, name: str = "x") -> list[str]:
    return [f"{name}{number}" for number in range(n)]


def leg(name: Leg, ids: Sequence[str], scores: Sequence[float] = ()) -> Step:
    scores = scores or [1.0 - number / 100 for number in range(len(ids))]
    rows = zip(ids, scores, strict=True)
    return Step(
        name, 0.0, {}, tuple({"chunk_id": one, "rank": n, "score": s} for n, (one, s) in enumerate(rows, 1))
    )


def trace(
    lexical: Sequence[str] | None = None,
    dense: Sequence[str] | None = None,
    *,
    fused: Sequence[str],
    reranked: Sequence[str] | None = None,
    k: int = 3,
    params: dict[str, object] | None = None,
) -> Trace:
    """A trace with the true scores that fusion used: those of the legs, and 0 for the rest."""
    legs = [leg(name, ids) for name, ids in (("lexical", lexical), ("dense", dense)) if ids is not None]  # type: ignore[arg-type]
    scores = {step.stage: {item["chunk_id"]: item["score"] for item in step.items} for step in legs}
    rows = [
        {
            "chunk_id": one,
            "rank": rank,
            "score": 1 / rank,
            "exact": False,
            "lexical": scores.get("lexical", {}).get(one),
            "dense": scores.get("dense", {}).get(one, 0.0),
        }
        for rank, one in enumerate(fused, 1)
    ]
    params = params or {"fusion": "convex", "lexical_weight": 0.5, "dense_weight": 0.5}
    last = reranked if reranked is not None else fused
    steps = [*legs, Step("fuse", 0.0, params, tuple(rows))]
    if reranked is not None:
        steps.append(Step("rerank", 0.0, {}, tuple({"chunk_id": one} for one in reranked)))
    steps.append(Step("reopen", 0.0, {}, tuple({"chunk_id": one} for one in last[:k])))
    return Trace("question", tuple(steps))


NOWHERE = trace(others(3), others(3), fused=others(3))
FOUND = trace(["x", GOLD], [GOLD, "y"], fused=[GOLD, "x", "y"])


def code(facts: Sequence[Facts], trace: Trace = FOUND, *, k: int = 3, **more: object) -> str:
    return diagnose(facts, trace, k=k, **more).code  # type: ignore[arg-type]


# ── before the query ──────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("problem", "file", "expected"),
    [
        ("not in corpus", "absent", "not-in-corpus"),
        ("not in corpus", "excluded", "not-in-corpus"),
        ("not in corpus", "failed", "failed-to-parse"),
        ("not in corpus", "skipped", "failed-to-parse"),
        ("not in corpus", "empty", "page-without-text"),
        ("not in corpus", "new", "stale-index"),
        ("quote not there", "changed", "stale-index"),
        ("", "changed", "stale-index"),
        ("", "gone", "stale-index"),
        ("page empty", "indexed", "page-without-text"),
        ("span empty", "indexed", "label-suspect"),
        ("no such place", "indexed", "label-suspect"),
        ("quote not there", "indexed", "label-suspect"),
    ],
)
def test_what_keeps_evidence_out_of_the_text(problem: Problem, file: FileState, expected: str) -> None:
    assert code([facts(GOLD, problem=problem, file=file)]) == expected


def test_a_quote_that_only_the_file_holds_was_lost_in_parsing() -> None:
    assert code([facts(problem="quote not there", in_source=True)]) == "lost-in-parsing"


def test_text_in_no_chunk_was_left_out_or_split() -> None:
    assert code([facts(left_out="comment")]) == "lost-in-parsing"
    assert code([facts()]) == "split-by-chunking"


# ── the query ─────────────────────────────────────────────────────────────────────────────────
def test_evidence_in_the_first_k_is_found_at_its_ranks() -> None:
    verdict = diagnose([facts(GOLD)], FOUND, k=3)
    assert (verdict.code, verdict.stage) == ("found", "")
    assert verdict.ranks == {"lexical": 2, "dense": 1, "fused": 1, "hits": 1}


def test_a_filter_that_refuses_the_document_is_named_before_the_legs() -> None:
    assert code([facts(GOLD, refused=("type is pdf",))], NOWHERE) == "filtered-out"
    assert code([facts(GOLD, refused=("type is pdf",))], FOUND) == "found"


def test_a_chunk_without_a_vector_is_not_blamed_on_the_leg() -> None:
    bare = facts(GOLD, unembedded=frozenset({GOLD}))
    assert code([bare], NOWHERE) == "not-embedded"
    half = facts(GOLD, "other", unembedded=frozenset({GOLD}))
    assert code([half], NOWHERE) == "missed-both"
    lexical_only = trace(lexical=others(3), fused=others(3))
    assert code([bare], lexical_only) == "missed-lexical"


@pytest.mark.parametrize(
    ("lexical", "dense", "expected"),
    [(True, True, "missed-both"), (True, False, "missed-lexical"), (False, True, "missed-dense")],
)
def test_evidence_in_no_pool_was_missed_by_each_leg_that_ran(
    lexical: bool, dense: bool, expected: str
) -> None:
    ran = trace(others(3) if lexical else None, others(3) if dense else None, fused=others(3))
    assert code([facts(GOLD)], ran) == expected


@pytest.mark.parametrize("held", ["lexical", "dense"])
def test_evidence_in_one_pool_was_missed_by_the_other_if_first_place_there_recovers_it(held: str) -> None:
    pool, rest = [*others(4), GOLD], others(5)
    lexical, dense = (pool, rest) if held == "lexical" else (rest, pool)
    missed = trace(lexical, dense, fused=[*others(5), GOLD])
    other: Leg = "dense" if held == "lexical" else "lexical"
    assert recovered(missed, frozenset({GOLD}), other, 3)
    assert code([facts(GOLD)], missed) == f"missed-{other}"


def test_evidence_in_one_pool_that_no_first_place_recovers_was_lost_in_fusion() -> None:
    weights = {"fusion": "convex", "lexical_weight": 1.0, "dense_weight": 0.0}
    lost = trace([*others(4), GOLD], others(5), fused=[*others(5), GOLD], params=weights)
    assert not recovered(lost, frozenset({GOLD}), "dense", 3)
    assert code([facts(GOLD)], lost) == "lost-in-fusion"


def test_first_place_in_reciprocal_ranks_is_one_over_its_constant_and_one() -> None:
    """1/61 + 1/65 for the evidence against 2/62 of the leg's first, who is moved to second place."""
    rrf = {"fusion": "rrf", "rrf_k": 60}
    pool = [*others(4), GOLD]
    lost = trace(pool, others(5), fused=[*others(5), GOLD], params=rrf)
    assert recovered(lost, frozenset({GOLD}), "dense", 3)
    assert not recovered(lost, frozenset({GOLD}), "dense", 1)


def test_a_first_place_takes_the_best_score_and_moves_the_rest_down() -> None:
    """Were the scores only tied with the best, `x0` would stay in front of evidence that is 2nd elsewhere."""
    once = trace(["x0", "x1", "x2"], ["x0", GOLD, "x1"], fused=["x0", GOLD, "x1", "x2"], k=1)
    scores = {"x0": 1.0, "x1": 0.4, "x2": 0.3}
    steps = list(once.steps)
    steps[0] = leg("lexical", list(scores), list(scores.values()))
    fuse = tuple({**item, "lexical": scores.get(str(item["chunk_id"]), 0.0)} for item in steps[2].items)
    steps[2] = replace(steps[2], items=fuse)
    assert recovered(replace(once, steps=tuple(steps)), frozenset({GOLD}), "lexical", 1)


def test_evidence_in_both_pools_behind_k_was_lost_in_fusion() -> None:
    both = trace([*others(4), GOLD], [*others(4), GOLD], fused=[*others(4), GOLD])
    assert code([facts(GOLD)], both) == "lost-in-fusion"
    assert code([facts(GOLD)], both, k=5) == "lost-in-fusion"  # the search handed on three


def test_evidence_that_a_reranker_had_and_put_behind_k_was_lost_there() -> None:
    put_back = trace([GOLD, "x0"], others(4), fused=[GOLD, *others(4)], reranked=[*others(4), GOLD])
    verdict = diagnose([facts(GOLD)], put_back, k=3)
    assert verdict.code == "lost-in-rerank"
    assert verdict.ranks == {"lexical": 1, "dense": None, "fused": 1, "reranked": 5, "hits": None}


def test_evidence_the_reranker_never_had_was_lost_before_it() -> None:
    both = [*others(4), GOLD]
    cut = trace(both, both, fused=both, reranked=others(4))
    assert code([facts(GOLD)], cut) == "lost-in-fusion"


# ── groups ────────────────────────────────────────────────────────────────────────────────────
def test_one_alternative_found_is_found() -> None:
    gone = facts(problem="not in corpus", file="absent")
    assert code([gone, facts(GOLD)]) == "found"
    assert code([facts(GOLD), gone]) == "found"


def test_alternatives_that_are_all_lost_are_lost_where_the_last_was() -> None:
    gone = facts(problem="not in corpus", file="absent")
    assert code([gone, facts("far")], NOWHERE) == "missed-both"


def test_of_several_needed_pieces_the_one_lost_first_is_named() -> None:
    needed = [facts(GOLD, group="a"), facts("far", group="b", uri="b.md")]
    verdict = diagnose(needed, FOUND, k=3)
    assert verdict.code == "missed-both"
    assert verdict.facts is needed[1]
    gone = facts(problem="not in corpus", group="c", uri="c.md", file="absent")
    assert code([*needed, gone]) == "not-in-corpus"


def test_the_rank_of_several_needed_pieces_is_that_of_the_last() -> None:
    needed = [facts("x", group="a"), facts("y", group="b")]
    assert diagnose(needed, FOUND, k=3).ranks == {"lexical": None, "dense": None, "fused": 3, "hits": 3}
    assert code(needed) == "found"


# ── the context ───────────────────────────────────────────────────────────────────────────────
def passage(marker: int = 1, hits: Sequence[str] = (GOLD,), uri: str = "a.md", **more: object) -> Evidence:
    text = f"{WORDS}."
    base = Evidence(marker, uri, uri, Span(0, 400), text, Place(7, 7), hits=tuple(hits))
    return replace(base, **more)  # type: ignore[arg-type]


def dropped(code: DropCode) -> Context:
    return Context((passage(hits=["x"], uri="b.md"),), (Dropped(GOLD, code, "why"),))


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("duplicate", "dropped-duplicate"),
        ("near-duplicate", "dropped-duplicate"),
        ("budget", "dropped-budget"),
        ("blank", "unknown"),
    ],
)
def test_what_left_evidence_out_of_the_context(reason: DropCode, expected: str) -> None:
    assert code([facts(GOLD)], context=dropped(reason)) == expected


def test_a_passage_that_was_cut_before_the_evidence_is_a_matter_of_budget() -> None:
    short = passage(span=Span(0, 120), cut=True)
    assert code([facts(GOLD)], context=Context((short,))) == "dropped-budget"
    half = passage(span=Span(0, 150), cut=True)
    assert code([facts(GOLD)], context=Context((half,))) == "found"


def test_evidence_that_a_neighbour_brought_into_the_context_is_shown() -> None:
    assert code([facts(GOLD)], context=Context((passage(hits=["neighbour"]),))) == "found"


def test_the_rank_in_the_context_is_the_number_of_the_passage() -> None:
    context = Context((passage(1, ["x"], "b.md"), passage(2)))
    assert diagnose([facts(GOLD)], FOUND, k=3, context=context).ranks["context"] == 2


# ── the answer ────────────────────────────────────────────────────────────────────────────────
SHOWN = Context((passage(1), passage(2, ["x"], "b.md")))


def answer(*claims: Claim, abstained: bool = False) -> Answer:
    result = SearchResult(Query("question"), (), 1.0, Searched(1, "", ""), FOUND)
    text = " ".join(claim.text for claim in claims)
    return Answer("question", text, claims, abstained, "", SHOWN, result, FOUND)


def claim(text: str, quote: str = WORDS, uri: str = "a.md", *, verified: bool = True) -> Claim:
    return Claim(text, (Citation(1, uri, Place(7, 7), quote, verified),))


def told(*claims: Claim, evidence: Facts | None = None, abstained: bool = False) -> str:
    made = answer(*claims, abstained=abstained)
    return code([evidence or facts(GOLD)], context=SHOWN, answer=made)


def test_a_comma_between_cells_joins_no_figures() -> None:
    row = "BW-1141,Combination probe,FM-40,312.00,4,21"
    named = "part_number: BW-1141; description: Combination probe; fits: FM-40; price_eur: {}; in_stock: 4"
    evidence = replace(facts(GOLD), text=row)
    assert told(claim(named.format("312.00"), row), evidence=evidence) == "found"
    assert told(claim(named.format("412.00"), row), evidence=evidence) == "contradicted"
    big = replace(facts(GOLD), text="The tank of the probe holds 24,500 litres.")
    assert told(claim("The tank of the probe holds 24500 litres.", big.text), evidence=big) == "found"
    assert told(claim("The tank of the probe holds 45,000 litres.", big.text), evidence=big) == "contradicted"


def test_a_claim_that_cites_the_evidence_is_found() -> None:
    assert told(claim("Every 24 months the seal ring is replaced.")) == "found"


def test_an_answer_about_something_else_does_not_use_it() -> None:
    assert told(claim("The pump floats.", "The pump floats", "b.md")) == "not-used"
    assert told(claim("The pump floats.", "Oil the pump twice a year")) == "not-used"


def test_the_same_words_on_other_lines_are_another_source() -> None:
    facts = Facts(Gold(Qrel("q", "a.md"), "d", Span(0, 9)), text="Replace the seal ring.", place=Place(3, 4))
    for lines, right in (((4, 6), True), ((1, 2), False), ((5, 5), False)):
        cited = Citation(1, "a.md", Place(*lines), "Replace the seal ring.", True)
        assert cites(Claim("Replace the seal ring.", (cited,)), facts) == right
    no_lines = Citation(1, "a.md", Place(page=2), "Replace the seal ring.", True)
    assert cites(Claim("Replace the seal ring.", (no_lines,)), facts)


def test_a_claim_with_the_evidence_s_words_and_another_source_is_cited_wrongly() -> None:
    assert (
        told(claim("Replace the seal ring every 24 months.", "The pump floats", "b.md")) == "citation-wrong"
    )
    assert told(Claim("Replace the seal ring every 24 months.")) == "citation-wrong"
    assert told(claim("Replace the seal ring every 24 months.", verified=False)) == "citation-wrong"


def test_a_figure_the_evidence_does_not_hold_contradicts_it() -> None:
    assert told(claim("Replace the seal ring every 36 months.")) == "contradicted"
    right = claim("Replace the seal ring every 24 months.")
    assert told(right, claim("Replace the seal ring after 36 months.")) == "contradicted"


def test_thousands_are_written_either_way() -> None:
    sold = facts(GOLD, text="They sold 12,500 meters")
    assert told(claim("They sold 12500 meters.", sold.text), evidence=sold) == "found"
    assert told(claim("They sold 12,600 meters.", sold.text), evidence=sold) == "contradicted"


def test_a_short_evidence_is_told_by_whole_words_only() -> None:
    four = facts(GOLD, text="4 bars")
    assert (
        told(claim("It is 14 barsteps wide.", "It is 14 barsteps wide", "b.md"), evidence=four) == "not-used"
    )
    assert told(claim("It holds 4 bars.", "It floats", "b.md"), evidence=four) == "citation-wrong"
    times = facts(GOLD, text="24 次")
    quote = "在联赛中以 24 次拦截领先"
    assert told(claim("球队有 24 次拦截。", quote), evidence=times) == "found"
    assert told(claim("球队有 124 次拦截。", "球队有 124 次拦截", "b.md"), evidence=times) == "not-used"


def test_refusals_are_judged_both_ways() -> None:
    assert told(abstained=True) == "should-not-have-abstained"
    refused, given = answer(abstained=True), answer(claim("It does."))
    assert code([], answer=refused, context=SHOWN) == "found"
    assert code([], answer=given, context=SHOWN) == "should-have-abstained"


def test_a_question_without_evidence_and_answer_is_unknown() -> None:
    assert diagnose([], FOUND, k=3) == Verdict("unknown", None, {})


def test_every_code_has_a_stage_in_order() -> None:
    assert set(CODES.values()) <= set(STAGES)
    assert list(CODES.values())[1:-1] == sorted(list(CODES.values())[1:-1], key=STAGES.index)
