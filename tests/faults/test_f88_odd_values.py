"""F88: one odd value in one document switches no filter off, and changes what it keeps of no other."""

from __future__ import annotations

from datetime import date
from itertools import permutations, product
from pathlib import Path

import pytest

from libraries import library, uris, write
from pincite.errors import UsageError
from pincite.filter import check, matches, parse_filter
from pincite.filter.fields import widen
from pincite.library import Library
from pincite.parse.frontmatter import read_front_matter
from pincite.types import And, Match, MetaValue, Not, Range

ODD_DATES = ["TBD", "2025-12", "12/26/2025", "20251226", "Q4 2025", "2025-13-45", "true", "[TBD, 7]", "10:30"]
ODD_NUMBERS = ["unknown", "2021-05-01", "true", "'2021'", "[2019, soon]", "1.2.3"]


def note(value: str, name: str = "date", more: str = "") -> str:
    return f"---\n{name}: {value}\n{more}---\n# Glider\n\nThe glider landed.\n"


def kept(opened: Library, filter: str | list[str]) -> list[str]:
    return sorted(uris(opened.search("glider", filter=filter, legs=("lexical",))))


@pytest.mark.parametrize("odd", ODD_DATES)
def test_a_range_keeps_the_notes_whose_date_can_be_read_and_names_the_other(tmp_path: Path, odd: str) -> None:
    files = {"a.md": note("2025-12-23"), "b.md": note("2026-01-05T08:00:00.000Z"), "c.md": note(odd)}
    with library(tmp_path, files) as opened:
        (warning,) = opened.sync().warnings
        assert warning.startswith("date is a date in 2 documents, but not in c.md") and "range" in warning
        assert opened.status().warnings == (warning,)
        found = opened.search("glider", filter="date>=2026-01-01", legs=("lexical",))
        assert uris(found) == ["b.md"]
        assert found.notices == ("date: c.md holds no date, so the range leaves it out",)
        assert kept(opened, "date<2026-01-01") == ["a.md"]
        assert kept(opened, "date=2025-12-23") == ["a.md"]
        assert kept(opened, "date!=2025-12-23") == ["b.md", "c.md"]
        assert kept(opened, '{"$not": {"date": {"$gte": "2026-01-01"}}}') == ["a.md", "c.md"]
        assert opened.search("glider", filter="type=markdown").notices == ()
        (tmp_path / "c.md").unlink()
        assert opened.sync().warnings == () and opened.status().fields["date"] == "date"
        assert opened.search("glider", filter="date>=2026-01-01").notices == ()


@pytest.mark.parametrize("odd", ODD_NUMBERS)
def test_numbers_with_odd_values(tmp_path: Path, odd: str) -> None:
    files = {f"{year}.md": note(str(year), "year") for year in (2019, 2020, 2021)}
    with library(tmp_path, {**files, "odd.md": note(odd, "year")}) as opened:
        (warning,) = opened.sync().warnings
        assert warning.startswith("year is a number in ") and "but not in odd.md" in warning
        assert [one for one in kept(opened, "year>=2020") if one != "odd.md"] == ["2020.md", "2021.md"]
        assert [one for one in kept(opened, "year in 2019,2020") if one != "odd.md"] == ["2019.md", "2020.md"]
        assert kept(opened, "year=2021")[0] == "2021.md"
        with pytest.raises(UsageError, match="expected a number"):
            opened.search("glider", filter="year>=soon")


def test_the_odd_value_itself_is_found_by_its_text(tmp_path: Path) -> None:
    files = {"a.md": note("2025-12-23"), "b.md": note("2025-12-24"), "c.md": note("Q4 2025")}
    with library(
        tmp_path, {**files, "n.md": note("NO", "country"), "t.md": note("true", "country")}
    ) as opened:
        opened.sync()
        assert kept(opened, "date=Q4 2025") == ["c.md"]
        assert kept(opened, "date in Q4 2025, 2025-12-24") == ["b.md", "c.md"]
        assert kept(opened, '{"date": {"$in": ["Q4 2025", "2025-12-24"]}}') == ["b.md", "c.md"]
        assert kept(opened, "country=NO") == ["n.md"] and kept(opened, "country=true") == ["t.md"]
        assert kept(opened, "country=TRUE") == ["t.md"]


@pytest.mark.parametrize("order", list(permutations(["a.md", "b.md", "c.md"])))
def test_every_order_of_syncs_ends_alike(tmp_path: Path, order: tuple[str, ...]) -> None:
    files = {"a.md": note("2025-12-23"), "b.md": note("2026-01-05"), "c.md": note("TBD")}
    with library(tmp_path, {"z.md": "# Glider\n\nNo date.\n"}) as opened:
        for name in order:
            write(tmp_path, {name: files[name]})
            opened.sync()
        assert opened.status().fields["date"] == "date or string"
        assert kept(opened, "date>=2026-01-01") == ["b.md"] and kept(opened, "date=TBD") == ["c.md"]
        write(tmp_path, {"b.md": note("late"), "c.md": note("2026-02-01")})
        opened.sync()
        assert kept(opened, "date>=2026-01-01") == ["c.md"] and kept(opened, "date=late") == ["b.md"]


def test_only_documents_that_the_other_conditions_allow_are_named(tmp_path: Path) -> None:
    red, blue = "team: red\n", "team: blue\n"
    files = {f"{n}.md": note(f"2025-12-0{n}", more=red) for n in range(1, 6)}
    odd = {"secret.md": note("TBD", more=blue), "open.md": note("TBD", more=red)}
    with library(tmp_path, {**files, **odd}) as opened:
        opened.sync()
        scoped = And((Match("team", ("red",)), Range("date", gte=date(2025, 12, 4))))
        found = opened.search("glider", filter=scoped)
        assert found.notices == ("date: open.md holds no date, so the range leaves it out",)
        nothing = And((Match("team", ("green",)), Range("date", gte=date(2025, 12, 4))))
        inside = Not(And((Match("team", ("blue",)), Range("date", gte=date(2025, 12, 4)))))
        for other in (nothing, And((inside, Match("team", ("red",))))):
            assert "secret.md" not in " ".join(opened.search("glider", filter=other).notices)


def test_many_odd_documents_are_counted(tmp_path: Path) -> None:
    files = {f"a{n:03}.md": note("2025-12-01") for n in range(12)}
    odd = {f"o{n}.md": note("TBD") for n in range(5)}
    with library(tmp_path, {**files, **odd}) as opened:
        (warning,) = opened.sync().warnings
        assert "but not in o0.md, o1.md, o2.md and 2 more:" in warning
        (notice,) = opened.search("glider", filter="date>2025-01-01").notices
        assert notice == "date: o0.md, o1.md, o2.md and 2 more hold no date, so the range leaves them out"
        for name in files:
            (tmp_path / name).unlink()
        assert not [one for one in opened.sync(allow_empty=True).warnings if "date" in one], "mostly text"


def test_a_range_compares_one_type() -> None:
    fields = {"when": "number or date or string"}
    assert parse_filter(["when>=2020"], fields) == Range("when", gte=2020)
    assert parse_filter(["when>=2020-01-01"], fields) == Range("when", gte=date(2020, 1, 1))
    with pytest.raises(UsageError, match="from a number to a date"):
        check(Range("when", gte=2020, lt=date(2021, 1, 1)), fields)
    with pytest.raises(UsageError, match="expected a number or a date"):
        check(Range("when", gte="soon"), fields)
    with pytest.raises(UsageError, match="expected a date"):
        parse_filter(["when>=soon"], {"when": "date or string"})


VALUES: list[MetaValue] = [1, 2024, 2024.0, 2.5, True, False, "TBD", "2024", "true", "2024-01-01", ""]
VALUES += [
    date(2024, 1, 1),
    date(2025, 12, 26),
    (1, "x"),
    (date(2024, 1, 1), "TBD"),
    (True, 2024),
    "20251226",
]
EXPRESSIONS = [
    f"x{sign}{value}"
    for sign in ("=", "!=", ">=", "<", " in 7,")
    for value in ("2024", "2024.0", "2024-01-01", "20251226", "TBD", "true", "TRUE", "2.5")
]


def test_no_document_changes_what_a_filter_keeps_of_another() -> None:
    compared = 0
    for mine, other, expression in product(VALUES, VALUES, EXPRESSIONS):
        alone = widen({}, {"x": mine})
        try:
            filter = parse_filter([expression], alone)
        except UsageError:
            continue  # no document of this type can be meant
        wide = parse_filter([expression], widen(alone, {"x": other}))
        assert matches(wide, {"x": mine}) == matches(filter, {"x": mine}), (mine, other, expression)
        compared += 1
    assert compared > 4000


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2025-12-25 10:30", date(2025, 12, 25)),
        ("2025-12-26T23:30:00-08:00", date(2025, 12, 26)),
        ("2025-12-23T17:02:29.000Z", date(2025, 12, 23)),
        ("2025-13-45", "2025-13-45"),
        ("2025-02-30T10:00:00Z", "2025-02-30T10:00:00Z"),
        ("2025-12-25T99:99:99", "2025-12-25T99:99:99"),
        ("2025-12", "2025-12"),
        ("NO", "NO"),
        ("off", "off"),
        ("true", True),
        ("10:30", "10:30"),
        ("1:30:00.5", "1:30:00.5"),
        ("0x1F", 31),
        ("1_000", 1000),
        ("-1.5e+3", -1500.0),
        ("!!timestamp soon", "soon"),
    ],
)
def test_values_of_front_matter(written: str, value: MetaValue) -> None:
    front = read_front_matter(f"---\nx: {written}\nteam: red\n---\n")
    assert front is not None and front.state == "read"
    assert front.meta == {"x": value, "team": "red"} and type(front.meta["x"]) is type(value)
