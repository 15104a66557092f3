"""What a report of one run and that of two have in common: sections, tables, tiles, curves and settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pincite.evaluate.html_report.charts import Series, curves, histogram, interval, series
from pincite.evaluate.html_report.markup import Child, Markup, clip, count, join, percent, tag
from pincite.evaluate.measures import parse_measure
from pincite.evaluate.saved import SavedRun
from pincite.evaluate.versus import flat

_MAIN_SETTINGS = (
    "run", "model", "search.legs", "search.fusion", "search.depth", "chunk.strategy", "chunk.size", "filter",
)  # fmt: skip


# ── pieces ────────────────────────────────────────────────────────────────────────────────────
def section(name: str, title: str, *children: Child) -> Markup:
    """A part of the page with its heading, to which the links at the top lead."""
    return tag("section", tag("h2", title), *children, id=name)


def table(head: Sequence[Child], rows: Iterable[Sequence[Child]], class_: str = "rows") -> Markup:
    """A table that scrolls by itself where it is wider than the page; the first cell of a row names it."""
    names = [tag("th", name, scope="col") for name in head]
    body = [tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows]
    inner = tag("table", tag("thead", tag("tr", *names)), tag("tbody", *body))
    return tag("div", inner, class_=f"scroll {class_}", tabindex=0)


def tile(figure: str, what: Child, class_: str = "") -> Markup:
    """A figure that stands for itself, and what it says."""
    return tag("div", tag("strong", figure), tag("span", what), class_=f"tile {class_}".strip())


def details(rows: Iterable[tuple[str, Child]]) -> Markup:
    """Names with what belongs to them."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_="facts")


def first(k: int) -> str:
    """`in the first 10`."""
    return f"in the first {k:,}" if k > 1 else "in first place"


def own(text: str, name: str = "span", class_: str | None = None) -> Markup:
    """A text of a document or a question: on one line, cut if long, in its own direction of writing."""
    return tag(name, clip(text), dir="auto", class_=class_)


def notices(lines: Iterable[str]) -> Markup:
    """What else is to be known."""
    return join(tag("p", clip(line), class_="note") for line in lines)


# ── settings ──────────────────────────────────────────────────────────────────────────────────
def settings_line(run: SavedRun) -> str:
    """The settings that matter most in a line: `english · lexical+dense · convex · depth 100 · …`."""
    known = flat(run.settings)
    shown = [(name, setting(known[name])) for name in _MAIN_SETTINGS if known.get(name) not in (None, "")]
    named = [f"{name.rpartition('.')[2]} {text}" if text.isdigit() else text for name, text in shown]
    return " · ".join([f"k = {run.k}", *named])


def setting(value: object) -> str:
    """A value as people write it."""
    if isinstance(value, list):
        return "+".join(map(str, value))
    return "not set" if value is None else str(value)


def settings_table(run: SavedRun) -> Markup:
    """Every setting that shaped the figures."""
    rows = [(own(name), own(setting(value))) for name, value in flat(run.settings).items()]
    return table(["setting", "value"], rows)


def identity(run: SavedRun) -> list[tuple[str, Child]]:
    """What was measured, when, and on which state of an index."""
    model = str(run.settings.get("model", "")) or "none"
    return [
        ("Questions", own(f"{run.set_name}, {count(len(run.set_ids), 'question')}")),
        ("Measured", run.made.replace("T", " ").replace("+00:00", " UTC")),
        ("Model", own(model)),
        ("Index", tag("code", run.index or "none: an imported run")),
        ("Question set", tag("code", run.set_sha256[:16])),
        ("Settings", own(settings_line(run))),
    ]


# ── figures ───────────────────────────────────────────────────────────────────────────────────
def figures(run: SavedRun) -> Markup:
    """Each measure with its mean, interval, trec_eval's name for it, and what it is."""
    if not run.real:
        return tag("p", "No question that people asked has been measured.", class_="note")
    level = next((f"{100 * one.level:g} % interval" for one in run.intervals.values()), "interval")
    head = ["measure", "mean", level, "", "trec_eval", "meaning"]
    return table(head, [_figure(name, mean, run) for name, mean in run.metrics.items()], "figures measures")


def _figure(name: str, mean: float, run: SavedRun) -> list[Child]:
    measure, span = parse_measure(name), run.intervals.get(name)
    return [
        name,
        tag("b", f"{mean:.4f}"),
        f"{span.low:.3f} – {span.high:.3f}" if span else "–",
        interval(mean, span.low, span.high) if span else "",
        tag("code", measure.trec_eval) if measure.trec_eval else "–",
        tag("span", measure.meaning, class_="dim"),
    ]


def tags(run: SavedRun) -> Markup:
    """The means of the questions that carry each tag; of drafted questions apart."""
    rows = [(own(tag_), of) for tag_, of in run.by_tag().items()]
    if run.synthetic:
        rows.append((tag("em", "drafted questions, apart"), run.synthetic))
    cells: list[list[Child]] = [
        [name, f"{len(of):,}", *(f"{mean:.4f}" for mean in run.means(of).values())] for name, of in rows
    ]
    return table(["tag", "questions", *run.measures], cells) if rows else Markup()


# ── curves ────────────────────────────────────────────────────────────────────────────────────
def recall(name: str, run: SavedRun) -> Series:
    """The recall of a run at every k: at a measured one it is the mean of R@k."""
    gains = ((at, 1 / one.relevant) for one in run.real for at in one.relevant_at if one.relevant)
    return series(name, gains, max(1, len(run.real)))


def deepest(run: SavedRun) -> int:
    """The largest k that a curve of the run is drawn up to."""
    cutoffs = [parse_measure(name).cutoff or 0 for name in run.measures]
    places = [at for one in run.questions for at in one.relevant_at]
    return max([run.k, *cutoffs, *places])


def legs(run: SavedRun) -> list[Series]:
    """For each leg and their fusion, the share of the questions whose evidence is within the first k."""
    found = run.diagnosis.by_question if run.diagnosis else {}
    ranks = [found[one.question_id].ranks for one in run.real if one.question_id in found]
    stages = [stage for stage in ("lexical", "dense", "fused") if any(stage in one for one in ranks)]
    return [
        series(stage, ((rank, 1.0) for one in ranks if (rank := one.get(stage))), len(ranks))
        for stage in stages
    ]


def curve_figure(title: str, caption: str, lines: Sequence[Series], *, k: int, deepest: int) -> Markup:
    """The curves with their names and values at k below."""
    keys = [
        tag("li", tag("i", class_=f"key s{at}"), own(f"{one.name}: {percent(one.at(k))} at {k:,}"))
        for at, one in enumerate(lines, 1)
    ]
    below = tag("figcaption", tag("ul", *keys, class_="keys"), caption)
    return tag("figure", tag("h3", title), curves(title, lines, k=k, deepest=deepest), below)


# ── times ─────────────────────────────────────────────────────────────────────────────────────
def timings(run: SavedRun) -> Markup:
    """How long a question took; nothing for a run that was made elsewhere."""
    if not run.ms_at(1.0):
        return tag("p", "The run was imported: how long its questions took is not known.", class_="note")
    p50, p95 = run.ms_at(0.5), run.ms_at(0.95)
    marks = [("p50", p50), ("p95", p95)]
    rows = list(_times(run))
    return tag(
        "div",
        tag("figure", histogram([one.ms for one in run.questions], marks)),
        details((name, value) for name, value in rows),
        class_="pair",
    )


def _times(run: SavedRun) -> Iterator[tuple[str, Child]]:
    yield "Half of the questions within", f"{run.ms_at(0.5):.1f} ms (p50)"
    yield "95 % within", f"{run.ms_at(0.95):.1f} ms (p95)"
    yield "The slowest", f"{run.ms_at(1.0):.1f} ms"
    yield "The whole run", f"{run.seconds:.2f} s for {count(len(run.questions), 'question')}"


def ids(names: Sequence[str], most: int = 12) -> Markup:
    """Question ids, the first ones if they are many."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return tag("span", clip(", ".join(names[:most])) + more, dir="auto", class_="dim")
