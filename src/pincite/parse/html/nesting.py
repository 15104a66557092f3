"""Tags as they nest: every element that starts also ends, the implied ends of HTML written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pincite.parse.html.tokens import Tag, Text


def names(words: str) -> frozenset[str]:
    """A set of element names from words."""
    return frozenset(words.split())


VOID = names("area base br col embed hr img input link meta param source track wbr")
SKIPPED = names("template noscript svg object audio video canvas datalist annotation annotation-xml")
HEADINGS = names("h1 h2 h3 h4 h5 h6")
LISTS = names("ul ol menu dir")
BLOCKS = LISTS | names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main nav option optgroup p "
    "pre search section select summary table tbody td textarea tfoot th thead tr"
)
_TABLE_ONLY = names("table caption thead tbody tfoot tr td th colgroup")
_GROUPS = names("thead tbody tfoot caption colgroup")
_TABLE = frozenset(("table",))
# A start tag ends an element still open, unless one of the bounds stands between.
_ENDED_BY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (names("li"), LISTS | _TABLE),
    "dt": (names("dt dd"), names("dl table")),
    "dd": (names("dt dd"), names("dl table")),
    "td": (names("td th"), names("tr table")),
    "th": (names("td th"), names("tr table")),
    "tr": (names("tr caption colgroup"), _TABLE),
    "thead": (_GROUPS, _TABLE),
    "tbody": (_GROUPS, _TABLE),
    "tfoot": (_GROUPS, _TABLE),
    "option": (names("option"), names("select")),
    "body": (names("head"), frozenset()),
    "a": (names("a"), BLOCKS),
}
_REACH = 200  # open elements looked through for one that a tag ends


@dataclass(frozen=True, slots=True)
class End:
    """The end of the innermost open element; `stray` is an end tag without an element to end."""

    name: str
    stray: bool = False


Event = Tag | Text | End


def nested(tokens: Iterable[Tag | Text]) -> Iterator[Event]:
    """The tokens with one `End` for each start tag that is not void, properly nested; in linear time.

    An end tag of a phrase does not end the block around it, nor one inside a table what is outside of it.
    """
    return _Nesting().events(tokens)


class _Nesting:
    """The open elements, innermost last."""

    def __init__(self) -> None:
        self.stack: list[str] = []
        self.open: Counter[str] = Counter()

    def events(self, tokens: Iterable[Tag | Text]) -> Iterator[Event]:
        for token in tokens:
            if isinstance(token, Text):
                yield token
            elif token.opens:
                yield from self._start(token)
            else:
                yield from self._end(token)
        yield from self._pop(len(self.stack))

    def _start(self, tag: Tag) -> Iterator[Event]:
        yield from self._end_implied(tag.name)
        yield tag
        if tag.name not in VOID:
            self.stack.append(tag.name)
            self.open[tag.name] += 1

    def _end_implied(self, name: str) -> Iterator[Event]:
        """Ends the elements whose end tag may be left out before `name`."""
        if name in BLOCKS and self.open["p"]:
            yield from self._end_within(frozenset(("p",)), BLOCKS - {"p"})
        if name in BLOCKS and name != "div" and any(self.open[heading] for heading in HEADINGS):
            yield from self._end_within(HEADINGS, _TABLE)
        if name in _ENDED_BY and any(self.open[other] for other in _ENDED_BY[name][0]):
            yield from self._end_within(*_ENDED_BY[name])

    def _end_within(self, ended: frozenset[str], bounds: frozenset[str]) -> Iterator[Event]:
        yield from self._pop(self._depth(ended, bounds))

    def _depth(self, ended: frozenset[str], bounds: frozenset[str]) -> int:
        """How many elements end with the nearest of `ended`: 0 if a bound is met first, −1 if neither."""
        for depth, name in enumerate(reversed(self.stack[-_REACH:]), 1):
            if name in ended:
                return depth
            if name in bounds:
                return 0
        return -1

    def _depth_of(self, name: str) -> int:
        """How many elements an end tag ends. What is far out of reach ends with all that was never closed."""
        depth = self._depth(frozenset((name,)), _bounds(name))
        if depth >= 0:
            return depth
        return next(depth for depth, open_ in enumerate(reversed(self.stack), 1) if open_ == name)

    def _end(self, tag: Tag) -> Iterator[Event]:
        """Ends the innermost open element of this name and all inside it."""
        name = tag.name
        if name == "br":
            yield Tag("br", tag.at, True)
        elif self.open[name]:
            yield from self._pop(self._depth_of(name))
        elif name in BLOCKS:
            yield End(name, stray=True)

    def _pop(self, depth: int) -> Iterator[Event]:
        for _ in range(depth):
            name = self.stack.pop()
            self.open[name] -= 1
            yield End(name)


def _bounds(name: str) -> frozenset[str]:
    """The elements that keep an end tag from what is open around them."""
    if name in _TABLE_ONLY or name in SKIPPED:
        return frozenset()
    return _TABLE if name in BLOCKS else BLOCKS
