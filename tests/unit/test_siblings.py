"""Which sentences are about another thing of the kind that a question names."""

from __future__ import annotations

import pytest

from pincite.answer.extract import about_others
from pincite.answer.passages import sentences
from shelf import shelf_of

TEXT = "# {}\n\nCheck the seal.\n\n# {}\n\nCheck the valve.\n"


@pytest.mark.parametrize(
    ("question", "headings", "others"),
    [
        ("seal of pump A?", ("Pump A", "Pump B"), [False, True]),
        ("what is a pump?", ("Pump A", "Pump B"), [False, False]),
        ("What does PUMP-7 need?", ("PUMP-7", "PUMP-8"), [False, False]),  # one word: nothing is shared
        ("model X200 pressure", ("Model X200", "Model X300"), [False, True]),
        ("model X200 and model X300", ("Model X200", "Model X300"), [False, False]),
        ("model X400", ("Model X200", "Model X300"), [False, False]),
        ("seal of pump B", ("Pump A of hall 1", "Pump B"), [False, False]),  # no siblings
        ("the feed pump valve", ("Drain pump", "Feed pump"), [True, False]),
        ("feed pump seal", ("Feed pump", "Feed valve"), [False, True]),
        ("泵", ("泵 一", "泵 二"), [False, False]),
    ],
)
def test_a_sibling_of_what_is_named_is_another(
    question: str, headings: tuple[str, str], others: list[bool]
) -> None:
    _, context = shelf_of(TEXT.format(*headings))
    found = [one for one in sentences(context.evidence[0]) if one.quotable]
    assert about_others(question, found) == others


def test_a_sentence_that_has_the_word_itself_is_not_another() -> None:
    _, context = shelf_of("# Pump B\n\nIt runs like pump C.\n\n# Pump C\n\nIt runs.\n")
    found = [one for one in sentences(context.evidence[0]) if one.quotable]
    assert about_others("how does pump C run", found) == [False, False]


def test_headings_of_several_files_count_and_those_further_up() -> None:
    _, context = shelf_of("# Pump B\n\nIt drips.\n", "# Pump C\n\nIt hums.\n", "It stands still.\n")
    found = [one for evidence in context.evidence for one in sentences(evidence) if one.quotable]
    assert about_others("what does pump C do", found) == [True, False, False]
    assert about_others("what does pump D do", found) == [False] * 3
    assert about_others("what does pump C do", []) == []
