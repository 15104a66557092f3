"""What a fault is, what came of it, and the table of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from injected.corpora import Corpus, Passing
from pincite.types import Finding

Cases = Iterator[tuple[Passing | None, Finding]]


@dataclass(frozen=True)
class Fault:
    """One way to lose evidence: `inject` breaks a copy of a corpus and asks `n` questions of it."""

    code: str
    name: str
    inject: Callable[[Corpus, int], Iterator[Finding]]

    def __str__(self) -> str:
        return f"{self.code}: {self.name}"


@dataclass(frozen=True)
class Outcome:
    """A fault that was put in, and the code that was named."""

    corpus: str
    fault: str
    code: str
    finding: Finding

    @property
    def right(self) -> bool:
        return self.finding.code == self.code


FAULTS: list[Fault] = []


def fault(code: str, name: str) -> Callable[[Callable[[Corpus, int], Iterator[Finding]]], object]:
    """Enters a function in the table of faults."""

    def enter(inject: Callable[[Corpus, int], Iterator[Finding]]) -> object:
        FAULTS.append(Fault(code, name, inject))
        return inject

    return enter


def run(corpus: Corpus, faults: Sequence[Fault], size: int) -> Iterator[Outcome]:
    """Every fault put into a corpus: about `size` questions a code, shared among its faults."""
    ways = Counter(one.code for one in faults)
    for one in faults:
        for finding in one.inject(corpus, -(-size // ways[one.code])):
            yield Outcome(corpus.name, one.name, one.code, finding)


# ── the table ─────────────────────────────────────────────────────────────────────────────────
Matrix = dict[str, dict[str, int]]


def matrix(outcomes: Iterable[Outcome]) -> Matrix:
    """Faults put in, and how often each code was named for them."""
    rows: Matrix = {}
    for one in outcomes:
        row = rows.setdefault(one.code, {})
        row[one.finding.code] = row.get(one.finding.code, 0) + 1
    return rows


def right(rows: Matrix) -> tuple[int, int]:
    """Cases named rightly, and all cases."""
    return sum(row.get(code, 0) for code, row in rows.items()), sum(
        sum(row.values()) for row in rows.values()
    )


def shares(rows: Matrix) -> dict[str, float]:
    """The share named rightly, by code."""
    return {code: round(row.get(code, 0) / sum(row.values()), 4) for code, row in rows.items()}


def matrix_text(rows: Matrix) -> str:
    """A line for each code: cases, share named rightly, and what else was named."""
    lines = [f"{'fault put in':<28}{'cases':>6}{'right':>8}  named instead"]
    for code, row in rows.items():
        total = sum(row.values())
        other = ", ".join(f"{name} {n}" for name, n in sorted(row.items()) if name != code)
        lines.append(f"{code:<28}{total:>6}{row.get(code, 0) / total:>8.1%}  {other}".rstrip())
    good, total = right(rows)
    lines.append(f"{'all':<28}{total:>6}{good / max(1, total):>8.1%}")
    return "\n".join(lines)
