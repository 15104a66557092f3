"""When the evidence is too weak to answer from, and how that is said.

A question is answered when the best sentence's strength, its share of the question's terms plus its
cosine with the question, reaches `LEAST_SUM`, and more the larger the part of the question is that
stands nowhere in the evidence: similar words do not make up for the one thing that was asked about.
It is not answered when a name it gives stands nowhere in the evidence, when a year or ordinal does not
stand in what is quoted from, or when it asks for a person and neither its words nor another name are there.

The limits are the same for every model, set on questions of both kinds (`bench/answers.py`). They tell
questions about another subject apart, and few of those that the right passage leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.extract import Quote
from pincite.answer.measured import widened
from pincite.answer.names import Terms, names_nobody, nowhere, undated, unheld
from pincite.answer.scores import telling
from pincite.scripts import PAIRED
from pincite.types import Context, SearchResult

LEAST_TERMS = 0.15
"""Below this weighted share of the question's terms, words alone are no evidence."""
LEAST_COSINE = 0.3
"""Below this cosine between question and sentence, meaning alone is no evidence."""
LEAST_SUM = 0.7
"""Below this sum of both, neither carries an answer; without vectors the terms stand for both."""
LEAST_SUM_PAIRS = 0.4
"""The same for a question that is found by pairs of characters: half of them are no words."""
FOR_MISSING = 0.25
"""What the sum must reach besides, for a question whose terms all stand nowhere; in proportion for less."""
FAR = 0.2
"""Below this cosine a sentence speaks of something else, unless it holds nearly all that is asked."""
NEARLY_ALL = 0.75
MOST_NAMED = 3
"""Words of the question that a reason names at most."""
NOBODY = 0.25
"""From this missing share on, a question for a person needs a name that it does not give itself."""

_PAIRED = re.compile(f"[{PAIRED}]")


def weak(question: str, result: SearchResult, context: Context, quotes: Sequence[Quote], terms: Terms) -> str:
    """Why the question is not answered, or "" when the best quotes are good enough.

    The reason names what was not found and says what was searched. It never says that there is no answer.
    """
    if not question.strip():
        return "The question is empty."
    if not result.hits:
        return f"Nothing was found for this question. {searched(result)}"
    if not context.evidence:
        reasons = dict.fromkeys(one.reason for one in context.left_out)
        return f"No passage could be used: {'; '.join(list(reasons)[:3])}. {searched(result)}"
    if not quotes:
        return f"{_NOTHING}: {_REMOTE}. {searched(result)}"
    absent = _absent(question, context, quotes, terms)
    if absent:
        return f"{_NOTHING}: {_SILENT} {_listed(absent)}. {searched(result)}"
    best = max(quotes, key=strength)
    if not _carries(question, best):
        return f"{_NOTHING}: {_lacking(question, context, terms)}. {searched(result)}"
    if best.missing >= NOBODY and names_nobody(question, [quote.text for quote in quotes]):
        return f"{_NOTHING}: nothing found names the person asked for. {searched(result)}"
    return ""


_NOTHING = "The documents do not seem to hold an answer"
_REMOTE = "what was found is not close enough to the question"
_SILENT = "nothing found says anything about"


def _lacking(question: str, context: Context, terms: Terms) -> str:
    """What of the question the evidence lacks, in words."""
    found = nowhere(telling(question), context.evidence, widened(question, terms))
    words = [word for word in found if not _PAIRED.match(word)]
    return f"the passages found do not mention {_listed(words[:MOST_NAMED])}" if words else _REMOTE


def _absent(question: str, context: Context, quotes: Sequence[Quote], terms: Terms) -> list[str]:
    """The names that no passage holds, and the years that no document quoted from does."""
    quoted = {quote.marker for quote in quotes}
    documents = {one.doc_id for one in context.evidence if one.marker in quoted}
    near = [one for one in context.evidence if one.doc_id in documents]
    return [*unheld(question, context.evidence, terms), *undated(question, context.evidence, near, terms)]


def _listed(words: Sequence[str]) -> str:
    """`“a”, “b” or “c”`."""
    quoted = [f"“{word}”" for word in words]
    return " or ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def _carries(question: str, best: Quote) -> bool:
    """Whether a sentence matches well enough to answer from."""
    dense = best.lexical if best.dense is None else best.dense
    if best.dense is not None and best.dense < FAR and best.lexical < NEARLY_ALL:
        return False
    least = LEAST_SUM_PAIRS if _PAIRED.search(question) else LEAST_SUM
    return strength(best) >= least + FOR_MISSING * best.missing and (
        best.lexical >= LEAST_TERMS or dense >= LEAST_COSINE
    )


def strength(quote: Quote) -> float:
    """Terms and cosine added (0–2); without vectors the terms count twice."""
    return quote.lexical + (quote.lexical if quote.dense is None else quote.dense)


def searched(result: SearchResult) -> str:
    """One sentence on what was looked through."""
    look = result.searched
    chunks = f"{look.chunks} chunk{'' if look.chunks == 1 else 's'}"
    chosen = f", filter {look.filter}" if look.filter else ""
    model = f", model {look.model}" if look.model else ""
    partly = f", {result.dense_complete:.0%} of them with vectors" if result.dense_complete < 1 else ""
    return f"Searched: {chunks}{partly}{chosen}{model}."
