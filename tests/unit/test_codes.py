"""What a message says is for people: nothing in the code asks for its words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "pincite"
TEXTS = frozenset({"reason", "message", "hint", "notice", "notices"})
"""Attributes that hold text for people."""
ASKING = frozenset(
    {
        "startswith",
        "endswith",
        "find",
        "index",
        "count",
        "partition",
        "rpartition",
        "split",
        "match",
        "search",
    }
    | {"fullmatch", "findall", "finditer"}
)
FOREIGN = frozenset(
    {
        ("cli/__init__.py", "_failed"),  # prints a list of faults line by line
        ("testing/embedder.py", "check_limit"),  # a test for models of one's own: an error has to say this
        ("index/failures.py", "_hint"),  # SQLite has one error for many faults, told apart by its text alone
        ("index/qdrant_edge.py", "_naming"),  # so does the engine
        ("parse/sheets/xls.py", "_open"),  # xlrd's error for a workbook with a password
    }
)
"""Functions that may: most read the words of another library's errors."""


def texts_asked(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(function, line) of every place that compares, or searches in, text meant for people."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if any(map(_is_text, _asked(node))):
                yield function.name, node.lineno  # type: ignore[attr-defined]


def _asked(node: ast.AST) -> list[ast.expr]:
    """What a node looks into: the sides of a comparison, or what a method of texts is called on and with."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        written = [one.value for one in sides if isinstance(one, ast.Constant)]
        return [] if "" in written else sides
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ASKING:
        return [node.func.value, *node.args] if node.args else []
    return []


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is such text: an attribute that holds it, or an error written out."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "lower":
        return _is_text(node.func.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        return [one.id for one in node.args if isinstance(one, ast.Name)] == ["error"]
    return isinstance(node, ast.Attribute) and node.attr in TEXTS


def test_nothing_asks_what_a_message_says() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        for function, line in texts_asked(ast.parse(path.read_text("utf-8"))):
            if (name, function) not in FOREIGN:
                found.append(f"{name}:{line} in {function}")
    assert found == []


@pytest.mark.parametrize(
    "asking",
    [
        'row.reason == "locked"',
        '"locked" in row.reason',
        "one.message.startswith('budget')",
        "re.search('x', error.message)",
        "'full' in str(error).lower()",
        "key in error.message",
    ],
)
def test_every_way_to_ask_is_seen(asking: str) -> None:
    assert list(texts_asked(ast.parse(f"def one():\n    return {asking}")))


@pytest.mark.parametrize(
    "allowed", ["row.reason == ''", "f'{error.message}; {hint}'", "str(error)", "one.code == 'x'"]
)
def test_what_does_not_ask_is_left_alone(allowed: str) -> None:
    assert not list(texts_asked(ast.parse(f"def one():\n    return {allowed}")))
