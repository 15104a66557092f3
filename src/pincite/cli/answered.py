"""An answer to text for people: claims with the numbers of their sources, or why there is no answer.

Quoted sentences number their sources 1, 2, … in the order in which they cite them: one number, one place.
A model's text keeps the numbers that it was given, those of the evidence (`Citation.marker`), as `--json` and
`explain` do: each number is listed with every place that was cited of its passage.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from pincite.answer import marks
from pincite.answer.claims import plain_text
from pincite.cli.render import STALE, hit_line, place_link, searched_text
from pincite.cli.snippet import snippet
from pincite.cli.terminal import Terminal, one_line, visible
from pincite.types import Answer, Citation, Claim, SearchHit

NEAREST = 3
"""Hits that an abstention shows."""
SNIPPET_LINES = 2
"""Lines of each of them."""
_INDENT = " " * 5
_BOUND = "\0["  # no control character is left in what is wrapped
_FENCE = re.compile(r"\s*(?:`{3}|~{3})")

_WHY = {
    "": "the file does not hold these words there",
    "figures": "these words lack a figure of the statement",
    "words": "no word of the statement stands here",
}

Key = tuple[str, str, str]
"""What tells sources apart: file, location and quote."""


def answer_text(
    answer: Answer, *, root: Path, term: Terminal, stemmers: tuple[str, ...] = ("english",)
) -> str:
    """The claims with their `[n]`, then the sources they were checked against; or why there is no answer."""
    if answer.abstained:
        return _abstention(answer, root=root, term=term, stemmers=stemmers)
    numbers = _numbers(answer)
    if _is_written(answer):
        body = answer.text
    else:
        body = "\n".join(_claim(claim, numbers) for claim in answer.claims)
    parts = [_wrapped(visible(body), term), _sources(answer, numbers, root=root, term=term)]
    if answer.search.dense_complete < 1:
        note = searched_text(answer.search.searched, answer.search.dense_complete)
        parts.append(term.style(note, "dim"))
    return "\n\n".join(part for part in parts if part)


def _citations(answer: Answer) -> Iterator[Citation]:
    return (citation for claim in answer.claims for citation in claim.citations)


def _key(citation: Citation) -> Key:
    return citation.uri, citation.location, citation.quote


def _numbers(answer: Answer) -> dict[Key, int]:
    """The number of each source, in the order of appearance: that of its passage, or from 1."""
    markers = {_key(citation): citation.marker for citation in _citations(answer)}
    if _is_written(answer):
        first = {number: place for place, number in enumerate(dict.fromkeys(markers.values()))}
        return dict(sorted(markers.items(), key=lambda one: first[one[1]]))
    return {key: number for number, key in enumerate(markers, start=1)}


# ── the body ──────────────────────────────────────────────────────────────────────────────────
def _claim(claim: Claim, numbers: Mapping[Key, int]) -> str:
    shown = dict.fromkeys(marks.cited(numbers[_key(one)], [one]) for one in claim.citations)
    between = "\n" if claim.text.endswith(("```", "~~~")) else " "
    return f"{claim.text.strip()}{between}{''.join(shown)}".rstrip()


def _is_written(answer: Answer) -> bool:
    """Whether a model wrote the text, with markers of its own."""
    return any(step.stage == "generate" for step in answer.trace.steps)


def _wrapped(text: str, term: Terminal, indent: str = "") -> str:
    """`text` with lines no wider than the terminal, but for code and lines of scripts without spaces."""
    lines, code = [], False
    for line in text.split("\n"):
        code ^= bool(_FENCE.match(line))
        narrow = not term.width or code or _FENCE.match(line) or len(indent + line) <= term.width
        lines += [indent + line] if narrow else _filled(line, term.width, indent)
    return "\n".join(lines)


def _filled(line: str, width: int, indent: str) -> list[str]:
    """The line in lines of `width`; a mark such as `[2]` stays with the word before it."""
    lines = textwrap.wrap(
        line.replace(" [", _BOUND),
        max(20, width),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [one.replace(_BOUND, " [") for one in lines]


# ── sources ───────────────────────────────────────────────────────────────────────────────────
def _sources(answer: Answer, numbers: Mapping[Key, int], *, root: Path, term: Terminal) -> str:
    said = {_squeezed(claim.text) for claim in answer.claims if not _is_written(answer)}
    cited: dict[Key, Citation] = {}
    for one in _citations(answer):
        if not (held := cited.get(_key(one))) or one.verified > held.verified:
            cited[_key(one)] = one
    lines = [_source(cited[key], number, said, root=root, term=term) for key, number in numbers.items()]
    return "\n".join([term.style("Sources", "bold"), *lines]) if lines else ""


def _source(citation: Citation, number: int, said: set[str], *, root: Path, term: Terminal) -> str:
    """A source's number, place and state; below, its words, unless the claim says just those."""
    state = term.style("verified", "green")
    if citation.stale == "unreadable":
        state = term.style("not verified", "red")
    elif not citation.verified:
        state = term.style(f"not verified: {_WHY[citation.doubt]}", "red")
    stale = term.style(STALE.get(citation.stale or "", citation.stale or ""), "yellow")
    place = place_link(citation.place, citation.uri, root=root, term=term)
    edition = term.style(citation.edition, "yellow")
    line = "  ".join(part for part in (f"[{number}]", place, state, stale, edition) if part)
    if _squeezed(plain_text(citation.quote)) in said:
        return line
    quote = visible(textwrap.dedent(citation.quote).strip())
    return f"{line}\n{_wrapped(f'“{quote}”', term, _INDENT)}"


def _squeezed(text: str) -> str:
    return "".join(text.split())


# ── no answer ─────────────────────────────────────────────────────────────────────────────────
def _abstention(answer: Answer, *, root: Path, term: Terminal, stemmers: tuple[str, ...]) -> str:
    reason = _wrapped(f"No answer: {one_line(answer.reason)}", term)
    lines = [reason.replace("No answer", term.style("No answer", "bold"), 1)]
    hits = answer.search.hits[:NEAREST]
    lines += ["Nearest passages:"] if hits else []
    for hit in hits:
        lines.append(hit_line(hit, root=root, term=term, scores=False))
        lines += _shown(hit, answer, term, stemmers)
    return "\n".join(lines)


def _shown(hit: SearchHit, answer: Answer, term: Terminal, stemmers: tuple[str, ...]) -> Iterator[str]:
    """The first lines of what a hit has to say to the question."""
    heading = "".join(hit.stored.chunk.heading[-1:])
    lines = [visible(line.text.strip()) for line in snippet(hit, answer.search.query, stemmers=stemmers)]
    for text in [line for line in lines if line.strip("#*=- ") != heading][:SNIPPET_LINES]:
        room = max(20, term.width - len(_INDENT)) if term.width else len(text)
        yield _INDENT + (text if len(text) <= room else f"{text[: room - 1]}…")
