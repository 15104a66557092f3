"""A measured run as text for people: failing questions first, then the rest, then the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from pincite.cli.report import MAX_NAMES, table
from pincite.cli.terminal import Terminal, padded, visible
from pincite.evaluate.measures import parse_measure
from pincite.evaluate.saved import RunQuestion, SavedRun
from pincite.scripts import columns

_ALL_UP_TO = 60  # questions, of which those that are ok are listed too
_FOUND = 5  # places of a failing question


def run_text(run: SavedRun, *, term: Terminal, every: bool = False) -> str:
    """How many questions were read, those that fail, those that do not, the metrics, counts and settings."""
    ok = [one for one in run.questions if not one.error and run.is_ok(one)]
    shown = ok if every or len(run.questions) <= _ALL_UP_TO else []
    parts = [
        [_head(run)],
        _block("Error", "red", [_error(one, term) for one in run.failed], term, every),
        _block("MISS", "red", [_miss(one, run, term) for one in run.failing], term, every),
        _block("ok", "green", [_ok(one, term) for one in shown], term, True),
        _metrics(run, term),
        _tags(run, term),
        _synthetic(run, term),
        list(_apart(run, term)),
        table(_settings(run), term),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(run: SavedRun) -> str:
    counts = run.counts()
    plural = "s" * (counts["questions"] != 1)
    return (
        f"{counts['questions']:,} question{plural} read from {visible(run.set_name)}: {counts['measured']:,} "
        f"with evidence, {counts['without_evidence']:,} without, {counts['unanswerable']:,} unanswerable"
    )


# ── questions ─────────────────────────────────────────────────────────────────────────────────
def _block(title: str, color: str, rows: Sequence[str], term: Terminal, every: bool) -> list[str]:
    most = len(rows) if every else MAX_NAMES
    more = [f"  … {len(rows) - most:,} more; --all or --json lists all"] if len(rows) > most else []
    head = [term.style(f"{title} ({len(rows):,})", "bold", color)] if rows else []
    return [*head, *rows[:most], *more]


def _miss(one: RunQuestion, run: SavedRun, term: Terminal) -> str:
    """The question, what was expected and what was found in its place."""
    rank = f"rank {one.rank}" if one.rank else "no rank"
    found = _places(one.found[:_FOUND], term) if one.found else "nothing"
    rows = [
        f"{term.style('MISS', 'red')}  {_text(one.question_id)}  {_text(one.question)}  ({rank})",
        f"      expected  {_places(one.expected, term)}",
        f"      found     {found}" + (", …" if len(one.found) > _FOUND else ""),
        *(f"      label     {_text(label)}" for label in one.labels),
    ]
    return "\n".join(rows)


def _ok(one: RunQuestion, term: Terminal) -> str:
    """The rank, the question, and the place that completes the evidence."""
    rank = one.rank or 0
    place = _places(one.found[rank - 1 : rank], term)
    return f"{term.style('ok', 'green')}  {rank:>2}  {_text(one.question_id)}  {_text(one.question)}  {place}"


def _error(one: RunQuestion, term: Terminal) -> str:
    return (
        f"{term.style('Error', 'red')}  {_text(one.question_id)}  {_text(one.question)}: {_text(one.error)}"
    )


def _places(places: Sequence[str], term: Terminal) -> str:
    return ", ".join(term.style(_text(place), "cyan") for place in places)


def _text(text: str) -> str:
    return visible(" ".join(text.split()))


# ── figures ───────────────────────────────────────────────────────────────────────────────────
def _metrics(run: SavedRun, term: Terminal) -> list[str]:
    """Each measure with its mean, interval, trec_eval's name for it, and what it is."""
    level = next((f"{100 * one.level:g} % interval" for one in run.intervals.values()), "")
    count = f"over {len(run.real):,} questions"
    rows = [["", "mean", level, "trec_eval", count]]
    for name, mean in run.metrics.items():
        measure, interval = parse_measure(name), run.intervals.get(name)
        span = f"{interval.low:.3f}–{interval.high:.3f}" if interval else ""
        rows.append([name, f"{mean:.4f}", span, measure.trec_eval or "–", measure.meaning])
    return _columns(rows, term) if len(rows) > 1 else []


def _tags(run: SavedRun, term: Terminal) -> list[str]:
    tags = run.by_tag()
    rows = [["tag", "questions", *run.measures]]
    rows += [[_text(tag), f"{len(of):,}", *_figures(run.means(of))] for tag, of in tags.items()]
    return _columns(rows, term) if tags else []


def _synthetic(run: SavedRun, term: Terminal) -> list[str]:
    if not run.synthetic:
        return []
    rows = [["synthetic, apart", "questions", *run.measures]]
    rows.append(["", f"{len(run.synthetic):,}", *_figures(run.means(run.synthetic))])
    return _columns(rows, term)


def _figures(means: Mapping[str, float]) -> Iterator[str]:
    return (f"{mean:.4f}" for mean in means.values())


def _columns(rows: Sequence[Sequence[str]], term: Terminal) -> list[str]:
    """The rows with equal columns, the first one as heading."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(padded, row, widths)).rstrip() for row in rows]
    return [term.style(lines[0], "bold"), *lines[1:]]


# ── the rest ──────────────────────────────────────────────────────────────────────────────────
def _apart(run: SavedRun, term: Terminal) -> Iterator[str]:
    """Questions that no mean is over, and those that found nothing, by id."""
    refused = "" if run.answers or not run.index else " with --answers"
    if run.refused is not None and run.unanswerable:
        refused = f": {len(run.refused)} of {len(run.unanswerable)} found nothing, as they should"
    groups = (
        ("without relevant documents, left out", run.without_evidence, ""),
        (f"unanswerable, {'measured below' if run.answers else 'measured apart'}", run.unanswerable, refused),
        ("found nothing at all, counted as 0", run.empty, ""),
    )
    for what, ids, more in groups:
        if ids:
            listed = ", ".join(map(_text, ids[:MAX_NAMES])) + (", …" if len(ids) > MAX_NAMES else "")
            plural = "s" * (len(ids) != 1)
            yield f"{term.style(f'{len(ids):,} question{plural} {what}', 'bold')}{more}: {listed}"


def _settings(run: SavedRun) -> list[tuple[str, str]]:
    flat = chain.from_iterable(_flat(name, value) for name, value in run.settings.items())
    counts = run.counts()
    found = f"{counts['answered']:,} with results, {counts['empty']:,} without"
    times = f"{run.seconds:.2f}"
    if run.ms_at(1.0):
        times += f"; a question {run.ms_at(0.5):.0f} ms (p50), {run.ms_at(0.95):.0f} ms (p95)"
    return [
        ("Searches", f"{found}, {counts['failed']:,} failed"),
        ("Settings", _text(", ".join(flat))),
        ("Seconds", times),
    ]


def _flat(name: str, value: object) -> Iterator[str]:
    """`fusion convex` of `{"search": {"fusion": "convex"}}`; what is not set is left out."""
    if isinstance(value, dict):
        yield from chain.from_iterable(_flat(f"{name}.{key}", inner) for key, inner in value.items())
    elif isinstance(value, list):
        yield f"{name} {'+'.join(map(str, value))}"
    elif value not in (None, ""):
        yield f"{name} {value}"
