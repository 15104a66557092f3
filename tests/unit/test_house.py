"""`tools/house.py` on a made-up package: each figure is what a reader would count."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import house
import pytest

SOURCES = {
    "__init__.py": """
from . import calls


def open(folder):
    return calls.Opened()
""",
    "calls.py": """
from pincite.steps import first  # one comment


class Opened:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def search(self, question):
        # another
        total = sum(x for x in range(3))
        if total > 100:
            return "never"
        return first.step(total)
""",
    "steps/__init__.py": "",
    "steps/first.py": """
def step(number):
    return number + 1


def never_called(flag):
    found = [[[z for z in y] for y in x] for x in flag]
    return 1 if flag else 2 if found else 3
""",
    "errors.py": "def late():\n    from pincite import library\n",
    "library.py": """
def is_open(x: int) -> bool:
    return x > 1


N = 2 * is_open(1) + (3 > 2) - 5 * len('')
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        path = tmp_path / "src" / "pincite" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_each_figure_of_a_small_package(root: Path) -> None:
    assert house.standing(root / "src") == {
        "files": 6,
        "lines": sum(text.count("\n") for text in SOURCES.values()),
        "functions": 8,
        "lines of a function, mean": 2.6,
        "lines of a function, longest": ["search 6", "never_called 3", "step 2"],
        "comprehensions per 1,000 lines": round(4000 / sum(t.count("\n") for t in SOURCES.values()), 1),
        "comprehensions three loops deep": 1,
        "nested ternaries": 1,
        "arithmetic on booleans": 2,
        "comment lines, %": {"(all)": 5.1, "(top)": 6.5, "steps": 0.0},
        "files one other imports": 3,
        "of these under 70 lines": 3,
        "imports that point up": 1,
    }


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("[x for x in a]", 0),
        ("[x for y in a for x in y]", 0),
        ("[x for z in a for y in z for x in y]", 1),
        ("{k: [sum(z for z in y) for y in v] for k, v in a}", 1),
        ("[[lambda: [x for x in y] for y in z] for z in a]", 0),
        ("[[[[x for x in y] for y in z] for z in q] for q in a]", 1),
        ("[[x for x in y] for y in z], [[x for x in y] for y in z]", 0),
    ],
)
def test_three_loops_in_one_another(code: str, expected: int) -> None:
    assert house.deep_comprehensions(house.ast.parse(code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a * (b > c)", 1),
        ("(not a) + b", 1),
        ("1 - x.startswith('a')", 1),
        ("2 * known(x)", 1),
        ("a * (b > c and d < e)", 1),
        ("a * (b or 2)", 0),
        ("a + b * len(c)", 0),
        ("a and b > c", 0),
    ],
)
def test_arithmetic_on_what_is_seen_to_be_a_boolean(code: str, expected: int) -> None:
    truths = house.TRUTHS | house.TRUTH_METHODS | {"known"}
    assert house.sums_of_truths(house.ast.parse(code), truths) == expected


def test_what_one_call_runs_is_counted_without_what_is_only_imported(root: Path, tmp_path: Path) -> None:
    """`search` calls `step`; `open`, `__enter__` and `__exit__` stand around it."""
    assert house.entered(root, "search", tmp_path) == {"files": 3, "functions": 5, "lines": 7}


def test_a_revision_is_measured_in_a_worktree_that_is_gone_afterwards(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> None:
        name = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", "-C", str(root), *name, *arguments], check=True, stdout=subprocess.DEVNULL)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    (root / "src" / "pincite" / "later.py").write_text("\n")
    monkeypatch.setattr(house, "HOME", root)
    seen: list[Path] = []

    def files(tree: Path) -> dict[str, object]:
        seen.append(tree)
        return {"files": len(list((tree / "src").rglob("*.py")))}

    assert house.at_revision("HEAD", files) == {"files": 6}
    assert not seen[0].exists()


def test_the_table_has_a_row_for_each_figure_of_a_group() -> None:
    before = {"files": 3, "comment lines, %": {"(all)": 1.5}}
    now = {"files": 2, "comment lines, %": {"(all)": 2.5, "steps": 0.0}}
    assert house.table({"before": before, "now": now}).splitlines() == [
        "| | before | now |",
        "|---|---|---|",
        "| files | 3 | 2 |",
        "| comment lines, %: (all) | 1.5 | 2.5 |",
        "| comment lines, %: steps | – | 0.0 |",
    ]


def test_the_command_says_what_it_takes() -> None:
    help_text = subprocess.run(
        [sys.executable, house.__file__, "--help"], check=True, capture_output=True, text=True
    ).stdout
    assert all(option in help_text for option in ("--root", "--before", "--json", "--save"))


def test_the_committed_figures_have_both_columns_and_the_same_rows() -> None:
    saved = json.loads((house.HOME / "bench" / "results" / "house.json").read_text("utf-8"))
    assert saved["revision before"] == "5f0cf04"
    assert {"files", "ask enters"} <= saved["before"].keys() == saved["now"].keys()
