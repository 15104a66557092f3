"""A regular expression costs no more than it may, whatever it is, and the process it runs in is ended."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from libraries import library, uris
from pincite import expression_process as process
from pincite.errors import StoreError, UsageError
from pincite.expression import Expression
from pincite.library import Library

COSTLY = [
    "(?R)",
    "a(?R)",
    "a(?R)?b",
    "(a(?1)?)",
    "(?P<x>a(?&x)?)c",
    "(?(DEFINE)(?<x>a(?&x)))(?&x)",
    "((a{1000}){1000}){1000}",
    "a{1000000000}",
    "(?:ab|cd){1000000}",
    "(?:(?:a{1,100}b?){1,10000}){1,10000}\\d",
    "(?:(a)|(b))*[0-9]",
    "(a|b)*?\\d",
    "(?s)(.)+\\d",
    "(?:(?:a|b)+)+\\d",
    "(?:[ab]b?)*\\d",
    "(?:a|a|aa)+c",
    "(?<=(a|b)*)\\d",
    "(?r)\\d(?:(a)|(b))*",
]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with library(tmp_path_factory.mktemp("costly"), {"a.txt": "ab " + "ab" * 1_500_000 + "\n"}) as opened:
        opened.sync()
        yield opened


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Watched(subprocess.Popen[str]):
    """A process whose own peak of memory and seconds of work are looked at before it is ended.

    What the system counts for children holds the memory of the one that started them.
    """

    seen: ClassVar[list[tuple[float, float]]] = []

    def kill(self) -> None:
        """Notes megabytes and seconds, and ends the process."""
        peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        assert peak, "it has ended by itself"
        user, system = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        self.seen.append((int(peak[1]) / 1024, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")))
        super().kill()


@pytest.mark.parametrize("expression", COSTLY)
def test_an_expression_is_answered_or_refused_within_its_memory_and_time(
    expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", Watched)
    monkeypatch.setattr(Watched, "seen", [])
    text, before = "ab" * 1_500_000, peak_mb()
    try:
        with Expression(expression, seconds=2.0) as tried:
            assert tried.points(text, [(1, 0, len(text))], most=9) in ([], [1])
    except UsageError as error:
        assert "--regex" in error.message and error.hint and len(error.message) < 400
    ((peak, seconds),) = Watched.seen
    assert seconds < 4.5 and peak < process.MEMORY_MB + 150
    assert peak_mb() - before < 100


def test_what_costs_too_much_is_a_usage_error_of_the_search(lib: Library) -> None:
    for expression in ("(?R)", "((a{1000}){1000}){1000}", "(?:(a)|(b))*[0-9]"):
        with pytest.raises(UsageError, match="MB of memory") as caught:
            lib.search(expression, regex=True)
        assert "recursion" in caught.value.hint
    assert uris(lib.search(r"^ab\b", regex=True)) == ["a.txt"]


def test_an_expression_longer_than_any_is_refused() -> None:
    with pytest.raises(UsageError, match="longer than"):
        Expression("a" * 100_001)


def test_every_process_is_ended(lib: Library) -> None:
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    before = children.read_text()
    lib.search("ab", regex=True, k=1)
    with pytest.raises(UsageError):
        lib.search("(", regex=True)
    assert children.read_text() == before


def test_a_process_that_cannot_start_or_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(UsageError, match=r"ended the process that tried it \(exit code 1\)"):
        Expression("a")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(StoreError, match="could not start"):
        Expression("a")


def test_matches_are_those_of_the_engine_in_any_script() -> None:
    text = "Ma\u0308nner 水泵 \U0001f600 end\r\nthe end\n"
    with Expression(r"(?i)水|\U0001f600|^THE") as tried:
        assert tried.points(text, [(n, n, n + 1) for n in range(len(text))], most=9) == [
            text.index("水"), text.index("\U0001f600"), *range(text.index("the"), text.index("the") + 3)
        ]  # fmt: skip


def test_a_text_may_be_larger_than_what_an_expression_may_take() -> None:
    with Expression("z") as tried:
        for text in ("z", "水" * 60_000_000 + "z"):
            assert tried.points(text, [(1, len(text) - 1, len(text))], most=1) == [1]


def test_the_process_imports_nothing_of_the_package() -> None:
    probe = f"import sys, runpy; runpy.run_path({process.__file__!r}); print('pincite' in sys.modules)"
    found = subprocess.run([sys.executable, "-P", "-c", probe], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
