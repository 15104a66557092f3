"""Measured runs, and two of them beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.jsonform.values import Json, plain

if TYPE_CHECKING:
    from pincite.evaluate.saved import SavedRun
    from pincite.evaluate.versus import Versus


def evaluation_json(run: SavedRun, against: Versus | None = None, failures: Sequence[str] = ()) -> Json:
    """A measured run as it is saved, with the comparison to its baseline and why its gate does not hold."""
    from pincite.evaluate.saved import run_json

    more = {"baseline": versus_json(against)} if against else {}
    return {**run_json(run), **more, "gate": {"passed": not failures, "failures": list(failures)}}


def versus_json(found: Versus) -> Json:
    """Two runs beside each other: each measure with its interval, p values, wins, losses and ties."""
    return {
        "question_set": {"name": found.new.set_name, "sha256": found.new.set_sha256},
        "measures": {
            name: {**plain(one), "p_holm": found.adjusted[name], "ties": list(one.ties)}
            for name, one in found.by_measure.items()
        },
        "settings": [{"setting": s, "base": base, "new": new} for s, base, new in found.settings],
        "notices": list(found.notices),
    }
