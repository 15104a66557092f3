"""The report of two runs of one question set: what changed, and whether it may be chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pincite.evaluate.compare import ALPHA, Change, Comparison
from pincite.evaluate.html_report import parts
from pincite.evaluate.html_report.charts import interval
from pincite.evaluate.html_report.lost import chip
from pincite.evaluate.html_report.markup import Child, Markup, count, join, signed, tag
from pincite.evaluate.html_report.page import page
from pincite.evaluate.html_report.parts import own, table, tile
from pincite.evaluate.saved import RunQuestion, SavedRun
from pincite.evaluate.versus import Versus

MOST_CHANGES = 1_000


def diff_page(found: Versus, base: str, new: str) -> str:
    """The page of a comparison of the runs known by these names."""
    main, one = next(iter(found.by_measure.items()))
    head = [
        tag("p", "Pincite comparison of two runs", class_="kicker"),
        tag("h1", own(base), " → ", own(new)),
        tag("p", *_summary(main, one), class_="lead"),
        tag("div", *_tiles(main, one), class_="tiles"),
        _runs(found, base, new),
        parts.notices(found.notices),
    ]
    return page(f"{base} → {new}: Pincite report", head, list(_parts(found, main, base, new)))


def verdict(one: Comparison) -> tuple[str, str]:
    """In words whether the difference is more than chance, and the class of its colour."""
    if one.p >= ALPHA:
        return "no more than chance may bring about", "even"
    return (
        ("better by more than chance", "up") if one.difference > 0 else ("worse by more than chance", "down")
    )


def _summary(main: str, one: Comparison) -> Iterator[Child]:
    words = "is the same" if one.difference == 0 else "rose" if one.difference > 0 else "fell"
    yield tag("b", f"{main} {words}")
    yield f", {one.before:.4f} → {one.after:.4f}: " if one.difference else f", {one.after:.4f}: "
    yield tag("b", verdict(one)[0], class_=verdict(one)[1])
    yield f" ({p_is(one.p)}, {count(one.total, 'question')})."


def _tiles(main: str, one: Comparison) -> Iterator[Markup]:
    span = f"{signed(one.interval.low)} to {signed(one.interval.high)}"
    yield tile(signed(one.difference), f"{main}, {span}", verdict(one)[1])
    yield tile(p_value(one.p), f"p, {'every case counted' if one.exact else 'randomisation test'}")
    yield tile(f"{len(one.wins):,}", "won", "up" if one.wins else "")
    yield tile(f"{len(one.losses):,}", "lost", "down" if one.losses else "")
    yield tile(f"{len(one.ties):,}", "equal")


def p_value(p: float) -> str:
    """`0.031`, `< 0.001`."""
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def p_is(p: float) -> str:
    """`p = 0.031`, `p < 0.001`."""
    return f"p = {p_value(p)}" if p >= 0.001 else f"p {p_value(p)}"


def _runs(found: Versus, base: str, new: str) -> Markup:
    """What each run is, side by side."""
    known = [dict(parts.identity(run)) for run in (found.base, found.new)]
    rows: list[Sequence[Child]] = [(name, *(one[name] for one in known)) for name in known[0]]
    rows.append(("Failing", *(f"{len(run.failing) + len(run.failed):,}" for run in (found.base, found.new))))
    rows.append(("p50, p95", *(_times(run) for run in (found.base, found.new))))
    return table(["", own(base), own(new)], rows, "sides")


def _times(run: SavedRun) -> str:
    return f"{run.ms_at(0.5):.1f} ms, {run.ms_at(0.95):.1f} ms" if run.ms_at(1.0) else "not known"


# ── sections ──────────────────────────────────────────────────────────────────────────────────
def _parts(found: Versus, main: str, base: str, new: str) -> Iterator[tuple[str, str, Child]]:
    one = found.by_measure[main]
    yield "metrics", "Metrics", _metrics(found)
    yield "lost", f"Lost ({len(one.losses):,})", _changes(one.losses, found, main)
    yield "won", f"Won ({len(one.wins):,})", _changes(one.wins, found, main)
    yield "settings", "Settings that differ", _settings(found, base, new)
    yield "curves", "How deep it is found", _curves(found, base, new)
    if found.base.diagnosis and found.new.diagnosis:
        yield "stages", "Where evidence is lost", _codes(found, base, new)


def _metrics(found: Versus) -> Markup:
    sides = [abs(end) for one in found.by_measure.values() for end in (one.interval.low, one.interval.high)]
    most = max([0.001, *sides])
    level = next(iter(found.by_measure.values())).interval.level
    head = [
        "measure",
        "base",
        "new",
        "difference",
        f"{100 * level:g} % interval",
        "",
        "p",
        "p (Holm)",
        "won",
        "lost",
    ]
    rows: list[Sequence[Child]] = [
        [
            name,
            f"{one.before:.4f}",
            f"{one.after:.4f}",
            tag("b", signed(one.difference), class_=verdict(one)[1]),
            f"{signed(one.interval.low)} to {signed(one.interval.high)}",
            interval(one.difference, one.interval.low, one.interval.high, least=-most, most=most),
            p_value(one.p),
            p_value(found.adjusted[name]),
            f"{len(one.wins):,}",
            f"{len(one.losses):,}",
        ]
        for name, one in found.by_measure.items()
    ]
    note = (
        "p: two-sided paired randomisation test by question; Holm corrects for there being several measures."
    )
    return join([table(head, rows, "figures"), tag("p", note, class_="dim")])


def _settings(found: Versus, base: str, new: str) -> Markup:
    if not found.settings:
        return tag("p", "All settings are the same.", class_="note")
    rows = [(own(name), own(parts.setting(a)), own(parts.setting(b))) for name, a, b in found.settings]
    return table(["setting", own(base), own(new)], rows)


def _curves(found: Versus, base: str, new: str) -> Markup:
    lines = [parts.recall(base, found.base), parts.recall(new, found.new)]
    deepest = max(parts.deepest(found.base), parts.deepest(found.new))
    caption = "The share of the evidence that is in the first k, mean over the questions."
    return tag(
        "div",
        parts.curve_figure("Recall at k", caption, lines, k=found.new.k, deepest=deepest),
        class_="pair",
    )


def _codes(found: Versus, base: str, new: str) -> Markup:
    """How many questions have each code in either run."""
    counts = [run.diagnosis.counts if run.diagnosis else {} for run in (found.base, found.new)]
    names = list(dict.fromkeys([*counts[0], *counts[1]]))
    rows: list[Sequence[Child]] = [
        (chip(name), *(f"{one.get(name, 0):,}" for one in counts), signed(_more(name, counts), 0))
        for name in names
    ]
    return table(["code", own(base), own(new), "difference"], rows)


def _more(name: str, counts: Sequence[dict[str, int]]) -> int:
    return counts[1].get(name, 0) - counts[0].get(name, 0)


def _changes(changes: Sequence[Change], found: Versus, main: str) -> Markup:
    """The questions that changed, largest change first, up to 1,000."""
    if not changes:
        return tag("p", "None.", class_="note")
    base, new = ({one.question_id: one for one in run.questions} for run in (found.base, found.new))
    codes = _codes_of(found)
    rows = [
        _change(change, base[change.question_id], new[change.question_id], codes)
        for change in changes[:MOST_CHANGES]
    ]
    head = ["question", "rank", main, "difference", *(["became"] if codes else [])]
    more = len(changes) - len(rows)
    note = tag("p", f"{count(more, 'more question')}: pincite compare --all lists them.", class_="note")
    return join([table(head, rows, "changes"), *([note] if more else [])])


def _change(change: Change, old: RunQuestion, new: RunQuestion, codes: Mapping[str, str]) -> list[Child]:
    """A question with its ranks and values in both runs, and what became of its evidence in the new one."""
    code = codes.get(change.question_id, "")
    return [
        tag("span", own(new.question_id, class_="dim"), " ", own(new.question)),
        f"{_rank(old.rank)} → {_rank(new.rank)}",
        f"{change.before:.3f} → {change.after:.3f}",
        tag("b", signed(change.difference, 3), class_="up" if change.difference > 0 else "down"),
        *([chip(code) if code else ""] if codes else []),
    ]


def _codes_of(found: Versus) -> dict[str, str]:
    """The code of each question in the new run; nothing if its stages were not looked at."""
    known = found.new.diagnosis.findings if found.new.diagnosis else ()
    return {finding.question_id: finding.code for finding in known}


def _rank(rank: int | None) -> str:
    return f"{rank:,}" if rank else "–"
