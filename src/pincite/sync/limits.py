"""What a process that reads files holds itself to: its memory, its time, and the life of its parent."""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
from pathlib import Path
from time import process_time

MEMORY_MB = 2048  # it may take for its files, besides what it has at the start
FILE_SECONDS = 120.0  # for one file; the process that started it ends it then
OCR_TIMES = (
    30  # as long for one that is read with OCR: it takes seconds a page, and a scanned book is one file
)
CPU_TIMES = 2  # as much of the processor's time: it ends what nobody is there to end
_PR_SET_PDEATHSIG = 1  # of Linux's prctl


def end_with(parent: int) -> None:
    """Has this process end when the one that started it does, where the system can; at once if it has."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def limit_memory() -> None:
    """Lets this process take `MEMORY_MB` more than it has now, where the system can hold it to that."""
    pages = int(Path("/proc/self/statm").read_text().split()[5]) if Path("/proc/self/statm").exists() else 0
    _lower(resource.RLIMIT_DATA, pages * resource.getpagesize() + MEMORY_MB * 1_000_000)


def limit_cpu(seconds: float) -> None:
    """Lets this process take so much more of the processor's time than it has taken by now."""
    _lower(resource.RLIMIT_CPU, math.ceil(process_time() + seconds))


def _lower(limit: int, most: int) -> None:
    """Sets a limit that this process may raise again, as far as the one it may not."""
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def peak_kb() -> int:
    """The most memory this process had so far, in kB; 0 where the system counts otherwise."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if sys.platform == "linux" else 0
