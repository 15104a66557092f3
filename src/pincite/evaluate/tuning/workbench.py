"""Measures settings over questions: by the index there is, or by one made for them, each of them once."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from pincite.config import Config, SearchConfig
from pincite.evaluate.asking import Asker
from pincite.evaluate.measures import Measure, score
from pincite.evaluate.tuning.context_recall import Searched, read_all, search_all
from pincite.evaluate.tuning.pools import Pools, collect, fusing, rankings
from pincite.evaluate.tuning.scratch import Sample, Scratch, Variant, megabytes
from pincite.evaluate.tuning.space import Model, effective
from pincite.evaluate.tuning.trial_log import Measurement, TrialLog
from pincite.index.opened import OpenLibrary
from pincite.models import profile
from pincite.types import Filter, Progress, Question

K = 10
"""How many hits a search is asked for, as `pincite eval` does."""
TIMED = 40
"""Searches that each setting is timed by."""

_KEPT_POOLS = 12

Report = Callable[[Progress], None]


@dataclass(slots=True)
class Workbench:
    """One library, its questions, and what was measured so far.

    `tuning` and `held_out` are in random order; only `held_out_once` asks the latter. `resumed` are the
    measurements that an earlier run had made.
    """

    library: OpenLibrary
    tuning: Sequence[Question]
    held_out: Sequence[Question]
    measure: Measure
    model: Model
    log: TrialLog
    scratch: Scratch
    sample: Sample | None
    filter: Filter
    progress: Report | None = None
    resumed: set[str] = field(default_factory=set)
    _pools: dict[str, Pools] = field(default_factory=dict)
    _hits: dict[str, tuple[Searched, ...]] = field(default_factory=dict)

    def on_tuning(self, config: Config, *, sampled: bool = False) -> Measurement:
        """The settings over the tuning questions; over those of the sample, on the sample, if `sampled`."""
        sample = self.sample if sampled else None
        asked = [one for one in self.tuning if sample is None or one.id in sample.question_ids]
        return self._once("sample" if sample else "tuning", config, asked, sample)

    def held_out_once(self, config: Config) -> Measurement:
        """The settings over the held-out questions: for the verdict, when all is decided."""
        return self._once("held out", config, self.held_out, None)

    def contexts_on_tuning(self, config: Config) -> Measurement:
        """Context recall of the tuning questions."""
        return self._read_once("tuning", config, self.tuning)

    def contexts_held_out(self, config: Config) -> Measurement:
        """Context recall of the held-out questions, for the verdict."""
        return self._read_once("held out", config, self.held_out)

    def _once(
        self, part: str, config: Config, questions: Sequence[Question], sample: Sample | None
    ) -> Measurement:
        key = _key([part, effective(config, self.model), sample.uris if sample else ()])
        known = self._known(key, questions)
        if known is not None:
            return known
        variant = self._index(config, sample)
        if part != "held out" and _fusion_alone(config.search, self.model):
            measured = self._replayed(variant, config, questions, f"{key_of_index(config)} {part}")
        else:
            measured = self._searched(variant, config.search, questions)
        self.log.add(key, measured)
        return measured

    def _read_once(self, part: str, config: Config, questions: Sequence[Question]) -> Measurement:
        """The contexts of these questions; those of one ranking are read from the same searches."""
        ranking = _key([part, effective(config, self.model)])
        key = _key(["context", ranking, asdict(config.context)])
        known = self._known(key, questions)
        if known is not None:
            return known
        variant = self._index(config, None)
        if ranking not in self._hits:
            ask = Asker(variant.library, K, self.filter, config.search)
            self._hits = {ranking: search_all(ask, questions, self._tick)}
        searched = self._hits[ranking]
        read = read_all(variant.library, searched, config.context)
        failed = sum(one.failed for one in searched)
        measured = _measurement(read.values, read.ms, variant, failed, read.tokens)
        self.log.add(key, measured)
        return measured

    def _known(self, key: str, questions: Sequence[Question]) -> Measurement | None:
        """What was measured under a key before."""
        known = self.log.get(key, [one.id for one in questions])
        if known is not None:
            self.resumed |= {key} & self.log.from_before
        return known

    def _index(self, config: Config, sample: Sample | None) -> Variant:
        """The index of these settings: the library's own if it is that."""
        own = self.library
        if sample is None and key_of_index(config) == key_of_index(own.config):
            return Variant(own, 0.0, megabytes(own.folder))
        return self.scratch.variant(config, sample, self.progress)

    def _searched(
        self, variant: Variant, settings: SearchConfig, questions: Sequence[Question]
    ) -> Measurement:
        """Each question searched for."""
        ask = Asker(variant.library, K, self.filter, settings)
        values, failed, ms = {}, 0, []
        for number, question in enumerate(questions, 1):
            asked, _ = ask(question)
            values[question.id] = score(self.measure, asked.ranking, asked.judged)
            failed += bool(asked.error)
            ms.append(asked.ms)
            self._tick(number, len(questions))
        return _measurement(values, ms[1 : TIMED + 1] or ms, variant, failed)

    def _replayed(
        self, variant: Variant, config: Config, questions: Sequence[Question], index: str
    ) -> Measurement:
        """Both legs searched once for all ways to fuse them; a few searches more tell how long it takes."""
        mine = profile(self.model.name, config.search)
        key = f"{index} {config.search.depth} {mine.feedback}"
        if key not in self._pools:
            while len(self._pools) >= _KEPT_POOLS:
                self._pools.pop(next(iter(self._pools)))
            ask = Asker(variant.library, K, self.filter, fusing(config.search))
            self._pools[key] = collect(ask, questions, self._tick)
        found = rankings(self._pools[key], config.search, mine)
        values = {one.id: score(self.measure, *found[one.id]) for one in questions}
        ask = Asker(variant.library, K, self.filter, config.search)
        ms = [ask(one)[0].ms for one in questions[: TIMED + 1]]
        return _measurement(values, ms[1:] or ms, variant, self._pools[key].failed)

    def _tick(self, number: int, total: int) -> None:
        if self.progress:
            self.progress(Progress("ask", number, total, "questions"))


def key_of_index(config: Config) -> str:
    """What of the settings an index is made with."""
    return repr((config.chunk, sorted(config.chunk_for.items()), config.stemmers))


def _fusion_alone(settings: SearchConfig, model: Model) -> bool:
    """Whether both legs run and both count, so that a search can be made again from what they found."""
    mine = profile(model.name, settings)
    both = len(set(settings.legs)) == 2
    return both and (settings.fusion == "rrf" or min(mine.lexical_weight, mine.dense_weight) > 0)


def _key(facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:24]


def _measurement(
    values: dict[str, float], ms: Sequence[float], variant: Variant, failed: int, tokens: float = 0.0
) -> Measurement:
    ordered = sorted(ms)
    p50, p95 = (ordered[max(0, math.ceil(share * len(ordered)) - 1)] for share in (0.5, 0.95))
    seconds, mb = round(variant.seconds, 1), round(variant.megabytes, 1)
    return Measurement(values, p50, p95, seconds, mb, failed, round(tokens, 1))
