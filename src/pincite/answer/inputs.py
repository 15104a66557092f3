"""What the answer stage needs of a library: counts, sentence vectors, terms, a generator, the whole text."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence

from pincite.analyze import analyze
from pincite.errors import UsageError
from pincite.index.opened import OpenLibrary
from pincite.models import profile
from pincite.protocols import Embedder, Generator, Vectors
from pincite.types import Candidate, Context, SearchHit, SearchResult

_FACTOR = 1.2  # a chat model's tokens are not the embedder's: err on the side of room


def token_counter(library: OpenLibrary) -> Callable[[Sequence[str]], list[int]]:
    """Counts tokens for the context's budget: the named tokeniser's, or 1.2 × the embedder's."""
    if library.config.llm.tokenizer:
        return _file_counter(library.config.llm.tokenizer)
    embedder = library.embedder()
    return lambda texts: [math.ceil(n * _FACTOR) for n in embedder.count(texts)]


def _file_counter(path: str) -> Callable[[Sequence[str]], list[int]]:
    from tokenizers import Tokenizer

    if not os.path.isfile(path):  # noqa: PTH113  unlike Path's, it never raises
        raise UsageError(f"llm.tokenizer: {path[:200]} does not exist", hint="name a tokenizer.json")
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # the library raises plain Exception for whatever is wrong
        why = str(error)[:200]
        raise UsageError(
            f"llm.tokenizer: {path} is no tokenizer: {why}", hint="name a tokenizer.json"
        ) from None
    return lambda texts: [len(e) for e in tokenizer.encode_batch(list(texts), add_special_tokens=False)]


def term_set(library: OpenLibrary) -> Callable[[str], set[str]]:
    """The distinct lexical terms of a text, as a query has them."""
    stemmers = library.config.stemmers
    return lambda text: set(analyze(text, side="query", stemmers=stemmers).split())


def sentence_embedder(library: OpenLibrary, question: str) -> Callable[[Sequence[str]], Vectors] | None:
    """Unit vectors of sentences, each cut at the model's limit; None if it does not know the script."""
    if not profile(library.choice).reads(question):
        return None
    embedder = library.checked_embedder()
    return lambda texts: embedder.embed_documents([_within(text, embedder) for text in texts])


def _within(text: str, embedder: Embedder) -> str:
    """The text up to the model's limit: a sentence is only scored, so its start is enough."""
    spans = embedder.spans(text) if len(text) > embedder.limit else []
    return text[: spans[embedder.limit - 1].end] if len(spans) > embedder.limit else text


def has_generator(library: OpenLibrary) -> bool:
    """Whether the settings name a chat model. Half of its settings are a `UsageError`."""
    llm = library.config.llm
    if bool(llm.base_url) == bool(llm.model):
        return bool(llm.model)
    missing, given = ("model", "base_url") if llm.base_url else ("base_url", "model")
    here, there = f"PINCITE_LLM_{missing.upper()}", f"PINCITE_LLM_{given.upper()}"
    raise UsageError(
        f"llm.{missing} is not set, and llm.{given} is: a chat model needs both",
        stage="answer",
        hint=f"set {here}, or unset {there} to be answered in quotes",
    )


def generator_of(library: OpenLibrary, *, whole: bool) -> Generator | None:
    """The configured chat model, or None for extractive answers; `whole` if its evidence is the library."""
    if not has_generator(library):
        return None
    from pincite.models.llm import chat_generator

    return chat_generator(library.config.llm, whole=whole)


def whole_library(library: OpenLibrary, result: SearchResult) -> tuple[SearchHit, ...]:
    """Every other chunk after the hits, if the library fits the budget; else nothing.

    A filtered search stays filtered: the whole of what it may see is not the whole library.
    """
    counts = library.catalog.counts()
    budget = library.config.context.budget / _FACTOR
    if result.searched.chunks != counts["chunks"] or library.catalog.total_tokens() > budget:
        return ()
    points = library.catalog.point_ids(0, counts["chunks"])
    found = {hit.stored.point_id for hit in result.hits}
    rest = [stored for point, stored in library.catalog.stored(points).items() if point not in found]
    rest.sort(key=lambda stored: (stored.uri, stored.ordinal))
    states = library.reopener().states([(one.uri, one.doc_sha256) for one in rest])
    return tuple(
        SearchHit(rank, Candidate(one.chunk.id, 0.0), one, state)
        for rank, (one, state) in enumerate(zip(rest, states, strict=True), len(result.hits) + 1)
    )


def holds_whole_library(library: OpenLibrary, context: Context) -> bool:
    """Whether the evidence is the whole library: every chunk is in it, or is the copy of one that is."""
    there = {chunk_id for one in context.evidence for chunk_id in one.hits}
    there |= {one.chunk_id for one in context.left_out if one.code == "duplicate"}
    return len(there) == library.catalog.counts()["chunks"] and not any(one.cut for one in context.evidence)
