"""How large and how tangled the code is, and what one call enters of it while it runs.

    python tools/house.py [--json] [--root CHECKOUT] [--before REVISION] [--save bench/results/house.json]

Counts `src/pincite` of this checkout, or of the one given. With `--before`, that revision is measured in the
same way, in a worktree that is removed again; `--save` writes both. What a call enters is counted in a
process of its own on a copy of the sample library: distinct files, functions and lines that ran, after all
modules were imported; processes that the call starts are not seen. The layers are those of today's test.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

HOME = Path(__file__).resolve().parents[1]
PACKAGE = "pincite"
SMALL = 70  # lines; a file under it that one other imports may as well stand there
QUESTION = "Can I immerse it right after replacing the battery?"

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Pow)
TRUTHS = {"all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass"}
TRUTH_METHODS = {"startswith", "endswith", "isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace"}

# Runs in the process that is watched: argv has the call, the folder and the question.
WATCH = """
import importlib, inspect, json, pkgutil, sys, threading
import pincite

call, folder, question = sys.argv[1:]
home = pincite.__path__[0]
for module in pkgutil.walk_packages(pincite.__path__, "pincite."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
functions, lines = set(), set()

def enter(frame, event, argument):
    code = frame.f_code
    if not code.co_filename.startswith(home) or not code.co_flags & inspect.CO_OPTIMIZED:
        return None
    if not code.co_name.startswith("<"):
        functions.add((code.co_filename, code.co_firstlineno))
    return step

def step(frame, event, argument):
    if event == "line":
        lines.add((frame.f_code.co_filename, frame.f_lineno))
    return step

threading.settrace(enter)
sys.settrace(enter)
with pincite.open(folder) as library:
    library.sync() if call == "sync" else getattr(library, call)(question)
sys.settrace(None)
entered = {"files": len({name for name, _ in lines}), "functions": len(functions), "lines": len(lines)}
print(json.dumps(entered))
"""


def layering() -> ModuleType:
    """The layering test of this checkout: it has the graph of imports, and which of them point up."""
    sys.path.insert(0, str(HOME / "tests" / "unit"))
    import test_layering

    return test_layering


# ── what stands in the files ──────────────────────────────────────────────────────────────────
def function_lengths(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(lines, name) of every function, with those inside others."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            yield (node.end_lineno or node.lineno) - node.lineno + 1, node.name


def deep_comprehensions(tree: ast.AST, loops: int = 0) -> int:
    """Comprehensions with three loops in one another, counted at the outermost one that completes three."""
    inside = loops + len(tree.generators) if isinstance(tree, COMPREHENSIONS) else loops
    if isinstance(tree, (*FUNCTIONS, ast.Lambda)):
        inside = 0
    if loops < 3 <= inside:
        return 1
    return sum(deep_comprehensions(child, inside) for child in ast.iter_child_nodes(tree))


def nested_ternaries(tree: ast.AST) -> int:
    """`a if b else c` that are themselves a part of another."""
    outer = (node for node in ast.walk(tree) if isinstance(node, ast.IfExp))
    return sum(isinstance(part, ast.IfExp) for node in outer for part in ast.iter_child_nodes(node))


def truth_functions(trees: Iterable[ast.AST]) -> set[str]:
    """Names of the functions that say they return a bool."""
    found = (node for tree in trees for node in ast.walk(tree) if isinstance(node, FUNCTIONS))
    return {node.name for node in found if isinstance(node.returns, ast.Name) and node.returns.id == "bool"}


def is_truth(node: ast.AST, truths: set[str]) -> bool:
    """Whether an expression is seen to be a bool: a comparison, `not`, a call of what returns one."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in truths
    if isinstance(node, ast.BoolOp):
        return all(is_truth(value, truths) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))


def sums_of_truths(tree: ast.AST, truths: set[str]) -> int:
    """`+`, `-`, `*` and `**` with a bool on one side; a bool that only has a name is not seen."""
    found = (
        node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC)
    )
    return sum(is_truth(node.left, truths) or is_truth(node.right, truths) for node in found)


def comment_lines(text: str) -> int:
    """Lines with a comment, alone or after code; docstrings are none."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return len({token.start[0] for token in tokens if token.type == tokenize.COMMENT})


def shares_of_comments(texts: Mapping[str, str]) -> dict[str, float]:
    """Comment lines per 100 lines, of the whole and of each package; files at the top are one package."""
    lines, comments = Counter[str](), Counter[str]()
    for name, text in texts.items():
        package = name.split("/")[0] if "/" in name else "(top)"
        for group in ("(all)", package):
            lines[group] += text.count("\n")
            comments[group] += comment_lines(text)
    return {group: round(100 * comments[group] / max(1, lines[group]), 1) for group in sorted(lines)}


def standing(src: Path) -> dict[str, object]:
    """The figures of the source files below `src/pincite`."""
    root = src / PACKAGE
    texts = {
        path.relative_to(root).as_posix(): path.read_text("utf-8") for path in sorted(root.rglob("*.py"))
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    truths = TRUTHS | TRUTH_METHODS | truth_functions(trees.values())
    lines = sum(text.count("\n") for text in texts.values())
    lengths = sorted(length for tree in trees.values() for length in function_lengths(tree))
    nodes = (node for tree in trees.values() for node in ast.walk(tree))
    comprehensions = sum(isinstance(node, COMPREHENSIONS) for node in nodes)
    return {
        "files": len(texts),
        "lines": lines,
        "functions": len(lengths),
        "lines of a function, mean": round(sum(size for size, _ in lengths) / max(1, len(lengths)), 1),
        "lines of a function, longest": [f"{name} {size}" for size, name in lengths[:-4:-1]],
        "comprehensions per 1,000 lines": round(1000 * comprehensions / max(1, lines), 1),
        "comprehensions three loops deep": sum(map(deep_comprehensions, trees.values())),
        "nested ternaries": sum(map(nested_ternaries, trees.values())),
        "arithmetic on booleans": sum(sums_of_truths(tree, truths) for tree in trees.values()),
        "comment lines, %": shares_of_comments(texts),
        **imports(src, texts),
    }


def imports(src: Path, texts: Mapping[str, str]) -> dict[str, object]:
    """Files that exactly one other imports, the small ones of them, and imports that point up."""
    rules = layering()
    graph = rules.import_graph(src)
    importers = Counter(target for targets in graph.values() for target in targets)
    once = [
        name
        for name in texts
        if not name.endswith("__init__.py") and importers[rules.module_name(src / PACKAGE / name, src)] == 1
    ]
    return {
        "files one other imports": len(once),
        f"of these under {SMALL} lines": sum(texts[name].count("\n") < SMALL for name in once),
        "imports that point up": len(rules.upward(graph)),
    }


# ── what runs ─────────────────────────────────────────────────────────────────────────────────
def entered(root: Path, call: str, folder: Path) -> dict[str, int]:
    """Files, functions and lines of a checkout's `src/pincite` that one call on a folder runs."""
    command = [sys.executable, "-c", WATCH, call, str(folder), QUESTION]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    counts: dict[str, int] = json.loads(ended.stdout)
    return counts


def running(root: Path) -> dict[str, object]:
    """What a first sync of the sample enters, then a sync without changes, a search and an ask."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "sample"
        shutil.copytree(HOME / "examples" / "sample", folder, ignore=shutil.ignore_patterns(".pincite"))
        calls = {"sync": "sync", "sync again": "sync", "search": "search", "ask": "ask"}
        return {f"{name} enters": entered(root, call, folder) for name, call in calls.items()}


def measure(root: Path) -> dict[str, object]:
    """All figures of a checkout."""
    return {**standing(root / "src"), **running(root)}


def at_revision(revision: str, of: Callable[[Path], dict[str, object]] = measure) -> dict[str, object]:
    """The same figures of a revision, from a worktree made and removed for it."""
    git = ("git", "-C", str(HOME), "worktree")
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        subprocess.run([*git, "add", "--detach", "--quiet", str(tree), revision], check=True)
        try:
            return of(tree)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


# ── what is printed ───────────────────────────────────────────────────────────────────────────
def rows(figures: Mapping[str, object]) -> dict[str, str]:
    """Each figure as a cell; a group of figures is a row each."""
    cells = {}
    for name, value in figures.items():
        if isinstance(value, Mapping):
            cells.update({f"{name}: {part}": str(number) for part, number in value.items()})
        else:
            cells[name] = ", ".join(value) if isinstance(value, list) else str(value)
    return cells


def table(columns: Mapping[str, Mapping[str, object]]) -> str:
    """A Markdown table of the columns, with a dash where one has no such figure."""
    cells = {name: rows(figures) for name, figures in columns.items()}
    names = dict.fromkeys(row for column in cells.values() for row in column)
    lines = [f"| | {' | '.join(cells)} |", f"|{'---|' * (len(cells) + 1)}"]
    lines += [
        f"| {name} | {' | '.join(column.get(name, '–') for column in cells.values())} |" for name in names
    ]
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument(
        "--root", type=Path, default=HOME, help="the checkout to measure (default: this one)"
    )
    options.add_argument("--before", metavar="REVISION", help="measure this revision too")
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options.add_argument("--save", type=Path, metavar="FILE", help="write the JSON to a file too")
    given = options.parse_args()
    columns = {"before": at_revision(given.before)} if given.before else {}
    columns["now"] = measure(given.root.resolve())
    written = json.dumps({"revision before": given.before, **columns}, indent=2, ensure_ascii=False)
    if given.save:
        given.save.write_text(written + "\n", encoding="utf-8")
    print(written if given.json else table(columns))


if __name__ == "__main__":
    main()
