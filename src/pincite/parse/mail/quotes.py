"""Which parts of a mail's text are an earlier mail's: quoted history, to be folded away.

Folded are lines with `>`, the line that says whose they are ("On … wrote:"), and all that follows a mark
like "-----Original Message-----" or a block of headers. Not folded is what was forwarded, and what would
leave a mail without words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MAX_LINES = 100_000  # of one mail that are looked at
_QUOTE = re.compile(r"[ \t]{0,3}(?:>|&gt;|\|[ \t]?>)")
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)")
_ORIGINAL = re.compile(
    r"[ \t]*[-_*]{2,60}[ \t]*"
    r"(?:original (?:message|appointment)|ursprüngliche nachricht|originalnachricht|"
    r"message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|"
    r"ursprungligt meddelande|oprindelig meddelelse|исходное сообщение|原始邮件|原始郵件|元のメッセージ)"
    r"[ \t]*[-_*]{2,60}",
    re.I,
)
_FORWARDED = re.compile(
    r"[ \t>]*(?:[-_*=]{2,60}[ \t]*(?:forwarded (?:message|by)|weitergeleitete nachricht|message transféré|"
    r"mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|mensagem encaminhada|转发的邮件|轉寄郵件)|"
    r"begin forwarded message|anfang der weitergeleiteten|début du message réexpédié)",
    re.I,
)
_FORWARD_SUBJECT = re.compile(
    r"(?:\[[^\]]{1,40}\][ \t]*)?(?:fwd?|wg|tr|rv|enc|i|vs|转发|轉寄)[ \t]*[:：]", re.I
)
_WHO = re.compile(r"[ \t>*]*(?:from|von|de|da|van|från|fra|发件人|寄件者|差出人|от)[*]?[ \t]*[:：]", re.I)
_WHEN = re.compile(
    r"[ \t>*]*(?:sent|date|gesendet|datum|envoyé|enviado|inviato|data|verzonden|skickat|"
    r"发送时间|日期|送信日時|дата)[*]?[ \t]*[:：]",
    re.I,
)
_SAID = re.compile(
    r"(?:on|am|le|el|il|op|em|på|den|dne|w dniu|в|在|于)\b.{0,300}"
    r"(?:wrote|writes|schrieb(?: .{1,80})?|a écrit|escribió|ha scritto|schreef(?: .{1,80})?|escreveu|skrev|"
    r"napisał\(?a?\)?|napsal\(?a?\)?|пишет|написал|写道|寫道)[ \t]*[:：]",
    re.I | re.S,
)
_SAYS = re.compile(
    r".{0,120}(?:<|&lt;|\[mailto:)\S{1,100}@\S{1,100}(?:>|&gt;|\])[ \t]{0,3}"
    r"(?:wrote|writes|schrieb)?[ \t]*[:：]",
    re.I,
)
_NAME_FIRST = re.compile(  # leads only to what is marked as a quote: a sentence may read so too
    r".{1,150}(?:[ \t](?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)[ \t].{4,100}|"
    r"[ \t]?[于於在].{4,100}(?:写道|寫道))[ \t]*[:：]",
    re.I,
)
_DATED = re.compile(r"\d|@")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a mail's text that is folded as a whole, or not; `quoted` if it is marked as a quote."""

    text: str
    quoted: bool = False


def is_forward(subject: str) -> bool:
    """Whether a subject says that the mail hands on another."""
    return bool(_FORWARD_SUBJECT.match(subject))


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
    if _ORIGINAL.match(lines[i]) or _FORWARDED.match(lines[i]):
        return 1
    if _is_header_block(lines[i : i + 4]):
        return 4
    for end in range(i + 1, min(i + 4, len(lines) + 1)):
        if _leads("\n".join(lines[i:end])):
            return end - i
    return 1 if _leads_to_quote(lines[i]) else 0


def _is_header_block(lines: Sequence[str]) -> bool:
    """`From:` with `Sent:` or `Date:` within the next lines."""
    return bool(lines) and bool(_WHO.match(lines[0])) and any(_WHEN.match(line) for line in lines[1:])


def _leads(text: str) -> bool:
    """Whether a text is the line before a quote: who wrote it, and when."""
    text = text.strip()
    if not 8 <= len(text) <= 400 or text[-1] not in ":：" or not _DATED.search(text):
        return False
    return bool(_SAID.fullmatch(text) or _SAYS.fullmatch(text))


def _leads_to_quote(text: str) -> bool:
    """Whether a text is the line before a quote if one follows: also with the name before the verb."""
    text = text.strip()
    return _leads(text) or bool(len(text) <= 300 and _DATED.search(text) and _NAME_FIRST.fullmatch(text))


def folded(segments: Sequence[Segment], *, forward: bool = False) -> list[bool]:
    """Of each segment, whether it is quoted history. Runs in linear time."""
    last_quote = max((i for i, one in enumerate(segments) if one.quoted), default=-1)
    marks: list[bool] = []
    own = 0  # segments of the mail's own words so far
    for i, one in enumerate(segments):
        if _FORWARDED.match(one.text.lstrip(" _\n")):
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
    return bool(_ORIGINAL.match(first[0])) or _is_header_block(first)


def _unless_all(marks: Iterable[bool]) -> list[bool]:
    """The marks, or none of them if they would leave nothing."""
    marks = list(marks)
    return [False] * len(marks) if all(marks) else marks
