"""A number of a spreadsheet as the sheet shows it: by its format code (ECMA-376 part 1, 18.8.30 and 18.8.31).

Sections, conditions, percent, thousands, currency, fractions, exponents, zero padding, dates of both date
systems and elapsed times. Month and day names are English; what a system would show in its own way (the short
date) is shown as an ISO date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite

from pincite.parse.sheets.date_format import LAST_DAY, Token, is_date, show_date
from pincite.parse.sheets.fraction_format import show_fraction

GENERAL = "General"
ISO_DATE, ISO_TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm"
MAX_CODE = 255  # characters of a format code; Excel allows no more
_MAX_PLACES = 30

BUILT_IN: dict[int, str] = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: "$#,##0;-$#,##0", 6: "$#,##0;-$#,##0", 7: "$#,##0.00;-$#,##0.00", 8: "$#,##0.00;-$#,##0.00",
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: ISO_DATE, 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: ISO_TIME,
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
    41: "#,##0;-#,##0;-", 42: "$#,##0;-$#,##0;-", 43: "#,##0.00;-#,##0.00;-", 44: "$#,##0.00;-$#,##0.00;-",
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 55), 57, 58), ISO_DATE),
    **dict.fromkeys((32, 34, 55), "h:mm"), **dict.fromkeys((33, 35, 56), "h:mm:ss"),
}  # fmt: skip
"""The codes that files name by number only; 27 to 58 are those of East Asian systems."""

SYSTEM_DATES = frozenset({14, 22, *range(27, 32), 36, *range(50, 55), 57, 58})
"""The numbers whose look is the system's own, whatever code a file writes beside them."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|(?P<general>general)'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<condition>[<>=]+-?[\d.]+)\]|(?P<bracket>\[[^\]]*\])"
    r"|(?P<ampm>am/pm|a/p|上午/下午)|(?P<exponent>e[+-])|(?P<date>y+|m+|d+|h+|s+|e+|g+|b+)|(?P<digit>[0#?])"
    r"|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<literal>.)",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"([<>=]+)(-?\d+(?:\.\d+)?)")
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)
_LITERAL = frozenset({"quoted", "escaped", "literal", "currency"})
_DROPPED = frozenset({"fill", "bracket", "condition"})


@dataclass(frozen=True, slots=True)
class _Section:
    """One of the four parts a code may have: its tokens, and the condition it states: (operator, bound)."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None


@lru_cache(maxsize=1 << 15)
def shown_number(value: float, code: str, date1904: bool = False) -> str:
    """The number as the sheet shows it; as a plain number where the code cannot show it.

    The last part of a code shows negative numbers with a minus of their own only if it was made for all.
    """
    try:
        return _shown(value, code, date1904)
    except ArithmeticError:  # beyond all digits, as with a hundred percent signs
        return general(value)


def _shown(value: float, code: str, date1904: bool) -> str:
    if not isfinite(value):
        return general(value)
    sections = _sections(code[:MAX_CODE])
    section, unsigned = _chosen(sections, value)
    tokens = section.tokens
    if any(token.kind in ("general", "text") for token in tokens):
        return _around(tokens, general(abs(value) if unsigned else value))
    if is_date(tokens):
        return show_date(tokens, value, date1904) if 0 <= value < LAST_DAY else general(value)
    sign = "-" if value < 0 and not unsigned else ""
    return sign + _number(tokens, abs(value))


def general(value: float) -> str:
    """The number with as many digits as it needs, 15 at most; `INF` and `NAN` for those that are none."""
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    shown = f"{value:.15g}"
    if "e" in shown and 1e-10 < abs(value) < 1e15:
        return format(Decimal(shown), "f")
    return shown.upper()


def shown_text(text: str, code: str) -> str:
    """Text as the sheet shows it: in the text part of the code, if there is one with words of its own."""
    sections = _sections(code[:MAX_CODE]) if "@" in code and code != "@" else ()
    section = next((one for one in sections if any(t.kind == "text" for t in one.tokens)), None)
    return _around(section.tokens, text) if section else text


@lru_cache(maxsize=1 << 10)
def _sections(code: str) -> tuple[_Section, ...]:
    parts: list[list[Token]] = [[]]
    for found in _TOKEN.finditer(code):
        kind, text = found.lastgroup or "literal", found[found.lastgroup or 0]
        if kind == "literal" and text == ";":
            parts.append([])
        else:
            parts[-1].append(Token(kind, text))
    return tuple(_section(part) for part in parts[:4])


def _section(tokens: list[Token]) -> _Section:
    stated = next((_CONDITION.fullmatch(token.text) for token in tokens if token.kind == "condition"), None)
    condition = (stated[1], float(stated[2])) if stated else None
    return _Section(tuple(token for token in tokens if token.kind not in _DROPPED), condition)


def _chosen(sections: tuple[_Section, ...], value: float) -> tuple[_Section, bool]:
    """The part for a value, and whether that part shows the sign itself."""
    numeric = sections[:3]
    if any(one.condition for one in numeric):
        for one in numeric:
            if one.condition is None or _holds(value, *one.condition):
                return one, one.condition is not None and one is not numeric[0] and value < 0
        return numeric[-1], False
    if value < 0 and len(numeric) > 1:
        return numeric[1], True
    return (numeric[2], True) if value == 0 and len(numeric) > 2 else (numeric[0], False)


def _holds(value: float, operator: str, bound: float) -> bool:
    return (
        (">" in operator and value > bound)
        or ("<" in operator and value < bound)
        or ("=" in operator and value == bound)
    )


def _around(tokens: tuple[Token, ...], shown: str) -> str:
    """The literals of a part with `shown` where it stands for the value."""
    out = []
    for token in tokens:
        if token.kind in ("general", "text"):
            out.append(shown)
        elif token.kind in _LITERAL:
            out.append(token.text)
    return "".join(out).strip()


# ── numbers ───────────────────────────────────────────────────────────────────────────────────
def _number(tokens: tuple[Token, ...], value: float) -> str:
    kinds = [token.kind for token in tokens]
    if "digit" not in kinds:
        return "".join(token.text for token in tokens if token.kind in (*_LITERAL, "percent")).strip()
    if "slash" in kinds and "point" not in kinds:
        return show_fraction(tokens, value)
    exact = Decimal(f"{value:.15g}").scaleb(2 * kinds.count("percent") - 3 * _scaling(tokens))
    if "exponent" in kinds:
        return _scientific(tokens, kinds.index("exponent"), exact)
    return _fixed(tokens, exact)


def _scaling(tokens: tuple[Token, ...]) -> int:
    """How many commas stand right after the last digit, before or after the point: each divides by 1,000."""
    kinds = [token.kind for token in tokens]
    end = kinds.index("point") if "point" in kinds else len(kinds)
    return _commas_at_end(kinds[:end]) + _commas_at_end(kinds[end:])


def _commas_at_end(kinds: list[str]) -> int:
    if "digit" not in kinds:
        return 0
    after = kinds[len(kinds) - kinds[::-1].index("digit") :]
    return next((n for n, kind in enumerate(after) if kind != "comma"), len(after))


def _fixed(tokens: tuple[Token, ...], exact: Decimal) -> str:
    """The number over the places of a part, digits filled in from the right, literals between them kept."""
    kinds = [token.kind for token in tokens]
    point = kinds.index("point") if "point" in kinds else len(tokens)
    places = min(_MAX_PLACES, kinds[point:].count("digit"))
    rounded = _EXACT.quantize(exact, Decimal(1).scaleb(-places))
    whole, _, decimals = format(rounded, "f").partition(".")
    return (_whole(tokens[:point], whole) + _decimals(tokens[point:], decimals)).strip()


def _whole(tokens: tuple[Token, ...], digits: str) -> str:
    """The digits before the point; the first place takes all that are left."""
    places = [n for n, token in enumerate(tokens) if token.kind == "digit"]
    grouped = any(t.kind == "comma" and places and places[0] < n < places[-1] for n, t in enumerate(tokens))
    left, out, shown = "" if digits == "0" else digits, [], 0
    for n in range(len(tokens) - 1, -1, -1):
        token = tokens[n]
        if token.kind != "digit":
            out.append(_other(token))
            continue
        take = len(left) if places and n == places[0] else 1
        piece = left[len(left) - take :] if take else ""
        left = left[: len(left) - len(piece)]
        piece = piece or ("0" if token.text == "0" else "")
        for digit in reversed(piece):
            out.append("," if grouped and shown and shown % 3 == 0 else "")
            out.append(digit)
            shown += 1
    return "".join(reversed(out))


def _decimals(tokens: tuple[Token, ...], digits: str) -> str:
    """The point and the digits after it; optional zeros at the end are left out, and a point without any."""
    needed = 0
    places = [token for token in tokens if token.kind == "digit"]
    for n, token in enumerate(places, start=1):
        if token.text == "0" or digits[n - 1 : n] not in ("", "0"):
            needed = n
    out, shown = [], 0
    for token in tokens:
        if token.kind == "digit":
            out.append(digits[shown : shown + 1] if shown < needed else "")
            shown += 1
        elif token.kind == "point":
            out.append("." if needed else "")
        else:
            out.append(_other(token))
    return "".join(out)


def _scientific(tokens: tuple[Token, ...], at: int, exact: Decimal) -> str:
    """The number with an exponent, a multiple of the number of places before the point."""
    mantissa, rest = tokens[:at], tokens[at + 1 :]
    kinds = [token.kind for token in mantissa]
    step = max(1, kinds[: kinds.index("point") if "point" in kinds else None].count("digit"))
    places = kinds[kinds.index("point") :].count("digit") if "point" in kinds else 0
    exponent = exact.adjusted() // step * step if exact else 0
    if exact and _EXACT.quantize(exact.scaleb(-exponent), Decimal(1).scaleb(-places)).adjusted() >= step:
        exponent += step
    sign = "-" if exponent < 0 else "+" if "+" in tokens[at].text else ""
    shown = str(abs(exponent)).zfill(sum(token.text == "0" for token in rest))
    tail = "".join(_other(token) for token in rest)
    return _fixed(mantissa, exact.scaleb(-exponent)) + "E" + sign + shown + tail


def _other(token: Token) -> str:
    """What a token shows that stands for no digit; a comma belongs to the digits."""
    if token.kind == "space":
        return " "
    return "" if token.kind in ("comma", "digit") else token.text
