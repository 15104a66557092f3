"""What a tuning found, as records: every change tried, the verdict, and the settings recommended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite.evaluate.compare import ALPHA, Comparison
from pincite.evaluate.tuning.context_recall import MEASURE
from pincite.evaluate.tuning.space import Change
from pincite.evaluate.tuning.trial_log import Measurement


@dataclass(frozen=True, slots=True)
class Trial:
    """One change on top of the settings of its round, over the tuning questions it was measured with.

    `comparison` is of the round's settings with those of the change, on the same documents; `p_holm` is
    corrected for all trials up to the end of the round. `sampled` says that the documents were a sample.
    """

    round: int
    change: Change
    base: Measurement
    measured: Measurement
    comparison: Comparison
    p_holm: float
    sampled: bool
    kept: bool = False

    @property
    def helps(self) -> bool:
        """Whether it is better by more than chance."""
        return self.comparison.difference > 0 and self.p_holm < ALPHA


@dataclass(frozen=True, slots=True)
class Fit:
    """Leg weights fitted on the tuning questions: the mean at each share of the lexical leg, and the best."""

    curve: tuple[tuple[float, float], ...]
    share: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The held-out questions, asked once, at the end.

    `comparison` is of the base with the tuned settings, None when tuning changed nothing. `legs` compares
    each leg alone, before, with the settings recommended, after.
    """

    base: float
    comparison: Comparison | None
    legs: Mapping[str, Comparison]
    recommended: bool
    total: int
    failed: int

    @property
    def text(self) -> str:
        """The verdict in a sentence."""
        one = self.comparison
        if one is None:
            return "no change helped on the tuning questions: keep the settings as they are"
        if self.recommended:
            return "the tuned settings are better on the held-out questions by more than chance"
        if one.difference < 0 and one.p < ALPHA:
            return "the tuned settings are worse on the held-out questions: keep the settings as they are"
        return "no better than chance on the held-out questions: keep the settings as they are"


@dataclass(frozen=True, slots=True)
class ContextTuned:
    """Settings of the context tried on top of the ranking that is recommended, by context recall.

    `base` is as it was, over the tuning questions; `before` and `after` are the held-out questions under the
    settings there were and those found, with their comparison, None when no change helped.
    """

    base: Measurement
    trials: tuple[Trial, ...]
    tuned: Mapping[str, tuple[Any, Any]]
    before: Measurement
    after: Measurement
    comparison: Comparison | None

    @property
    def recommended(self) -> bool:
        """Whether what was found holds on the held-out questions."""
        one = self.comparison
        return one is not None and one.difference > 0 and one.p < ALPHA


@dataclass(frozen=True, slots=True)
class Tuned:
    """A whole tuning. `changes` are the settings recommended, by dotted key, as (before, after)."""

    tuning_set: str
    held_out_set: str
    measure: str
    seed: int
    space: str
    tuning_total: int
    base: Measurement
    trials: tuple[Trial, ...]
    tuned: Mapping[str, tuple[Any, Any]]
    verdict: Verdict
    sample: str = ""
    fit: Fit | None = None
    context: ContextTuned | None = None
    notices: tuple[str, ...] = ()
    seconds: float = 0.0
    resumed: int = 0
    timed: int = 0

    @property
    def changes(self) -> Mapping[str, tuple[Any, Any]]:
        """The settings recommended; none when the verdicts are to keep them as they are."""
        ranking = self.tuned if self.verdict.recommended else {}
        read = self.context.tuned if self.context is not None and self.context.recommended else {}
        return {**ranking, **read}


def tuned_json(found: Tuned) -> dict[str, Any]:
    """The tuning as JSON's own types."""
    return {
        "question_sets": {
            "tuning": {"name": found.tuning_set, "questions": found.tuning_total},
            "held_out": {"name": found.held_out_set, "questions": found.verdict.total},
        },
        "measure": found.measure,
        "seed": found.seed,
        "space": found.space,
        "base": _measured_json(found.base),
        "trials": [_trial_json(one) for one in found.trials],
        "fit": found.fit and {"share": found.fit.share, "curve": [list(point) for point in found.fit.curve]},
        "sample": found.sample,
        "timed_questions": found.timed,
        "tuned": _settings_json(found.tuned),
        "verdict": _verdict_json(found.verdict),
        "context": found.context and _context_json(found.context),
        "changes": _settings_json(found.changes),
        "resumed": found.resumed,
        "notices": list(found.notices),
        "seconds": found.seconds,
    }


def mean(one: Measurement) -> float:
    """The mean over the questions."""
    return sum(one.values.values()) / len(one.values)


def _measured_json(one: Measurement) -> dict[str, Any]:
    cost = {"index_seconds": one.index_seconds or None, "index_mb": one.index_mb or None}
    return {"mean": mean(one), "ms": {"p50": one.p50, "p95": one.p95}, **cost, "failed": one.failed}


def _trial_json(one: Trial) -> dict[str, Any]:
    return {
        "round": one.round,
        "change": one.change.name,
        "settings": {key: _plain(value) for key, value in one.change.settings},
        "sampled": one.sampled,
        **_comparison_json(one.comparison),
        "p_holm": one.p_holm,
        "base": {"ms": {"p50": one.base.p50, "p95": one.base.p95}, "index_mb": one.base.index_mb},
        "ms": {"p50": one.measured.p50, "p95": one.measured.p95},
        "index_seconds": one.measured.index_seconds or None,
        "index_mb": one.measured.index_mb or None,
        "failed": one.measured.failed,
        "kept": one.kept,
    }


def _verdict_json(one: Verdict) -> dict[str, Any]:
    return {
        "text": one.text,
        "recommended": one.recommended,
        "questions": one.total,
        "base": one.base,
        "comparison": one.comparison and _comparison_json(one.comparison),
        "legs": {leg: _comparison_json(found) for leg, found in one.legs.items()},
        "failed": one.failed,
    }


def _context_json(one: ContextTuned) -> dict[str, Any]:
    return {
        "measure": MEASURE,
        "base": {"mean": mean(one.base), "tokens": one.base.tokens},
        "trials": [
            {
                "round": trial.round,
                "change": trial.change.name,
                "settings": {key: _plain(value) for key, value in trial.change.settings},
                **_comparison_json(trial.comparison),
                "p_holm": trial.p_holm,
                "tokens": trial.measured.tokens,
                "ms": {"p50": trial.measured.p50, "p95": trial.measured.p95},
                "kept": trial.kept,
            }
            for trial in one.trials
        ],
        "tuned": _settings_json(one.tuned),
        "verdict": {
            "recommended": one.recommended,
            "before": {"mean": mean(one.before), "tokens": one.before.tokens},
            "after": {"mean": mean(one.after), "tokens": one.after.tokens},
            "comparison": one.comparison and _comparison_json(one.comparison),
        },
    }


def _comparison_json(one: Comparison) -> dict[str, Any]:
    return {
        "questions": one.total,
        "before": one.before,
        "after": one.after,
        "difference": one.difference,
        "interval": {"low": one.interval.low, "high": one.interval.high, "level": one.interval.level},
        "p": one.p,
        "wins": len(one.wins),
        "losses": len(one.losses),
        "ties": len(one.ties),
    }


def _settings_json(settings: Mapping[str, tuple[Any, Any]]) -> list[dict[str, Any]]:
    return [{"setting": key, "from": _plain(a), "to": _plain(b)} for key, (a, b) in settings.items()]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
