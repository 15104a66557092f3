"""House rules that a program can check: short files and functions, nothing that runs data as code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"
FILES = sorted(SRC.rglob("*.py"))
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

FORBIDDEN_MODULES = frozenset({"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"})
FORBIDDEN_CALLS = frozenset({"eval", "exec", "yaml.load", "yaml.unsafe_load", "yaml.full_load", "os.system"})
FORBIDDEN_KEYWORDS = frozenset({"allow_pickle", "shell", "trust_remote_code"})


def dangers(tree: ast.AST) -> Iterator[str]:
    """What the tree imports or calls that could run data as code, as `line: name`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            roots = [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            roots = [(node.module or "").partition(".")[0]]
        else:
            roots = []
        yield from (f"{node.lineno}: {root}" for root in roots if root in FORBIDDEN_MODULES)
        if isinstance(node, ast.Call):
            yield from dangerous_call(node)


def dangerous_call(call: ast.Call) -> Iterator[str]:
    """A call by a forbidden name, or one with a forbidden keyword that is not the constant False."""
    if (name := ast.unparse(call.func)) in FORBIDDEN_CALLS:
        yield f"{call.lineno}: {name}"
    for keyword in call.keywords:
        off = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        if keyword.arg in FORBIDDEN_KEYWORDS and not off:
            yield f"{call.lineno}: {keyword.arg}"


def long_functions(tree: ast.AST) -> list[str]:
    """Functions over the limit, as `name: lines`."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    sizes = [(f.name, (f.end_lineno or f.lineno) - f.lineno + 1) for f in functions]
    return [f"{name}: {lines} lines" for name, lines in sizes if lines > MAX_FUNCTION_LINES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SRC)))
def test_source_file(path: Path) -> None:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    assert list(dangers(tree)) == []
    assert long_functions(tree) == []
    assert text.count("\n") <= MAX_FILE_LINES


def test_every_danger_is_seen() -> None:
    code = (
        "import pickle\nfrom marshal import loads\nimport yaml, numpy as np\neval('1')\n"
        "yaml.load(x, Loader=y)\nnp.load(f, allow_pickle=True)\nnp.load(f, allow_pickle=False)\n"
        "run(x, shell=flag)\nmodel.eval()\nyaml.safe_load(x)\n"
    )
    assert sorted(dangers(ast.parse(code))) == [
        "1: pickle",
        "2: marshal",
        "4: eval",
        "5: yaml.load",
        "6: allow_pickle",
        "8: shell",
    ]


def test_a_long_function_is_seen() -> None:
    body = "    x = 1\n" * MAX_FUNCTION_LINES
    assert long_functions(ast.parse(f"def f():\n{body}")) == ["f: 61 lines"]
    assert long_functions(ast.parse("def g():\n    return 1\n")) == []
