"""A model's answer to claims: its markers resolved, checked, and tied to quotes; what is doubtful marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.answer import marks
from pincite.answer.figures import each
from pincite.answer.inert import inert, without_addresses
from pincite.answer.markers import Mark, marks_in
from pincite.answer.statements import Statement, statements
from pincite.answer.support import Passage, Terms, lacking, plain_words, unsupported
from pincite.errors import ModelError
from pincite.types import Citation, Claim, Context

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

LONGEST = 100_000
"""The most characters of a model's answer that are read."""


@dataclass(frozen=True, slots=True)
class Written:
    """A model's text with what is doubtful marked in it, its claims, and what was wrong with it."""

    text: str
    claims: tuple[Claim, ...]
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class _Checked:
    """A statement with its claim and the problems it has."""

    statement: Statement
    claim: Claim
    problems: list[str] = field(default_factory=list)


def claims_from(text: str, context: Context, reopen: Reopen, *, terms: Terms = plain_words) -> Written:
    """The claims of a model's answer, one a sentence, each cited marker with the words that support it.

    Marked in the text and reported as problems: numbers without a passage, an answer that cites nothing,
    figures that the cited words do not hold, figures of a statement that cites nothing, a passage that
    shares no word with the sentence that cites it. A claim without a marker has no citations. Raises
    `ModelError` for more than `LONGEST` characters.
    """
    if len(text) > LONGEST:
        message = f"the model's answer has {len(text):,} characters; at most {LONGEST:,} are read"
        raise ModelError(message, stage="answer", hint="ask for a shorter answer, or use another model")
    told = inert(text)
    found, doubtful = marks_in(told.text, {one.marker: one.uri for one in context.evidence})
    passages = {one.marker: Passage(one, terms, reopen) for one in context.evidence}
    checked = list(_checked(statements(told.text, found), passages, terms))
    claims = tuple(one.claim for one in checked)
    nowhere = dict.fromkeys(number for mark in found for number in mark.unknown)
    problems = [*told.problems, *(f"[{number}] points to no evidence" for number in nowhere)]
    problems += dict.fromkeys(f"{one.written} is read as text" for one in doubtful)
    problems += [problem for one in checked for problem in one.problems]
    shown = _with_marks(told.text, found, checked)
    if claims and not any(claim.citations for claim in claims):
        problems.append("uncited: the answer cites no evidence")
        shown = f"{marks.NOTHING_CITED}\n\n{shown}"
    return Written(shown, claims, tuple(problems))


def _checked(made: Sequence[Statement], passages: Mapping[int, Passage], terms: Terms) -> Iterator[_Checked]:
    """Each statement with its claim; a block of code cites what the statement before it cites."""
    cites = any(one.numbers for one in made)
    before: list[int] = []
    for one in made:
        numbers = one.numbers or (before if one.code else [])
        if numbers:
            yield _cited(one, [passages[number] for number in numbers], terms)
        else:
            figures = [figure.written for figure in each(without_addresses(one.words))] if cites else []
            problems = [f"no source is given for {figure}: {one.words}" for figure in figures]
            yield _Checked(one, Claim(one.words, (), tuple(figures)), problems)
        before = numbers


def _cited(one: Statement, passages: Sequence[Passage], terms: Terms) -> _Checked:
    """A statement checked against the passages it cites."""
    words, read = one.words, without_addresses(one.words)
    held = terms(read)
    found = [(passage, passage.supporting(read, held)) for passage in passages]
    lacks = lacking(read, found)
    citations = tuple(c for passage, best in found for c in passage.citations(best, lacks=bool(lacks)))
    problems = [f"nothing in [{p.marker}] shares words with: {words}" for p, best in found if not best]
    problems += unsupported(words, lacks, found)
    return _Checked(one, Claim(words, citations, tuple(figure.written for figure in lacks)), problems)


def _with_marks(text: str, found: Sequence[Mark], checked: Sequence[_Checked]) -> str:
    """The text with its markers as `[n]` and their doubts, and a remark behind statements that have one."""
    changes: list[tuple[int, int, str]] = []
    marked: set[Mark] = set()
    for one in checked:
        for mark in one.statement.marks:
            changes.append((mark.start, mark.end, _written(mark, one.claim.citations)))
            marked.add(mark)
        if one.claim.lacks:
            changes.append(_remark(text, one))
    changes += [(mark.start, mark.end, _written(mark, ())) for mark in found if mark not in marked]
    written, at = [], 0
    for start, end, instead in sorted(changes):
        written += [text[at:start], instead]
        at = end
    return "".join([*written, text[at:]]).strip()


def _written(mark: Mark, citations: Sequence[Citation]) -> str:
    """A marker as it is shown: each passage with its doubts, then the numbers that no passage has."""
    parts = [marks.cited(number, (c for c in citations if c.marker == number)) for number in mark.numbers]
    return "".join([*parts, *([marks.no_evidence(mark.unknown)] if mark.unknown else [])])


def _remark(text: str, one: _Checked) -> tuple[int, int, str]:
    """The remark on a statement's figures: behind its marker or words, in its own cell, below its code."""
    statement, claim = one.statement, one.claim
    remark = marks.lacking(claim.lacks) if claim.citations else marks.uncited(claim.lacks)
    if statement.code:
        return statement.end, statement.end, f"\n{remark}"
    row = text[: statement.end].endswith("|")
    at = statement.end - row
    behind = max([mark.end for mark in statement.marks], default=0)
    if behind and not any(map(str.isalnum, text[behind : statement.end])):
        at = behind
    return at, at, f" {remark}"
