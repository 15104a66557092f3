"""Runs commands in forked copies of one process that has imported everything: a command in 0.1 s, not 0.7.

A line of JSON on standard input is a request, a line on standard output its reply. A request's steps run one
after another in one new process, each as `pincite …` would; it may be killed after a time, or armed with the
preloaded `shim.c`. Started by `commands.py`.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HEAVY = (
    "numpy",
    "onnxruntime",
    "qdrant_edge",
    "tokenizers",
    "py3langid",
    "Stemmer",
    "markdown_it",
    "pincite.cli.commands",
    "pincite.index.opened",
    "pincite.pipeline",
    "pincite.calls.questions",
    "pincite.sync.apply",
)


class Page(ctypes.Structure):
    """What the shim counted: calls, and the name and path of the one it struck at."""

    _fields_ = [("count", ctypes.c_long), ("name", ctypes.c_char * 32), ("path", ctypes.c_char * 1000)]


def shim() -> ctypes.CDLL | None:
    """The preloaded shim, if this process has it."""
    loaded = ctypes.CDLL(None)
    if not hasattr(loaded, "hostile_arm"):
        return None
    loaded.hostile_page.restype = ctypes.POINTER(Page)
    loaded.hostile_arm.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_int]
    return loaded


SHIM = shim()


def serve(requests: Any, replies: Any) -> None:
    """Answers requests until standard input ends."""
    for line in requests:
        with tempfile.TemporaryDirectory(prefix="hostile-") as scratch:
            reply = answer(json.loads(line), Path(scratch))
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def answer(request: dict[str, Any], scratch: Path) -> dict[str, Any]:
    reading, writing = os.pipe()
    started = time.monotonic()
    if (pid := os.fork()) == 0:
        os.close(reading)
        child(request, scratch, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as done:
        status, used, timed_out = wait(pid, request, started, done)
        ended = [json.loads(line) for line in done if line.endswith("\n")]
    steps = [step(scratch, n, ended) for n in range(len(request["steps"])) if (scratch / f"{n}.out").exists()]
    reply = {"steps": steps, "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}
    reply |= {"timed_out": timed_out, "seconds": time.monotonic() - started, "rss_mb": used.ru_maxrss / 1000}
    if SHIM and request.get("arm"):
        page = SHIM.hostile_page().contents
        reply |= {"calls": page.count, "struck": f"{page.name.decode()} {page.path.decode()}".strip()}
    return reply


def step(scratch: Path, number: int, ended: list[dict[str, Any]]) -> dict[str, Any]:
    """What the step wrote, and how it ended, if it did."""
    texts = {
        name: (scratch / f"{number}.{name}").read_bytes().decode("utf-8", "replace")
        for name in ("out", "err")
    }
    return {"code": None, "seconds": None, **texts, **(ended[number] if number < len(ended) else {})}


def wait(pid: int, request: dict[str, Any], started: float, done: Any) -> tuple[int, Any, bool]:
    """Waits for the end; sends the request's signal at its time, and kills what takes too long."""
    strike_at = request.get("kill_after")
    if strike_at is not None and not pause(pid, strike_at):
        target = pid if not request.get("whole_group") else -pid
        try:
            os.kill(target, request.get("signal", signal.SIGKILL))
        except ProcessLookupError:
            pass
    timed_out = not pause(pid, request["timeout"] - (time.monotonic() - started))
    if timed_out:
        os.kill(-pid, signal.SIGKILL)
    _, status, used = os.wait4(pid, 0)
    try:
        os.kill(-pid, signal.SIGKILL)  # workers that outlive the one they work for
    except (ProcessLookupError, PermissionError):
        pass
    return status, used, timed_out


def pause(pid: int, seconds: float) -> bool:
    """Whether the process ended within the time; it is not reaped."""
    handle = os.pidfd_open(pid)
    try:
        return bool(select.select([handle], [], [], max(0.0, seconds))[0])
    finally:
        os.close(handle)


def child(request: dict[str, Any], scratch: Path, report: int) -> None:
    """Runs the steps, and never returns."""
    os.setsid()
    os.chdir(request["cwd"])
    os.environ.update(request.get("env", {}))
    if limit := request.get("file_size"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    arm(request.get("arm"))
    for number, words in enumerate(request["steps"]):
        redirect(scratch, number)
        started = time.monotonic()
        code = run(words)
        sys.stdout.flush()
        sys.stderr.flush()
        line = json.dumps({"code": code, "seconds": time.monotonic() - started}) + "\n"
        os.write(report, line.encode())
    os._exit(0)


def run(words: list[str]) -> int:
    from pincite.cli import main

    try:
        return int(main(words))
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException as error:  # what reaches a user as a traceback
        print(f"Traceback: {type(error).__name__}: {error}", file=sys.stderr)
        return 1


def redirect(scratch: Path, number: int) -> None:
    for handle, name in ((1, "out"), (2, "err")):
        to = os.open(scratch / f"{number}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(to, handle)
        os.close(to)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8", closefd=False) for n in (1, 2))


def arm(plan: dict[str, Any] | None) -> None:
    if not plan:
        return
    if SHIM is None:
        raise SystemExit("the shim is not loaded")
    below = os.fsencode(plan["below"])
    SHIM.hostile_arm(below, plan["classes"], plan["at"], plan["errno"], plan["sticky"])


def main() -> None:
    """Takes standard input and output for itself, so that no command writes into a reply."""
    requests, replies = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    for name in HEAVY:
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # moved: the command imports it itself
    serve(requests, replies)


if __name__ == "__main__":
    main()
