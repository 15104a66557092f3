"""A question run as it is configured, and with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pincite.answer import answer, inputs
from pincite.assemble import assemble
from pincite.config import ContextConfig, SearchConfig
from pincite.errors import ModelError, UsageError
from pincite.evaluate.asking import Asked, Asker
from pincite.evaluate.proof.facts import FactFinder, Facts
from pincite.evaluate.proof.used import shown
from pincite.index.opened import OpenLibrary
from pincite.models import profile
from pincite.protocols import Generator
from pincite.types import Answer, Context, Everything, Filter, Question, Remedy, SearchHit, SearchResult

DEPTHS = (300, 1000, 3000)
MORE_HITS = (2, 5)  # times k
BUDGETS = (2, 4)  # times context.budget
SHARES = (0.7, 0.3)  # of the lexical leg in convex fusion


@dataclass(frozen=True, slots=True)
class Experiment:
    """One change of the search's settings, of k, of the filter, or of the context's settings."""

    setting: str
    before: str
    after: str
    search: SearchConfig
    k: int
    filter: Filter
    context: ContextConfig


@dataclass(frozen=True, slots=True)
class Ran:
    """A question as it ran: what was asked, the search, its context, and the answer if one was wanted."""

    asked: Asked
    result: SearchResult
    context: Context
    answer: Answer | None


@dataclass(slots=True)
class Lab:
    """Runs questions of one library that does not change meanwhile.

    `generator` writes the answers in place of the configured one.
    """

    library: OpenLibrary
    ask: Asker
    answers: bool = False
    generator: Generator | None = None
    look: FactFinder = field(init=False)
    _facts: dict[str, tuple[Facts, ...]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.look = FactFinder(self.library, self.ask.resolver, self.ask.filter)

    def facts(self, question: Question) -> tuple[Facts, ...]:
        """What is known of each piece of the question's evidence."""
        if question.id not in self._facts:
            self._facts[question.id] = tuple(map(self.look, self.ask.resolver.resolve(question)))
        return self._facts[question.id]

    # ── running ───────────────────────────────────────────────────────────────────────────────
    def run(self, question: Question) -> Ran:
        """The question up to its context, or to its answer if those are wanted.

        Raises `UsageError` for a question without text, `ModelError` when the search failed.
        """
        asked, result = self.ask(question)
        if result is None and not asked.error:
            raise UsageError(f"question {question.id} has no text", stage="evaluate")
        if result is None:
            message = f"question {question.id} could not be asked: {asked.error}"
            raise ModelError(message, stage="retrieve")
        context = self.context(result.hits, self.library.config.context)
        made = self.answer(question, result, context) if self.answers else None
        return Ran(asked, result, context, made)

    def context(self, hits: tuple[SearchHit, ...], config: ContextConfig) -> Context:
        """The context of some hits under some settings."""
        count = inputs.token_counter(self.library)
        return assemble(hits, catalog=self.library.catalog, config=config, count=count)

    def answer(self, question: Question, result: SearchResult, context: Context) -> Answer:
        """The answer from a context."""
        dense = "dense" in self.ask.settings.legs
        return answer(
            question.text,
            result,
            context,
            generator=self.generator or inputs.generator_of(self.library, whole=False),
            reopen=self.library.reopener(),
            embed=inputs.sentence_embedder(self.library, question.text) if dense else None,
            terms=inputs.term_set(self.library),
        )

    def under(self, question: Question, experiment: Experiment) -> tuple[Asked, SearchResult | None]:
        """The question asked under an experiment."""
        made = replace_asker(self.ask, experiment)
        return made(question)

    def found(self, question: Question, experiment: Experiment) -> bool:
        """Whether the evidence is among the hits, and in the context if that is what was changed."""
        asked, result = self.under(question, experiment)
        if result is None or asked.rank is None or asked.rank > experiment.k:
            return False
        if not experiment.setting.startswith("context."):
            return True
        return self.shown(question, self.context(result.hits, experiment.context))

    def shown(self, question: Question, context: Context) -> bool:
        """Whether a context holds a piece of evidence of each group."""
        groups: dict[str, bool] = {}
        for facts in self.facts(question):
            group = facts.gold.qrel.group
            groups[group] = groups.get(group, False) or shown(facts, context)
        return bool(groups) and all(groups.values())

    # ── changes ───────────────────────────────────────────────────────────────────────────────
    def experiment_of(self, remedy: Remedy) -> Experiment | None:
        """The experiment behind a remedy; None for one that needs other files, chunks or vectors."""
        same = (one for one in self.every() if (one.setting, one.after) == (remedy.setting, remedy.after))
        return next(same, None)

    def every(self) -> Iterator[Experiment]:
        """All changes that need no new index."""
        yield from self.deeper()
        yield from self.other_legs()
        yield from self.other_fusions()
        yield from self.more_hits()
        yield from self.larger_budgets()
        yield from self.without_filter()

    def deeper(self) -> Iterator[Experiment]:
        """Deeper pools."""
        for depth in DEPTHS:
            if depth > self.ask.settings.depth:
                yield self._search("depth", depth)

    def other_legs(self) -> Iterator[Experiment]:
        """One leg alone, or both."""
        for legs in (("lexical",), ("dense",), ("lexical", "dense")):
            if legs != self.ask.settings.legs:
                yield self._search("legs", legs)

    def other_fusions(self) -> Iterator[Experiment]:
        """The other formula, and of convex fusion weights to either side; nothing for a leg alone."""
        if len(self.ask.settings.legs) == 1:
            return
        convex = self.ask.settings.fusion == "convex"
        yield self._search("fusion", "rrf" if convex else "convex")
        if convex:
            yield from self._other_weights()

    def _other_weights(self) -> Iterator[Experiment]:
        """Shares of the lexical leg, each by its weight alone, so that a remedy is one setting."""
        now = profile(self.library.choice, self.ask.settings)
        for share in SHARES if now.dense_weight else ():
            weight = round(now.dense_weight * share / (1 - share), 2)
            if weight != round(now.lexical_weight, 2):
                yield self._search("lexical_weight", weight, before=now.lexical_weight)

    def more_hits(self) -> Iterator[Experiment]:
        """A larger k."""
        for times in MORE_HITS:
            yield self._change("--k", self.ask.k, self.ask.k * times, k=self.ask.k * times)

    def larger_budgets(self) -> Iterator[Experiment]:
        """More room for the context."""
        config = self.library.config.context
        for times in BUDGETS:
            larger = replace(config, budget=(config.budget or ContextConfig().budget) * times)
            yield self._change("context.budget", config.budget, larger.budget, context=larger)

    def without_filter(self) -> Iterator[Experiment]:
        """Everything allowed, if a filter was given."""
        if not isinstance(self.ask.filter, Everything):
            yield self._change("--filter", "as given", "none", filter=Everything())

    def _search(self, name: str, value: object, before: object = None) -> Experiment:
        changed = replace(self.ask.settings, **{name: value})  # type: ignore[arg-type]
        was = getattr(self.ask.settings, name) if before is None else before
        return self._change(f"search.{name}", _written(was), _written(value), search=changed)

    def _change(self, setting: str, before: object, after: object, **changed: object) -> Experiment:
        ask, context = self.ask, self.library.config.context
        base = Experiment(setting, str(before), str(after), ask.settings, ask.k, ask.filter, context)
        return replace(base, **changed)  # type: ignore[arg-type]


def replace_asker(ask: Asker, experiment: Experiment) -> Asker:
    """An asker under an experiment, with what the first has read."""
    made = Asker(ask.library, experiment.k, experiment.filter, experiment.search)
    made.resolver = ask.resolver
    return made


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
