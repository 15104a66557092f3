"""The process in which a regular expression is tried on texts, within limits of memory and time.

It is run as a file of its own and imports nothing of the package, so that it starts fast. It reads a line of
JSON with the expression, then one for each text: the text, its chunks as (point, start, end), how many
points are wanted, and the seconds left. It answers each line with one: the code of what went
wrong and more about it, the points of the chunks that a match touches, and the seconds that took.
"""

from __future__ import annotations

import json
import math
import resource
import sys
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

MEMORY_MB = 256  # it may take for an expression and for each text, besides what it has by then
CPU_SECONDS = 30  # it may take for each: what nobody is there to end any more ends itself
NO_EXPRESSION, TOO_SLOW, TOO_LARGE = "no expression", "too slow", "too large"


def touched(chunks: Iterable[Sequence[int]], spans: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Points of the chunks that a span touches, each once, in order; the spans are read as needed.

    `chunks` are (point, start, end); spans are (start, end), ascend and do not overlap.
    """
    waiting = deque(sorted((start, end, point) for point, start, end in chunks))
    for first, last in spans:
        while waiting and waiting[0][0] < last:
            _, end, point = waiting.popleft()
            if end > first:
                yield point
        if not waiting:
            return


def main() -> None:
    """Answers each line until there are no more."""
    import regex  # not by who imports the limits of this file

    warnings.simplefilter("ignore")
    pattern: Any = None
    for line in sys.stdin:
        task = json.loads(line)
        del line
        _lower(resource.RLIMIT_CPU, math.ceil(time.process_time() + CPU_SECONDS))
        _lower(resource.RLIMIT_DATA, _data_bytes() + MEMORY_MB * 1_000_000)
        code, more, points, started = "", "", [], time.monotonic()
        try:
            if pattern is None:
                pattern = regex.compile(task, regex.MULTILINE)
            else:
                points = _points(pattern, *task)
        except MemoryError:
            code = TOO_LARGE
        except TimeoutError:
            code = TOO_SLOW
        except Exception as error:  # whatever the engine makes of an expression it cannot read
            code, more = NO_EXPRESSION, str(error)
        _lower(resource.RLIMIT_DATA, None)  # the next text may be larger than what an expression may take
        sys.stdout.write(json.dumps([code, more, points, time.monotonic() - started]) + "\n")
        sys.stdout.flush()


def _points(pattern: Any, text: str, chunks: Sequence[Sequence[int]], most: int, seconds: float) -> list[int]:
    found = (match.span() for match in pattern.finditer(text, timeout=seconds))
    return list(islice(touched(chunks, (span for span in found if span[1] > span[0])), most))


def _data_bytes() -> int:
    """The memory this process has by now, as the limit counts it; 0 where the system does not tell."""
    sizes = Path("/proc/self/statm")
    return int(sizes.read_text().split()[5]) * resource.getpagesize() if sizes.exists() else 0


def _lower(limit: int, most: int | None) -> None:
    """Sets a limit that this process may raise again, as far as the one it may not; None for that one."""
    _, hard = resource.getrlimit(limit)
    within = most is not None and (hard == resource.RLIM_INFINITY or most < hard)
    resource.setrlimit(limit, (most if most is not None and within else hard, hard))


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]
    main()
