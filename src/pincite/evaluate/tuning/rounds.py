"""One change at a time on top of the best settings so far, until none helps by more than chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pincite.config import Config
from pincite.evaluate.compare import compare, holm
from pincite.evaluate.tuning.space import Change
from pincite.evaluate.tuning.trial_log import Measurement
from pincite.evaluate.tuning.tuned import Trial
from pincite.types import Progress

MOST = 4
"""How many changes are kept at most."""

Measured = Callable[[Config, bool], Measurement]


@dataclass(slots=True)
class Rounds:
    """The search for better settings: `config` is the best so far, `trials` is all that was tried.

    `open` are the changes to try on top of some settings, `measured` the tuning questions under settings, on
    a sample of the documents if told so, and `sampled` whether a change is tried on the sample.
    """

    config: Config
    open: Callable[[Config], Sequence[Change]]
    measured: Measured
    sampled: Callable[[Change], bool]
    seed: int
    progress: Callable[[Progress], None] | None
    trials: list[Trial] = field(default_factory=list)

    def run(self) -> bool:
        """Every change on top of the best so far; whether that ended because none helped any more."""
        for number in range(1, MOST + 1):
            best = self._round(number)
            if best is None:
                return True
            self.config = best.change.applied(self.config)
        return False

    def _round(self, number: int) -> Trial | None:
        """Tries each change, and marks the best of those that help."""
        changes = self.open(self.config)  # with those that had no effect before
        trials = []
        for at, change in enumerate(changes):
            if self.progress:
                self.progress(Progress("tune", at, len(changes), "changes", change.name))
            trials.append(self.trial(number, change))
        adjusted = holm({_name(one): one.comparison.p for one in (*self.trials, *trials)})
        trials = [replace(one, p_holm=adjusted[_name(one)]) for one in trials]
        helping = [one for one in trials if one.helps]
        best = max(helping, key=lambda one: one.comparison.difference, default=None)
        self.trials += [replace(one, kept=one is best) for one in trials]
        return best

    def trial(self, number: int, change: Change) -> Trial:
        """One change beside the best so far, over the same questions and documents."""
        sampled = self.sampled(change)
        base = self.measured(self.config, sampled)
        measured = self.measured(change.applied(self.config), sampled)
        found = compare(base.values, measured.values, seed=self.seed)
        return Trial(number, change, base, measured, found, found.p, sampled)


def _name(trial: Trial) -> str:
    return f"{trial.round} {trial.change.name}"
