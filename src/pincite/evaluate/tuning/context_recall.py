"""Context recall: of which questions the context holds all evidence that is needed, and how long it is.

The ranking decides what may be read, the settings of `context` what is: neighbours and parents of small
chunks, up to the budget. The searches are made once for all ways to read their hits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.answer.inputs import token_counter
from pincite.assemble import assemble
from pincite.config import ContextConfig
from pincite.evaluate.asking import Asker, complete_rank
from pincite.index.opened import OpenLibrary
from pincite.types import Context, Gold, Question, SearchHit

MEASURE = "context recall"


@dataclass(frozen=True, slots=True)
class Searched:
    """One question's evidence and hits; `failed` if the search was an error."""

    question_id: str
    golds: tuple[Gold, ...]
    hits: tuple[SearchHit, ...]
    failed: bool


@dataclass(frozen=True, slots=True)
class Read:
    """Contexts of some questions: 1 or 0 by question id, the mean of their tokens, and the time each took."""

    values: dict[str, float]
    tokens: float
    ms: list[float]


def search_all(
    ask: Asker, questions: Sequence[Question], tick: Callable[[int, int], None]
) -> tuple[Searched, ...]:
    """The hits of each question."""
    found = []
    for number, question in enumerate(questions, 1):
        asked, result = ask(question)
        hits = result.hits if result else ()
        found.append(Searched(question.id, asked.golds, hits, bool(asked.error)))
        tick(number, len(questions))
    return tuple(found)


def read_all(library: OpenLibrary, searched: Sequence[Searched], config: ContextConfig) -> Read:
    """The context of each question's hits under these settings."""
    count = token_counter(library)
    values, tokens, ms = {}, 0, []
    for one in searched:
        started = time.perf_counter()
        context = assemble(one.hits, catalog=library.catalog, config=config, count=count)
        ms.append((time.perf_counter() - started) * 1000)
        values[one.question_id] = float(in_context(one.golds, context))
        tokens += context.n_tokens
    return Read(values, tokens / max(1, len(searched)), ms)


def in_context(golds: Sequence[Gold], context: Context) -> bool:
    """Whether a passage of the context holds one piece of evidence of each group; False without evidence."""
    return complete_rank([(one.doc_id, one.span) for one in context.evidence], golds) is not None
