"""Chat logs and transcripts: one block per message, with the lines that continue it.

Read are lines such as `[2026-03-14 09:12] Anna: …`, `2026-03-14T09:12:33Z Anna: …`, `09:12 <anna> …`,
`14/03/2026, 09:12 - Anna: …`, `Anna: …`, `**Anna**: …`, `王芳：…`. The text is the decoded file itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from pincite.parse.build import make_document, paragraph_spans, trim
from pincite.parse.decode import decode
from pincite.protocols import Source
from pincite.types import Block, Document, MetaValue, Span

MAX_SPEAKERS = 50
SAMPLE_LINES = 200  # non-blank lines that decide whether a text is a chat
MIN_TURNS = 4
_LINE = 400  # characters of a line that are looked at

_DATE = (
    r"(?P<year>(?:19|20)\d\d)[-/.年](?P<month>\d\d?)[-/.月](?P<day>\d\d?)日?"
    r"|(?P<first>\d\d?)[/.-](?P<second>\d\d?)[/.-](?P<short>(?:19|20)?\d\d)"
)
_TIME = (
    r"\d\d?:\d\d(?::\d\d)?(?:[.,]\d{1,6})?(?:[ \u00a0\u202f]?(?P<half>[AaPp])\.?[Mm]\.?)?"
    r"(?:Z|[+-]\d\d:?\d\d)?"
)
_STAMP = re.compile(
    rf"[\u200e\ufeff]?[\[(]?(?:(?:{_DATE})(?:[T ,_]{{1,3}}|$))?(?P<time>{_TIME})?[\])]?(?=\s|[<:：]|$)"
)
_AFTER_STAMP = re.compile(r"\s*(?:[-–—|:：]\s+)?")
_NICK = re.compile(r"<[ @+%~&]?(?P<name>[^<>\s][^<>]{0,39})>(?:\s|$)")
_NAME = re.compile(
    r"(?P<bold>\*\*|__)?(?P<name>[^\W_](?:[^\W_]|[ '’·&_-]|\. ){0,39}?)(?: ?[(\[][^()\[\]]{1,24}[)\]])?"
    r"(?:(?(bold)(?:(?P=bold)[ ]?[:：]|[:：](?P=bold))|(?::(?=\s|$)|：)))"
)
_DAY = re.compile(rf"(?<!\d)(?:{_DATE}|(?P<y>20\d\d)(?P<m>\d\d)(?P<d>\d\d))(?!\d)")
_LEVEL = re.compile(r"(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b", re.IGNORECASE)
_FIELDS = """
http https ftp file note notes nb ps time date day subject from to cc bcc re fw fwd todo fixme warning hint
tip example e.g i.e q a question answer step title summary name email phone address url version author
status type id description default usage input output result total
received mime-version message-id return-path delivered-to in-reply-to references reply-to
问 答 问题 答案 注意 注 标题 时间 日期 主题 地点 备注 注意事项 質問 回答
"""
_NO_NAMES = frozenset(_FIELDS.split())


@dataclass(frozen=True, slots=True)
class _Turn:
    """The start of a message: offset, speaker ("" for a system line), and the numbers of its date.

    `day` is (year, month, day, "ymd"), or (first, second, year, "12h" or "") where the order is open.
    """

    start: int
    speaker: str
    stamped: bool
    day: tuple[int, int, int, str] | None = None


def parse_chat(source: Source) -> Document:
    """The document of a chat log, with its speakers and the days it covers as metadata."""
    decoded = decode(source.data, uri=source.uri)
    turns = _turns(decoded.text)
    return make_document(
        source,
        text=decoded.text,
        type="chat",
        encoding=decoded.encoding,
        blocks=_blocks(decoded.text, turns),
        meta=_meta(decoded.text, turns),
    )


def looks_like_chat(text: str) -> bool:
    """Whether most of the first lines start a message, several of them, with speakers who return.

    Lists of terms, key–value files, questions and answers, and server logs are no chats.
    """
    lines = list(islice(_lines(text), SAMPLE_LINES))
    turns = [turn for line in lines if (turn := _turn(text, line)) and turn.speaker]
    stamped = sum(turn.stamped for turn in turns)
    names = Counter(turn.speaker for turn in turns)
    if len(turns) < MIN_TURNS or len(turns) < 0.6 * len(lines) or len(names) < 2:
        return False
    if sum(bool(_LEVEL.match(turn.speaker)) for turn in turns) * 4 > len(turns):
        return False
    return stamped * 2 > len(turns) or _take_turns([turn.speaker for turn in turns], names)


def _take_turns(speakers: Sequence[str], names: Counter[str]) -> bool:
    """Whether most lines are by people who speak again, and not always in the same round of fields."""
    returning = sum(count for count in names.values() if count > 1)
    cycle = len(names)
    rounds = cycle > 2 and all(a == b for a, b in zip(speakers, speakers[cycle:], strict=False))
    return returning * 3 >= len(speakers) * 2 and len(names) * 2 <= len(speakers) and not rounds


def _lines(text: str) -> Iterator[Span]:
    """The lines that are not blank, without their line break."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end == -1 else end
        if not text[start : min(end, start + _LINE)].isspace() and end > start:
            yield Span(start, end)
        start = end + 1


def _turns(text: str) -> list[_Turn]:
    """The messages; where most are stamped with a time, only a stamp starts one."""
    found = [turn for line in _lines(text) if (turn := _turn(text, line))]
    if sum(turn.stamped for turn in found) * 2 > len(found):
        return [turn for turn in found if turn.stamped]
    return [turn for turn in found if turn.speaker]


def _turn(text: str, line: Span) -> _Turn | None:
    """The message that starts on a line, if one does."""
    head = text[line.start : min(line.end, line.start + _LINE)].rstrip()
    stamp = _STAMP.match(head)
    stamped = bool(stamp and stamp["time"])
    rest = head[stamp.end() :] if stamp and stamped else head
    after = _AFTER_STAMP.match(rest) if stamped else None
    speaker = _speaker(rest[after.end() :] if after else rest)
    if not stamped and not speaker:
        return None
    return _Turn(line.start, speaker, stamped, _numbers(stamp) if stamp and stamped else None)


def _speaker(rest: str) -> str:
    named = _NICK.match(rest) or _NAME.match(rest)
    name = " ".join(named["name"].split()) if named else ""
    folded = name.casefold()
    no_name = folded in _NO_NAMES or folded.startswith(("x-", "content-")) or name.isdigit()
    return "" if no_name or name.count(" ") > 3 else name


def _numbers(found: re.Match[str]) -> tuple[int, int, int, str] | None:
    if found["year"]:
        return int(found["year"]), int(found["month"]), int(found["day"]), "ymd"
    if found["first"]:
        year = int(found["short"])
        half = found.groupdict().get("half") or ""
        return int(found["first"]), int(found["second"]), year + 2000 * (year < 100), "12h" if half else ""
    return None


def _blocks(text: str, turns: Sequence[_Turn]) -> list[Block]:
    first = turns[0].start if turns else len(text)
    blocks = [Block("paragraph", span) for span in paragraph_spans(text, 0, first)]
    ends = [turn.start for turn in turns[1:]] + [len(text)] * bool(turns)
    blocks += [Block("turn", trim(text, turn.start, end)) for turn, end in zip(turns, ends, strict=True)]
    return blocks


def _meta(text: str, turns: Sequence[_Turn]) -> dict[str, MetaValue]:
    """`speakers`, in the order they first speak, and `date` and `last_date` where days are given."""
    meta: dict[str, MetaValue] = {}
    speakers = tuple(islice(dict.fromkeys(turn.speaker for turn in turns if turn.speaker), MAX_SPEAKERS))
    if speakers:
        meta["speakers"] = speakers
    days = _days([turn.day for turn in turns if turn.day]) or _heading_days(text, turns)
    if days:
        meta["date"], meta["last_date"] = min(days), max(days)
    return meta


def _days(numbers: Sequence[tuple[int, int, int, str]]) -> list[date]:
    """The days; whether day or month comes first is read from the numbers of the whole log."""
    loose = [n for n in numbers if n[3] != "ymd"]
    month_first = any(n[1] > 12 for n in loose) or (
        all(n[0] <= 12 for n in loose) and any(n[3] == "12h" for n in loose)
    )
    days = []
    for a, b, c, order in numbers:
        year, month, day = (a, b, c) if order == "ymd" else (c, a, b) if month_first else (c, b, a)
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    return days


def _heading_days(text: str, turns: Sequence[_Turn]) -> list[date]:
    """The day named in the lines before the first message, for logs that give none with each."""
    if not turns:
        return []
    found = _DAY.search(text[: min(turns[0].start, 2_000)])
    if not found:
        return []
    compact = (int(found["y"]), int(found["m"]), int(found["d"]), "ymd") if found["y"] else None
    numbers = compact or _numbers(found)
    return _days([numbers]) if numbers else []
