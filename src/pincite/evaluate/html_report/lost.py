"""Where evidence was lost: the funnel of the stages, the codes in words, and the fixes that were tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.evaluate.diagnose import CODES
from pincite.evaluate.html_report.charts import bar
from pincite.evaluate.html_report.markup import Child, Markup, count, percent, tag
from pincite.evaluate.html_report.parts import ids, own, table
from pincite.evaluate.saved_why import SavedDiagnosis
from pincite.types import Remedy

_FIXES = 30

MEANINGS = {
    "found": "the evidence is among the first k, and in the context",
    "label-suspect": "the label points at nothing: the place or the quote is not there",
    "not-in-corpus": "the file is not among the documents",
    "stale-index": "the file has changed since it was indexed",
    "failed-to-parse": "the file could not be read",
    "lost-in-parsing": "the words are in the file, but not in the text taken from it",
    "page-without-text": "the page has no text, as scans do",
    "split-by-chunking": "no chunk holds at least half of the evidence",
    "not-embedded": "the chunk has no vector yet",
    "filtered-out": "the filter excludes the document",
    "missed-lexical": "the lexical leg did not find it, and that decided",
    "missed-dense": "the dense leg did not find it, and that decided",
    "missed-both": "no leg found it",
    "lost-in-fusion": "a leg found it, but it fell behind the first k when the legs were fused",
    "lost-in-rerank": "the reranker moved it out of the first k",
    "dropped-duplicate": "left out of the context as a copy of another passage",
    "dropped-budget": "left out of the context, whose budget was full",
    "not-used": "in the context, but the answer cites something else",
    "contradicted": "the answer cites it, but says something else",
    "citation-wrong": "the answer says it, but cites something else",
    "should-have-abstained": "answered, though the documents hold no answer",
    "should-not-have-abstained": "refused, though the evidence was in the context",
    "unknown": "lost, and no stage admits it",
}
"""What each code of the localiser means."""

assert MEANINGS.keys() == CODES.keys()


def no_diagnosis(command: str) -> Markup:
    """Says that the stages were not looked at, and which command does."""
    return tag(
        "p",
        "This run says which questions fail, not where their evidence was lost. To see the stages, the proof "
        "and the fixes, measure again with ",
        tag("code", command),
        " and make the report anew.",
        class_="note",
    )


def imported() -> Markup:
    """Says that a run from elsewhere has no stages."""
    return tag("p", "The run was imported: what happened between its stages is not known.", class_="note")


def funnel(found: SavedDiagnosis) -> Markup:
    """How many questions still have their evidence after each stage."""
    total, before, rows = len(found.findings), len(found.findings), []
    for stage, means, left in found.funnel:
        rows.append(_stage(stage, means, left, before - left, total))
        before = left
    return tag("ol", *rows, class_="funnel")


def _stage(stage: str, means: str, left: int, lost: int, total: int) -> Markup:
    share = left / max(1, total)
    return tag(
        "li",
        tag("b", stage),
        tag("span", means, class_="dim"),
        bar(share, f"{count(left, 'question')} left after {stage}", "bad" if lost else "s1"),
        tag("span", f"{left:,}", tag("small", f" {percent(share)}"), class_="figure"),
        tag("span", f"−{lost:,}" if lost else "", class_="lost"),
        class_="loses" if lost else None,
    )


def codes(found: SavedDiagnosis) -> Markup:
    """How many questions have each code, those that lose most first."""
    counts = sorted(found.counts.items(), key=lambda one: (one[0] == "found", -one[1], one[0]))
    rows: list[Sequence[Child]] = [
        (chip(code), f"{of:,}", CODES[code] or "–", tag("span", MEANINGS[code], class_="dim"))
        for code, of in counts
    ]
    return table(["code", "questions", "stage", "meaning"], rows, "codes")


def chip(code: str) -> Markup:
    """A code, coloured by whether evidence was lost."""
    return tag("span", code, class_="chip good" if code in ("found", "ok") else "chip bad")


# ── fixes ─────────────────────────────────────────────────────────────────────────────────────
def fixes(found: SavedDiagnosis) -> Markup:
    """The fixes, those first that recover most less what they lose."""
    if not found.remedies:
        lost = any(finding.code != "found" for finding in found.findings)
        text = "Nothing that was tried brings evidence back." if lost else "There is nothing to mend."
        return tag("p", text, class_="note")
    most = max(1, *(len(one.recovers) for one in found.remedies))
    shown = found.remedies[:_FIXES]
    more = (
        [f"{len(found.remedies) - _FIXES} more are in the run's file."]
        if len(shown) < len(found.remedies)
        else []
    )
    head = ["fix", "recovers", "", "loses", "questions"]
    return tag(
        "div",
        table(head, [_fix(one, most) for one in shown], "fixes"),
        *(tag("p", line, class_="dim") for line in more),
        tag(
            "p",
            "Each was run on all the questions, except those that need another index (how files are read and "
            "cut, a sync): these are counted over the questions they were found by.",
            class_="dim",
        ),
    )


def _fix(one: Remedy, most: int) -> list[Child]:
    gained = len(one.recovers)
    return [
        change(one),
        tag("span", f"+{gained:,}", class_="up"),
        bar(gained / most, f"recovers {count(gained, 'question')}", "good"),
        tag("span", f"−{len(one.loses):,}" if one.on_all else "−?", class_="down" if one.loses else "dim"),
        tag("div", *_whose(one)),
    ]


def _whose(one: Remedy) -> Iterator[Markup]:
    yield tag("div", ids(one.recovers))
    if one.loses:
        yield tag("div", tag("span", "loses ", class_="down"), ids(one.loses))


def change(one: Remedy) -> Markup:
    """`search.depth = 300 (was 100)`, or the command to run."""
    if one.after.startswith("pincite "):
        return tag("code", own(one.after))
    was = [tag("span", " (was ", own(one.before), ")", class_="dim")] if one.before else []
    sign = " " if one.setting.startswith("-") else " = "
    return tag("span", tag("code", own(f"{one.setting}{sign}{one.after}")), *was)
