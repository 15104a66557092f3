"""Laws of filters over generated filters and metadata."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.filter import describe, matches, parse_filter, simplify
from pincite.types import And, Everything, Filter, Match, Meta, Not, Nothing, Or, Range

NAMES = st.sampled_from("abc")
SCALARS = st.sampled_from(["x", "1", "true", 0, 1, 2.5, True, False, date(2026, 1, 1), date(2026, 1, 2)])
METAS = st.dictionaries(NAMES, SCALARS | st.lists(SCALARS, max_size=3).map(tuple), max_size=3)
BOUNDS = st.none() | st.sampled_from([0, 1, 2.5]) | st.sampled_from([date(2026, 1, 1), date(2026, 1, 2)])
LEAVES = (
    st.builds(Everything)
    | st.builds(Nothing)
    | st.builds(Match, NAMES, st.lists(SCALARS, max_size=3).map(tuple))
    | st.builds(Range, NAMES, BOUNDS, BOUNDS, BOUNDS, BOUNDS)
)


def grown(parts: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(parts, max_size=3).map(tuple)
    return st.builds(And, several) | st.builds(Or, several) | st.builds(Not, parts)


FILTERS: st.SearchStrategy[Filter] = st.recursive(LEAVES, grown, max_leaves=8)


@given(FILTERS, METAS)
def test_simplify_keeps_the_same_documents(filter: Filter, meta: Meta) -> None:
    assert matches(simplify(filter), meta) == matches(filter, meta)


@given(FILTERS)
def test_simplify_is_final(filter: Filter) -> None:
    once = simplify(filter)
    assert repr(simplify(once)) == repr(once)
    assert isinstance(once, Everything | Nothing) or "Everything" not in repr(once)


@given(FILTERS, FILTERS, METAS)
def test_de_morgan(a: Filter, b: Filter, meta: Meta) -> None:
    assert matches(Not(And((a, b))), meta) == matches(Or((Not(a), Not(b))), meta)
    assert matches(Not(Or((a, b))), meta) == matches(And((Not(a), Not(b))), meta)


@given(FILTERS, METAS)
def test_everything_and_nothing(filter: Filter, meta: Meta) -> None:
    kept = matches(filter, meta)
    assert matches(And((filter, Everything())), meta) == matches(Or((filter, Nothing())), meta) == kept
    assert not matches(And((filter, Nothing())), meta)
    assert matches(Or((filter, Everything())), meta)
    assert matches(Not(filter), meta) is not kept


@given(FILTERS, FILTERS, METAS)
def test_a_scope_is_never_widened(scope: Filter, asked: Filter, meta: Meta) -> None:
    """A user's filter ANDed with a scope keeps nothing outside the scope, simplified or not."""
    if not matches(scope, meta):
        assert not matches(simplify(And((scope, asked))), meta)


@given(FILTERS)
def test_describe_is_stable_text(filter: Filter) -> None:
    assert describe(filter) == describe(filter) != ""


@given(st.text(max_size=40))
def test_any_value_stays_a_value(value: str) -> None:
    """`field=VALUE` is an exact match of VALUE, whatever is in it, or refused."""
    try:
        found = parse_filter([f"a={value}"], {"a": "string"})
    except UsageError as error:
        assert "'a'" in error.message
        return
    assert found == Match("a", (value.strip(),))


@given(st.text(max_size=60))
def test_any_expression_is_read_or_refused(text: str) -> None:
    try:
        parse_filter([text], {"a": "string", "b": "number", "in": "date"})
    except UsageError as error:
        assert error.message
