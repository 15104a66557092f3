"""Two runs of one question set beside each other, and whether a run passes the gate it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.errors import InputError, UsageError
from pincite.evaluate.compare import ALPHA, Comparison, compare, holm
from pincite.evaluate.saved import SavedRun
from pincite.types import QuestionSet

_SHOWN = 5
_SLACK = 1e-9  # a mean this little below its threshold is at it


@dataclass(frozen=True, slots=True)
class Versus:
    """A run against a base, by each measure; `adjusted` are the p values corrected for being several.

    `settings` are those that differ, as (name, base, new). `notices` say what else is not the same.
    """

    base: SavedRun
    new: SavedRun
    by_measure: Mapping[str, Comparison]
    adjusted: Mapping[str, float]
    settings: tuple[tuple[str, object, object], ...]
    notices: tuple[str, ...]


def versus(base: SavedRun, new: SavedRun, measures: Sequence[str] = ()) -> Versus:
    """The comparison by the measures named, else by all that both runs have.

    Raises `InputError` when their question sets differ, `UsageError` for a measure that a run lacks.
    """
    refuse_other_set(base, set_of(new))
    chosen = tuple(measures) or tuple(name for name in base.measures if name in new.measures)
    for run in (base, new):
        refuse_missing(run, chosen)
    found = {name: compare(base.values(name), new.values(name)) for name in chosen}
    adjusted = holm({name: one.p for name, one in found.items()})
    settings = tuple(_differing(base.settings, new.settings))
    return Versus(base, new, found, adjusted, settings, tuple(_notices(base, new)))


def refuse_missing(run: SavedRun, measures: Sequence[str]) -> None:
    """Raises `UsageError` when a run lacks one of these measures, or there is nothing to compare by."""
    missing = [name for name in measures if name not in run.measures]
    if missing or not measures or not run.real:
        what = f"has no {missing[0]}" if missing else "has nothing to compare"
        raise UsageError(
            f"the run of {run.set_name} from {run.made} {what}; it has {', '.join(run.measures)} over "
            f"{len(run.real)} questions",
            stage="evaluate",
        )


def _differing(base: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, object, object]]:
    both = [flat(settings) for settings in (base, new)]
    for name in sorted({*both[0], *both[1]}):
        values = [one.get(name) for one in both]
        if values[0] != values[1]:
            yield name, values[0], values[1]


def flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    """`{"search": {"k": 1}}` as `{"search.k": 1}`."""
    found: dict[str, object] = {}
    for name, value in settings.items():
        inner = flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
        found.update(inner)
    return found


def _notices(base: SavedRun, new: SavedRun) -> Iterator[str]:
    if base.index != new.index:
        yield "the index is not the same in both runs: other documents, chunks or vectors"
    stems = [run.settings.get("stemmers") for run in (base, new)]
    if None not in stems and stems[0] != stems[1]:
        before, after = ("+".join(map(str, one)) if isinstance(one, list) else "?" for one in stems)
        yield f"the stemmers differ ({before or 'none'} → {after or 'none'}): words meet by other stems"
    if failed := sum(len(run.failed) for run in (base, new)):
        yield f"{failed} searches failed in these runs, and count as 0"


# ── the question set ──────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class SetFacts:
    """What tells question sets apart: ids in order, and the texts of those that are known."""

    name: str
    sha256: str
    ids: tuple[str, ...]
    texts: Mapping[str, str]


def set_of(source: SavedRun | QuestionSet) -> SetFacts:
    """The facts of a question set, or of the one a run was made with."""
    if isinstance(source, QuestionSet):
        texts = {one.id: one.text for one in source.questions}
        return SetFacts(source.name, source.sha256, tuple(texts), texts)
    texts = {one.question_id: one.question for one in source.questions}
    return SetFacts(source.set_name, source.set_sha256, source.set_ids, texts)


def refuse_other_set(base: SavedRun, new: SetFacts) -> None:
    """Raises `InputError`, with the difference, when the base was made with other questions or labels."""
    old = set_of(base)
    if old.sha256 == new.sha256:
        return
    gone = [one for one in old.ids if one not in set(new.ids)]
    added = [one for one in new.ids if one not in set(old.ids)]
    reworded = [one for one, text in old.texts.items() if new.texts.get(one, text) != text]
    parts = [
        f"{len(ids)} {what} ({', '.join(ids[:_SHOWN])}{', …' if len(ids) > _SHOWN else ''})"
        for ids, what in ((gone, "only in the base"), (added, "only in the new"), (reworded, "reworded"))
        if ids
    ]
    raise InputError(
        f"the base was measured with other questions: {old.name} ({len(old.ids)}) against {new.name} "
        f"({len(new.ids)}); {', '.join(parts) or 'the same questions, but other labels'}",
        stage="evaluate",
        hint="measure the base again with these questions: pincite eval … --save NAME",
    )


# ── the gate ──────────────────────────────────────────────────────────────────────────────────
def failures(
    run: SavedRun, thresholds: Sequence[tuple[str, float]], against: Versus | None = None
) -> tuple[str, ...]:
    """Why a run does not pass: a figure below its threshold, or worse than the base by more than chance.

    Thresholds are of the run's measures, or of the figures of its answers. Worse is a mean difference below
    0 whose randomisation test, by the one measure compared, gives p < 0.05.
    """
    found = []
    values = {**run.metrics, **(run.answers["metrics"] if run.answers else {})}
    for name, least in thresholds:
        mean = values.get(name)
        if mean is None:
            found.append(f"{name}: there are no questions to measure it over")
        elif mean < least - _SLACK:
            found.append(f"{name} is {mean:.4f}, below {least:g}")
    for name, one in against.by_measure.items() if against else ():
        if one.difference < 0 and one.p < ALPHA:
            found.append(f"{name} fell from {one.before:.4f} to {one.after:.4f} (p = {one.p:.2g})")
    return tuple(found)
