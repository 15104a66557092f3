"""Imports point one way (records ← stages ← pipeline ← surfaces), and `import pincite` stays light."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src"

LAYERS = {
    0: {"types", "errors", "protocols", "config", "characters", "native", "scripts", "cells"},
    2: {"pipeline"},
    3: {"calls"},
    4: {"evaluate"},
    5: {"library"},
    6: {"__init__", "__main__", "cli", "jsonform"},
}
"""Top-level modules of the package by layer; every other one is a stage. Imports go down or sideways."""

STAGE = 1

IMPORT_SECONDS = 0.15
IMPORT_PROBE = """
import json, sys, time
before = set(sys.modules)
start = time.perf_counter()
import pincite
seconds = time.perf_counter() - start
roots = {name.partition(".")[0] for name in set(sys.modules) - before}
print(json.dumps([seconds, sorted(roots - set(sys.stdlib_module_names))]))
"""

Graph = Mapping[str, set[str]]


def module_name(path: Path, src: Path) -> str:
    """`pincite.index.lock` of `src/pincite/index/lock.py`; a package's name for its `__init__.py`."""
    parts = path.relative_to(src).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST, module: str, is_package: bool) -> Iterator[tuple[str, str]]:
    """(module, name) of every import in the tree, wherever it stands; name is "" for `import x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = module.split(".")[: -(node.level - is_package) or None] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            yield from ((base, alias.name) for alias in node.names)


def import_graph(src: Path) -> dict[str, set[str]]:
    """Each module of the package with the modules of the package it imports."""
    files = {module_name(path, src): path for path in sorted(src.rglob("*.py"))}
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        tree = ast.parse(path.read_text("utf-8"))
        pairs = imported(tree, module, path.name == "__init__.py")
        names = {f"{base}.{name}" if f"{base}.{name}" in files else base for base, name in pairs}
        graph[module] = (names & files.keys()) - {module}
    return graph


def layer(module: str) -> int:
    """The layer of a module by its first name below the package."""
    top = [*module.split("."), "__init__"][1]
    return next((number for number, names in LAYERS.items() if top in names), STAGE)


def upward(graph: Graph) -> list[str]:
    """Imports of a higher layer."""
    arrows = [(a, b) for a in sorted(graph) for b in sorted(graph[a])]
    return [f"{a} → {b}" for a, b in arrows if layer(b) > layer(a)]


def cycles(graph: Graph) -> list[str]:
    """The arrows of every cycle: what is left when modules without an arrow in or out are taken away."""
    left = set(graph)
    while loose := {
        module for module in left if not graph[module] & left or not _importers(graph, module) & left
    }:
        left -= loose
    return [f"{a} → {b}" for a in sorted(left) for b in sorted(graph[a] & left)]


def _importers(graph: Graph, module: str) -> set[str]:
    return {other for other, targets in graph.items() if module in targets}


def test_no_import_points_upward() -> None:
    assert upward(import_graph(SRC)) == []


def test_no_cycle_between_modules() -> None:
    assert cycles(import_graph(SRC)) == []


def test_the_graph_sees_the_imports_there_are() -> None:
    graph = import_graph(SRC)
    assert "pincite.types" in graph["pincite.protocols"]
    assert "pincite.errors" in graph["pincite.config.tree"]


def test_a_planted_upward_import_and_a_planted_cycle_are_found(tmp_path: Path) -> None:
    package = tmp_path / "pincite"
    (package / "index").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "errors.py").write_text("def f():\n    from pincite import cli\n")
    (package / "cli.py").write_text("")
    (package / "index" / "__init__.py").write_text("from .a import x\n")
    (package / "index" / "a.py").write_text("from . import b\n")
    (package / "index" / "b.py").write_text("import pincite.index.a\n")
    (package / "fuse.py").write_text("from . import errors\nfrom pincite.pipeline import run\n")
    (package / "pipeline.py").write_text("import pincite.fuse\n")
    graph = import_graph(tmp_path)
    assert upward(graph) == ["pincite.errors → pincite.cli", "pincite.fuse → pincite.pipeline"]
    assert cycles(graph) == [
        "pincite.fuse → pincite.pipeline",
        "pincite.index.a → pincite.index.b",
        "pincite.index.b → pincite.index.a",
        "pincite.pipeline → pincite.fuse",
    ]


def test_import_loads_only_numpy_and_is_quick() -> None:
    runs = [
        json.loads(
            subprocess.run([sys.executable, "-c", IMPORT_PROBE], check=True, capture_output=True).stdout
        )
        for _ in range(5)
    ]
    foreign = {name for _, names in runs for name in names if not name.startswith(("cython_", "_cython"))}
    assert foreign <= {"numpy", "pincite"}
    assert min(seconds for seconds, _ in runs) < IMPORT_SECONDS
