"""A filter that allows nothing says which type or language may be meant, and of no other field a value."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import library
from pincite.filter import parse_filter
from pincite.filter.hint import did_you_mean
from pincite.types import Everything, Filter, Meta, Nothing

METAS: list[Meta] = [
    {"type": "markdown", "language": "en", "team": ("Red", "blue"), "level": 3, "name": "x" * 500},
    {"type": "html", "language": "de", "team": "green"},
]
FIELDS = {"type": "string", "language": "string", "team": "string", "level": "number", "name": "string"}


@pytest.mark.parametrize(
    ("expressions", "said"),
    [
        (["type=markdow"], 'type: did you mean "markdown"?'),
        (["type=Markdown"], 'type: did you mean "markdown"?'),
        (["team=red"], ""),
        (["team=blue", "type=htm"], "type is one of markdown"),
        (["team=bleu", "type=htm"], ""),  # the rest allows no document, so nothing is told
        (["type in markdow,htnl"], 'type: did you mean "markdown"?; type: did you mean "html"?'),
        (['{"$or": [{"team": "green"}, {"type": "htlm"}]}'], 'type: did you mean "html"?'),
        (['{"$or": [{"team": "green"}, {"type": "markdow"}]}'], "type is one of html"),
        (["language=xy"], "language is one of de, en"),
        (["team=blue", "language=xy"], "language is one of en"),
        (['{"team": "green", "$not": {"$not": {"type": "htlm"}}}'], 'type: did you mean "html"?'),
        (["type=html", "team=Red"], "type is one of markdown"),  # both exist, but not together
        (["type=pdf"], "type is one of html, markdown"),
        (["level>5"], ""),
        (["type!=markdow"], ""),
        ([f"name={'x' * 499}"], ""),
    ],
)
def test_the_nearest_value_of_the_field(expressions: list[str], said: str) -> None:
    assert did_you_mean(parse_filter(expressions, FIELDS), METAS) == said


@pytest.mark.parametrize("filter", [Everything(), Nothing()])
def test_filters_without_values(filter: Filter) -> None:
    assert did_you_mean(filter, METAS) == ""


def test_a_search_that_a_filter_empties_tells(tmp_path: Path) -> None:
    with library(tmp_path, {"a.md": "# Pump\n", "b.txt": "pump\n"}) as opened:
        opened.sync()
        notices = opened.search("pump", filter="type=markdow").notices
        assert notices == ('the filter allows no document; type: did you mean "markdown"?',)
        assert opened.ask("pump?", filter="type=markdow").search.notices == notices
        assert opened.search("pump", filter="type=audio").notices == (
            "the filter allows no document; type is one of markdown, text",
        )
        assert opened.search("pump", filter="type=text").notices == ()
