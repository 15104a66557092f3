"""What a passage consists of: sentences, rows, records, turns and lines, with what they stand under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from pincite.answer.parts import LINED, Part, has_words, parts_of
from pincite.cells import without_rules
from pincite.lexicon import any_of
from pincite.parse.titles import numbered
from pincite.types import BlockKind, Evidence, Span

MOST_UNDER_QUESTION = 4
"""The most sentences that stand under a question asked in the text."""
SUBJECT = "Subject: "
"""How the line of a mail's head begins that is the heading of what is written."""

_QUESTION = re.compile(r"[?？]\W{0,4}$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, row, list item or line of one passage; `number` counts them in it, headings too.

    `under` is what it has to be read with: its nearest heading, the question it follows, its table's
    column names, the lines that enclose it in code and JSON, or the sentence before code. `heading` is the
    first of these. `kind` is that of its block; `code` marks code in a text, all of it if it is not long;
    `columns` are the column names of a row, with its table's caption.
    """

    evidence: Evidence
    number: int
    span: Span
    text: str
    quotable: bool
    kind: BlockKind = "paragraph"
    under: str = ""
    heading: str = ""
    columns: str = ""
    code: bool = False

    @property
    def is_lined(self) -> bool:
        """Whether it is a row, a record or a line of its own."""
        return self.kind in LINED

    @property
    def is_row(self) -> bool:
        """Whether it is a row or record, which is quoted alone."""
        return self.kind in ("row", "record") or self.evidence.type == "yaml"


def sentences(evidence: Evidence) -> list[Sentence]:
    """What a passage consists of, in order; headings, questions, fences and column names are not quotable."""
    start = evidence.span.start
    parts = list(parts_of(evidence))
    above = _Above(nested=evidence.type == "text")
    found = []
    for number, part in enumerate(parts):
        text = evidence.text[part.span.start - start : part.span.end - start]
        columns = _columns(evidence, part)
        heads = part.kind == "heading" or (text.startswith(SUBJECT) and number + 1 < len(parts))
        apart = heads or part.kind == "table" or asks(text) or greets(text)
        under = above.of(part, text, columns, heads=heads)
        found.append(
            Sentence(
                evidence,
                number,
                part.span,
                text,
                quotable=has_words(text) and not apart,
                kind=part.kind,
                under=under,
                heading="" if heads or part.kind in LINED else above.heading,
                columns=columns,
                code=part.code,
            )
        )
    return found


def asks(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return bool(_QUESTION.search(text[-8:]))


def greets(words: str) -> bool:
    """Whether a part is a greeting alone (`Dear Mira,`), which answers nothing."""
    return bool(_greeting().fullmatch(words))


@cache
def _greeting() -> re.Pattern[str]:
    return re.compile(rf"\s*{any_of('mail.greetings')}\b[^.\n]{{0,60}}[,!]\s*", re.I)


def _columns(evidence: Evidence, part: Part) -> str:
    """What a row's block says it needs: whole, if the passage holds it, and without drawn lines."""
    start, whole, header = evidence.span.start, part.block.header_span, part.block.header
    if whole and evidence.span.holds(whole):
        header = evidence.text[whole.start - start : whole.end - start]
    return without_rules(header)


@dataclass(slots=True)
class _Above:
    """What stands above the part that is read now. With `nested`, numbered headings stand under others."""

    nested: bool
    heading: str = ""
    _top: str = ""
    _question: str = ""
    _since: int = 0
    _before: str = ""
    _first_row: str = ""
    _open: list[tuple[int, str]] = field(default_factory=list)

    def of(self, part: Part, text: str, columns: str, *, heads: bool) -> str:
        """What `text` has to be read with."""
        if part.kind in LINED and part.kind not in ("row", "table"):
            return _joined(columns, *self._enclosing(text))
        self._open.clear()
        self._since += 1
        if heads:
            self._begin(text)
            return ""
        first = self._first_row if part.kind in ("row", "field") and not columns else ""
        under = _joined(self.heading, self._question, columns or first, self._before if part.code else "")
        self._first_row = (first or text) if part.kind in ("row", "field") else ""
        if asks(text):
            self._question, self._since = text, 0
        elif self._since >= MOST_UNDER_QUESTION:
            self._question = ""
        if not part.code and has_words(text):
            self._before = text
        return under

    def _begin(self, heading: str) -> None:
        self._top = self._top if numbered(heading) else heading
        below = self.nested and self._top not in ("", heading)
        self.heading = f"{self._top}\n{heading}" if below else heading
        self._question = self._before = ""

    def _enclosing(self, text: str) -> Iterator[str]:
        """The lines above that are less indented, and a question right before."""
        bare = text.lstrip()
        indent = len(text) - len(bare) + bare.startswith("- ")  # in YAML, a list may stand below its key
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        yield from (line for _, line in self._open)
        if asks(self._before):
            yield self._before
        self._open.append((indent, text))
        self._before = text


def _joined(*parts: str) -> str:
    return "\n".join(filter(None, parts))
