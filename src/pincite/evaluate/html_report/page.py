"""The report of one run: a whole HTML page, the same bytes for the same run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files

from pincite.evaluate.html_report import cards, lost, parts
from pincite.evaluate.html_report.answers import answers
from pincite.evaluate.html_report.markup import Child, Markup, count, join, percent, tag
from pincite.evaluate.html_report.parts import section, tile
from pincite.evaluate.saved import SavedRun

Parts = Sequence[tuple[str, str, Child]]


def run_page(run: SavedRun, name: str, *, command: str = "pincite eval … --save NAME --why") -> str:
    """The page of a run known by `name`; `command` is what adds a diagnosis to a run that has none."""
    head = [
        tag("p", "Pincite retrieval report", class_="kicker"),
        parts.own(name, "h1"),
        tag("p", *_summary(run), class_="lead"),
        tag("div", *_tiles(run), class_="tiles"),
        parts.details(parts.identity(run)),
        parts.notices(run.notices),
    ]
    return page(f"{name}: Pincite report", head, list(_parts(run, command)))


def page(title: str, head: Sequence[Child], sections: Parts) -> str:
    """A page with a link to each of its sections; it may load and run nothing but what is in it."""
    style, script = (_asset(name) for name in ("style.css", "table.js"))
    allowed = f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}"
    links = [tag("a", name, href=f"#{anchor}") for anchor, name, _ in sections]
    body = [
        tag("header", *head, class_="top"),
        tag("nav", *links, aria_label="Sections"),
        tag("main", *(section(anchor, name, content) for anchor, name, content in sections)),
        tag("footer", "Made by pincite report. Everything on this page comes from the run's file."),
    ]
    meta = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=allowed),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="color-scheme", content="light dark"),
        tag("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", Markup(style)),
    ]
    html = tag("html", tag("head", *meta), tag("body", *body, tag("script", Markup(script))), lang="en")
    return f"<!DOCTYPE html>\n{html}\n"


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """The source of a content security policy that stands for one inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# ── the top of the page ───────────────────────────────────────────────────────────────────────
def _summary(run: SavedRun) -> Iterator[Child]:
    """What the run says, in a sentence or two."""
    ok = sum(run.is_ok(one) and not one.error for one in run.questions)
    yield tag("b", f"{ok:,} of {count(len(run.questions), 'question')}")
    yield f" {'finds its' if ok == 1 else 'find their'} evidence {parts.first(run.k)}."
    if run.diagnosis:
        losing = [one for one in run.diagnosis.counts.items() if one[0] != "found"]
        if losing:
            code, most = max(losing, key=lambda one: one[1])
            yield f" What fails most: {code}, {count(most, 'question')}."
        if run.diagnosis.remedies:
            best = run.diagnosis.remedies[0]
            yield " First fix: "
            yield lost.change(best)
            yield f", +{len(best.recovers):,} −{len(best.loses) if best.on_all else '?'}."


def _tiles(run: SavedRun) -> Iterator[Markup]:
    measured = len(run.questions)
    ok = sum(run.is_ok(one) and not one.error for one in run.questions)
    yield tile(percent(ok / measured) if measured else "–", f"with evidence {parts.first(run.k)}")
    for name, mean in list(run.metrics.items())[:1]:
        span = run.intervals.get(name)
        yield tile(f"{mean:.3f}", f"{name}, {span.low:.3f} – {span.high:.3f}" if span else name)
    failing = len(run.failing) + len(run.failed)
    errors = (
        f", {count(len(run.failed), 'failed search').replace('searchs', 'searches')}" if run.failed else ""
    )
    yield tile(f"{failing:,}", f"of {measured:,} fail{errors}", "bad" if failing else "good")
    if run.ms_at(1.0):
        yield tile(f"{run.ms_at(0.5):.1f} ms", f"a question (p50), {run.ms_at(0.95):.1f} ms (p95)")


# ── sections ──────────────────────────────────────────────────────────────────────────────────
def _parts(run: SavedRun, command: str) -> Iterator[tuple[str, str, Child]]:
    yield "metrics", "Metrics", parts.figures(run)
    yield "stages", "Where evidence is lost", _stages(run, command)
    yield "curves", "How deep it is found", tag("div", *_curves(run), class_="pair")
    if run.diagnosis:
        yield "fixes", "Fixes", lost.fixes(run.diagnosis)
    if run.answers is not None:
        yield "answers", "Answers", answers(run.answers)
    yield "failing", "Failing questions", cards.cards(run)
    if rows := parts.tags(run):
        yield "tags", "By tag", rows
    yield "times", "Timings", parts.timings(run)
    yield "all", "All questions", join([cards.listing(run), *_apart(run)])
    yield "settings", "Settings", parts.settings_table(run)


def _stages(run: SavedRun, command: str) -> Child:
    if run.diagnosis is None:
        return lost.no_diagnosis(command) if run.index else lost.imported()
    funnel = [tag("h3", "Questions left after each stage"), lost.funnel(run.diagnosis)]
    return tag(
        "div", tag("div", *funnel), tag("div", tag("h3", "What became of them"), lost.codes(run.diagnosis))
    )


def _curves(run: SavedRun) -> Iterator[Markup]:
    deepest = parts.deepest(run)
    yield parts.curve_figure(
        "Recall at k",
        "The share of the evidence that is in the first k, mean over the questions.",
        [parts.recall("recall", run)],
        k=run.k,
        deepest=deepest,
    )
    if legs := parts.legs(run):
        yield parts.curve_figure(
            "By leg",
            "The share of the questions whose evidence is complete in the first k of a leg and after fusion.",
            legs,
            k=run.k,
            deepest=deepest,
        )


def _apart(run: SavedRun) -> Iterator[Markup]:
    """Questions that no figure is over, by id."""
    groups = (
        ("without relevant documents, left out", run.without_evidence),
        ("without an answer in the documents, measured with answers only", run.unanswerable),
        ("that found nothing at all, counted as 0", run.empty),
    )
    for what, names in groups:
        if names:
            yield tag("p", f"{count(len(names), 'question')} {what}: ", parts.ids(names, 40))
