"""A measure may be asked for by its adjective and told by its noun, and the reverse."""

from __future__ import annotations

import pytest

from pincite.answer.extract import extract
from pincite.answer.measured import widened
from pincite.answer.support import plain_words
from shelf import shelf_of


@pytest.mark.parametrize(
    ("question", "term", "told", "untold"),
    [
        ("How deep may it go?", "deep", "to a depth of 2 m", "to a length of 2 m"),
        ("How heavy is the lid?", "heavy", "The lid weighs 3 kg.", "The lid is round."),
        ("how old is it?", "old", "at the age of 60", "a new pump"),
        ("Wie schwer ist es?", "schwer", "Das Gewicht ist 3 kg", "Die Breite ist 3 cm"),
        ("What is the depth of the pool?", "depth", "The pool is 2 m deep.", "The pool is deep."),
        ("Which age has the tree?", "age", "a 60-year-old tree", "an old tree, 60 m high"),
    ],
)
def test_a_measure_is_held_by_its_other_word(question: str, term: str, told: str, untold: str) -> None:
    terms = widened(question, plain_words)
    assert term in terms(told)
    assert term not in terms(untold)


def test_other_questions_keep_their_terms() -> None:
    assert widened("Is the old pump deep?", plain_words) is plain_words


def test_how_deep_is_answered_with_the_depth() -> None:
    _, context = shelf_of("The buoy may go far out.\n\nThe buoy may be immersed to a depth of 2 m.\n")
    found = extract("How deep may the buoy go?", context, embed=None, terms=plain_words)
    assert found[0].text == "The buoy may be immersed to a depth of 2 m."
