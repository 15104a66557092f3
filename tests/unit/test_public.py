"""The public names: complete, sorted, loaded on demand, and documented."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import pincite

SOURCE = Path(pincite.__file__).read_text("utf-8")
NAMES = pincite.__all__


def test_all_is_sorted_complete_and_small() -> None:
    assert sorted(NAMES) == NAMES
    assert set(NAMES) == set(pincite._HOMES)
    assert len(NAMES) == len(set(NAMES)) == 20


def test_type_checkers_see_every_public_name() -> None:
    """The imports under `TYPE_CHECKING` name what `__getattr__` loads, from the same modules."""
    imports = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.ImportFrom)]
    seen = {
        alias.name: (node.module or "").removeprefix("pincite.")
        for node in imports
        for alias in node.names
        if (node.module or "").startswith("pincite.")
    }
    assert seen == pincite._HOMES


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_there_and_documented(name: str) -> None:
    found = getattr(pincite, name)
    assert found is getattr(import_module(f"pincite.{pincite._HOMES[name]}"), name)
    text = inspect.getdoc(found)
    assert text and not text.startswith(f"{name}("), f"{name} has no docstring of its own"
    assert text.splitlines()[0].rstrip().endswith((".", ":")), text.splitlines()[0]


def test_public_methods_of_a_library_are_documented() -> None:
    methods = {
        name: member
        for name, member in inspect.getmembers(pincite.Library, inspect.isfunction)
        if not name.startswith("_")
    }
    wanted = {"answers", "ask", "check_questions", "close", "draft_questions", "evaluate", "explain"}
    wanted |= {"line_numbers", "parse", "search", "show", "status", "sync", "tune", "why"}
    assert set(methods) == wanted
    assert [name for name, method in methods.items() if not inspect.getdoc(method)] == []


def test_dir_gives_the_public_names_and_others_are_refused() -> None:
    assert dir(pincite) == sorted([*NAMES, "__version__"])
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pincite.nothing


def test_every_error_is_public() -> None:
    errors = import_module("pincite.errors")
    tree = {
        name
        for name, member in inspect.getmembers(errors, inspect.isclass)
        if issubclass(member, errors.PinciteError)
    }
    assert tree - set(NAMES) == {"SkippedError"}  # callers catch it as `InputError`
