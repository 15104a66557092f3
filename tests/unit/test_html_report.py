"""The page of a run and of two: well formed, complete, escaped, bounded, and the same for the same run."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from html_page import Element, elements
from made_runs import diagnosed, question, run_of
from pincite.evaluate.answers.figures import answers_of
from pincite.evaluate.html_report.diff import diff_page
from pincite.evaluate.html_report.page import run_page
from pincite.evaluate.runs import run_of as run_from_json
from pincite.evaluate.saved import SavedRun, run_json
from pincite.evaluate.saved_why import SavedDiagnosis
from pincite.evaluate.versus import versus
from pincite.types import Finding, Remedy

RANKS = (1, 2, 30, None, 4, 10, 11)
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;</style></title>"


def some(*ranks: int | None) -> SavedRun:
    return run_of([question(number, rank) for number, rank in enumerate(ranks or RANKS, 1)])


def found(page: str, name: str, class_: str = "") -> list[Element]:
    """The elements of this name, with this class if one is given."""
    return [one for one in elements(page) if one.name == name and class_ in ["", *one.classes]]


def heads(page: str) -> list[str]:
    return [one.text for one in found(page, "h2")]


# ── one run ───────────────────────────────────────────────────────────────────────────────────
def test_a_run_with_a_diagnosis_has_every_part_failing_questions_before_the_rest() -> None:
    page = run_page(diagnosed(some()), "base")
    assert heads(page) == [
        "Metrics",
        "Where evidence is lost",
        "How deep it is found",
        "Fixes",
        "Failing questions",
        "By tag",
        "Timings",
        "All questions",
        "Settings",
    ]
    cards = found(page, "article")
    assert [re.findall(r"q\d", card.text)[0] for card in cards] == ["q3", "q4", "q7"]
    assert "parts/3.md:7 is not among the first 10." in cards[0].text and "--k 50 (was 10)" in cards[0].text
    strips = [sum(e.name == "circle" for e in one.below) for one in found(page, "svg", "strip")]
    assert strips == [2, 0, 2]  # lexical and fused; nowhere; lexical and fused
    funnel = found(page, "ol", "funnel")[0]
    assert [one.text for one in funnel.below if one.attributes.get("class") == "lost"] == ["", "−1", "−2"]
    rows = [one.text for one in found(page, "tr") if one.attributes.get("data-state")]
    assert len(rows) == 7 and [row[:4] for row in rows[:4]] == ["MISS", "MISS", "MISS", "okq1"]


def test_figures_have_their_intervals_and_the_names_of_trec_eval() -> None:
    page = run_page(some(), "base")
    rows = [one.text for one in found(page, "tr")]
    assert any(re.match(r"nDCG@100\.57140\.250 – 0\.750.*ndcg_cut_10gains found early", row) for row in rows)
    assert "4 of 7 questions find their evidence in the first 10." in found(page, "p", "lead")[0].text
    assert "2026-01-02 03:04:05 UTC" in page and "0123456789abcdef" in page
    assert "k = 10 · lexical+dense · depth 100 · all documents" in page


def test_fixes_say_what_they_recover_and_lose() -> None:
    page = run_page(diagnosed(some()), "base")
    row = next(one.text for one in found(page, "tr") if one.text.startswith("search.legs = dense"))
    assert "+2" in row and "−1" in row and "q3, q7" in row and "loses q1" in row


def test_a_run_without_a_diagnosis_says_what_adds_one() -> None:
    page = run_page(some(), "base", command="pincite eval FILE --save base --why")
    assert "Fixes" not in heads(page) and not found(page, "svg", "strip")
    assert any("pincite eval FILE --save base --why" in one.text for one in found(page, "p", "note"))
    imported = run_page(run_of([question(1, 1, ms=0.0)], index=""), "other")
    assert "The run was imported: what happened between its stages" in imported
    assert "how long its questions took is not known" in imported


def test_a_failed_search_and_a_label_that_moved_are_told() -> None:
    broken = question(1, None, error="the index is <b>gone</b>")
    moved = question(2, 40, labels=("parts/2.md:7: moved to parts/2.md:9",))
    page = run_page(run_of([broken, moved]), "base")
    first, second = found(page, "article")
    assert "The search failed: the index is <b>gone</b>" in first.text and "error" in first.text
    assert "moved to parts/2.md:9" in second.text and "1 failed search" in page


def test_what_was_found_but_left_out_of_the_context_is_a_failing_question_too() -> None:
    run = diagnosed(some(1, 2))
    assert run.diagnosis
    dropped = replace(run.diagnosis.findings[0], code="dropped-budget", stage="assemble")
    run = replace(run, diagnosis=replace(run.diagnosis, findings=(dropped, run.diagnosis.findings[1])))
    (card,) = found(run_page(run, "base"), "article")
    assert card.text.startswith("dropped-budgetq1rank 1")


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (some(1, 2, 3), "Every question found its evidence."),
        (diagnosed(some(1, 2, 3)), "There is nothing to mend."),
        (diagnosed(some(None)), "Nothing that was tried brings evidence back."),
        (some(1), "1 of 1 question</b> finds its evidence"),
        (some(None, None), "0 of 2 questions"),
        (run_of([question(1, 1, synthetic=True)]), "No question that people asked has been measured."),
        (run_of([question(1, 1, tags=())], intervals={}), "1 of 1 question"),
        (run_of([], measures=()), "No question that people asked has been measured."),
        (run_of([question(1, 1)], unanswerable=("q8",), without_evidence=("q9",)), "without an answer"),
        (run_of([question(1, 1)], notices=("2 of 9 labels moved",)), "2 of 9 labels moved"),
        (run_of([question(1, 1)], k=1), "in first place"),
    ],
)
def test_runs_at_the_edges(run: SavedRun, said: str) -> None:
    page = run_page(run, "base")
    assert said in page
    check(page)


# ── well formed, closed, escaped ──────────────────────────────────────────────────────────────
def check(page: str) -> None:
    """Nested well, ids and links in order, nothing from outside, one script and one style, both by hash."""
    every = elements(page)
    ids = [e.attributes["id"] for e in every if "id" in e.attributes]
    assert len(set(ids)) == len(ids)
    for element in every:
        names = element.attributes
        assert not [name for name in names if name.startswith("on") or name in ("src", "style", "action")]
        href = names.get("href", "#metrics" if "metrics" in ids else "data:,")
        assert href == "data:," or href.removeprefix("#") in ids
    (policy,) = [e.attributes["content"] for e in every if "http-equiv" in e.attributes]
    for name in ("script", "style"):
        (element,) = [e for e in every if e.name == name]
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; img-src data:; ")
    outside = re.findall(r"(?:https?:)?//[\w.]+", page)
    assert set(outside) <= {"http://www.w3.org"}  # the name of SVG, which is not loaded


def some_answers(text: str, how_many: int = 1) -> dict[str, Any]:
    """Answers, as JSON, of which each is wrong and each text is the same."""
    row = {
        "question_id": text, "question": text, "reason": "", "error": "", "expected": [text],
        "cited_places": [text], "answerable": True, "refused": False, "wrong": True,
    }  # fmt: skip
    figures = {"metrics": {"citation_recall": 0.25, "quote_exactness": None}, "counts": {"asked": how_many}}
    point = {"threshold": 0.5, "coverage": 1.0, "risk": 1.0, "answered": how_many, "wrong": how_many}
    return answers_of(
        {
            **figures,
            "synthetic": figures,
            "risk_coverage": {"strength": "sentence", "area": 1.0, "points": [point]},
            "model": text,
            "judge": "",
            "questions": [row] * how_many,
        }
    )


def test_answers_are_a_part_of_the_page() -> None:
    page = run_page(replace(some(), answers=some_answers("Why so?", 201)), "base")
    check(page)
    (part,) = [one for one in found(page, "section") if one.attributes["id"] == "answers"]
    assert "citation recall0.2500" in part.text and "quotes exact–" in part.text
    assert "judged supported" not in part.text
    assert "Answers unlike their labels: 201 of 201" in part.text and "1 more are in the run" in part.text
    assert part.text.count("WRONG") == 200 and "0.500201201" in part.text
    assert "Answers" not in heads(run_page(some(), "base"))


def evil_run() -> SavedRun:
    """A run each of whose texts tries to be markup."""
    one = question(
        1,
        None,
        EVIL,
        question_id=EVIL,
        expected=(EVIL,),
        found=(EVIL,),
        tags=(EVIL,),
        labels=(EVIL,),
        error=EVIL,
    )
    mend = Remedy(EVIL, EVIL, EVIL, (EVIL,), (EVIL,))
    finding = Finding(EVIL, EVIL, "lost-in-fusion", EVIL, {EVIL: 3, "hits": None}, EVIL, (mend,))
    diagnosis = SavedDiagnosis((finding,), ((EVIL, EVIL, 0),), (mend,))
    return run_of(
        [one, question(2, 1)],
        set_name=EVIL,
        set_sha256=EVIL,
        index=EVIL,
        made=EVIL,
        settings={EVIL: EVIL, "model": EVIL},
        notices=(EVIL,),
        unanswerable=(EVIL,),
        diagnosis=diagnosis,
        answers=some_answers(EVIL),
    )


def test_no_text_of_a_run_becomes_markup() -> None:
    run = evil_run()
    other = replace(
        run, questions=(replace(run.questions[0], metrics={"R@10": 1.0, "nDCG@10": 1.0}), run.questions[1])
    )
    other = replace(other, settings={EVIL: "another"})
    for page in (run_page(run, EVIL, command=EVIL), diff_page(versus(run, other), EVIL, EVIL)):
        check(page)
        assert page.count("<script") == 1 and "<img" not in page
        assert EVIL in "".join(one.text for one in found(page, "main"))


def test_characters_that_no_page_can_hold_are_shown() -> None:
    page = run_page(run_of([question(1, None, "a\x00b\x1b[31m\x85 \ud800 \u202egnp.exe")]), "base")
    page.encode("utf-8")
    assert "a\\x00b\\x1b[31m" in page and "\ufffd" in page and "\x1b" not in page
    check(page)


def test_a_page_is_the_same_for_the_same_run_read_from_a_file() -> None:
    run = diagnosed(some())
    page = run_page(run, "base")
    assert page == run_page(run, "base") == run_page(run_from_json(run_json(run)), "base")
    assert diff_page(versus(run, run), "a", "b") == diff_page(versus(run, run), "a", "b")


# ── size ──────────────────────────────────────────────────────────────────────────────────────
def test_a_thousand_questions_are_quick_and_small() -> None:
    words = "How many hours may a meter of the second series stay below the surface of the sea? " * 2
    run = diagnosed(run_of([question(n, (1, 30, None)[n % 3], f"{words}{n}") for n in range(1, 1001)]))
    started = time.process_time()
    page = run_page(run, "base")
    assert time.process_time() - started < 2 and len(page.encode()) < 2_000_000
    assert page.count("<article") == 200 and "467 more failing questions" in page
    assert page.count("<tr data-state=") == 1000


def test_a_long_text_is_cut_and_says_how_much() -> None:
    page = run_page(run_of([question(1, None, "x" * 10_000)]), "base")
    assert "… (9,400 more characters)" in page and len(page) < 60_000


# ── two runs ──────────────────────────────────────────────────────────────────────────────────
def test_a_diff_lists_wins_losses_settings_and_findings() -> None:
    base = diagnosed(some(1, 2, 30, 40, 50, 1, 1))
    new = replace(
        diagnosed(some(1, 20, 3, 4, 5, 1, 1)), settings={**base.settings, "search": {"legs": ["dense"]}}
    )
    page = diff_page(versus(base, new), "old", "better")
    check(page)
    assert heads(page)[:4] == ["Metrics", "Lost (1)", "Won (3)", "Settings that differ"]
    assert "R@10 rose, 0.5714 → 0.8571: no more than chance may bring about (p = 0.625" in (
        found(page, "p", "lead")[0].text
    )
    rows = [one.text for one in found(page, "tr")]
    assert any(re.search(r"^q2 .*2 → 20.*1\.000 → 0\.000.*−1\.000lost-in-fusion$", row) for row in rows)
    assert any(re.search(r"^q3 .*30 → 3.*\+1\.000found$", row) for row in rows)
    assert "search.legslexical+densedense" in rows and "search.depth100not set" in rows
    assert "lost-in-fusion31−2" in rows
    assert (
        len(found(page, "svg", "chart")) == 1 and "old: 57 % at 10" in page and "better: 86 % at 10" in page
    )


def test_a_diff_of_equal_runs_and_of_runs_without_stages() -> None:
    page = diff_page(versus(some(), some()), "a", "b")
    check(page)
    assert "R@10 is the same" in page and "All settings are the same." in page and page.count("None.") == 2
    assert "Where evidence is lost" not in heads(page)
