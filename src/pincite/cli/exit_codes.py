"""Exit codes that are no error's; those of errors are in `pincite.errors`."""

from __future__ import annotations

DONE = 0
NOT_PASSED = 1
"""A gate does not hold, or what was measured says nothing."""
IN_PART = 8
"""Some of it failed or waits."""
UNEXPECTED = 70
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143
