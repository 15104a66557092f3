"""Progress on stderr: a line written over on a terminal; elsewhere at most one line in ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from pincite.cli.terminal import printable, visible
from pincite.types import Progress

_LABELS = {
    "read": "Reading",
    "embed": "Embedding",
    "ask": "Asking",
    "answer": "Answering",
    "diagnose": "Diagnosing",
    "draft": "Drafting",
    "tune": "Trying",
    "verdict": "Judging by",
}
_BUILDS = frozenset({"read", "embed"})
_EVERY_TTY, _EVERY_PLAIN = 0.1, 10.0  # seconds between two lines


class ProgressLine:
    """A progress callback; `notice` is written before the first step that builds, `quiet` writes nothing.

    Rate and remaining time count from the first step of each stage, so what an earlier run had done does
    not make this one look faster.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        notice: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._quiet = quiet or self._stream is None
        self._notice = notice
        self._clock = clock
        self._tty = self._stream is not None and self._stream.isatty()
        self._stage = ""
        self._start = (0.0, 0)  # when the stage began, and how much was done then
        self._shown = clock()
        self._open = False  # whether a line on the terminal waits to be ended

    def __call__(self, step: Progress) -> None:
        """Shows `step` if it is time to."""
        if self._quiet:
            return
        now = self._clock()
        if self._notice and step.stage in _BUILDS:
            self._write(self._notice + "\n")
            self._notice = ""
        if step.stage != self._stage:
            self.close()
            self._stage, self._start = step.stage, (now, step.done)
        if now - self._shown >= (_EVERY_TTY if self._tty else _EVERY_PLAIN):
            self._shown = now
            self._show(line(step, seconds=now - self._start[0], before=self._start[1]))

    def say(self, text: str) -> None:
        """Writes a note above the line, such as how long a server has the run wait."""
        if not self._quiet:
            self.close()
            self._write(f"Note: {visible(text)}\n")

    def close(self) -> None:
        """Clears the line on a terminal."""
        if self._open:
            self._write("\r\x1b[2K")
            self._open = False

    def _show(self, text: str) -> None:
        self._write(f"\r\x1b[2K{text}" if self._tty else f"{text}\n")
        self._open = self._tty

    def _write(self, text: str) -> None:
        self._stream.write(printable(text, self._stream))
        self._stream.flush()


def line(step: Progress, *, seconds: float, before: int) -> str:
    """`Embedding 1,200 of 4,800 chunks (25 %), 52 chunks/s, 1:09 left`."""
    size, unit = _unit(step)
    label = _LABELS.get(step.stage, step.stage)
    share = f" ({100 * step.done // step.total} %)" if step.total else ""
    text = f"{label} {_amount(step.done, size)} of {_amount(step.total, size)} {unit}{share}"
    rate = (step.done - before) / seconds if seconds > 0 else 0.0
    if rate > 0:
        text += f", {_amount(rate, size)} {unit}/s, {_clock_time((step.total - step.done) / rate)} left"
    return f"{text}  {visible(step.uri)[:60]}".rstrip().replace("\n", " ")


def _unit(step: Progress) -> tuple[int, str]:
    """How many of the step's units make one of those shown, and its name."""
    if step.unit != "bytes":
        return 1, step.unit
    return (1_000_000, "MB") if step.total >= 1_000_000 else (1_000, "kB")


def _amount(value: float, size: int) -> str:
    return f"{value / size:,.1f}" if size > 1 else f"{value:,.0f}"


def _clock_time(seconds: float) -> str:
    """`0:09`, `12:30`, `3:05:00`."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
