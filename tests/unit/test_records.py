"""JSON, YAML and CSV in answers: one record is one claim, with its path, and only the cells asked for."""

from __future__ import annotations

import pytest

from pincite.analyze import analyze
from pincite.answer import answer
from pincite.answer.passages import sentences
from pincite.types import Query, Searched, SearchResult, Trace
from shelf import as_indexed, typed

YAML = """beer: Helles
mash:
  steps:
    - name: protein rest
      minutes: 10
    - name: saccharification
      celsius: 66
      minutes: 60
tank:
  size: 40
"""
JSON = """{
  "steps": [
    {
      "name": "beta rest",
      "minutes": 45
    },
    {
      "name": "mash out",
      "parts": [
        1
      ]
    }
  ],
  "tank": {
    "size": "forty"
  }
}
"""
CSV = "hop,alpha_acid,price_per_kg,origin\nSaaz,3.5,42,Czechia\nFuggle,4.8,38,England\n"


def stems(text: str) -> set[str]:
    return set(analyze(text, side="query").split())


def first_claim(question: str, text: str, type: str, kind: str) -> tuple[str, str, str]:
    """Text, location and quote of the best claim."""
    shelf, context = typed(f"a.{type}", text, type, kind)
    hits = tuple(shelf.hits(f"a.{type}:1"))
    result = SearchResult(Query(question), hits, 1.0, Searched(1, "", ""), Trace(question))
    made = answer(
        question, result, context, generator=None, reopen=as_indexed(shelf), embed=None, terms=stems
    )
    citation = made.claims[0].citations[0]
    assert citation.verified
    return made.claims[0].text, citation.location, citation.quote


@pytest.mark.parametrize(
    ("question", "claim", "lines"),
    [
        (
            "How many minutes does saccharification take?",
            "mash › steps › name: saccharification; celsius: 66; minutes: 60",
            "6-8",
        ),
        ("What is the size of the tank?", "tank › size: 40", "10"),
    ],
)
def test_a_yaml_record_is_one_claim_with_its_path(question: str, claim: str, lines: str) -> None:
    text, location, quote = first_claim(question, YAML, "yaml", "code")
    assert (text, location) == (claim, f"a.yaml:{lines}")
    assert quote in YAML


@pytest.mark.parametrize(
    ("question", "claim", "lines"),
    [
        ("How many minutes is the beta rest?", "steps › name: beta rest; minutes: 45", "4-5"),
        ("What is the size of the tank?", "tank › size: forty", "15"),
        ("Is there a mash out?", "steps › name: mash out", "8"),  # it holds a list: key by key
    ],
)
def test_a_json_record_is_one_claim_with_its_path(question: str, claim: str, lines: str) -> None:
    text, location, quote = first_claim(question, JSON, "json", "record")
    assert (text, location) == (claim, f"a.json:{lines}")
    assert quote in JSON


def test_an_object_on_one_line_is_claimed_pair_by_pair() -> None:
    text = '[\n  {"name": "Ada Finch", "role": "brewer"},\n  {"name": "Tom Reed", "role": "cellar"}\n]\n'
    claim, location, quote = first_claim("What is the role of Ada Finch?", text, "json", "record")
    assert (claim, location) == ("name: Ada Finch; role: brewer", "a.json:2")
    assert quote in text


def test_a_list_below_its_key_without_indentation() -> None:
    _, context = typed("a.yaml", "steps:\n- name: mash\n  minutes: 60\n- plain\n", "yaml", "code")
    found = sentences(context.evidence[0])
    assert [one.text for one in found] == ["steps:", "- name: mash\n  minutes: 60", "- plain"]
    assert [one.under for one in found] == ["", "steps:", "steps:"]


def test_a_record_that_is_too_long_is_read_key_by_key() -> None:
    text = "- name: long\n" + "".join(f"  key{n}: {n}\n" for n in range(30))
    _, context = typed("a.yaml", text, "yaml", "code")
    assert len(sentences(context.evidence[0])) == 31


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("What is the price of Fuggle?", "hop: Fuggle; price_per_kg: 38"),
        ("From where is Fuggle?", "hop: Fuggle; alpha_acid: 4.8; price_per_kg: 38; origin: England"),
        (
            "What is the price and the origin of Fuggle?",
            "hop: Fuggle; alpha_acid: 4.8; price_per_kg: 38; origin: England",
        ),
    ],
)
def test_a_question_for_one_cell_gets_that_cell(question: str, claim: str) -> None:
    text, location, quote = first_claim(question, CSV, "csv", "table")
    assert (text, location, quote) == (claim, "a.csv:3", "Fuggle,4.8,38,England")
