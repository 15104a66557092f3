"""A function called in a process of its own, within a limit of time and memory."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SECONDS = 20.0
_MEMORY = 6_000_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """`state` is "done", "error" (`value` says what it raised), "crash" or "hang".

    `seconds` are those of the processor, which a busy machine changes little; of a hang those of the clock.
    """

    state: str
    seconds: float
    value: Any


def bounded(function: Callable[[], Any], seconds: float = SECONDS) -> Outcome:
    """What the function returns, as JSON can carry it. What was imported before costs no time here."""
    reading, writing = os.pipe()
    started = time.monotonic()
    child = os.fork()
    if not child:
        os.close(reading)
        _child(function, writing)
    os.close(writing)
    try:
        told = _read(reading, started + seconds)
    finally:
        os.close(reading)
    took = time.monotonic() - started
    if told is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if told is None:
        return Outcome("hang", took, f"over {seconds:.0f} s")
    if not told.endswith(b"\n"):
        return Outcome("crash", took, f"ended with status {os.waitstatus_to_exitcode(status)}")
    state, value, spent = json.loads(told)
    return Outcome(state, spent, value)


def _read(source: int, deadline: float) -> bytes | None:
    """All that is written until the other side ends; None if the time is over before."""
    told = bytearray()
    while True:
        ready, _, _ = select.select([source], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        piece = os.read(source, 1 << 16)
        if not piece:
            return bytes(told)
        told += piece


def _child(function: Callable[[], Any], writing: int) -> None:
    """Never returns."""
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        started = time.process_time()
        try:
            told = ["done", function(), 0.0]
        except Exception as error:  # whatever a parser sets off is its outcome
            trace = traceback.extract_tb(error.__traceback__)
            where = f"{trace[-1].filename.rpartition('/')[2]}:{trace[-1].lineno}" if trace else ""
            told = ["error", f"{type(error).__name__}: {str(error)[:500]} ({where})", 0.0]
        told[2] = time.process_time() - started
        with os.fdopen(writing, "wb") as out:
            out.write(json.dumps(told).encode() + b"\n")
    finally:
        sys.stdout.flush()
        os._exit(0)
