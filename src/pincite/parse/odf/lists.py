"""The numbers and bullets of an OpenDocument file's lists and headings as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.parse.odf.package import TEXT, XML
from pincite.parse.odf.styles import ListLevel, OdfStyle, OdfStyles
from pincite.parse.office.numerals import numeral

if TYPE_CHECKING:
    from lxml import etree


class Lists:
    """The lists of one stretch of text, counting as their items pass by in order."""

    def __init__(self, styles: OdfStyles) -> None:
        self._styles = styles
        self._by_id: dict[str, Counter] = {}
        self._by_style: dict[str, Counter] = {}
        self._outline = Counter(styles.outline)

    def counter(self, element: etree._Element, level: int, above: Counter | None) -> Counter:
        """The count that a list goes on with, or a new one; `above` is that of the list around it."""
        name = element.get(f"{TEXT}style-name") or ""
        if not name and above is None:
            name = self._list_of_style(element)
        levels = self._styles.lists.get(name)
        if above is not None and (levels is None or levels == above.levels):
            counter = above
            counter.restart(level)
        else:
            counter = self._continued(element, name) or Counter(levels or {})
        self._by_id[element.get(f"{XML}id", "")] = self._by_style[name] = counter
        return counter

    def _continued(self, element: etree._Element, name: str) -> Counter | None:
        """The count of the list before, where a list says that it continues one."""
        named = element.get(f"{TEXT}continue-list", "")
        if named and named in self._by_id:
            return self._by_id[named]
        continues = element.get(f"{TEXT}continue-numbering") == "true"
        return self._by_style.get(name) if continues else None

    def _list_of_style(self, element: etree._Element) -> str:
        """The name of the list that the style of a list's first paragraph numbers with."""
        first = next(element.iter(f"{TEXT}p", f"{TEXT}h"), None)
        if first is None:
            return ""
        return self._styles.get("paragraph", first.get(f"{TEXT}style-name")).list_name or ""

    def outline_label(self, element: etree._Element, style: OdfStyle, level: int) -> str:
        """The number of a heading that no list numbers, with a space; "" for none."""
        if element.get(f"{TEXT}is-list-header") == "true" or style.list_name == "":
            return ""
        restarts = element.get(f"{TEXT}restart-numbering") == "true"
        numbers = self._outline.next(level, start_value(element) if restarts else None)
        return label(self._styles.outline, numbers, level)


def label(levels: dict[int, ListLevel], numbers: list[int], level: int) -> str:
    """What stands before an item, with a space; "" for nothing. `numbers` are those of the levels from 1."""
    shown = levels.get(level)
    if shown is None:
        return ""
    if shown.bullet:
        return f"{shown.before}{shown.bullet}{shown.after} "
    if not shown.format:
        return (shown.before + shown.after).strip() and f"{shown.before}{shown.after} "
    first = max(1, level - shown.shown + 1)
    parts = [numeral(numbers[at - 1], levels.get(at, shown).format) for at in range(first, level + 1)]
    return f"{shown.before}{'.'.join(filter(None, parts))}{shown.after} "


class Counter:
    """The numbers a list stands at, by level from 1."""

    def __init__(self, levels: dict[int, ListLevel]) -> None:
        self.levels = levels
        self.numbers: list[int] = []

    def next(self, level: int, start: int | None = None) -> list[int]:
        """Counts an item of a level and returns the numbers of all levels down to it."""
        for at in range(len(self.numbers) + 1, level + 1):
            first = self.levels.get(at, ListLevel()).start
            self.numbers.append(first - 1 if at == level else first)
        del self.numbers[level:]
        self.numbers[-1] = start if start is not None else self.numbers[-1] + 1
        return self.numbers

    def restart(self, level: int) -> None:
        """Forgets the numbers of a level and those below it."""
        del self.numbers[level - 1 :]


def start_value(element: etree._Element) -> int | None:
    """The number an item or heading says it begins with."""
    given = element.get(f"{TEXT}start-value", "")
    return int(given[:9]) if given.isdecimal() else None
