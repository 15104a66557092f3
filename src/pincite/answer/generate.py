"""A model's answer to claims: its `[n]` markers resolved, checked, and tied to quotes.

A number that no passage has is taken out of the text and reported; it is never mapped to another.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pincite.answer.cite import cite
from pincite.answer.passages import Sentence, sentences
from pincite.answer.prompt import MARKER
from pincite.errors import ModelError
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
LONGEST = 100_000
"""The most characters of a model's answer that are read."""

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
    no word with the sentence that cites it (that citation is not verified), and figures that the cited
    words do not hold. A claim without a marker has no citations. Raises `ModelError` for more than
    `LONGEST` characters.
    """
    if len(text) > LONGEST:
        message = f"the model's answer has {len(text):,} characters; at most {LONGEST:,} are read"
        raise ModelError(message, stage="answer", hint="ask for a shorter answer, or use another model")
    passages = {one.marker: _Passage(one, terms, reopen) for one in context.evidence}
    bare, shown, marks, unknown = _unmarked(text, frozenset(passages))
    problems = [f"[{number}] points to no evidence" for number in unknown]
    claims = []
    for words, markers in _sentences(bare, marks):
        held = terms(words)
        found = [(passages[n], passages[n].supporting(words, held)) for n in markers]
        claims.append(Claim(words, tuple(one for p, best in found for one in p.citations(best))))
        problems += [f"nothing in [{p.marker}] shares words with: {words}" for p, best in found if not best]
        problems += _unsupported(words, found)
    if claims and not any(claim.citations for claim in claims):
        problems.append("uncited: the answer cites no evidence")
    return Written(shown, tuple(claims), tuple(problems))


def with_marks(text: str, claims: Sequence[Claim], mark: Callable[[Citation], str]) -> str:
    """The text of `Written` with each marker replaced by `mark` of the citations that it stands for."""
    from pincite.chunk.sentences import sentence_spans

    known = frozenset(citation.marker for claim in claims for citation in claim.citations)
    bare, _, marks, _ = _unmarked(text, known)
    spans = sentence_spans(bare, 0, len(bare))
    ends = [span.end for span in spans]
    telling = [n for n, span in enumerate(spans) if any(map(str.isalnum, bare[span.start : span.end]))]
    claim_of = dict(zip(telling, claims, strict=False))
    written, at = "", 0
    for found, one in zip(_markers(text), marks, strict=True):
        claim = claim_of.get(_owner(one.at, ends)) if ends else None
        cited = [c for n in one.numbers for c in (claim.citations if claim else ()) if c.marker == n]
        written += text[at : found.start()] + ("".join(dict.fromkeys(map(mark, cited))) or found[0])
        at = found.end()
    return written + text[at:]


# ── markers ───────────────────────────────────────────────────────────────────────────────────
def _unmarked(text: str, known: frozenset[int]) -> tuple[str, str, list[_Marked], list[str]]:
    """The text without markers, the text with the known ones, where they stood, and the unknown numbers."""
    bare, shown = _Growing(), _Growing()
    marks: list[_Marked] = []
    unknown: dict[str, None] = {}
    at = 0
    for found in _markers(text):
        numbers, nowhere = _resolved(found["numbers"], known)
        unknown |= dict.fromkeys(nowhere)
        before, after = text[at : found.start()], text[found.end() : found.end() + 1]
        bare.add(before)
        if not after.isalnum():
            bare.strip_blanks()
        shown.add(before)
        if numbers:
            shown.add("".join(f"[{n}]" for n in numbers))
        else:
            shown.strip_blanks()
        marks.append(_Marked(bare.anchor(), numbers))
        at = found.end()
    bare.add(text[at:])
    shown.add(text[at:])
    return bare.text(), shown.text().strip(), marks, list(unknown)


class _Growing:
    """A text that grows at its end: each step costs what it adds, however long the text is."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def add(self, part: str) -> None:
        if part:
            self._parts.append(part)
            self._size += len(part)

    def strip_blanks(self) -> None:
        """Takes spaces and tabs from the end."""
        while self._parts:
            last = self._parts.pop()
            self._size -= len(last)
            if kept := last.rstrip(" \t"):
                self.add(kept)
                return

    def anchor(self) -> int:
        """Where a marker at the end belongs: to the last word, or on a new line to what follows."""
        at = self._size
        for part in reversed(self._parts):
            blank = len(part) - len(part.rstrip())
            if "\n" in part[len(part) - blank :]:
                return self._size
            at -= blank
            if blank < len(part):
                break
        return max(0, at - 1)

    def text(self) -> str:
        return "".join(self._parts)


def _markers(text: str) -> Iterator[re.Match[str]]:
    """The markers of `text` that stand outside code."""
    code, inside = _CODE.finditer(text), (-1, -1)
    for found in _MARKER.finditer(text):
        while inside[1] <= found.start() and (next_one := next(code, None)):
            inside = next_one.span()
        if not inside[0] <= found.start() < inside[1]:
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
    ends = [span.end for span in spans]
    for mark in marks:
        if spans:
            numbers[_owner(mark.at, ends)] += mark.numbers
    for span, cited in zip(spans, numbers, strict=True):
        words = " ".join(_LEAD.sub("", bare[span.start : span.end], count=1).split())
        if any(char.isalnum() for char in words):
            yield words, list(dict.fromkeys(cited))


def _owner(at: int, ends: Sequence[int]) -> int:
    """The number of the sentence that holds the character `at`, else of the next one, else of the last."""
    return min(bisect_right(ends, at), len(ends) - 1)


# ── support ───────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence that can be quoted, with its terms, its own figures, and those it stands under."""

    sentence: Sentence
    terms: set[str]
    figures: frozenset[str]
    under: frozenset[str]


class _Passage:
    """A numbered passage and what can be quoted of it; each citation is looked up once."""

    def __init__(self, evidence: Evidence, terms: Terms, reopen: Reopen) -> None:
        self.marker = evidence.marker
        self.figures = frozenset(_figures(f"{evidence.context}\n{evidence.header}\n{evidence.text}"))
        self._above = frozenset(_figures(f"{evidence.context}\n{evidence.header}"))
        self._evidence, self._reopen = evidence, reopen
        self._units = [_unit(one, terms) for one in sentences(evidence) if one.quotable]
        self._cited: dict[int, Citation] = {}

    def supporting(self, claim: str, wanted: set[str]) -> list[_Unit]:
        """The sentence that shares most with the claim, then those that say its other figures."""
        best, most = None, 0.0
        for unit in self._units:
            shared = len(wanted & unit.terms)
            score = shared + shared / (1 + len(unit.terms))  # of two that share as much, the shorter
            if score > most:
                best, most = unit, score
        found = [best] if best else []
        for figure in dict.fromkeys(_figures(claim)) if best else ():
            if not self.holds(figure, found):
                found += self._telling(claim, figure, wanted, most / 2)
        return found

    def holds(self, figure: str, found: Sequence[_Unit]) -> bool:
        """Whether a figure stands in these sentences or in what they are to be read with."""
        return figure in self._above or any(figure in one.figures | one.under for one in found)

    def _telling(self, claim: str, figure: str, wanted: set[str], least: float) -> list[_Unit]:
        """The first sentence that says `figure` of the same thing: with its unit, and the claim's words."""
        near = [one for one in self._units if figure in one.figures]
        near = [one for one in near if len(wanted & one.terms) - 1 >= max(2, least)]
        if not near:
            return []
        unit = re.search(rf"(?<![\d.,:]){re.escape(figure)}[\W_]{{0,3}}([^\W\d_]+)", claim)
        same = (one for one in near if not unit or unit[1].casefold() in plain_words(one.sentence.text))
        return list(islice(same, 1))

    def citations(self, found: Sequence[_Unit]) -> Iterator[Citation]:
        """Citations of the sentences that support a claim; without one, of the whole passage, unverified."""
        for one in found:
            yield self._citation(one.sentence.number, one.sentence.span, one.sentence.text)
        if not found:
            yield replace(self._citation(-1, self._evidence.span, self._evidence.text), verified=False)

    def _citation(self, key: int, span: Span, text: str) -> Citation:
        if key not in self._cited:
            self._cited[key] = cite(self._evidence, span, text, self._reopen)
        return self._cited[key]


def _unit(sentence: Sentence, terms: Terms) -> _Unit:
    figures, under = frozenset(_figures(sentence.text)), frozenset(_figures(sentence.under))
    return _Unit(sentence, terms(sentence.text), figures, under)


def _unsupported(claim: str, cited: Sequence[tuple[_Passage, Sequence[_Unit]]]) -> list[str]:
    """One problem for each figure of the claim that does not stand in the words it cites."""
    if not cited:
        return []
    figures = dict.fromkeys(_figures(claim))
    missing = [figure for figure in figures if not any(one.holds(figure, found) for one, found in cited)]
    markers = "".join(f"[{passage.marker}]" for passage, _ in cited)
    where = {True: f"the words cited of {markers}", False: markers}
    return [
        f"{figure} is not in {where[any(figure in one.figures for one, _ in cited)]}: {claim}"
        for figure in missing
    ]


def _figures(text: str) -> list[str]:
    """The figures of a text, thousands written without a comma."""
    found = _FIGURE.findall(text)
    return [re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", figure) for figure in found]
