"""When the evidence is too weak to answer from, and how that is said.

A question is answered when the best sentence's strength, its share of the question's terms plus its
cosine with the question, reaches `LEAST_SUM`, and more the larger the part of the question is that
stands nowhere in the evidence: similar words do not make up for the one thing that was asked about.

The limits are first values, the same for every model. They tell questions about another subject apart,
not questions that the right passage leaves open: that takes calibration, per model, on labelled
questions of both kinds. `bench/answers.py` shows what they do.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answer.extract import Quote
from pincite.types import Context, SearchResult

LEAST_TERMS = 0.15
"""Below this weighted share of the question's terms, words alone are no evidence."""
LEAST_COSINE = 0.3
"""Below this cosine between question and sentence, meaning alone is no evidence."""
LEAST_SUM = 0.6
"""Below this sum of both, neither carries an answer; without vectors the terms stand for both."""
FOR_MISSING = 0.5
"""What the sum must reach besides, for a question whose words all stand nowhere; in proportion for less."""
FAR = 0.2
"""Below this cosine a sentence speaks of something else, unless it holds nearly all that is asked."""
NEARLY_ALL = 0.75


def weak(question: str, result: SearchResult, context: Context, quotes: Sequence[Quote]) -> str:
    """Why the question is not answered, or "" when the best quotes are good enough.

    The reason says what was searched and what was measured. It never says that there is no answer.
    """
    if not question.strip():
        return "The question is empty."
    if not result.hits:
        return f"Nothing was found for this question. {searched(result)}"
    if not context.evidence:
        reasons = dict.fromkeys(one.reason for one in context.left_out)
        return f"No passage could be used: {'; '.join(list(reasons)[:3])}. {searched(result)}"
    if not quotes:
        return f"No sentence of the passages found shares anything with the question. {searched(result)}"
    return _too_weak(quotes, result)


def _too_weak(quotes: Sequence[Quote], result: SearchResult) -> str:
    best = max(quotes, key=strength)
    if _carries(best):
        return ""
    cosine = "" if best.dense is None else f" and is {best.dense:.2f} similar to it"
    missing = f"; {best.missing:.0%} of the question is in words none of them holds" if best.missing else ""
    return (
        f"The evidence is weak: the best sentence holds {best.lexical:.0%} of what the question asks"
        f" about{cosine}{missing}. {searched(result)}"
    )


def _carries(best: Quote) -> bool:
    """Whether a sentence matches well enough to answer from."""
    dense = best.lexical if best.dense is None else best.dense
    if best.dense is not None and best.dense < FAR and best.lexical < NEARLY_ALL:
        return False
    return strength(best) >= LEAST_SUM + FOR_MISSING * best.missing and (
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
