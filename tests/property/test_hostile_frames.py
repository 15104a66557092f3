"""Attacks on the frame of evidence: none of many kinds, in whatever it is carried, gets out of its frame."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hostile import frames

from pincite.hidden import folded
from pincite.types import Context

NAMED = 'from pincite.answer.frame import tag_for; print(tag_for("q", "x"))'


def test_no_attack_leaves_its_frame() -> None:
    found = frames.run(seed=11, n=460)
    assert found["kinds"] == len(frames.KINDS) >= 40
    assert found["escaped"] == [] and found["attacks"] == 460


@pytest.mark.parametrize(
    "broken",
    [
        lambda text: text.replace("‹", "<").replace("›", ">"),
        lambda text: text.replace("⟦", "[").replace("⟧", "]"),
        lambda text: text.replace("Question:", "Q:"),
    ],
)
def test_an_escape_would_be_seen(broken: object, monkeypatch: pytest.MonkeyPatch) -> None:
    made = frames.build_messages

    def worse(question: str, context: Context) -> list[dict[str, str]]:
        return [{**one, "content": broken(one["content"])} for one in made(question, context)]  # type: ignore[operator]

    monkeypatch.setattr(frames, "build_messages", worse)
    assert frames.run(seed=11, n=230)["escapes"]


def test_the_tag_is_another_in_each_process() -> None:
    def one() -> str:
        return subprocess.run(
            [sys.executable, "-c", NAMED], capture_output=True, text=True, check=True
        ).stdout

    assert one() != one()


def test_every_token_of_the_table_of_the_attacks_is_found_in_any_case() -> None:
    assert all(
        frames.normal(token) in folded(f"x {token} y").text.replace("\u2581", "▁") for token in frames.CONTROL
    )
