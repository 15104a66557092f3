"""Two runs beside each other as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.cli.report import MAX_NAMES
from pincite.cli.terminal import Terminal, visible
from pincite.evaluate.compare import ALPHA, Change, Comparison
from pincite.evaluate.versus import Versus


def versus_text(found: Versus, base: str, new: str, *, term: Terminal, every: bool = False) -> str:
    """Each measure in both runs, then the questions won and lost by the first, then other settings."""
    head = (
        f"{visible(base)} → {visible(new)}: {visible(found.new.set_name)}, {len(found.new.real):,} questions"
    )
    first, one = next(iter(found.by_measure.items()))
    counts = f"{len(one.wins):,} won, {len(one.losses):,} lost, {len(one.ties):,} equal by {first}"
    parts = [
        [head],
        _table(found, term),
        [counts],
        _changes("Lost", "red", one.losses, found, term, every),
        _changes("Won", "green", one.wins, found, term, every),
        _settings(found, term),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def gate_line(found: Versus, term: Terminal) -> Iterator[str]:
    """One line for each measure: the baseline's mean, this one's, and whether that may be chance."""
    for name, one in found.by_measure.items():
        verdict, color = _verdict(one)
        text = f"{one.before:.4f} → {one.after:.4f}, {_interval(one)}, p = {one.p:.2g}"
        yield f"{term.style('Baseline', 'bold')}   {name} {text}: {term.style(verdict, color)}"


def _verdict(one: Comparison) -> tuple[str, str]:
    if not one.wins and not one.losses:
        return "the same", "dim"
    if one.p >= ALPHA:
        return "no more than chance", "yellow"
    return ("better", "green") if one.difference > 0 else ("worse", "red")


def _table(found: Versus, term: Terminal) -> list[str]:
    rows = [f"{'':<10}  {'base':>7}  {'new':>7}  {'difference':<26}  {'p':>8}  {'p (Holm)':>8}"]
    rows += [
        f"{name:<10}  {one.before:>7.4f}  {one.after:>7.4f}  {_interval(one):<26}  {one.p:>8.4f}  "
        f"{found.adjusted[name]:>8.4f}"
        for name, one in found.by_measure.items()
    ]
    return [term.style(rows[0], "bold"), *rows[1:]]


def _interval(one: Comparison) -> str:
    """`+0.0123 [-0.0010, +0.0300]`."""
    return f"{one.difference:+.4f} [{one.interval.low:+.4f}, {one.interval.high:+.4f}]"


def _changes(
    title: str, color: str, changes: Sequence[Change], found: Versus, term: Terminal, every: bool
) -> list[str]:
    """The questions that changed, largest change first, with their ranks in both runs."""
    most = len(changes) if every else MAX_NAMES
    base, new = ({one.question_id: one for one in run.questions} for run in (found.base, found.new))
    rows = []
    for change in changes[:most]:
        one = new[change.question_id]
        ranks = f"rank {base[change.question_id].rank or '–'} → {one.rank or '–'}"
        text = f"{change.question_id}  {one.question}"
        rows.append(f"  {change.difference:+.4f}  {ranks:<14}  {visible(' '.join(text.split()))}")
    more = [f"  … {len(changes) - most:,} more; --all or --json lists all"] if len(changes) > most else []
    return [term.style(f"{title} ({len(changes):,})", "bold", color), *rows, *more] if changes else []


def _settings(found: Versus, term: Terminal) -> list[str]:
    rows = [f"  {visible(name)}  {_shown(base)} → {_shown(new)}" for name, base, new in found.settings]
    return [term.style("Settings that differ", "bold"), *rows] if rows else []


def _shown(value: object) -> str:
    text = "+".join(map(str, value)) if isinstance(value, list) else str(value)
    return "not set" if value is None else visible(text)
