"""Which parts of a mail's text are an earlier mail's: quoted history, to be folded away.

Folded are lines with `>`, the line that says whose they are ("On … wrote:"), and all that follows a mark
like "-----Original Message-----" or a block of headers. Not folded is what was forwarded, and what would
leave a mail without words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pincite.lexicon import any_of

MAX_LINES = 100_000  # of one mail that are looked at
_QUOTE = re.compile(r"[ \t]{0,3}(?:>|&gt;|\|[ \t]?>)")
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)")
_END = r"[ \t]*[:：]"
_DATED = re.compile(r"\d|@")


@dataclass(frozen=True, slots=True)
class _Marks:
    """How mails mark what is another's: patterns of a line each, `subject` of a subject."""

    original: re.Pattern[str]
    forwarded: re.Pattern[str]
    subject: re.Pattern[str]
    who: re.Pattern[str]
    when: re.Pattern[str]
    said: tuple[re.Pattern[str], ...]
    name_first: re.Pattern[str]


@cache
def _marks() -> _Marks:
    """The marks in the languages of the lexicon."""
    dashes = r"[-_*=]{2,60}[ \t]*"
    begins = any_of("mail.begins_forwarded")
    subject = any_of("mail.forward_subject")
    return _Marks(
        original=re.compile(rf"[ \t]*[-_*]{{2,60}}[ \t]*{any_of('mail.original')}[ \t]*[-_*]{{2,60}}", re.I),
        forwarded=re.compile(rf"[ \t>]*(?:{dashes}{any_of('mail.forwarded')}|{begins})", re.I),
        subject=re.compile(rf"(?:\[[^\]]{{1,40}}\][ \t]*)?{subject}{_END}", re.I),
        who=re.compile(rf"[ \t>*]*{any_of('mail.from')}[*]?{_END}", re.I),
        when=re.compile(rf"[ \t>*]*{any_of('mail.date')}[*]?{_END}", re.I),
        said=(_said(), _says()),
        name_first=_name_first(),
    )


def _said() -> re.Pattern[str]:
    """`On Monday, Ann wrote:`, `Am Montag schrieb Ann:`."""
    verbs = rf"{any_of('mail.wrote')}|{any_of('mail.wrote_then_name')}(?: .{{1,80}})?"
    return re.compile(rf"{any_of('mail.on')}\b.{{0,300}}(?:{verbs}){_END}", re.I | re.S)


def _says() -> re.Pattern[str]:
    """`Ann <ann@example.org> wrote:`."""
    address = r"(?:<|&lt;|\[mailto:)\S{1,100}@\S{1,100}(?:>|&gt;|\])"
    return re.compile(rf".{{0,120}}{address}[ \t]{{0,3}}{any_of('mail.wrote_after_address')}?{_END}", re.I)


def _name_first() -> re.Pattern[str]:
    """`Ann wrote on Monday:` leads only to what is marked as a quote: a sentence may read so too."""
    apart = rf"[ \t]{any_of('mail.wrote_after_name')}[ \t].{{4,100}}"
    joined = rf"[ \t]?{any_of('mail.on_date')}.{{4,100}}{any_of('mail.wrote_at_date')}"
    return re.compile(rf".{{1,150}}(?:{apart}|{joined}){_END}", re.I)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a mail's text that is folded as a whole, or not; `quoted` if it is marked as a quote."""

    text: str
    quoted: bool = False


def is_forward(subject: str) -> bool:
    """Whether a subject says that the mail hands on another."""
    return bool(_marks().subject.match(subject))


def plain_segments(text: str) -> Iterator[Segment]:
    """The paragraphs of plain text and its quoted stretches; marks of history begin a segment.

    A text of very many lines (a log) is one segment.
    """
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        yield Segment(text)
        return
    start = 0
    while start < len(lines):
        end, quoted = start, _is_quote(lines[start])
        while end < len(lines) and _is_quote(lines[end]) == quoted:
            end += 1
        run = lines[start:end]
        if quoted and all(_PROMPT.match(line.lstrip()) for line in run):
            quoted = False  # an interactive session of Python
        yield from [Segment("\n".join(run), True)] if quoted else _paragraphs(run)
        start = end


def _is_quote(line: str) -> bool:
    return bool(_QUOTE.match(line)) and not line.startswith(">From ")


def _paragraphs(lines: Sequence[str]) -> Iterator[Segment]:
    held: list[str] = []
    mark_ends = 0  # the line after a mark of history that runs over several
    for i, line in enumerate(lines):
        begins = _mark_lines(lines, i) if line.strip() and i >= mark_ends else 0
        if held and (begins or not line.strip()):
            yield Segment("\n".join(held))
            held = []
        if line.strip():
            held.append(line[1:] if line.startswith(">From ") else line)
        mark_ends = max(mark_ends, i + begins)
    if held:
        yield Segment("\n".join(held))


def _mark_lines(lines: Sequence[str], i: int) -> int:
    """The number of lines of a mark of history that begins here, or of the text that leads to a quote."""
    marks = _marks()
    if marks.original.match(lines[i]) or marks.forwarded.match(lines[i]):
        return 1
    if _is_header_block(lines[i : i + 4]):
        return 4
    for end in range(i + 1, min(i + 4, len(lines) + 1)):
        if _leads("\n".join(lines[i:end])):
            return end - i
    return 1 if _leads_to_quote(lines[i]) else 0


def _is_header_block(lines: Sequence[str]) -> bool:
    """`From:` with `Sent:` or `Date:` within the next lines."""
    who, when = _marks().who, _marks().when
    return bool(lines) and bool(who.match(lines[0])) and any(when.match(line) for line in lines[1:])


def _leads(text: str) -> bool:
    """Whether a text is the line before a quote: who wrote it, and when."""
    text = text.strip()
    if not 8 <= len(text) <= 400 or text[-1] not in ":：" or not _DATED.search(text):
        return False
    return any(pattern.fullmatch(text) for pattern in _marks().said)


def _leads_to_quote(text: str) -> bool:
    """Whether a text is the line before a quote if one follows: also with the name before the verb."""
    text = text.strip()
    if _leads(text):
        return True
    return bool(len(text) <= 300 and _DATED.search(text) and _marks().name_first.fullmatch(text))


def folded(segments: Sequence[Segment], *, forward: bool = False) -> list[bool]:
    """Of each segment, whether it is quoted history. Runs in linear time."""
    last_quote = max((i for i, one in enumerate(segments) if one.quoted), default=-1)
    marks: list[bool] = []
    own = 0  # segments of the mail's own words so far
    for i, one in enumerate(segments):
        if _marks().forwarded.match(one.text.lstrip(" _\n")):
            return _unless_all(marks + [False] * (len(segments) - i))
        starts = _starts_history(one.text)
        if starts and (forward or not own):
            return _unless_all(marks + [False] * (len(segments) - i))
        leads = _leads(one.text)
        if starts or (leads and own and last_quote < i and not forward):
            return _unless_all(marks + [True] * (len(segments) - i))
        next_quoted = i + 1 < len(segments) and segments[i + 1].quoted
        marks.append(one.quoted or (next_quoted and _leads_to_quote(one.text)))
        own += not marks[-1]
    return _unless_all(marks)


def _starts_history(text: str) -> bool:
    first = text.lstrip(" _\n").split("\n", 4)[:4]
    return bool(_marks().original.match(first[0])) or _is_header_block(first)


def _unless_all(marks: Iterable[bool]) -> list[bool]:
    """The marks, or none of them if they would leave nothing."""
    marks = list(marks)
    return [False] * len(marks) if all(marks) else marks
