"""A number as a fraction, as spreadsheets show it: `1 1/2`, `3/4`, `12 5/16`."""

from __future__ import annotations

from fractions import Fraction

from pincite.parse.sheets.date_format import Token

_MAX_DIGITS = 5  # of a denominator


def show_fraction(tokens: tuple[Token, ...], value: float) -> str:
    """The number by the places around the slash; a whole part if there are places for one."""
    slash = next(n for n, token in enumerate(tokens) if token.kind == "slash")
    before, below = tokens[:slash], tokens[slash + 1 :]
    fraction = _nearest(Fraction(value), below)
    whole, rest = divmod(fraction, 1) if _has_whole(before) else (0, fraction)
    denominator = _fixed(below) or rest.denominator
    if not rest:
        return str(whole)
    shown = f"{rest.numerator * denominator // rest.denominator}/{denominator}"
    return f"{whole} {shown}" if whole else shown


def _nearest(value: Fraction, below: tuple[Token, ...]) -> Fraction:
    """The nearest fraction with the denominator the places allow."""
    fixed = _fixed(below)
    if fixed:
        return Fraction(round(value * fixed), fixed)
    places = min(_MAX_DIGITS, sum(token.kind == "digit" for token in below)) or 1
    return value.limit_denominator(10**places - 1)


def _fixed(below: tuple[Token, ...]) -> int:
    """The denominator that the code states as a number; 0 if it leaves places for one."""
    written = "".join(token.text for token in below if token.text.isdecimal() and token.text.isascii())
    return int(written[:_MAX_DIGITS]) if written.strip("0") else 0


def _has_whole(before: tuple[Token, ...]) -> bool:
    """Whether there are two groups of places before the slash: one for the whole part."""
    groups, inside = 0, False
    for token in before:
        groups += token.kind == "digit" and not inside
        inside = token.kind == "digit"
    return groups > 1
