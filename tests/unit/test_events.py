"""A calendar is answered with entries: what, when and where together, and descriptions under them."""

from __future__ import annotations

import pytest

from pincite.answer.claims import claims
from pincite.answer.extract import extract
from pincite.answer.passages import sentences
from pincite.answer.support import plain_words
from shelf import as_indexed, typed

CALENDAR = """Fire inspection
When: 2026-11-24 14:00 to 15:30 (Europe/Berlin)
Where: Hafenweg 21, hall 7
Inspector Rasmus Beck brings the gauge. He stays for an hour.

Closed for Christmas
When: 2026-12-24
Repeats: every year

Notes only, without a time. Nothing else.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "When is the fire inspection?",
            "Fire inspection; When: 2026-11-24 14:00 to 15:30 (Europe/Berlin); Where: Hafenweg 21, hall 7",
        ),
        (
            "When are you closed for Christmas?",
            "Closed for Christmas; When: 2026-12-24; Repeats: every year",
        ),
        ("Who brings the gauge to the fire inspection?", "Inspector Rasmus Beck brings the gauge."),
    ],
)
def test_an_entry_is_quoted_with_its_date(question: str, said: str) -> None:
    shelf, context = typed("a.ics", CALENDAR, "ics", "record")
    first = claims(extract(question, context, embed=None, terms=plain_words), context, as_indexed(shelf))[0]
    assert first.text.startswith(said)
    assert first.citations[0].verified


def test_a_description_stands_under_its_entry() -> None:
    _, context = typed("a.ics", CALENDAR, "ics", "record")
    found = sentences(context.evidence[0])
    assert [one.text.partition("\n")[0] for one in found] == [
        "Fire inspection",
        "Inspector Rasmus Beck brings the gauge.",
        "He stays for an hour.",
        "Closed for Christmas",
        "Notes only, without a time.",
        "Nothing else.",
    ]
    assert [one.under.partition("\n")[0] for one in found[:4]] == [
        "",
        "Fire inspection",
        "Fire inspection",
        "",
    ]
