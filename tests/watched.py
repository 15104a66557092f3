"""Processes with empty folders for everything, in which every file left behind and every look-up is seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_RECORDER = Path(__file__).with_name("network_recorder.c")


def recorder(folder: Path) -> Path | None:
    """The library that records look-ups and connections of all native code; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    library = folder / "recorder.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-w", "-o", library, _RECORDER], check=True, timeout=60)
    return library


@dataclass(frozen=True)
class Watched:
    """Runs Python below `root`, which also holds home, temporary and current folder."""

    root: Path
    preload: Path | None = None

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """`python` with these arguments, in an empty environment."""
        for name in ("home", "tmp", "here"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        env = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NETWORK_LOG": str(self._log),
        }
        if self.preload:
            env["LD_PRELOAD"] = str(self.preload)
        command = [sys.executable, *map(str, words)]
        return subprocess.run(
            command, env=env, cwd=self.root / "here", capture_output=True, text=True, timeout=110
        )

    @property
    def _log(self) -> Path:
        return self.root.with_name(f"{self.root.name}.network")

    def looked_up(self) -> list[str]:
        """The calls that were made and the names they were made for, in order."""
        return self._log.read_text("utf-8").splitlines() if self._log.exists() else []

    def left(self) -> set[str]:
        """All files and folders below `root`, but for those made in advance."""
        made = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*")}
        return made - {"home", "tmp", "here"}
