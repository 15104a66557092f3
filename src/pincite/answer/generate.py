"""A model's answer to claims: its `[n]` markers resolved, checked, and tied to quotes.

A number that no passage has is taken out of the text and reported; it is never mapped to another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.answer.cite import cite
from pincite.answer.passages import Sentence, sentences
from pincite.answer.prompt import MARKER
from pincite.types import Citation, Claim, Context, Evidence, Span

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

_MARKER = re.compile(rf"{MARKER}(?!\(|:[ \t])")  # no link, no footnote
# Where brackets are no markers: fenced and inline code.
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|``[^\n]*?``|`[^`\n]*`", re.S)
_LEAD = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•·]\s+|\(?\d{1,3}[.)]\s+)?")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WORDS = re.compile(r"[^\W_⺀-鿿豈-﫿぀-ヿ가-힣]+|[⺀-鿿豈-﫿぀-ヿ가-힣]")
WIDEST = 50
"""The most passages one range such as [1-3] may name."""

Terms = Callable[[str], set[str]]


@dataclass(frozen=True, slots=True)
class Written:
    """A model's text without markers that point nowhere, its claims, and what was wrong with it."""

    text: str
    claims: tuple[Claim, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Marked:
    """A marker's numbers, and a character of the text without markers that they belong to."""

    at: int
    numbers: tuple[int, ...]


def plain_words(text: str) -> set[str]:
    """Words in lower case; characters of scripts written without spaces one by one."""
    return set(_WORDS.findall(text.casefold()))


def claims_from(text: str, context: Context, reopen: Reopen, *, terms: Terms = plain_words) -> Written:
    """The claims of a model's answer, one a sentence, each cited marker with the words that support it.

    Reported as problems: numbers without a passage, an answer that cites nothing, a passage that shares
    no word with the sentence that cites it (that citation is not verified), and figures that none of a
    sentence's passages holds. A claim without a marker has no citations.
    """
    evidence = {one.marker: one for one in context.evidence}
    bare, shown, marks, unknown = _unmarked(text, frozenset(evidence))
    problems = [f"[{number}] points to no evidence" for number in unknown]
    passages = {marker: sentences(one) for marker, one in evidence.items()}
    claims = []
    for words, markers in _sentences(bare, marks):
        citations = []
        for n in markers:
            best = _best(words, passages[n], terms)
            citations.append(_supporting(best, evidence[n], reopen))
            problems += [] if best else [f"nothing in [{n}] shares words with: {words}"]
        claims.append(Claim(words, tuple(citations)))
        problems += _unsupported(words, [evidence[n] for n in markers])
    if claims and not any(claim.citations for claim in claims):
        problems.append("uncited: the answer cites no evidence")
    return Written(shown, tuple(claims), tuple(problems))


def with_marks(text: str, claims: Sequence[Claim], mark: Callable[[Citation], str]) -> str:
    """The text of `Written` with each marker replaced by `mark` of the citation that it stands for."""
    from pincite.chunk.sentences import sentence_spans

    known = frozenset(citation.marker for claim in claims for citation in claim.citations)
    bare, _, marks, _ = _unmarked(text, known)
    spans = sentence_spans(bare, 0, len(bare))
    telling = [n for n, span in enumerate(spans) if any(map(str.isalnum, bare[span.start : span.end]))]
    claim_of = dict(zip(telling, claims, strict=False))
    written, at = "", 0
    for found, one in zip(_markers(text), marks, strict=True):
        claim = claim_of.get(_owner(one.at, spans)) if spans else None
        cited = [c for n in one.numbers for c in (claim.citations if claim else ()) if c.marker == n]
        written += text[at : found.start()] + ("".join(mark(citation) for citation in cited) or found[0])
        at = found.end()
    return written + text[at:]


# ── markers ───────────────────────────────────────────────────────────────────────────────────
def _unmarked(text: str, known: frozenset[int]) -> tuple[str, str, list[_Marked], list[str]]:
    """The text without markers, the text with the known ones, where they stood, and the unknown numbers."""
    bare, shown = "", ""
    marks: list[_Marked] = []
    unknown: dict[str, None] = {}
    at = 0
    for found in _markers(text):
        numbers, nowhere = _resolved(found["numbers"], known)
        unknown |= dict.fromkeys(nowhere)
        before = text[at : found.start()]
        bare += before
        bare = bare if text[found.end() : found.end() + 1].isalnum() else bare.rstrip(" \t")
        shown += before
        shown = shown + "".join(f"[{n}]" for n in numbers) if numbers else shown.rstrip(" \t")
        marks.append(_Marked(_anchor(bare), numbers))
        at = found.end()
    return bare + text[at:], (shown + text[at:]).strip(), marks, list(unknown)


def _anchor(bare: str) -> int:
    """Where a marker at the end of `bare` belongs: to the last word, or on a new line to what follows."""
    last = len(bare.rstrip())
    return len(bare) if "\n" in bare[last:] else max(0, last - 1)


def _markers(text: str) -> Iterator[re.Match[str]]:
    """The markers of `text` that stand outside code."""
    code = [found.span() for found in _CODE.finditer(text)]
    for found in _MARKER.finditer(text):
        if not any(start <= found.start() < end for start, end in code):
            yield found


def _resolved(numbers: str, known: frozenset[int]) -> tuple[tuple[int, ...], list[str]]:
    """The known numbers a marker names, in order, and those that point nowhere, as written."""
    named: dict[int, None] = {}
    nowhere: list[str] = []
    for part in re.split(r"[,，、;]", numbers):
        ends = [int(end) for end in re.split(r"[-–—]", part)]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 or not 0 <= last - first < WIDEST:
            nowhere.append(part.strip())
            continue
        for number in range(first, last + 1):
            if number in known:
                named[number] = None
            else:
                nowhere.append(str(number))
    return tuple(named), nowhere


def _sentences(bare: str, marks: Sequence[_Marked]) -> Iterator[tuple[str, list[int]]]:
    """Each sentence of the answer on one line, with the numbers that stand in it or right behind it."""
    from pincite.chunk.sentences import sentence_spans

    spans = sentence_spans(bare, 0, len(bare))
    numbers: list[list[int]] = [[] for _ in spans]
    for mark in marks:
        if spans:
            numbers[_owner(mark.at, spans)] += mark.numbers
    for span, cited in zip(spans, numbers, strict=True):
        words = " ".join(_LEAD.sub("", bare[span.start : span.end], count=1).split())
        if any(char.isalnum() for char in words):
            yield words, list(dict.fromkeys(cited))


def _owner(at: int, spans: Sequence[Span]) -> int:
    """The number of the sentence that holds the character `at`, else of the next one, else of the last."""
    return next((n for n, span in enumerate(spans) if at < span.end), len(spans) - 1)


# ── support ───────────────────────────────────────────────────────────────────────────────────
def _best(claim: str, passage: Sequence[Sentence], terms: Terms) -> Sentence | None:
    """The sentence that shares most with the claim; None if none shares anything."""
    wanted = terms(claim)
    best, most = None, 0.0
    for sentence in passage:
        held = terms(sentence.text)
        shared = len(wanted & held)
        score = shared + shared / (1 + len(held))  # of two that share as much, the shorter
        if sentence.quotable and score > most:
            best, most = sentence, score
    return best


def _supporting(best: Sentence | None, evidence: Evidence, reopen: Reopen) -> Citation:
    """The citation of the sentence that supports a claim; without one, of the whole passage, unverified."""
    if best is None:
        return replace(cite(evidence, evidence.span, evidence.text, reopen), verified=False)
    return cite(evidence, best.span, best.text, reopen)


def _unsupported(claim: str, cited: Sequence[Evidence]) -> list[str]:
    """One problem for each figure of the claim that stands in none of the passages it cites."""
    if not cited:
        return []
    held = {figure for one in cited for figure in _figures(f"{one.context}\n{one.header}\n{one.text}")}
    markers = "".join(f"[{one.marker}]" for one in cited)
    missing = [figure for figure in _figures(claim) if figure not in held]
    return [f"{figure} is not in {markers}: {claim}" for figure in dict.fromkeys(missing)]


def _figures(text: str) -> list[str]:
    """The figures of a text, thousands written without a comma."""
    found = _FIGURE.findall(text)
    return [re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", figure) for figure in found]
