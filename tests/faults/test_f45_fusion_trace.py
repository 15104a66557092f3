"""F45: the fusion and its weights are named in the trace, and each hit says what it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import library

FILES = {
    "pump.md": "The pump has a seal.\n",
    "valve.md": "The valve has a seal and a seal ring.\n",
    "note.md": "Nothing of this.\n",
}


@pytest.mark.parametrize(
    ("legs", "fusion", "params"),
    [
        (None, None, {"fusion": "convex", "lexical_weight": 0.5, "dense_weight": 0.5}),
        (None, "rrf", {"fusion": "rrf", "rrf_k": 60}),
        (("lexical",), None, {"fusion": "none"}),
        (("dense",), None, {"fusion": "none"}),
    ],
)
def test_the_trace_names_the_fusion(
    legs: tuple[str, ...] | None, fusion: str | None, params: dict[str, object], tmp_path: Path
) -> None:
    with library(tmp_path, FILES) as lib:
        lib.sync()
        found = lib.search("seal of the valve", legs=legs, fusion=fusion)
    (step,) = [step for step in found.trace.steps if step.stage == "fuse"]
    assert {name: step.params[name] for name in params} == params
    assert set(step.params) >= set(params)
    assert found.hits
    fused = [hit.candidate.fused for hit in found.hits]
    assert fused == sorted(fused, reverse=True) and min(fused) >= 0
    for hit in found.hits:
        one = hit.candidate
        for leg, of_leg in (("lexical", one.lexical), ("dense", one.dense)):
            if of_leg is not None:
                assert of_leg.rank >= 1 and one.scores[leg] == pytest.approx(of_leg.score, abs=1e-5)
