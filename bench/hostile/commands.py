"""Commands of the program under attack: run one after another, killed, or with failing calls."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).resolve().parent
KNOWN = frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 141, 143})
"""Exit codes with a meaning; 70 is none of them."""
UGLY = ("Traceback", "panicked at", "unexpected ", "internal error", "PanicException")
CHANGE, READ, LOCK = 1, 2, 4
LINE = 400  # characters of a message that are kept


@dataclass(frozen=True, slots=True)
class Ran:
    """One command: its words, exit code (None if it did not end), output and seconds."""

    words: tuple[str, ...]
    code: int | None
    out: str
    err: str
    seconds: float | None

    @property
    def command(self) -> str:
        return "pincite " + shlex.join(self.words)

    @property
    def said(self) -> str:
        """What it told beside its result, shortened."""
        text = " ".join((self.err or (self.out if self.code else "")).split())
        return text if len(text) <= LINE else text[: LINE // 2] + " … " + text[-LINE // 2 :]

    @property
    def ugly(self) -> str:
        """What no command may end with: an unknown exit code, a traceback, a panic; empty if it is fine."""
        if self.code is not None and self.code not in KNOWN:
            return f"exit {self.code}"
        return next((f"{word.strip()!r} on stderr" for word in UGLY if self.code and word in self.err), "")

    def json(self) -> dict[str, Any]:
        try:
            found = json.loads(self.out)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run of several commands in one process."""

    ran: tuple[Ran, ...]
    signal: int
    timed_out: bool
    seconds: float
    rss_mb: float
    calls: int = 0
    struck: str = ""

    @property
    def last(self) -> Ran:
        return self.ran[-1]

    def problem(self, allowed: frozenset[int] = KNOWN) -> str:
        """The first command that did not end as it may; empty if all did."""
        for one in self.ran:
            if one.ugly:
                return f"{one.command}: {one.ugly}: {one.said}"
            if one.code is not None and one.code not in allowed:
                return f"{one.command}: exit {one.code}: {one.said}"
        if self.timed_out:
            return f"{self.ran[-1].command}: not ended after {self.seconds:.0f} s"
        if self.signal:
            return f"{self.ran[-1].command}: ended by signal {self.signal}: {self.ran[-1].said}"
        return ""


@dataclass
class Commands:
    """A process that runs commands, in an environment of its own; use it with `with`."""

    timeout: float = 60.0
    env: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Commands:
        self._home = tempfile.TemporaryDirectory(prefix="hostile-home-")
        words = [sys.executable, str(HERE / "zygote.py")]
        made = environment(Path(self._home.name)) | self.env
        if (library := shim()) is not None:
            made["LD_PRELOAD"] = str(library)
        self._process = subprocess.Popen(
            words, env=made, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._home.cleanup()

    def run(self, cwd: Path, *steps: tuple[str, ...], **how: Any) -> Outcome:
        """Runs steps in one process. `how`: kill_after, signal, whole_group, arm, env, file_size, timeout."""
        request = {"cwd": str(cwd), "steps": steps, "timeout": self.timeout, **how}
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        made = [Ran(tuple(words), **step) for words, step in zip(steps, reply.pop("steps"), strict=False)]
        return Outcome(ran=tuple(made) or (Ran(steps[0], None, "", "", None),), **reply)


def arm(
    below: Path, at: int, *, classes: int = CHANGE, errno: int = 0, sticky: bool = False
) -> dict[str, Any]:
    """At which call on files below a folder to strike: with an errno, or 0 to kill; `at` 0 only counts."""
    return {"below": str(below), "classes": classes, "at": at, "errno": errno, "sticky": int(sticky)}


def environment(home: Path) -> dict[str, str]:
    """The variables of a user without settings, whose files are in `home`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PINCITE_", "OPENAI_", "LD_PRELOAD"))}
    places = {
        name: str(home / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    }
    return kept | places | {"HOME": str(home), "PYTHONUTF8": "1"}


@functools.cache
def shim() -> Path | None:
    """The compiled `shim.c`; None where it cannot be compiled or preloaded."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="hostile-shim-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    to = folder / "shim.so"
    words = [compiler, "-shared", "-fPIC", "-O2", "-w", "-o", str(to), str(HERE / "shim.c"), "-ldl"]
    done = subprocess.run(words, capture_output=True, check=False)
    return to if done.returncode == 0 else None


def traced(home: Path, cwd: Path, words: tuple[str, ...], *options: str) -> subprocess.CompletedProcess[str]:
    """A command under strace with these options."""
    program = [sys.executable, "-m", "pincite", *words]
    return subprocess.run(
        ["strace", "-f", "-qq", *options, *program],
        cwd=cwd,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def system_calls(
    home: Path, cwd: Path, words: tuple[str, ...], names: Sequence[str]
) -> list[tuple[str, int]]:
    """Each system call of these names that a command makes: its name, and which one of its thread it is."""
    log = home / "calls"
    traced(home, cwd, words, "-o", str(log), "-e", f"trace={','.join(names)}")
    found, seen = [], Counter[tuple[str, str]]()
    for line in log.read_text("utf-8", "replace").splitlines():
        thread, _, call = line.partition(" ")
        name = call.strip().partition("(")[0]
        if name in names:
            seen[thread, name] += 1
            found.append((name, seen[thread, name]))
    return found


def kill_at(home: Path, cwd: Path, words: tuple[str, ...], name: str, nth: int) -> bool:
    """Kills a command at a system call of a thread; whether it came to that."""
    inject = f"inject={name}:signal=SIGKILL:when={nth}"
    done = traced(home, cwd, words, "-o", os.devnull, "-e", f"trace={name}", "-e", inject)
    return done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)


def can_trace() -> bool:
    """Whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    probe = ["strace", "-f", "-qq", "-o", os.devnull, "-e", "trace=mkdir", "true"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def killed(outcome: Outcome) -> bool:
    return outcome.signal == signal.SIGKILL and not outcome.timed_out
