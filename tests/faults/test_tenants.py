"""What a filter leaves out shows in no byte of what is said: results, notes, errors, traces and reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import Run, run
from libraries import write
from pincite import Library
from pincite import open as open_library
from pincite.errors import PinciteError, UsageError

__all__ = ["run"]

OURS = """---
tenant: acme
team: valves
rank: 3
odd: 2024-01-01
---
# Pump manual

The opal valve is shut at 4 bar. See the seal table.

## Seals

The seal of the pump is changed every 200 hours.
"""
THEIRS = """---
tenant: zebra
team: quagga
rank: numbat7
okapi: gazelle
gnu_size: 12
impala: 2026-05-05
odd: gazelle
---
# Pump manual

The opal valve is shut at 9 bar. The secret wombat opens it.

## Seals

The seal of the pump is changed every 200 hours.

## Dingo

A dingo guards the numbat.
"""
FOREIGN = (
    *("zebra", "quagga", "okapi", "gazelle", "gnu_size", "impala", "2026-05-05"),  # fields and values
    *("wombat", "dingo", "numbat", "ocelot", "tapir"),  # titles, texts and names of files
)
FILES = {
    "acme/pump-v1.md": OURS,
    "acme/parts.csv": "Part,Price\nseal,4\nvalve,9\n",
    "zebra/pump-v2.md": THEIRS,
    "zebra/ocelot.html": "<h1>Ocelot</h1><p>The opal valve and the wombat.</p>",
    "zebra/tapir.txt": "The seal of the pump is changed every 200 hours.\n",
}
LABELS = "when is the opal valve shut?\tacme/pump-v1.md\nwhen is the seal changed?\tacme/pump-v1.md\n"
HELD_OUT = "how often is the seal of the pump changed?\tacme/pump-v1.md\n"

TENANT = ["tenant=acme"]
VALID = (TENANT, ["folder=acme"], ['{"tenant": "acme"}'])
FILTERS = (
    *VALID,
    ['{"type": "eq", "key": "tenant", "value": "acme"}'],
    [*TENANT, "type=markdwon"],
    [*TENANT, "type=html"],
    [*TENANT, "team=quaga"],
    [*TENANT, "team=valve"],
    [*TENANT, "okapy=x"],
    [*TENANT, "tea=x"],
    [*TENANT, "rank=x"],
    [*TENANT, "rank>1000"],
    [*TENANT, "rank>1"],
    [*TENANT, "odd>=2020-01-01"],
    [*TENANT, "odd=2020"],
    ['{"tenant": "acme", "tem": "valves"}'],
    ['{"$and": [{"tenant": "acme"}, {"gnu": 3}]}'],
    ['{"$and": [{"tenant": "acme"}, {"$or": [{"team": "quag"}, {"type": "htm"}]}]}'],
    ['{"tenant": "acme", "$not": {"teem": "valves"}}'],
    ["tenant=zebr"],  # a tenant that has no document sees nobody's
    ["tenant=Zebr", "type=markdown"],
    ["folder=zebr"],
    ["path=zebr/tapi.txt"],
    ["name in ocelo.html,tapi.txt"],
    ["team=quag"],
    ['{"tenant": {"$in": ["zebr", "acm"]}}'],
)
QUESTIONS = ("when is the opal valve shut?", "seal of the pump", '"opal valve"', "what does the guard do?")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    above = tmp_path_factory.mktemp("tenants")
    write(above / "docs", FILES)
    write(above, {"labels.tsv": LABELS, "held-out.tsv": HELD_OUT})
    with open_library(above / "docs") as library:
        library.sync()
    return above / "docs"


def foreign(said: str) -> list[str]:
    """The words of the other tenant in what was said. No filter here has a whole one of them."""
    return [word for word in FOREIGN if word in said.casefold()]


def filtered(filter: list[str]) -> list[str]:
    return [word for one in filter for word in ("--filter", one)]


@pytest.mark.parametrize("filter", FILTERS, ids=" ".join)
def test_no_command_says_what_the_filter_leaves_out(
    filter: list[str], root: Path, tmp_path: Path, run: Run
) -> None:
    labels, held_out, page = root.parent / "labels.tsv", root.parent / "held-out.tsv", tmp_path / "page.html"
    saved = f"run-{FILTERS.index(filter)}"
    here = ["--in", root, *filtered(filter)]
    said = []
    for words in (
        ["search", QUESTIONS[0]],
        ["search", QUESTIONS[1], "--per-document"],
        ["search", QUESTIONS[2], "--legs", "lexical"],
        ["search", "--regex", "(?i)opal|[w]ombat|pump"],
        ["ask", QUESTIONS[0]],
        ["ask", QUESTIONS[3]],
        ["explain", QUESTIONS[1]],
        ["eval", labels, "--save", saved, "--why"],
        ["eval", labels, "--answers"],
        ["why", labels],
        ["tune", labels, "--fit-fusion", "--held-out", held_out],
    ):
        for form in ([], ["--json"]):
            code, out, err = run(*words, *here, *form)
            said.append(f"{out}\n{err}")
            assert code == 0 or filter not in VALID, (words, err)
    if filter in VALID:
        assert run("report", saved, "-o", page, "--in", root)[0] == 0
        said.append(page.read_text("utf-8"))
    assert [(text[:2000], told) for text in said if (told := foreign(text))] == []


@pytest.fixture(scope="module")
def opened(root: Path) -> Iterator[Library]:
    with open_library(root) as library:
        yield library


@pytest.mark.parametrize("filter", FILTERS, ids=" ".join)
def test_no_record_holds_what_the_filter_leaves_out(filter: list[str], opened: Library) -> None:
    """Results and errors of the library with all that hangs on them, traces too."""
    for question in QUESTIONS:
        for call in (opened.search, opened.ask, opened.explain):
            try:
                said = repr(call(question, filter=filter))
            except PinciteError as error:
                said = f"{error.message} {error.hint} {error!r} {error.__cause__!r} {error.__context__!r}"
            assert foreign(said) == []


def test_without_a_filter_all_is_told(root: Path, run: Run) -> None:
    """What the tests above look for is there to be seen."""
    _, out, _ = run("search", "wombat", "--in", root, "--json")
    assert {"zebra", "wombat"} <= set(foreign(out))
    _, _, err = run("search", "wombat", "--in", root, "--filter", "okapy=x")
    assert "okapi" in err and "gnu_size" in err


def test_a_first_reading_for_a_filtered_question_names_and_counts_no_file(tmp_path: Path, run: Run) -> None:
    files = FILES | {f"zebra/dingo{n}.pdf": "no PDF" for n in range(3)}
    write(tmp_path / "docs", files)
    seen: list[str] = []
    with open_library(tmp_path / "docs") as library:
        found = library.search("opal", filter=TENANT, legs=["lexical"], progress=lambda s: seen.append(s.uri))
    assert found.notices == ("some files of the folder failed or were skipped: pincite status names them",)
    assert set(seen) == {""} and foreign(repr(found)) == []


def test_hints_are_of_what_the_rest_of_the_filter_allows(opened: Library) -> None:
    """A type that the own documents have is proposed, and a field; of others neither."""

    def notices(*filter: str) -> tuple[str, ...]:
        return opened.search("opal", filter=filter).notices

    nothing = "the filter allows no document"
    assert notices(*TENANT, "type=markdwon") == (f'{nothing}; type: did you mean "markdown"?',)
    assert notices(*TENANT, "type=htlm") == (f"{nothing}; type is one of markdown",)
    assert notices("type=htlm") == (f'{nothing}; type: did you mean "html"?',)
    assert notices(*TENANT, "team=valve") == (nothing,)
    assert notices("tenant=zebr", "type=markdwon") == (nothing,)
    with pytest.raises(UsageError, match="known fields: ") as caught:
        opened.search("opal", filter=[*TENANT, "tem=x"])
    assert caught.value.hint == "did you mean 'team'?"
    with pytest.raises(UsageError) as caught:
        opened.search("opal", filter=["tenant=zebr", "tem=x"])
    assert caught.value.message.endswith("known fields: folder, language, modified, name, path, type")
