"""A regular expression that a person gave, tried on texts in a process of its own within hard limits.

What an expression may cost is not seen in it: the engine copies what is repeated, keeps each step it may
have to take back, and looks at its clock now and then only. A process can be held to memory and ended.
"""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from pincite import expression_process as process
from pincite.errors import StoreError, UsageError

SECONDS = 5.0
"""What all texts of a search together may take, the expression itself included."""
LONGEST = 100_000  # characters of an expression
_GRACE = 1.0  # seconds for the engine to see that its time is over, before the process is ended
_READ = 5_000_000  # characters a second that the process reads at least: its clock runs from then on
_DIED = "died"

Chunk = tuple[int, int, int]  # (point, start, end)


class Expression:
    """A compiled expression, to be used with `with`. Raises `UsageError` for a bad, slow or large one."""

    def __init__(self, expression: str, *, seconds: float = SECONDS) -> None:
        self._shown = repr(expression if len(expression) <= 80 else f"{expression[:80]}…")
        if len(expression) > LONGEST:
            raise UsageError(f"--regex: longer than {LONGEST:,} characters", stage="search")
        self._seconds, self._left = seconds, seconds
        self._process = _started()
        try:
            self._answer(expression)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Expression:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def points(self, text: str, chunks: Sequence[Chunk], *, most: int) -> list[int]:
        """The first `most` points of chunks that a match touches, by place; an empty match is none."""
        return self._answer([text, chunks, most, max(0.001, self._left)])

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            try:
                _stream(stream).close()
            except OSError:
                continue  # what it was still to be sent is lost with it

    def _answer(self, task: object) -> list[int]:
        line = self._line(json.dumps(task, ensure_ascii=False))
        if not line:
            raise self._refused(_DIED, f"exit code {self._process.wait()}")
        code, more, points, seconds = json.loads(line)
        self._left -= seconds
        if code:
            raise self._refused(code, more)
        return list(points)

    def _line(self, task: str) -> str:
        """The answer to a task; "" when the process died of it."""
        try:
            _stream(self._process.stdin).write(task + "\n")
            _stream(self._process.stdin).flush()
        except OSError:
            return ""
        with selectors.DefaultSelector() as ready:
            ready.register(_stream(self._process.stdout), selectors.EVENT_READ)
            if not ready.select(max(0.0, self._left) + _GRACE + len(task) / _READ):
                raise self._refused(process.TOO_SLOW, "")
        return _stream(self._process.stdout).readline()

    def _refused(self, code: str, more: str) -> UsageError:
        match code:
            case process.NO_EXPRESSION:
                what, hint = f"is not a regular expression: {more[:200]}", "docs/cli/search.md shows examples"
            case process.TOO_SLOW:
                what = f"took longer than {self._seconds:g} s over the library"
                hint = "make it simpler, or narrow the search with --filter"
            case process.TOO_LARGE:
                what = f"takes more than {process.MEMORY_MB} MB of memory"
                hint = "repeat less in it, without recursion and with small numbers in { }"
            case _:
                what, hint = f"ended the process that tried it ({more})", "make it simpler"
        return UsageError(f"--regex: {self._shown} {what}", stage="search", hint=hint)


def _started() -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            [sys.executable, "-P", str(Path(process.__file__))], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", errors="surrogatepass",
        )  # fmt: skip
    except OSError as error:
        raise StoreError(
            f"a process that tries a regular expression could not start ({error.strerror or error})",
            stage="search",
            hint="free some memory, or install pincite anew",
        ) from error


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
