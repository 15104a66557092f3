"""Questions one by one: the failing ones in full, with what became of their evidence, and all in a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pincite.evaluate.diagnose import CODES
from pincite.evaluate.html_report.charts import strip
from pincite.evaluate.html_report.lost import change, chip
from pincite.evaluate.html_report.markup import Child, Markup, clip, count, join, tag
from pincite.evaluate.html_report.parts import own
from pincite.evaluate.saved import RunQuestion, SavedRun
from pincite.types import Finding, Remedy

MOST_CARDS = 200
MOST_ROWS = 5_000
_PLACES = 5


def lost(run: SavedRun) -> list[RunQuestion]:
    """The questions told in full: failing, with a failed search, or lost behind the hits; in their order."""
    found = run.diagnosis.by_question if run.diagnosis else {}
    failing = {one.question_id for one in (*run.failing, *run.failed)}
    failing |= {one for one, finding in found.items() if finding.code != "found"}
    return [one for one in run.questions if one.question_id in failing]


def cards(run: SavedRun) -> Markup:
    """Every question of `lost` in full, up to 200 of them."""
    chosen = lost(run)
    if not chosen:
        return tag("p", "Every question found its evidence.", class_="note good")
    found = run.diagnosis.by_question if run.diagnosis else {}
    shown = [_card(one, found.get(one.question_id), run) for one in chosen[:MOST_CARDS]]
    more = len(chosen) - len(shown)
    note = f"{count(more, 'more failing question')}: in the table of all questions, and in the run's file."
    return join([tag("div", *shown, class_="cards"), *([tag("p", note, class_="note")] if more else [])])


def _card(one: RunQuestion, finding: Finding | None, run: SavedRun) -> Markup:
    return tag(
        "article",
        tag("header", _chip(one, finding, run), *_marks(one)),
        own(one.question, "h3"),
        tag("div", tag("div", *_places(one)), *(_stages(finding, run) if finding else ()), class_="pair"),
        *(tag("p", clip(line), class_="note") for line in one.labels),
        *_proof(one, finding),
        class_="card",
    )


def _chip(one: RunQuestion, finding: Finding | None, run: SavedRun) -> Markup:
    return chip("error" if one.error else finding.code if finding else state(one, run))


def state(one: RunQuestion, run: SavedRun) -> str:
    """`ok`, `MISS`, or `error` for a search that failed."""
    return "error" if one.error else "ok" if run.is_ok(one) else "MISS"


def _marks(one: RunQuestion) -> Iterator[Markup]:
    yield own(one.question_id, class_="dim")
    yield tag("span", f"rank {one.rank:,}" if one.rank else "not in the ranking", class_="dim")
    if one.synthetic:
        yield tag("span", "drafted", class_="chip")
    for name in one.tags:
        yield tag("span", clip(name, 60), class_="chip", dir="auto")


def _places(one: RunQuestion) -> Iterator[Markup]:
    yield tag("h4", "Expected")
    yield _list(one.expected, "ul")
    yield tag("h4", "Found")
    yield _list(one.found, "ol") if one.found else tag("p", "nothing", class_="dim")


def _list(places: Sequence[str], name: str) -> Markup:
    more = len(places) - _PLACES
    rest = [tag("li", f"… {more:,} more", class_="dim rest")] if more > 0 else []
    return tag(name, *(tag("li", own(place, "code")) for place in places[:_PLACES]), *rest, class_="places")


def _stages(finding: Finding, run: SavedRun) -> Iterator[Markup]:
    track = _track(finding, [stage for stage, _, _ in run.diagnosis.funnel] if run.diagnosis else [])
    chart = [strip(finding.ranks, k=run.k)] if finding.ranks else []
    yield tag("div", tag("h4", "Rank of the evidence at each stage (✕: not there)"), track, *chart)


def _track(finding: Finding, stages: Sequence[str]) -> Markup:
    """The stages in order: passed, where the evidence was lost, and what comes after."""
    at = stages.index(finding.stage) if finding.stage in stages else len(stages)
    names = ["passed" if n < at else "lost" if n == at else "after" for n in range(len(stages))]
    items = (tag("li", stage, class_=name) for stage, name in zip(stages, names, strict=True))
    return tag("ol", *items, class_="stages")


def _proof(one: RunQuestion, finding: Finding | None) -> Iterator[Markup]:
    if one.error:
        yield own(f"The search failed: {one.error}", "p", "proof")
    if finding is None:
        return
    yield own(finding.proof, "p", "proof")
    if finding.remedies:
        items = (tag("li", change(remedy), _effect(remedy)) for remedy in finding.remedies)
        yield tag("div", tag("h4", "Mends it"), tag("ul", *items, class_="places"))


def _effect(remedy: Remedy) -> Markup:
    """What else a fix recovers, and what it loses."""
    more, lost = len(remedy.recovers) - 1, len(remedy.loses)
    told = [f" and {count(more, 'other question')}"] if more > 0 else []
    told += [f", loses {count(lost, 'question')}"] if lost else []
    return tag("span", "".join(told), class_="dim") if told else Markup()


# ── all of them ───────────────────────────────────────────────────────────────────────────────
def listing(run: SavedRun) -> Markup:
    """A row for each question, failing ones first, up to 5,000."""
    ordered = sorted(run.questions, key=lambda one: run.is_ok(one) and not one.error)
    found = run.diagnosis.by_question if run.diagnosis else {}
    main = next(iter(run.measures), "")
    rows = [_row(one, found.get(one.question_id), run, main) for one in ordered[:MOST_ROWS]]
    names = ["", "question", "rank", *([main] if main else []), "expected", "found first", "ms"]
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in names)))
    more = len(ordered) - len(rows)
    return join(
        [
            tag("div", tag("table", head, tag("tbody", *rows)), class_="scroll", tabindex=0),
            *(
                [tag("p", f"{count(more, 'more question')}: in the run's file.", class_="note")]
                if more
                else []
            ),
        ]
    )


def _row(one: RunQuestion, finding: Finding | None, run: SavedRun, main: str) -> Markup:
    said = state(one, run)
    code = finding.code if finding and finding.code != "found" and not one.error else ""
    cells: list[Markup] = [
        tag("td", chip(said)),
        tag("td", own(one.question_id, class_="dim"), " ", own(one.question), *_code(code), class_="wide"),
        tag("td", f"{one.rank:,}" if one.rank else "–", data_v=one.rank or 10**9),
    ]
    if main:
        cells.append(tag("td", f"{one.metrics[main]:.3f}"))
    cells += [
        tag("td", *_first(one.expected)),
        tag("td", *_first(one.found)),
        tag("td", f"{one.ms:.1f}" if one.ms else "–"),
    ]
    return tag("tr", *cells, data_state="ok" if said == "ok" else "fail")


def _code(code: str) -> Iterator[Child]:
    if code:
        yield tag("div", tag("span", code, class_="chip bad"), tag("small", f" {CODES[code]}", class_="dim"))


def _first(places: Sequence[str]) -> Iterable[Child]:
    if places:
        yield own(places[0], "code")
    if len(places) > 1:
        yield tag("small", f" +{len(places) - 1:,}", class_="dim")
