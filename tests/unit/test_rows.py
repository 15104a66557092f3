"""Tables as extracted from office files, PDF and HTML: their rows are quoted, under the right names."""

from __future__ import annotations

import pytest

from pincite.answer.claims import claims
from pincite.answer.extract import extract
from pincite.answer.support import plain_words
from shelf import as_indexed, typed

STOCK = """Stock

{no} | Item | Qty
71 | Birch whisk. Made by Kask | 140
72 | Linen towel | 65
"""


def claimed(question: str, text: str, type: str = "xlsx", kind: str = "table") -> str:
    """The first claim of a question for a text that is one chunk of a file."""
    shelf, context = typed(f"a.{type}", text, type, kind)
    return claims(extract(question, context, embed=None, terms=plain_words), context, as_indexed(shelf))[
        0
    ].text


@pytest.mark.parametrize("no", ["No.", "Nr.", "Item no.", "Art.-Nr."])
@pytest.mark.parametrize("type", ["xlsx", "docx", "pdf", "html", "pptx"])
def test_a_full_stop_in_a_column_name_ends_no_sentence(no: str, type: str) -> None:
    said = claimed("How many birch whisks are there?", STOCK.format(no=no), type)
    assert said == f"{no}: 71; Item: Birch whisk. Made by Kask; Qty: 140"
