"""A shard that came from elsewhere is tried in a process of its own, within limits, before it is opened here.

The engine takes what it reads at its word: one wrong length and it takes all memory, fills the disk or ends
the process it runs in.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pincite.index import trial_process

SECONDS = 300.0
"""What a trial may take; a hundred thousand chunks take some ten."""


def withstands(shard: Path, *, terms: str, dense: str) -> bool:
    """Whether the engine opens a shard, reads it and searches in it within limits. It writes to the shard.

    `terms` and `dense` name the field and the vectors that are searched.
    """
    if not sys.executable:  # Python runs inside another program
        return False
    command = [sys.executable, "-P", str(Path(trial_process.__file__)), str(shard), terms, dense]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
