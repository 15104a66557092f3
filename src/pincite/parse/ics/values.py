"""Times and rules of calendars as a reader sees them; each keeps the line it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Protocol

from pincite.parse.writer import Part
from pincite.types import Place

_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?")
_DURATION = re.compile(
    r"[+-]?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,5})S)?)?"
)
_UNITS = {
    "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week",
    "MONTHLY": "month", "YEARLY": "year",
}  # fmt: skip
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_WEEKDAY = re.compile(r"([+-]?\d{0,2})(MO|TU|WE|TH|FR|SA|SU)")
_BY = (("BYMONTH", "in month"), ("BYMONTHDAY", "on day"), ("BYDAY", "on"), ("BYSETPOS", "at position"))


class _Property(Protocol):
    @property
    def parameters(self) -> dict[str, str]: ...
    @property
    def value(self) -> str: ...
    @property
    def place(self) -> Place: ...


class _Entry(Protocol):
    @property
    def properties(self) -> Mapping[str, Sequence[_Property]]: ...


def when(entry: _Entry) -> list[Part]:
    """When an entry is: `2024-03-04 10:00 to 11:00 (Europe/Paris)`; empty if it does not say."""
    given = entry.properties
    start, end = _first(given, "DTSTART"), _first(given, "DTEND")
    due, duration = _first(given, "DUE"), _first(given, "DURATION")
    parts: list[Part] = []
    shown = _end(start, end) if start and end else ""
    if start:
        zone = "" if shown and end and _zone(start) == _zone(end) else _zone(start)
        parts.append((_shown(start.value, zone=zone), start.place))
    if shown and end:
        parts += [(" to ", None), (shown, end.place)]
    if start and duration and not end and (length := _length(duration.value)):
        parts += [(" for ", None), (length, duration.place)]
    if due:
        parts += [("; due " if parts else "due ", None), (_shown(due.value, zone=_zone(due)), due.place)]
    return [part for part in parts if part[0]]


def repeats(entry: _Entry) -> list[Part]:
    """How an entry repeats: `every 2 weeks on Monday, until 2024-06-30`; empty if it does not."""
    given = entry.properties
    parts: list[Part] = []
    for rule in given.get("RRULE", ())[:5]:
        parts += [("; ", None)] * bool(parts) + [(_rule(rule.value), rule.place)]
    for name, word in (("RDATE", "also "), ("EXDATE", "except ")):
        shown = [(_dates(one.value), one.place) for one in given.get(name, ())]
        for i, (dates, place) in enumerate(dict.fromkeys(one for one in shown if one[0])):
            before = ", " if i else f"; {word}" if parts else word
            parts += [(before, None), (dates, place)]
    return [part for part in parts if part[0]]


def _dates(value: str) -> str:
    return ", ".join(_shown(one, zone="") for one in value.split(",")[:500] if one.strip())


def _first(given: Mapping[str, Sequence[_Property]], name: str) -> _Property | None:
    values = given.get(name)
    return values[0] if values else None


def _zone(one: _Property) -> str:
    """The time zone of a time, in brackets; none for a day, or a time without one."""
    found = _TIME.match(one.value)
    if not found or found[4] is None:
        return ""
    named = one.parameters.get("TZID", "").strip("/")
    return " (UTC)" if found[7] else f" ({named})" if named else ""


def _shown(value: str, *, zone: str) -> str:
    """`2024-03-04 10:00` and the zone; a value that is no time stays as it is."""
    found = _TIME.match(value.strip())
    if not found:
        return value.strip()[:80]
    day = f"{found[1]}-{found[2]}-{found[3]}"
    return day if found[4] is None else f"{day} {found[4]}:{found[5]}{zone}"


def _end(start: _Property, end: _Property) -> str:
    """The end of a stretch of time; of whole days the last one, for the file names the day after."""
    first, last = _TIME.match(start.value.strip()), _TIME.match(end.value.strip())
    if not first or not last:
        return end.value.strip()[:80]
    if last[4] is None:
        try:
            day = date(int(last[1]), int(last[2]), int(last[3])) - timedelta(days=1)
            begun = date(int(first[1]), int(first[2]), int(first[3]))
        except (ValueError, OverflowError):
            return end.value.strip()[:80]
        return day.isoformat() if day > begun else ""
    if first.groups()[:3] == last.groups()[:3] and _zone(start) == _zone(end):
        return f"{last[4]}:{last[5]}{_zone(end)}"
    return _shown(end.value, zone=_zone(end))


def _length(value: str) -> str:
    """A duration in words: `1 h 30 min`."""
    found = _DURATION.fullmatch(value.strip())
    if not found:
        return value.strip()[:80]
    units = ("weeks", "days", "h", "min", "s")
    return " ".join(f"{int(n)} {unit}" for n, unit in zip(found.groups(), units, strict=True) if n and int(n))


def _rule(value: str) -> str:
    """A rule of recurrence in words; parts it has besides are shown as they are."""
    given = dict(_pairs(value))
    unit = _UNITS.get(given.pop("FREQ", ""), "")
    if not unit:
        return value[:500]
    every = given.pop("INTERVAL", "1")
    words = f"every {unit}" if every == "1" else f"every {every} {unit}s"
    for name, word in _BY:
        if by := given.pop(name, ""):
            words += f" {word} {', '.join(_day(day) for day in by.split(','))}"
    if until := given.pop("UNTIL", ""):
        words += f", until {_shown(until, zone='')}"
    if count := given.pop("COUNT", ""):
        words += f", {count} times"
    given.pop("WKST", None)
    return (words + "".join(f", {name}={rest}" for name, rest in given.items()))[:500]


def _pairs(value: str) -> Iterator[tuple[str, str]]:
    for part in value.split(";")[:50]:
        name, _, rest = part.partition("=")
        if name:
            yield name.strip().upper(), rest.strip()


def _day(given: str) -> str:
    """A weekday by its name, with its number in the month: `2nd` is 2."""
    found = _WEEKDAY.fullmatch(given.strip())
    if not found:
        return given.strip()
    number, name = found[1], _DAYS[found[2]]
    if not number:
        return name
    return f"{name} no. {number}"
