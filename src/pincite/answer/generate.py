"""A model's answer to claims: its `[n]` markers resolved, checked, and tied to quotes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.answer.markers import marked_sentences, markers_in, owner, unmarked
from pincite.answer.support import Passage, Terms, plain_words, unsupported
from pincite.errors import ModelError
from pincite.types import Citation, Claim, Context

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

LONGEST = 100_000
"""The most characters of a model's answer that are read."""


@dataclass(frozen=True, slots=True)
class Written:
    """A model's text without markers that point nowhere, its claims, and what was wrong with it."""

    text: str
    claims: tuple[Claim, ...]
    problems: tuple[str, ...] = ()


def claims_from(text: str, context: Context, reopen: Reopen, *, terms: Terms = plain_words) -> Written:
    """The claims of a model's answer, one a sentence, each cited marker with the words that support it.

    Reported as problems: numbers without a passage, an answer that cites nothing, a passage that shares
    no word with the sentence that cites it (that citation is not verified), and figures that the cited
    words do not hold. A claim without a marker has no citations. Raises `ModelError` for more than
    `LONGEST` characters.
    """
    if len(text) > LONGEST:
        message = f"the model's answer has {len(text):,} characters; at most {LONGEST:,} are read"
        raise ModelError(message, stage="answer", hint="ask for a shorter answer, or use another model")
    passages = {one.marker: Passage(one, terms, reopen) for one in context.evidence}
    bare, shown, marks, unknown = unmarked(text, frozenset(passages))
    problems = [f"[{number}] points to no evidence" for number in unknown]
    claims = []
    for words, markers in marked_sentences(bare, marks):
        held = terms(words)
        found = [(passages[n], passages[n].supporting(words, held)) for n in markers]
        claims.append(Claim(words, tuple(one for p, best in found for one in p.citations(best))))
        problems += [f"nothing in [{p.marker}] shares words with: {words}" for p, best in found if not best]
        problems += unsupported(words, found)
    if claims and not any(claim.citations for claim in claims):
        problems.append("uncited: the answer cites no evidence")
    return Written(shown, tuple(claims), tuple(problems))


def with_marks(text: str, claims: Sequence[Claim], mark: Callable[[Citation], str]) -> str:
    """The text of `Written` with each marker replaced by `mark` of the citations that it stands for."""
    from pincite.chunk.sentences import sentence_spans

    known = frozenset(citation.marker for claim in claims for citation in claim.citations)
    bare, _, marks, _ = unmarked(text, known)
    spans = sentence_spans(bare, 0, len(bare))
    ends = [span.end for span in spans]
    telling = [n for n, span in enumerate(spans) if any(map(str.isalnum, bare[span.start : span.end]))]
    claim_of = dict(zip(telling, claims, strict=False))
    written, at = "", 0
    for found, one in zip(markers_in(text), marks, strict=True):
        claim = claim_of.get(owner(one.at, ends)) if ends else None
        cited = [c for n in one.numbers for c in (claim.citations if claim else ()) if c.marker == n]
        written += text[at : found.start()] + ("".join(dict.fromkeys(map(mark, cited))) or found[0])
        at = found.end()
    return written + text[at:]
