"""A tuning as text for people: every change with its gain and its price, the verdict, and the diff."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pincite.cli.terminal import Terminal, visible
from pincite.evaluate.compare import Comparison
from pincite.evaluate.tuning.context_recall import MEASURE
from pincite.evaluate.tuning.space import written as as_toml
from pincite.evaluate.tuning.trial_log import Measurement
from pincite.evaluate.tuning.tuned import Trial, Tuned, mean

_HEAD = (
    "change", "n", "before", "after", "difference [95 % interval]", "p", "p (Holm)",
    "p50 ms", "p95 ms", "index s", "MB", "",
)  # fmt: skip
_CONTEXT_HEAD = (*_HEAD[:7], "tokens", "")


def tune_text(found: Tuned, diff: str, *, written: bool, term: Terminal) -> str:
    """How many questions, the changes of each round, the fitted weights, the verdict, the same of the context
    in short, and the diff."""
    parts = [
        _head(found),
        _table(found, term),
        list(_fit(found)),
        list(_verdict(found, term)),
        list(_contexts(found, term)),
        list(_diff(found, diff, written, term)),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(found: Tuned) -> list[str]:
    lines = [
        f"{found.tuning_total:,} questions of {visible(found.tuning_set)} to tune with, "
        f"{found.verdict.total:,} of {visible(found.held_out_set)} for the verdict",
        f"As it is: {found.measure} {mean(found.base):.4f} on the tuning questions, {_ms(found.base)}",
    ]
    if found.resumed:
        lines.append(f"{found.resumed:,} measurements were there from an earlier run")
    return [*lines, found.sample] if found.sample else lines


def _ms(one: Measurement) -> str:
    return f"p50 {one.p50:.1f} ms, p95 {one.p95:.1f} ms a search"


# ── the trials ────────────────────────────────────────────────────────────────────────────────
def _table(found: Tuned, term: Terminal) -> list[str]:
    """A row for each trial, under a line for each round that has a setting kept before it."""
    return _rounds(found.trials, _HEAD, _row, term)


def _rounds(
    tried: Sequence[Trial], head: tuple[str, ...], row: Callable[[Trial], tuple[str, ...]], term: Terminal
) -> list[str]:
    widths = [max(map(len, column)) for column in zip(head, *map(row, tried), strict=True)]
    lines = [term.style(_line(head, widths), "bold")]
    kept: list[str] = []
    for _, trials in groupby(tried, key=lambda one: one.round):
        if kept:
            lines.append(term.style(f"on top of {', '.join(kept)}:", "bold"))
        for trial in trials:
            line = _line(row(trial), widths)
            lines.append(term.style(line, "green") if trial.kept else line)
            kept += [trial.change.name] if trial.kept else []
    return lines if tried else []


def _row(trial: Trial) -> tuple[str, ...]:
    measured = trial.measured
    return (
        *_gain(trial),
        f"{measured.p50:.1f}",
        f"{measured.p95:.1f}",
        f"{measured.index_seconds:.1f}" if measured.index_seconds else "–",
        _megabytes(trial),
        _mark(trial),
    )


def _gain(trial: Trial) -> tuple[str, ...]:
    one = trial.comparison
    return (
        trial.change.name + (" *" if trial.sampled else ""),
        f"{one.total:,}",
        f"{one.before:.4f}",
        f"{one.after:.4f}",
        _difference(one),
        f"{one.p:.4f}",
        f"{trial.p_holm:.4f}",
    )


def _mark(trial: Trial) -> str:
    return "kept" if trial.kept else "helps" if trial.helps else ""


def _megabytes(trial: Trial) -> str:
    """The index's size; before and after where it is another one."""
    after = f"{trial.measured.index_mb:.1f}"
    return f"{trial.base.index_mb:.1f} → {after}" if trial.measured.index_seconds else after


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = (
        cell.ljust(width) if at in (0, 4, len(cells) - 1) else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(aligned).rstrip()


def _difference(one: Comparison) -> str:
    return f"{one.difference:+.4f} [{one.interval.low:+.4f}, {one.interval.high:+.4f}]"


def _fit(found: Tuned) -> Iterator[str]:
    """The mean at each weight of the coarse grid, and the best."""
    if found.fit is None:
        return
    shown = [f"{share:.2f} {mean:.4f}" for share, mean in found.fit.curve if round(share * 100) % 10 == 0]
    yield f"{found.measure} by the weight of the lexical leg, of 1: {', '.join(shown)}"
    looked_at = len(found.fit.curve)
    yield f"best at {found.fit.share:.2f}; its p is not corrected for being the best of {looked_at}"


# ── the verdict ───────────────────────────────────────────────────────────────────────────────
def _verdict(found: Tuned, term: Terminal) -> Iterator[str]:
    one = found.verdict
    yield f"{term.style('Verdict', 'bold')}  {term.style(one.text, 'green' if one.recommended else 'yellow')}"
    if one.comparison is None:
        yield f"  {found.measure} on {one.total:,} held-out questions: {one.base:.4f}"
    else:
        values = f"{one.comparison.before:.4f} → {one.comparison.after:.4f}, {_difference(one.comparison)}"
        yield (
            f"  {found.measure} on {one.total:,} held-out questions: {values}, p = {one.comparison.p:.2g}; "
            f"{len(one.comparison.wins):,} won, {len(one.comparison.losses):,} lost"
        )
        yield f"  tried there: {visible(_settings(found.tuned))}"
    for leg, alone in one.legs.items():
        yield f"  {leg} leg alone: {alone.before:.4f}; against it {_difference(alone)}, p = {alone.p:.2g}"


def _settings(tuned: Mapping[str, tuple[Any, Any]]) -> str:
    return ", ".join(f"{key} {as_toml(a)} → {as_toml(b)}" for key, (a, b) in tuned.items())


def _contexts(found: Tuned, term: Terminal) -> Iterator[str]:
    """What settings of the context do, on top of the ranking that is recommended."""
    one = found.context
    if one is None or not one.trials:
        return
    yield (
        f"Of the questions, those whose evidence the context holds: {mean(one.base):.4f} as it is, "
        f"with {one.base.tokens:,.0f} tokens"
    )
    yield from _rounds(one.trials, _CONTEXT_HEAD, _context_row, term)
    yield ""
    held_out = f"{len(one.before.values):,} held-out questions"
    if one.comparison is None:
        yield f"No change helped: keep them; {MEASURE} on {held_out}: {mean(one.before):.4f}"
        return
    said = "better by more than chance" if one.recommended else "no better than chance: keep them as they are"
    yield (
        f"{term.style(said, 'green' if one.recommended else 'yellow')} on {held_out}: "
        f"{mean(one.before):.4f} → {mean(one.after):.4f}, {_difference(one.comparison)}, "
        f"p = {one.comparison.p:.2g}; "
        f"{one.before.tokens:,.0f} → {one.after.tokens:,.0f} tokens"
    )
    yield f"  tried there: {visible(_settings(one.tuned))}"


def _context_row(trial: Trial) -> tuple[str, ...]:
    return (*_gain(trial), f"{trial.measured.tokens:,.0f}", _mark(trial))


def _diff(found: Tuned, diff: str, written: bool, term: Terminal) -> Iterator[str]:
    if not found.changes:
        return
    for line in diff.splitlines():
        color = {"+": "green", "-": "red"}.get(line[:1], "dim")
        yield term.style(visible(line), color)
    needs = any(not key.startswith(("search.", "context.")) for key in found.changes)
    if written:
        yield "" if not needs else "\npincite.toml was changed; pincite sync makes the index anew"
    else:
        yield "\npincite tune … --write writes this into pincite.toml"
