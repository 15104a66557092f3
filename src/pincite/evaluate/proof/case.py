"""One verdict to be proved: what is known of it, and how an experiment is run and told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.evaluate.diagnose import Verdict
from pincite.evaluate.proof.experiments import Experiment, Lab, Ran
from pincite.evaluate.proof.facts import Facts
from pincite.types import Question, Remedy


@dataclass(frozen=True, slots=True)
class Tried:
    """One trial: what it shows in words, and the remedy it stands for if it worked."""

    proof: str
    remedy: Remedy | None = None


@dataclass(frozen=True, slots=True)
class Case:
    lab: Lab
    question: Question
    verdict: Verdict
    facts: Facts
    ran: Ran

    def first(self, experiments: Iterator[Experiment], words: str) -> Iterator[Tried]:
        """The first experiment that brings the evidence into the hits; else what the last one gave."""
        tried = Tried("")
        for experiment in experiments:
            tried = self.one(experiment, words)
            if tried.remedy:
                break
        if tried.proof:
            yield tried

    def one(self, experiment: Experiment, words: str) -> Tried:
        """One experiment run; `words` hold the change as `{after}`."""
        asked, _ = self.lab.under(self.question, experiment)
        proof = f"With {words.format(after=experiment.after)} {self.where(asked.rank)}."
        worked = asked.rank is not None and asked.rank <= experiment.k
        return Tried(proof, self.remedy(experiment) if worked else None)

    @property
    def parts(self) -> int:
        """How many pieces of evidence are needed."""
        return len({qrel.group for qrel in self.question.judged})

    def where(self, rank: int | None) -> str:
        """Where the evidence stands; of several pieces that are needed, the last."""
        if self.parts > 1:
            return f"the last piece that is needed is {ordinal(rank)}" if rank else "a piece is in no pool"
        return f"it is {ordinal(rank)}" if rank else "it is in no pool"

    def remedy(self, experiment: Experiment) -> Remedy:
        return Remedy(experiment.setting, experiment.before, experiment.after, (self.question.id,))


def ordinal(n: int) -> str:
    """`1st`, `12th`, `23rd`."""
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"
