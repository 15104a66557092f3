"""Tables as extracted from office files, PDF and HTML: their rows are quoted, under the right names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.answer.claims import Asked, claims, nothing
from pincite.answer.extract import extract
from pincite.answer.passages import sentences
from pincite.answer.support import plain_words
from pincite.parse.pairs import are_pairs
from shelf import as_indexed, typed

STOCK = """Stock

{no} | Item | Qty
71 | Birch whisk. Made by Kask | 140
72 | Linen towel | 65
"""


def claimed(
    question: str, text: str, type: str = "xlsx", kind: str = "paragraph", asked: Asked = nothing
) -> str:
    """The first claim of a question for a text that is one chunk of a file."""
    shelf, context = typed(f"a.{type}", text, type, kind)
    found = extract(question, context, embed=None, terms=plain_words)
    return claims(found, context, as_indexed(shelf), asked=asked)[0].text


@pytest.mark.parametrize("no", ["No.", "Nr.", "Item no.", "Art.-Nr."])
@pytest.mark.parametrize("type", ["xlsx", "docx", "pdf", "html", "pptx"])
def test_a_full_stop_in_a_column_name_ends_no_sentence(no: str, type: str) -> None:
    said = claimed("How many birch whisks are there?", STOCK.format(no=no), type)
    assert said == f"{no}: 71; Item: Birch whisk. Made by Kask; Qty: 140"


CERTIFICATE = """Boat certificate

Owner | Pia Koch
Hull number | DE-KCH-33812
Engine | Volvo D1-30
Valid until | 31 May 2029
"""


@pytest.mark.parametrize("type", ["pdf", "xlsx", "docx"])
@pytest.mark.parametrize(
    ("question", "said"),
    [("What is the hull number?", "Hull number: DE-KCH-33812"), ("Who is the owner?", "Owner: Pia Koch")],
)
def test_pairs_without_column_names_are_claimed_as_pairs(question: str, said: str, type: str) -> None:
    assert claimed(question, CERTIFICATE, type) == said
    alone = CERTIFICATE.partition("\n\n")[2]
    assert claimed(question, alone, type, "table") == said


def test_pairs_are_read_with_the_first_which_says_whose_they_are() -> None:
    _, context = typed("a.pdf", CERTIFICATE, "pdf", "paragraph")
    assert [(one.quotable, one.under) for one in sentences(context.evidence[0])[1:3]] == [
        (True, ""),
        (True, "Owner | Pia Koch"),
    ]


@pytest.mark.parametrize(
    ("rows", "pairs"),
    [
        (["Company | Nordbau GmbH", "VAT ID | DE 811 224 019", "Contract end | 2028-06-30"], True),
        (["Owner | Pia Koch", "Engine | Volvo", "Phone | 0461 3"], True),
        (["Voltage | 230 V", "Weight | 12 kg", "Protection | IP20", "Material | steel"], True),
        (["City | Rent", "Kiel | 900", "Husum | 700"], False),
        (["City | Rent", "Kiel | 900", "Husum | on request"], False),
        (["Item | Unit Price", "Soap | 3 €", "Towel | on request"], False),
        (["Code | Meaning", "F01 | No flow", "F07 | Overheating above 60 °C"], False),
        (["Group | Persons", "Deck | 20", "Engine | 14"], False),
        (["Name | Berth", "Ada Berg | B-12", "Per Lind | B-14"], False),
        (["Tool | Shelf", "Saw | S4"], False),
        (["A | B | C", "1 | 2 | 3", "x | y | 2026-01-01"], False),
        (["1 | Pump works", "2 | 2026-01-01", "3 | a@b.example"], False),
    ],
)
def test_pairs_are_told_from_columns_by_their_values(rows: list[str], pairs: bool) -> None:
    assert (len(rows) > 2 and are_pairs([row.split(" | ") for row in rows])) is pairs


def test_an_empty_first_column_name_is_a_column_name() -> None:
    chart = "Revenue by quarter\n\n[chart]\n| Revenue (k€)\nQ1 | 212\nQ2 | 148\nQ3 | 97\n"
    assert claimed("What was the revenue in Q3?", chart, "pptx") == "Q3; Revenue (k€): 97"
    assert claimed("What was the revenue in Q1?", chart, "pptx") == "Q1; Revenue (k€): 212"
    plan = "Shifts\n\n| Mon | Tue\nEarly | Ada | Per\nLate | Kim | Ada\n"
    assert claimed("Who has the early shift?", plan, "pdf") == "Early; Mon: Ada; Tue: Per"


def test_a_second_table_of_a_passage_has_its_own_column_names() -> None:
    text = "Husum | 700\nKiel | 900\n\nTool | Shelf\nSaw | S4\nDrill | S9\n"
    shelf, context = typed("a.docx", text, "docx", "paragraph")
    (evidence,) = context.evidence
    begun = replace(context, evidence=(replace(evidence, header="City | Rent"),))
    found = extract("Which shelf has the drill tool?", begun, embed=None, terms=plain_words)
    assert claims(found, begun, as_indexed(shelf))[0].text == "Tool: Drill; Shelf: S9"
    assert [one.text for one in sentences(begun.evidence[0]) if not one.quotable] == ["Tool | Shelf"]


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_a_table_saved_as_text_is_quoted_by_rows(mark: str) -> None:
    rows = ["locker;holder;until", "12;Pia Koch;2026-12-31", "13;Ole Hansen;2027-03-31", "14;Suse;2026-10-15"]
    text = "\n".join(rows).replace(";", mark) + "\n"
    said = claimed("Which locker has holder Ole Hansen?", text, "text")
    assert said == "locker: 13; holder: Ole Hansen; until: 2027-03-31"
    without_names = text.partition("\n")[2] + "15;Kim;2026-01-01\n".replace(";", mark)
    assert claimed("Which locker has Ole Hansen?", without_names, "text") == rows[2].replace(
        ";", mark
    ).replace("\t", " ")


def test_lines_of_prose_with_as_many_commas_are_no_rows() -> None:
    text = "Open it, wait, go\non, and stop, or\nnot, as you, like. Then leave, now, all.\n"
    _, context = typed("a.txt", text, "text", "paragraph")
    assert len(sentences(context.evidence[0])) == 2


def test_a_question_that_names_only_the_first_column_asks_for_the_others() -> None:
    text = "locker,holder,until\n12,Pia Koch,2026-12-31\n13,Ole Hansen,2027-03-31\n"
    named = claimed("Who has locker 13?", text, "csv", "table", asked=lambda name: name in ("locker", "13"))
    assert named == "locker: 13; holder: Ole Hansen; until: 2027-03-31"
    named = claimed("Which holder has locker 13?", text, "csv", "table", asked=lambda name: name != "until")
    assert named.startswith("locker: 13; holder: Ole Hansen")
    named = claimed("holder of 13", text, "csv", "table", asked=lambda name: name in ("holder", "13"))
    assert named == "locker: 13; holder: Ole Hansen"
