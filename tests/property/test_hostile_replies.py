"""Random replies of a model: each number is its passage's, nothing remote is left, inventions are marked."""

from __future__ import annotations

import random
import re

import pytest
from hostile import replies

from pincite.answer import marks
from pincite.answer.inert import inert, remote
from pincite.types import Answer


def test_random_replies_are_as_they_must_be() -> None:
    found = replies.run(seed=23, n=300)
    assert found["wrong_ones"] == [] and found["replies"] == 300


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_gives_the_same_replies(seed: int) -> None:
    one, other = (replies.reply(random.Random(seed)).text for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (lambda text: re.sub(r" \[(not in the|no) source: [^\]]*\]", "", text), "not marked"),
        (lambda text: text.replace("[1", "[2"), "printed"),
        (lambda text: f"{text} ![x](https://evil.test/x)", "remote"),
        (lambda text: f"{text} https://evil.test/x", "an address"),
        (lambda text: f"QUIET {text}", "thinking is shown"),
    ],
)
def test_what_is_wrong_would_be_seen(text: object, seen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = replies.asked

    def worse(said: str) -> Answer:
        from dataclasses import replace

        found = made(said)
        return replace(found, text=text(found.text))  # type: ignore[operator]

    monkeypatch.setattr(replies, "asked", worse)
    monkeypatch.setattr(marks, "NOTHING_CITED", "")
    assert seen in " ".join(replies.run(seed=23, n=60)["wrong_ones"])  # type: ignore[arg-type]


SIGNS = [
    *"![]()`<>:\n \\\"'|*",
    *(
        "``",
        "```",
        "~~~",
        "\n\n",
        "    ",
        "> ",
        "- ",
        "1. ",
        "[r]: ",
        "x",
        "&#58;",
        "<a href=",
        "![x](",
        "][r]",
    ),
    *("javascript:", "https://evil.test/", "//evil.test", "a.md"),
]


@pytest.mark.parametrize("seed", range(4))
def test_no_mixture_of_signs_makes_a_reference(seed: int) -> None:
    """Signs of Markdown and HTML at random, with addresses between them."""
    rng = random.Random(seed)
    for _ in range(400):
        text = "".join(rng.choices(SIGNS, k=rng.randrange(2, 30)))
        assert remote(inert(text).text) == [], repr(text)
