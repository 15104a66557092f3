"""F58: no value and no field name changes the meaning of a filter."""

from __future__ import annotations

from pathlib import Path

import pytest

from keyword_search import read_rows
from pincite.errors import UsageError
from pincite.filter import matches, parse_filter
from pincite.parse.frontmatter import read_front_matter
from pincite.types import And, Match, Meta

HERE = Path(__file__).parent / "F58"
FIELDS = {"team": "string", "site": "string", "kind": "string"}


def metas() -> dict[str, Meta]:
    found = {path.name: read_front_matter(path.read_text("utf-8")) for path in sorted(HERE.glob("docs/*.md"))}
    return {name: front.meta for name, front in found.items() if front is not None}


@pytest.mark.parametrize(
    "row", read_rows(HERE / "filters.tsv"), ids=lambda row: f"{row['field']}={row['value']}"
)
def test_value_or_field_name(row: dict[str, str]) -> None:
    expression = f"{row['field']}={row['value']}"
    if row["expected"].startswith("refused"):
        with pytest.raises(UsageError) as caught:
            parse_filter([expression], FIELDS)
        assert row["field"].split()[0].strip("\"])'>;") in caught.value.message
        return
    filter = parse_filter([expression], FIELDS)
    assert filter == Match("team", (row["value"],))
    kept = [name for name, meta in metas().items() if matches(filter, meta)]
    assert len(kept) == int(row["expected"].split()[0])
    assert len(metas()) == 4


def test_no_user_filter_returns_what_the_scope_forbids() -> None:
    scope = Match("team", ("blue",))
    for row in read_rows(HERE / "filters.tsv"):
        if not row["expected"].startswith("refused"):
            both = And((scope, parse_filter([f"{row['field']}={row['value']}"], FIELDS)))
            assert [name for name, meta in metas().items() if matches(both, meta)] in ([], ["b1.md"])
