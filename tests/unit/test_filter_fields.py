"""The filterable fields of a document: where each comes from, which one wins, and their types."""

from __future__ import annotations

from datetime import date

import pytest

from parsed import source
from pincite.config import MetaRule
from pincite.filter import matches
from pincite.filter.fields import document_meta, filterable, widen
from pincite.parse import parse
from pincite.types import Match, Meta, MetaValue

NOON = 1_773_489_600_000_000_000  # 2026-03-14 12:00 UTC, in ns


def fields(uri: str, text: str, rules: tuple[MetaRule, ...] = (), given: Meta | None = None) -> Meta:
    return document_meta(parse(source(uri, text)), NOON, rules, given or {})


def test_every_document_has_the_fields_of_its_path_and_file() -> None:
    assert fields("a/b/note.md", "Text.\n") == {
        "path": "a/b/note.md",
        "name": "note.md",
        "folder": ("a", "a/b"),
        "type": "markdown",
        "modified": date(2026, 3, 14),
    }
    assert "folder" not in fields("note.md", "Text.\n")


def test_front_matter_then_rules_then_flags_win() -> None:
    text = "---\nteam: red\nowner: ann\nlanguage: de\nmodified: 2020-01-02\nempty: ''\n---\nText.\n"
    rules = (MetaRule(("a/*",), {"team": "green"}), MetaRule(("z/*",), {"team": "black"}))
    assert fields("a/n.md", text)["team"] == "red"
    assert fields("a/n.md", text, rules)["team"] == "green"
    assert fields("a/n.md", text, rules, {"team": "blue"})["team"] == "blue"
    found = fields("a/n.md", text, rules)
    assert (found["owner"], found["language"], found["modified"]) == ("ann", "de", date(2020, 1, 2))
    assert "empty" not in found


def test_a_document_cannot_say_where_it_stands() -> None:
    text = "---\npath: b/x.md\nname: My page\nfolder: [b]\ntype: post\n---\nText.\n"
    found = fields("a/n.md", text)
    assert (found["path"], found["name"], found["folder"], found["type"]) == (
        "a/n.md",
        "n.md",
        ("a",),
        "markdown",
    )
    assert not matches(Match("folder", ("b",)), found)
    assert (found["own.path"], found["own.name"], found["own.folder"], found["own.type"]) == (
        "b/x.md",
        "My page",
        ("b",),
        "post",
    )


def test_rules_and_flags_are_the_users_and_may_name_any_field() -> None:
    assert fields("a/n.md", "Text.\n", (MetaRule(("*.md",), {"type": "post"}),))["type"] == "post"


@pytest.mark.parametrize("name", ['team"] == "x', "", "a;b", "x" * 101, "tab\there"])
def test_a_field_a_filter_cannot_name_is_not_filterable(name: str) -> None:
    assert filterable({name: "x", "team": "red"}) == {"team": "red"}


def test_lists_are_kept_up_to_a_limit_and_texts_whole() -> None:
    many: MetaValue = tuple(str(n) for n in range(2000))
    found = fields("a.md", "Text.\n", given={"text": "x" * 5000, "list": many})
    assert found["text"] == "x" * 5000 and found["list"] == many[:1000]  # type: ignore[index]
    assert filterable(found) == found


def test_a_field_has_the_types_of_all_its_values() -> None:
    fields = widen({}, {"n": 1, "d": date(2026, 1, 1), "b": True, "s": "x", "l": (1, 2), "m": (1, "x")})
    types = {"n": "number", "d": "date", "b": "boolean", "s": "string", "l": "number"}
    assert fields == {**types, "m": "number or string"}
    wider = widen(fields, {"n": 2.5, "d": "soon", "b": False, "m": date(2026, 1, 1), "s": True})
    assert wider == {
        **types,
        "d": "date or string",
        "m": "number or date or string",
        "s": "boolean or string",
    }
