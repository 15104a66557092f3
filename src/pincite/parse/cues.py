"""Subtitles and transcripts (SRT, WebVTT) to a `Document`: cues joined to paragraphs of one speaker.

The place of a text is its line and the time its cue starts, `00:01:02`. A paragraph ends when the speaker
changes, after a silence, or with a sentence once it is long enough. Marks of style and position are out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from pincite.errors import InputError
from pincite.parse.decode import decode
from pincite.parse.office.opc import main_language
from pincite.parse.writer import Part, Writer
from pincite.protocols import Source
from pincite.scripts import are_close
from pincite.types import Document, Place

LONG_ENOUGH, TOO_LONG = 240, 800  # characters of a paragraph
SILENCE = 6.0  # seconds without a cue after which a new paragraph starts
_STAMP = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"[ \t]*{_STAMP}[ \t]{{0,20}}-->[ \t]{{0,20}}{_STAMP}")
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,80})?[ \t]([^>]{1,200})>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<[\d:.]{4,20}>|\{\\[^{}]{0,200}\}")
_KARAOKE = re.compile(r"<\d[\d:.]{4,20}>")
_ENDS = re.compile(r"[.!?…。！？][\"'”’)\]]{0,3}$")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: seconds from the start, its time as shown, and its lines as (line, speaker, text)."""

    start: float
    end: float
    time: str
    lines: tuple[tuple[int, str, str], ...]


def parse_cues(source: Source) -> Document:
    """The document of a subtitle file. Raises `InputError` if it holds text, but no cue."""
    decoded = decode(source.data, uri=source.uri)
    rows = [row.rstrip("\r") for row in decoded.text.split("\n")]
    kind = "vtt" if rows[0].startswith("WEBVTT") or source.uri.lower().endswith(".vtt") else "srt"
    cues = list(_without_repeats(rows, list(_cues(rows, over_blanks=kind == "srt"))))
    if not cues and decoded.text.strip():
        message = f"{source.uri}: no cue found; cues start with a line like 00:00:01,000 --> 00:00:04,000"
        raise InputError(message, uri=source.uri)
    writer = Writer()
    for speaker, parts in _paragraphs(cues):
        writer.add("turn" if speaker else "paragraph", parts)
    title, language = _head(rows) if kind == "vtt" else ("", "")
    return writer.finish(source, kind, title=title, language=language, encoding=decoded.encoding)


def _cues(rows: Sequence[str], *, over_blanks: bool) -> Iterator[Cue]:
    """The cues in the order of the file; notes, styles and numbers stand outside of them.

    Where nothing but cues can stand, as in SRT, blank lines do not end one (`over_blanks`).
    """
    i = 0
    while i < len(rows):
        found = _TIMING.match(rows[i])
        i += 1
        if not found:
            continue
        first = i
        while i < len(rows) and (over_blanks or rows[i].strip()) and not _TIMING.match(rows[i]):
            i += 1
        lines, speaker = [], ""
        for n in range(first, i):
            if n == i - 1 and rows[n].strip().isdigit() and i < len(rows) and _TIMING.match(rows[n + 1]):
                break  # the number of the next cue
            for voice, text in _voices(rows[n], speaker):
                speaker = voice
                lines.append((n + 1, voice, text))
        times = [int(value or 0) for value in found.groups()]
        start, end = _seconds(times[:4]), _seconds(times[4:])
        yield Cue(start, end, _shown(start), tuple(lines))


def _voices(row: str, speaker: str) -> Iterator[tuple[str, str]]:
    """The text of a line without its tags, each stretch with who says it."""
    at = 0
    for found in _VOICE.finditer(row):
        yield from _text(speaker, row[at : found.start()])
        speaker, at = " ".join(unescape(found[1]).split()), found.end()
    yield from _text(speaker, row[at:])


def _text(speaker: str, raw: str) -> Iterator[tuple[str, str]]:
    text = " ".join(unescape(_TAG.sub("", raw)).split())
    if text:
        yield speaker, text


def _without_repeats(rows: Sequence[str], cues: Sequence[Cue]) -> Iterator[Cue]:
    """The cues; those of rolling captions without the line that they show once more."""
    if not any(_KARAOKE.search(row) for row in rows[:2_000]):
        yield from cues
        return
    before: tuple[str, ...] = ()
    for cue in cues:
        texts = tuple(text for _, _, text in cue.lines)
        repeated = bool(before and texts and texts[0] == before[-1])
        before = texts or before
        yield Cue(cue.start, cue.end, cue.time, cue.lines[repeated:])


def _paragraphs(cues: Sequence[Cue]) -> Iterator[tuple[str, list[Part]]]:
    """Speaker and parts of each paragraph; a named speaker stands before the text."""
    parts: list[Part] = []
    speaker, length, end = "", 0, 0.0
    for cue in cues:
        for number, voice, text in cue.lines:
            if parts and (voice != speaker or cue.start - end > SILENCE or _is_full(parts, length)):
                yield speaker, parts
                parts, length = [], 0
            place = Place(number, number, part=cue.time)
            if not parts and voice:
                parts += [(voice, place), (": ", None)]
            elif parts:
                parts += [] if are_close(parts[-1][0], text) else [(" ", None)]
            parts.append((text, place))
            speaker, length = voice, length + len(text)
        end = max(end, cue.end)
    if parts:
        yield speaker, parts


def _is_full(parts: list[Part], length: int) -> bool:
    return length >= TOO_LONG or (length >= LONG_ENOUGH and bool(_ENDS.search(parts[-1][0][-8:])))


def _head(rows: Sequence[str]) -> tuple[str, str]:
    """The title beside `WEBVTT` and the language named below it."""
    title = rows[0].partition("WEBVTT")[2].strip(" \t-")
    language = ""
    for row in rows[1:20]:
        if not row.strip():
            break
        name, _, value = row.partition(":")
        if name.strip().lower() == "language":
            language = main_language(value)
    return title[:500], language


def _seconds(times: Sequence[int]) -> float:
    hours, minutes, seconds, thousandths = times
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000


def _shown(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
