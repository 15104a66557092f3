"""Charts as SVG, laid by hand: sizes are in units of the view box, colours are classes of `style.css`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.evaluate.html_report.markup import Markup, count, number, percent, tag

_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)


def svg(width: float, height: float, title: str, *children: Iterable[str], class_: str) -> Markup:
    """A chart with the name that a screen reader says."""
    return tag(
        "svg",
        tag("title", title),
        *children,
        viewBox=f"0 0 {number(width)} {number(height)}",
        class_=class_,
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def _label(x: float, y: float, text: str, class_: str = "", anchor: str = "middle") -> Markup:
    return tag("text", text, x=x, y=y, class_=class_ or None, text_anchor=anchor)


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


# ── how much is found within the first k ──────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Series:
    """A curve: the share found within the first k, as (k, share) wherever it rises, k from 1 on."""

    name: str
    points: tuple[tuple[int, float], ...]

    def at(self, k: int) -> float:
        """The share within the first k."""
        return next((share for at, share in reversed(self.points) if at <= k), 0.0)


def series(name: str, gains: Iterable[tuple[int, float]], total: float) -> Series:
    """The curve of (place, gain) pairs in any order, as shares of the total."""
    rises: dict[int, list[float]] = {}
    for place, gain in gains:
        rises.setdefault(place, []).append(gain)
    reached, points = 0.0, []
    for place in sorted(rises):
        reached += math.fsum(rises[place])
        points.append((place, min(1.0, reached / total)))
    return Series(name, tuple(points))


_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 388.0, 14.0, 196.0


def curves(title: str, lines: Sequence[Series], *, k: int, deepest: int) -> Markup:
    """Shares found within the first 1 … `deepest` places, on a logarithmic axis, with k marked."""
    last = max(2, deepest, k)
    x_k = _across(k, last)
    parts = [
        *_grid(last),
        _line(x_k, _TOP, x_k, _BOTTOM, "mark"),
        _label(x_k, _TOP - 4, f"k = {k:,}", "strong", _side(x_k)),
        *(_curve(one, number_of, last) for number_of, one in enumerate(lines, 1)),
        *(
            tag("circle", cx=x_k, cy=_up(one.at(k)), r=3.5, class_=f"dot s{number_of}")
            for number_of, one in enumerate(lines, 1)
        ),
    ]
    said = "; ".join(f"{one.name} {percent(one.at(k))} at {k:,}" for one in lines)
    return svg(400, 232, f"{title}: {said}", parts, class_="chart")


def _side(x: float) -> str:
    """Where a label stands at its place, so that it stays inside."""
    return "start" if x < _LEFT + 20 else "end" if x > _RIGHT - 20 else "middle"


def _across(k: float, last: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * math.log(max(1.0, k)) / math.log(last)


def _up(share: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * share


def _grid(last: int) -> Iterator[Markup]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield _line(_LEFT, _up(share), _RIGHT, _up(share), "grid")
        yield _label(_LEFT - 6, _up(share) + 3.5, percent(share), anchor="end")
    shown = -math.inf
    for tick in (one for one in _TICKS if one <= last):
        x = _across(tick, last)
        yield _line(x, _BOTTOM, x, _BOTTOM + 4, "axis")
        if x - shown >= 26:
            yield _label(x, _BOTTOM + 16, f"{tick:,}")
            shown = x
    yield _line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "axis")
    yield _label((_LEFT + _RIGHT) / 2, _BOTTOM + 32, "first k places")


def _curve(one: Series, number_of: int, last: int) -> Markup:
    steps = [f"M{number(_LEFT)} {number(_up(one.at(1)))}"]
    for place, share in one.points:
        if 1 < place <= last:
            steps.append(f"H{number(_across(place, last))}V{number(_up(share))}")
    return tag("path", d=f"{''.join(steps)}H{number(_RIGHT)}", class_=f"curve s{number_of}")


# ── the evidence of one question through the stages ───────────────────────────────────────────
_STRIP_WIDTH, _FIRST, _GONE = 340.0, 24.0, 76.0


def strip(ranks: Mapping[str, int | None], *, k: int, deepest: int = 100) -> Markup:
    """The rank at each stage that ran: high is early, the band below holds stages without the evidence."""
    last = max([deepest, k, *(rank for rank in ranks.values() if rank)])
    step = _STRIP_WIDTH / max(1, len(ranks))
    at = {
        stage: (step * (n + 0.5), _down(rank, last) if rank else _GONE)
        for n, (stage, rank) in enumerate(ranks.items())
    }
    said = ", ".join(f"{stage} {f'rank {rank}' if rank else 'not there'}" for stage, rank in ranks.items())
    parts = [
        tag("rect", x=0, y=_GONE - 10, width=_STRIP_WIDTH, height=20, rx=4, class_="gone"),
        _line(0, _down(k, last), _STRIP_WIDTH, _down(k, last), "mark"),
        _label(_STRIP_WIDTH - 2, _down(k, last) - 3, f"k = {k:,}", anchor="end"),
        *(_line(*at[one], *at[other], "link") for one, other in _links(list(ranks))),
        *(mark for stage, rank in ranks.items() for mark in _mark(stage, rank, at[stage])),
    ]
    return svg(_STRIP_WIDTH, 104, said, parts, class_="strip")


def _down(rank: int, last: int) -> float:
    return _FIRST + (_GONE - 18 - _FIRST) * math.log(rank) / math.log(max(2, last))


def _links(stages: Sequence[str]) -> list[tuple[str, str]]:
    """Both legs lead to what is behind them; every other stage to the next."""
    legs = [stage for stage in stages if stage in ("lexical", "dense")]
    rest = [stage for stage in stages if stage not in legs]
    return [(leg, rest[0]) for leg in legs if rest] + list(pairwise(rest))


def _mark(stage: str, rank: int | None, at: tuple[float, float]) -> Iterator[Markup]:
    x, y = at
    yield _label(x, 100, stage)
    if rank:
        yield tag("circle", cx=x, cy=y, r=4, class_="held")
        yield _label(x, y - 8, f"{rank:,}", "strong")
    else:
        yield tag("path", d=f"M{number(x - 4)} {number(y - 4)}l8 8m0-8l-8 8", class_="cross")


# ── small bars ────────────────────────────────────────────────────────────────────────────────
def bar(share: float, title: str, class_: str = "s1") -> Markup:
    """A bar as long as the share of its track; stretched to the room there is."""
    return tag(
        "svg",
        tag("title", title),
        tag("rect", width=100, height=10, class_="track"),
        tag("rect", width=round(100 * share, 1), height=10, class_=class_),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        class_="bar",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def interval(mean: float, low: float, high: float, *, least: float = 0.0, most: float = 1.0) -> Markup:
    """A mean with its interval between `least` and `most`; a line at 0 where that lies between them."""
    room = (most - least) or 1.0

    def x(value: float) -> float:
        return 4 + 112 * min(1.0, max(0.0, (value - least) / room))

    zero = [_line(x(0), 1, x(0), 15, "axis")] if least < 0 < most else []
    side = ("up" if low > 0 else "down" if high < 0 else "even") if least < 0 else "s1"
    parts = [
        _line(4, 8, 116, 8, "grid"),
        *zero,
        tag("rect", x=x(low), y=5, width=max(1.0, x(high) - x(low)), height=6, rx=3, class_=f"span {side}"),
        tag("circle", cx=x(mean), cy=8, r=4, class_=f"dot {side}"),
    ]
    return svg(120, 16, f"{mean:.4f}, from {low:.4f} to {high:.4f}", parts, class_="interval")


# ── times ─────────────────────────────────────────────────────────────────────────────────────
_BINS = 32
_FASTEST = 0.01  # milliseconds, where the axis begins at the least


def histogram(values: Sequence[float], marks: Sequence[tuple[str, float]]) -> Markup:
    """How many milliseconds lie in each of 32 bins of a logarithmic axis, with some places marked."""
    lowest, highest = max(_FASTEST, min(values)), max(_FASTEST, *values)
    low, high = lowest / 1.5, highest * 1.5
    shares = [math.log(max(low, value) / low) / math.log(high / low) for value in values]
    bins = [0] * _BINS
    for share in shares:
        bins[min(_BINS - 1, int(_BINS * share))] += 1
    parts = [
        *_bars(bins),
        _line(_LEFT, 110, _RIGHT, 110, "axis"),
        _label(_LEFT - 6, 38, f"{max(bins):,}", anchor="end"),
    ]
    for tick in (10.0**power for power in range(-2, 8)):
        if low <= tick <= high:
            x = _LEFT + (_RIGHT - _LEFT) * math.log(tick / low) / math.log(high / low)
            parts += [_line(x, 110, x, 114, "axis"), _label(x, 126, f"{tick:,g} ms")]
    for level, (name, value) in enumerate(marks):
        x = _LEFT + (_RIGHT - _LEFT) * math.log(max(low, value) / low) / math.log(high / low)
        side = "end" if x > (_LEFT + _RIGHT) / 2 else "start"
        parts.append(_line(x, 4, x, 110, "mark"))
        parts.append(_label(x + (-4 if side == "end" else 4), 12 + 13 * level, name, "strong", side))
    said = ", ".join(f"{name} {value:.1f} ms" for name, value in marks)
    return svg(400, 132, f"Milliseconds of {count(len(values), 'question')}: {said}", parts, class_="chart")


def _bars(bins: Sequence[int]) -> Iterator[Markup]:
    wide = (_RIGHT - _LEFT) / len(bins)
    for n, of in enumerate(bins):
        if of:
            tall = 76 * of / max(bins)
            yield tag(
                "rect", x=_LEFT + n * wide + 0.5, y=110 - tall, width=wide - 1, height=tall, class_="s1"
            )
