"""What a part found: counts, and every failure with what makes it happen again."""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

KEPT = 12  # failures of a kind that are written out in full


class Deadline:
    """When a part is to begin no further attempt."""

    at: ClassVar[float] = math.inf


@dataclass
class Record:
    """Figures of one part. A failure has a kind, which is counted, and how to see it again."""

    part: str
    seed: int
    tried: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def numbers(self, n: int) -> Iterator[int]:
        """0 to n - 1, as long as there is time."""
        for number in range(n):
            if time.monotonic() > Deadline.at:
                return
            yield number

    def attempt(self, case: str) -> None:
        self.tried[case] += 1
        if (done := self.tried.total()) % 20 == 0:
            print(f"{self.part}: {done} attempts", file=sys.stderr, flush=True)

    def fail(self, kind: str, case: str, number: int, message: str, **more: Any) -> None:
        """One failure; `number` is that of the attempt under this seed."""
        self.failed[kind] += 1
        print(f"{self.part} {number}: {kind}: {case}: {message}", file=sys.stderr, flush=True)
        if self.failed[kind] <= KEPT:
            made = {"kind": kind, "case": case, "number": number, "message": message, **more}
            self.failures.append({"seed": self.seed, **made})

    def figures(self, **more: Any) -> dict[str, Any]:
        made = {
            "seed": self.seed,
            "attempts": self.tried.total(),
            "by_case": dict(sorted(self.tried.items())),
        }
        return {**made, **more, "failed": dict(sorted(self.failed.items())), "failures": self.failures}


def skipped(why: str) -> dict[str, Any]:
    """The figures of a part that cannot run here."""
    return {"skipped": why}
