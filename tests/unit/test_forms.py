"""Lines of a plain text that are made up as in a form are read one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import library
from parsed import source, texts
from pincite.parse import parse

INVOICE = """NORDLICHT ELEKTRO
Hafenstr. 12, 24103 Kiel

Invoice no.: 2231
Date: 3 March 2026
Due date: 17 March 2026
Customer: Mira Olsen, Strandweg 4

Pos  Description            Qty   Total
1    LED panel 60x60 cm      4    239.60 EUR
2    Dimmer switch DX-2      2     49.00 EUR

Subtotal                          288.60 EUR
VAT 19 %                           54.83 EUR
Total amount due                  343.43 EUR

Please transfer the sum within two weeks. Thank you.
"""


def test_each_line_of_a_form_is_a_block() -> None:
    document = parse(source("a.txt", INVOICE))
    assert texts(document, "field") == [line for line in INVOICE.splitlines()[3:-2] if line]
    assert texts(document)[-1] == "Please transfer the sum within two weeks. Thank you."


@pytest.mark.parametrize(
    "text",
    [
        "The pump runs by night:\nit fills the tank under the roof.\n",
        "He said: wait.\nThen he went home and\nthe door was shut.\n",
        "See http://a.example/x for more\nand http://b.example for the rest.\n",
        "One line  with a gap\nand the next without one.\n",
    ],
)
def test_sentences_are_no_form(text: str) -> None:
    assert texts(parse(source("a.txt", text)), "field") == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When is invoice 2231 due?", "Due date: 17 March 2026"),
        ("What is the total amount due on invoice 2231?", "Total amount due"),
        ("How much VAT is on invoice 2231?", "VAT 19 %"),
    ],
)
def test_a_line_is_the_answer_and_not_what_the_question_gives(
    tmp_path: Path, question: str, said: str
) -> None:
    with library(tmp_path, {"invoice.txt": INVOICE, "other.md": "# Boats\n\nThe boat is blue.\n"}) as lib:
        answer = lib.ask(question)
    assert answer.claims[0].text.startswith(said)
    assert all("no.: 2231" not in claim.text for claim in answer.claims)
