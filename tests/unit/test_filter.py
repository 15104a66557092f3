"""Reading, checking and describing filters."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any

import pytest

from pincite.errors import UsageError
from pincite.filter import check, describe, matches, parse_filter, simplify
from pincite.filter.scope import without
from pincite.types import And, Everything, Filter, Match, Meta, Not, Nothing, Or, Range

FIELDS = {
    "team": "string",
    "type": "string",
    "year": "number",
    "draft": "boolean",
    "date": "date",
    "author.name": "string",
    "page count": "number",
}
DAY = date(2026, 3, 14)


def parse(*expressions: str) -> Filter:
    return parse_filter(expressions, FIELDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("team=red", Match("team", ("red",))),
        ("  team = red  ", Match("team", ("red",))),
        ("team=", Match("team", ("",))),
        ("team!=red", Not(Match("team", ("red",)))),
        ("team=a=b>c", Match("team", ("a=b>c",))),
        ("team=made in china", Match("team", ("made in china",))),
        ("team in red, blue", Match("team", ("red", "blue"))),
        ("author.name=Ada", Match("author.name", ("Ada",))),
        ("page count>=3", Range("page count", gte=3)),
        ("year=2020", Match("year", (2020,))),
        ("year<1.5", Range("year", lt=1.5)),
        ("year>-2e3", Range("year", gt=-2000.0)),
        ("year<=7", Range("year", lte=7)),
        ("draft=TRUE", Match("draft", (True,))),
        ("draft!=false", Not(Match("draft", (False,)))),
        ("date>=2026-03-14", Range("date", gte=DAY)),
        ("date in 2026-03-14,2026-03-15", Match("date", (DAY, date(2026, 3, 15)))),
    ],
)
def test_text_forms(text: str, expected: Filter) -> None:
    assert repr(parse(text)) == repr(expected)


def test_several_expressions_are_anded_and_none_is_everything() -> None:
    assert parse("team=red", "year>3") == And((Match("team", ("red",)), Range("year", gt=3)))
    assert parse() == Everything()


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ({"type": "eq", "key": "team", "value": "red"}, Match("team", ("red",))),
        ({"type": "ne", "key": "team", "value": "red"}, Not(Match("team", ("red",)))),
        ({"type": "in", "key": "year", "value": [1, 2]}, Match("year", (1, 2))),
        ({"type": "nin", "key": "year", "value": [1]}, Not(Match("year", (1,)))),
        ({"type": "gte", "key": "date", "value": "2026-03-14"}, Range("date", gte=DAY)),
        (
            {"type": "or", "filters": [{"type": "eq", "key": "draft", "value": True}, {"year": 3}]},
            Or((Match("draft", (True,)), Match("year", (3,)))),
        ),
        ({"type": "and", "filters": [{"team": "x"}]}, And((Match("team", ("x",)),))),
        ({"team": "red"}, Match("team", ("red",))),
        ({"type": "markdown"}, Match("type", ("markdown",))),
        ({"team": "red", "year": 3}, And((Match("team", ("red",)), Match("year", (3,))))),
        ({"year": {"$gte": 1, "$lt": 5}}, And((Range("year", gte=1), Range("year", lt=5)))),
        ({"year": {"$not": {"$gt": 5}}}, Not(Range("year", gt=5))),
        ({"team": {"$in": []}}, Match("team", ())),
        ({"team": {"$nin": ["a"]}}, Not(Match("team", ("a",)))),
        ({"team": {"$ne": "a"}}, Not(Match("team", ("a",)))),
        ({"$not": {"team": {"$eq": "a"}}}, Not(Match("team", ("a",)))),
        (
            {"$and": [{"team": "a"}, {"$or": [{"year": 1}]}]},
            And((Match("team", ("a",)), Or((Match("year", (1,)),)))),
        ),
    ],
)
def test_json_forms(node: Any, expected: Filter) -> None:
    assert repr(parse(json.dumps(node))) == repr(expected)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "expected field=value"),
        ("team", "expected field=value"),
        ("=red", "cannot be the name"),
        ('team"]=x', "cannot be the name"),
        ("year=two", "'year': expected a number, got 'two'"),
        ("year=nan", "expected a number"),
        ("year=1e999", "expected a number"),
        ("year=", "expected a number"),
        ("draft=1", "'draft': expected true or false"),
        ("date=14 March", "expected a date"),
        ("date=2026-03-14T10:00", "expected a date"),
        ("team>red", "'team' holds text"),
        ("draft>=true", "'draft' holds true or false"),
        ("team=\udce9", "expected text"),
        ("{", "JSON"),
        ("{}", "expected an object"),
        ('{"team": null}', "'team': expected text, got None"),
        ('{"team": ["red"]}', "'team': expected text"),
        ('{"team": {"a": 1}}', "'team'"),
        ('{"team": {}}', "'team'"),
        ('{"team": {"$regex": "r.*"}}', "'team': unknown operator 'regex'"),
        ('{"team": {"$in": "red"}}', "'team': in expects a list"),
        ('{"team": {"$in": [["red"]]}}', "'team': expected text"),
        ('{"team": {"$not": "red"}}', "'team'"),
        ('{"team": 3}', "'team': expected text, got 3"),
        ('{"year": "3"}', "'year': expected a number"),
        ('{"year": true}', "'year': expected a number"),
        ('{"draft": 1}', "'draft': expected true or false"),
        ('{"year": NaN}', "NaN"),
        ('{"year": 1e999}', "expected a number"),
        ('{"year": 1, "year": 2}', "twice"),
        ('{"$and": []}', "list of filters"),
        ('{"$or": {"team": "a"}}', "list of filters"),
        ('{"$where": "1"}', "cannot be the name"),
        ('{"type": "xor", "filters": [{"team": "a"}]}', "and or or"),
        ('{"type": "like", "key": "team", "value": "a"}', "unknown operator"),
        ('{"type": "eq", "key": 1, "value": "a"}', "expected text as key"),
        ('{"type": "eq", "key": "tea", "value": "a"}', "no document has a field 'tea'"),
        ('{"$not":' * 500 + '{"team": "a"}' + "}" * 500, "nested deeper"),
        ('{"$not":' * 9_000 + '{"team": "a"}' + "}" * 9_000, "filter"),
        ('{"team": ' + "[" * 9_000 + "]" * 9_000 + "}", "filter"),
        ("team=" + "x" * 100_001, "longer than"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, named: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert named in caught.value.message
    assert len(caught.value.message) < 500


def test_an_unknown_field_lists_the_known_ones_and_the_nearest() -> None:
    metas: list[Meta] = [dict.fromkeys(FIELDS, "x")]
    with pytest.raises(UsageError) as caught:
        parse_filter(["taem=red"], FIELDS, lambda: metas)
    assert all(name in caught.value.message for name in FIELDS)
    assert "'team'" in caught.value.hint
    with pytest.raises(UsageError) as caught:
        parse_filter(["team=red"], {}, list)
    assert caught.value.message == "filter: no document has a field 'team'"


@pytest.mark.parametrize(
    ("filter", "left"),
    [
        (Match("a", ("x",)), Everything()),
        (Range("b", gt=1), Range("b", gt=1)),
        (And((Match("a", ("x",)), Match("b", ("y",)))), And((Match("b", ("y",)),))),
        (Or((Match("a", ("x",)), Match("b", ("y",)))), Or((Match("b", ("y",)),))),
        (Or((Match("a", ("x",)), Nothing())), Or((Nothing(),))),
        (And((Not(Match("a", ("x",))), Not(Match("b", ("y",))))), And((Not(Match("b", ("y",))),))),
        (Or(()), Or(())),
        (Nothing(), Nothing()),
    ],
)
def test_the_rest_of_a_filter_allows_no_more_than_its_other_conditions(filter: Filter, left: Filter) -> None:
    assert without(filter, lambda name: name == "a") == left


@pytest.mark.parametrize(
    "wrong",
    [
        Match("colour", ("red",)),
        Match("team", (3,)),
        Match("year", (True,)),
        Match("year", (float("inf"),)),
        Match("draft", (1,)),
        Match("date", ("2026-03-14",)),
        Match("date", (datetime(2026, 3, 14),)),
        Range("team", gt="a"),
        Range("year"),
        Range("year", gt=1, lt=DAY),
        Not(And((Everything(), Or((Match("nope", ("x",)),))))),
        "team=red",
        None,
    ],
)
def test_check_refuses_programmatic_filters_too(wrong: Any) -> None:
    with pytest.raises(UsageError):
        check(wrong, FIELDS)


def test_check_bounds_the_depth() -> None:
    deep: Filter = Everything()
    for _ in range(5_000):
        deep = Not(deep)
    with pytest.raises(UsageError, match="nested"):
        check(deep, FIELDS)


def test_check_accepts_what_fits() -> None:
    right = And((Match("team", ("a", "b")), Range("date", gte=DAY), Not(Nothing()), Match("year", (1, 2.5))))
    check(right, FIELDS)


@pytest.mark.parametrize(
    ("filter", "kept"),
    [
        (Match("team", ("red",)), True),
        (Match("team", ("RED",)), False),
        (Match("tags", ("b", "z")), True),
        (Match("team", ()), False),
        (Match("missing", ("x",)), False),
        (Not(Match("missing", ("x",))), True),
        (Match("one", (1.0,)), True),
        (Match("one", (True,)), False),
        (Match("yes", (1,)), False),
        (Match("yes", (True,)), True),
        (Match("one", ("1",)), True),
        (Match("mark", (1,)), False),
        (Match("day", (DAY,)), True),
        (Range("day", gt=DAY), False),
        (Range("day", gte=DAY, lte=DAY), True),
        (Range("missing", lt=9), False),
        (Range("team", lt=9), False),
        (Range("yes", gte=0), False),
        (Range("nums", gt=2, lt=9), False),
        (Range("nums", gt=0, lt=2), True),
        (And(()), True),
        (Or(()), False),
        (And((Match("team", ("red",)), Nothing())), False),
        (Or((Nothing(), Everything())), True),
    ],
)
def test_meaning(filter: Filter, kept: bool) -> None:
    meta = {
        "team": "red",
        "tags": ("a", "b"),
        "one": 1,
        "mark": "1",
        "yes": True,
        "day": DAY,
        "nums": (1, 10),
    }
    assert matches(filter, meta) is kept


@pytest.mark.parametrize(
    ("filter", "text"),
    [
        (Everything(), "all documents"),
        (Nothing(), "no documents"),
        (Match("team", ('r"d',)), 'team = "r\\"d"'),
        (Match("team", ("红", "b")), 'team in ("红", "b")'),
        (Not(Match("draft", (True,))), "draft != true"),
        (Range("date", gte=DAY, lt=date(2027, 1, 1)), "date >= 2026-03-14 and date < 2027-01-01"),
        (
            And((Match("year", (3,)), Or((Range("year", gt=1.5), Not(Everything()))))),
            "year = 3 and (year > 1.5 or not (all documents))",
        ),
        (And(()), "all documents"),
        (Or(()), "no documents"),
    ],
)
def test_describe(filter: Filter, text: str) -> None:
    assert describe(filter) == text


def test_simplify_never_widens() -> None:
    team, year = Match("team", ("a",)), Match("year", (1,))
    assert simplify(And((team, Nothing()))) == Nothing()
    assert simplify(Or(())) == Nothing()
    assert simplify(Match("team", ())) == Nothing()
    assert simplify(And((And((team, Everything())), team))) == team
    assert simplify(Or((team, Or((year, Nothing()))))) == Or((team, year))
    assert simplify(Not(Not(team))) == team
    assert simplify(Not(Or(()))) == Everything()
    assert repr(simplify(And((Match("x", (1,)), Match("x", (True,)))))).count("Match") == 2
