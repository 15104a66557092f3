"""What the package imports is what it declares, and the locked versions fit what is declared."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = [Requirement(line) for line in PROJECT["dependencies"]]
EXTRAS = [Requirement(line) for lines in PROJECT["optional-dependencies"].values() for line in lines]
OF_AN_EXTRA = {
    "PIL": "pillow",
    "rapidocr": "rapidocr",
    "sentence_transformers": "sentence-transformers",
    "torch": "sentence-transformers",
}


def imported() -> Iterator[str]:
    """The first name of every absolute import in the package."""
    for path in sorted((ROOT / "src/pincite").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


def distribution(module: str) -> str:
    """The package to install for a module."""
    return canonicalize_name(OF_AN_EXTRA.get(module) or packages_distributions()[module][0])


def test_every_import_is_declared() -> None:
    modules = set(imported()) - set(sys.stdlib_module_names) - {"pincite"}
    declared = {canonicalize_name(need.name) for need in (*NEEDED, *EXTRAS)}
    assert {module: distribution(module) for module in modules if distribution(module) not in declared} == {}


def test_the_lock_file_has_a_fitting_version_of_every_dependency() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").split()
    locked = {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}
    for need in NEEDED:
        assert need.specifier.contains(locked[canonicalize_name(need.name)]), need


def test_the_version_is_the_newest_of_the_changelog() -> None:
    versions = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == PROJECT["version"]
