"""The figures that the words hold which a statement cites, and whether one is among them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from pincite.answer.figure_words import units
from pincite.answer.figures import NAME, Figure, Key, figures


class Held:
    """The figures of texts that a statement cites."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._units: dict[Fraction, set[str]] = {}
        self._quantities: set[tuple[str, Fraction]] = set()
        self._others: set[Key] = set()
        for text in texts:
            for figure in figures(text, sure=False):
                for key in figure.keys:
                    self._add(key)

    def _add(self, key: Key) -> None:
        kind, value, unit = key
        if kind != "number" or isinstance(value, str):
            self._others.add(key)
            return
        self._units.setdefault(value, set()).add(unit)
        if unit not in ("", NAME):
            self._quantities.add(_quantity(value, unit))

    def holds(self, figure: Figure) -> bool:
        """Whether the texts have the figure, in one of its readings."""
        return any(self._has(*key) for key in figure.keys)

    def _has(self, kind: str, value: Fraction | str, unit: str) -> bool:
        if kind == "date" and (kind, value, unit) not in self._others:
            return self._has_parts(str(value))
        if kind != "number" or isinstance(value, str):
            return (kind, value, unit) in self._others
        there = self._units.get(value, set())
        if there and (unit in ("", NAME) or unit in there or "" in there):
            return True
        return unit not in ("", NAME) and _quantity(value, unit) in self._quantities

    def _has_parts(self, date: str) -> bool:
        year, month, day = date.split("-")
        numbers = all(self._has("number", Fraction(part), "") for part in (year, day))
        return numbers and ("month", month, "") in self._others


def _quantity(value: Fraction, unit: str) -> tuple[str, Fraction]:
    dimension, factor = units().measures[unit]
    return dimension, value * factor
