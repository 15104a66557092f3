"""A day number of a spreadsheet as a date, a time or an elapsed time, by the tokens of its format code."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

LAST_DAY = 2_958_466  # the day after 9999-12-31
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MACRO_DAYS = 1_462  # between the first days of the 1900 and the 1904 system
_DATE_KINDS = frozenset({"date", "elapsed", "ampm"})


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a format code: what it is, and its text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Moment:
    """A date, the time of its day, and all of it as elapsed seconds; `leap` is 1900-02-29, which was none."""

    day: date
    leap: bool
    hour: int
    minute: int
    second: int
    fraction: str
    elapsed: int


def is_date(tokens: tuple[Token, ...]) -> bool:
    """Whether the tokens show a date or a time."""
    return any(token.kind in _DATE_KINDS for token in tokens)


def show_date(tokens: tuple[Token, ...], serial: float, date1904: bool = False) -> str:
    """The date and time of a day number of at least 0 and before `LAST_DAY`."""
    marked = _with_minutes(tokens)
    moment = _moment(serial, date1904, _decimals(tokens))
    half_days = any(token.kind == "ampm" for token in tokens)
    out = [_shown(token, moment, half_days) for token in marked]
    return "".join(out).strip()


def _decimals(tokens: tuple[Token, ...]) -> int:
    """The number of places after the seconds, 3 at most."""
    for n, token in enumerate(tokens):
        if token.kind == "point" and n and tokens[n - 1].text.lower().startswith("s"):
            rest = [one.text == "0" for one in tokens[n + 1 : n + 4]]
            return [*rest, False].index(False)
    return 0


def _moment(serial: float, date1904: bool, decimals: int) -> _Moment:
    unit = 10**decimals
    total = round(serial * 86_400 * unit)
    seconds, fraction = divmod(total, unit)
    days, rest = divmod(seconds, 86_400)
    days += _MACRO_DAYS if date1904 else 0
    first = date(1899, 12, 30) if days >= 60 else date(1899, 12, 31)
    day = min(date.max.toordinal(), first.toordinal() + days)
    digits = f"{fraction:0{decimals}d}" if decimals else ""
    hour, minute = divmod(rest // 60, 60)
    return _Moment(date.fromordinal(day), days == 60, hour, minute, rest % 60, digits, seconds)


def _with_minutes(tokens: tuple[Token, ...]) -> list[Token]:
    """The tokens with the `m` that mean minutes told from months: those after hours or before seconds."""
    timed = [n for n, token in enumerate(tokens) if token.kind in ("date", "elapsed")]
    out = list(tokens)
    for at, n in enumerate(timed):
        token = tokens[n]
        if token.kind != "date" or token.text[0].lower() != "m" or len(token.text) > 2:
            continue
        before = tokens[timed[at - 1]].text[0].lower() if at else ""
        after = tokens[timed[at + 1]].text[0].lower() if at + 1 < len(timed) else ""
        if before == "h" or after == "s":
            out[n] = Token("minute", token.text)
    return out


def _shown(token: Token, moment: _Moment, half_days: bool) -> str:
    if token.kind == "date":
        return _date(token.text.lower(), moment, half_days)
    if token.kind == "minute":
        return f"{moment.minute:0{len(token.text)}d}"
    if token.kind == "elapsed":
        unit = {"h": 3600, "m": 60, "s": 1}[token.text[0].lower()]
        return f"{moment.elapsed // unit:0{len(token.text)}d}"
    if token.kind == "ampm":
        half = "AM" if moment.hour < 12 else "PM"
        return half if len(token.text) > 3 else half[0]
    if token.kind == "space":
        return " "
    if token.kind == "point":
        return "." + moment.fraction
    return "" if token.kind == "digit" else token.text


def _date(text: str, moment: _Moment, half_days: bool) -> str:
    letter, size = text[0], len(text)
    if letter == "y":
        return f"{moment.day.year:04d}" if size > 2 else f"{moment.day.year % 100:02d}"
    if letter == "e":
        return f"{moment.day.year:04d}"
    if letter == "m":
        return _month(moment, size)
    if letter == "d":
        return _day(moment, size)
    if letter == "h":
        hour = (moment.hour % 12 or 12) if half_days else moment.hour
        return f"{hour:0{min(size, 2)}d}"
    if letter == "s":
        return f"{moment.second:0{min(size, 2)}d}"
    return ""


def _month(moment: _Moment, size: int) -> str:
    name = _MONTHS[moment.day.month - 1]
    if size < 3:
        return f"{moment.day.month:0{size}d}"
    return {3: name[:3], 5: name[0]}.get(size, name)


def _day(moment: _Moment, size: int) -> str:
    if size < 3:
        return f"{29 if moment.leap else moment.day.day:0{size}d}"
    name = _DAYS[moment.day.weekday()]
    return name[:3] if size == 3 else name
