"""Settings chosen by labelled questions: one change at a time, kept if it is more than chance, judged apart.

Every change is tried alone on the tuning questions. The best that helps becomes the base, and the others
are tried on top of it, until none helps. The held-out questions are asked after that, once. On top of the
ranking that is recommended the settings of the context are tried in the same way, by context recall.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version

from pincite.config import Config
from pincite.errors import UsageError
from pincite.evaluate.compare import ALPHA, Comparison, compare
from pincite.evaluate.labels.placed import matched
from pincite.evaluate.measures import Measure, parse_measure
from pincite.evaluate.tuning.rounds import MOST, Rounds
from pincite.evaluate.tuning.scratch import WHOLE_UP_TO, Sample, Scratch, make_tune_folder, sample_of
from pincite.evaluate.tuning.space import (
    Model,
    changes,
    context_changes,
    differing,
    effective,
    leg_alone,
    weighted,
)
from pincite.evaluate.tuning.split import Split, in_random_order, limits
from pincite.evaluate.tuning.trial_log import Measurement, TrialLog
from pincite.evaluate.tuning.tuned import ContextTuned, Fit, Tuned, Verdict, mean
from pincite.evaluate.tuning.workbench import TIMED, Workbench
from pincite.filter import check, describe
from pincite.index.lock import hold
from pincite.index.opened import OpenLibrary
from pincite.models import profile
from pincite.pipeline import ingest
from pincite.types import Everything, Filter, Progress

MEASURE = "nDCG@10"
_LEGS = ("lexical", "dense")
_GRID = tuple(n / 100 for n in range(5, 100, 5))
_FINE = tuple(n / 100 for n in range(-4, 5))

Report = Callable[[Progress], None]


def tune(
    library: OpenLibrary,
    parts: Split,
    *,
    filter: Filter = Everything(),  # noqa: B008
    measure: str = MEASURE,
    seed: int = 0,
    space: str = "default",
    fit_fusion: bool = False,
    progress: Report | None = None,
) -> Tuned:
    """The changes of a space tried on the tuning questions, and the verdict of the held-out ones.

    Every question is asked of the documents that `filter` allows. With `fit_fusion` only the weights of the
    two legs are fitted. The library is synced first, for its documents are what other settings are tried
    on. What was measured is kept in the index folder, and a tuning of the same questions, index, filter and
    settings goes on from there.
    """
    started = time.monotonic()
    chosen = parse_measure(measure)
    ingest(library, progress=progress)
    parts = replace(parts, tuning=matched(parts.tuning, library), held_out=matched(parts.held_out, library))
    model = Model(library.choice, library.embedder().limit)
    check(filter, library.catalog.get("fields") or {}, library.catalog.metas)
    changes(space, library.config, model)  # an unknown space is refused before anything is measured
    if fit_fusion and len(library.config.search.legs) < 2:
        raise UsageError("--fit-fusion: search.legs has one leg, so there are no weights", stage="evaluate")
    key = _key(library, parts, chosen, seed, model, filter)
    tuning = in_random_order(parts.tuning.questions, seed)
    held_out = in_random_order(parts.held_out.questions, seed)
    folder = make_tune_folder(library.folder)
    with hold(folder / "lock", wait=library.config.lock_wait):
        scratch = Scratch(library, key)
        try:
            log, sample = TrialLog(folder / f"{key}.jsonl"), sample_of(library, tuning)
            bench = Workbench(
                library, tuning, held_out, chosen, model, log, scratch, sample, filter, progress
            )
            search = _Search(bench, space, seed, progress)
            fit = search.fit() if fit_fusion else None
            if fit is None:
                search.run()
            search.prefer_a_leg()
            verdict = _verdict(search)
            read = None if fit else _context(search, verdict)
            found = _result(search, parts, verdict, read, space, fit)
            scratch.remove()
        finally:
            scratch.close()
    return replace(found, seconds=round(time.monotonic() - started, 1))


def _key(
    library: OpenLibrary, parts: Split, measure: Measure, seed: int, model: Model, filter: Filter
) -> str:
    """What a tuning goes on from: the same questions, index, measure, seed, settings, filter and version."""
    facts = [parts.tuning.sha256, parts.held_out.sha256, library.catalog.fingerprint(), str(measure), seed]
    facts += [effective(library.config, model), describe(filter), version("pincite")]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(slots=True)
class _Search:
    """The search for a better ranking: `rounds.config` is the best so far."""

    bench: Workbench
    space: str
    seed: int
    progress: Report | None
    rounds: Rounds = field(init=False)
    notices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        bench = self.bench
        self.rounds = Rounds(
            bench.library.config,
            open=lambda config: changes(self.space, config, bench.model),
            measured=lambda config, sampled: bench.on_tuning(config, sampled=sampled),
            sampled=lambda change: change.cuts and bench.sample is not None,
            seed=self.seed,
            progress=self.progress,
        )

    @property
    def config(self) -> Config:
        """The best settings so far."""
        return self.rounds.config

    def run(self) -> None:
        """Every change on top of the best so far, until none helps."""
        self.finish(self.rounds)

    def finish(self, rounds: Rounds) -> None:
        """Runs some rounds, with a notice if they ended at their limit."""
        if not rounds.run():
            self.notices.append(f"stopped after {MOST} changes; another tuning may find more")

    def compared(self, before: Measurement, after: Measurement) -> Comparison:
        """Two measurements, paired."""
        return compare(before.values, after.values, seed=self.seed)

    def fit(self) -> Fit:
        """The weights of the best mean on the tuning questions; kept if they are better than the base."""
        now = _share(self.config, self.bench.model)
        means = {share: self._mean(share) for share in _GRID}
        best = _best(means, now)
        means |= {one: self._mean(one) for one in (round(best + d, 2) for d in _FINE) if one not in means}
        best = _best(means, now)
        trial = self.rounds.trial(1, weighted(best))
        self.rounds.trials.append(replace(trial, kept=trial.helps))
        if trial.helps:
            self.rounds.config = trial.change.applied(self.config)
        return Fit(tuple(sorted(means.items())), best)

    def _mean(self, share: float) -> float:
        if self.progress:
            self.progress(Progress("tune", round(100 * share), 100, "% lexical"))
        return mean(self.bench.on_tuning(weighted(share).applied(self.config)))

    def prefer_a_leg(self) -> None:
        """Takes a leg alone in place of the settings found if these are worse by more than chance."""
        found = self.bench.on_tuning(self.config)
        ahead = []
        for leg in _LEGS:
            one = self.compared(found, self.bench.on_tuning(leg_alone(leg).applied(self.config)))
            if one.difference > 0 and one.p < ALPHA:
                ahead.append((one.after, leg))
        if ahead:
            leg = max(ahead)[1]
            self.rounds.config = leg_alone(leg).applied(self.config)
            self.notices.append(f"on the tuning questions the {leg} leg alone is better than both legs fused")


def _share(config: Config, model: Model) -> float:
    mine = profile(model.name, config.search)
    return mine.lexical_weight / ((mine.lexical_weight + mine.dense_weight) or 1.0)


def _best(means: Mapping[float, float], now: float) -> float:
    """The share of the highest mean; of equal ones that nearest to what is set."""
    return max(means, key=lambda share: (round(means[share], 9), -abs(share - now), share))


# ── the verdict ───────────────────────────────────────────────────────────────────────────────
def _verdict(search: _Search) -> Verdict:
    """The held-out questions under the settings there were, those found, and each leg alone."""
    bench, before, after = search.bench, search.bench.library.config, search.config
    if search.progress:
        search.progress(Progress("verdict", 0, len(bench.held_out), "questions"))
    base, tuned = bench.held_out_once(before), bench.held_out_once(after)
    changed = bool(differing(before, after))
    one = search.compared(base, tuned) if changed else None
    recommended = one is not None and one.difference > 0 and one.p < ALPHA
    config, measured = (after, tuned) if recommended else (before, base)
    alone = {leg: bench.held_out_once(leg_alone(leg).applied(config)) for leg in _LEGS}
    return Verdict(
        base=mean(base),
        comparison=one,
        legs={leg: search.compared(found, measured) for leg, found in alone.items()},
        recommended=recommended,
        total=len(base.values),
        failed=max(base.failed, tuned.failed),
    )


def _context(search: _Search, verdict: Verdict) -> ContextTuned:
    """The settings of the context tried on top of the ranking that is recommended, and their own verdict."""
    bench = search.bench
    start = search.config if verdict.recommended else bench.library.config
    rounds = Rounds(
        start,
        open=lambda config: context_changes(search.space, config),
        measured=lambda config, _: bench.contexts_on_tuning(config),
        sampled=lambda _: False,
        seed=search.seed,
        progress=search.progress,
    )
    search.finish(rounds)
    tuned = differing(start, rounds.config)
    before, after = bench.contexts_held_out(start), bench.contexts_held_out(rounds.config)
    return ContextTuned(
        base=bench.contexts_on_tuning(start),
        trials=tuple(rounds.trials),
        tuned=tuned,
        before=before,
        after=after,
        comparison=search.compared(before, after) if tuned else None,
    )


def _result(
    search: _Search, parts: Split, verdict: Verdict, read: ContextTuned | None, space: str, fit: Fit | None
) -> Tuned:
    bench = search.bench
    base = bench.on_tuning(bench.library.config)
    notices = [*parts.notices, *limits(parts), *search.notices, *_notices(search, verdict, base)]
    return Tuned(
        tuning_set=parts.tuning.name,
        held_out_set=parts.held_out.name,
        measure=str(bench.measure),
        seed=search.seed,
        space="weights" if fit else space,
        tuning_total=len(bench.tuning),
        base=base,
        trials=tuple(search.rounds.trials),
        tuned=differing(bench.library.config, search.config),
        verdict=verdict,
        sample=_sampled(bench.sample) if any(one.sampled for one in search.rounds.trials) else "",
        fit=fit,
        context=read,
        notices=tuple(notices),
        resumed=len(bench.resumed),
        timed=min(TIMED, max(1, len(bench.tuning) - 1)),
    )


def _sampled(sample: Sample | None) -> str:
    if sample is None:
        return ""
    return (
        f"changes that need new vectors were tried on {len(sample.uris):,} documents ({sample.chunks:,} "
        f"chunks) with all that is judged for {len(sample.question_ids):,} questions, for the index has more "
        f"than {WHOLE_UP_TO:,} chunks; the verdict is over all documents"
    )


def _notices(search: _Search, verdict: Verdict, base: Measurement) -> Iterator[str]:
    if not isinstance(search.bench.filter, Everything):
        yield f"searched was {describe(search.bench.filter)}"
    if search.bench.library.config.chunk_for:
        yield "no change of [chunk] was tried: types of documents have chunk tables of their own"
    if failed := base.failed + verdict.failed:
        yield f"{failed} searches failed, and count as 0"
    for leg, one in verdict.legs.items():
        if one.difference < 0 and one.p < ALPHA:
            yield f"on the held-out questions the {leg} leg alone is better: {one.before:.4f}"
