"""What a part found: counts, and every failure with what makes it happen again."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

KEPT = 12  # failures of a kind that are written out in full


@dataclass
class Record:
    """Figures of one part. A failure has a kind, which is counted, and how to see it again."""

    part: str
    seed: int
    tried: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def attempt(self, case: str) -> None:
        self.tried[case] += 1

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
