"""Finished measurements on disk, one a line, so that tuning goes on where it was interrupted."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pincite.errors import StoreError
from pincite.evaluate.checked import an_object, number, text, whole

_MAX_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Measurement:
    """One setting over some questions: the measure by question, and what it costs.

    `p50` and `p95` are milliseconds a search, the question's vector at hand. `index_seconds` and
    `index_mb` are those of the index it was measured on; 0 where it was not made for it. `failed` counts
    searches that raised an error: they count as 0. Of context recall the milliseconds are those of making a
    context, and `tokens` is the mean size of these; else it is 0.
    """

    values: Mapping[str, float]
    p50: float
    p95: float
    index_seconds: float = 0.0
    index_mb: float = 0.0
    failed: int = 0
    tokens: float = 0.0


class TrialLog:
    """A file of measurements by key. A torn line, or one that something else wrote, is passed over.

    `from_before` are the keys that were there when the file was opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Measurement] = {}
        data = self._read()
        whole_lines = data[: data.rfind(b"\n") + 1]
        for line in whole_lines.splitlines():
            try:
                row = an_object(json.loads(line), "a line")
                self._known[text(row, "key")] = _measurement(row)
            except (ValueError, RecursionError):
                continue
        self.from_before = frozenset(self._known)
        if whole_lines != data:
            with self._opened(os.O_RDWR) as handle:
                handle.truncate(len(whole_lines))

    def get(self, key: str, ids: Collection[str]) -> Measurement | None:
        """The measurement under a key, if it is one of these questions."""
        found = self._known.get(key)
        return found if found is not None and found.values.keys() == set(ids) else None

    def add(self, key: str, measured: Measurement) -> None:
        """Writes a measurement down, on the disk when this returns."""
        row = json.dumps({"key": key, **asdict(measured)}, ensure_ascii=True, allow_nan=False)
        with self._opened(os.O_RDWR | os.O_CREAT | os.O_APPEND) as handle:
            handle.write(row.encode("ascii") + b"\n")
            handle.flush()
            os.fsync(handle.fileno())
        self._known[key] = measured

    def _read(self) -> bytes:
        if not self._path.exists() and not self._path.is_symlink():
            return b""
        with self._opened(os.O_RDONLY) as handle:
            data: bytes = handle.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise StoreError(f"{self._path}: larger than {_MAX_BYTES >> 20} MB", stage="evaluate")
        return data

    def _opened(self, flags: int) -> Any:
        """The file, opened; a link is not followed."""
        try:
            handle = os.open(self._path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be opened: {error.strerror}", stage="evaluate") from error
        return os.fdopen(handle, "rb" if flags == os.O_RDONLY else "r+b")


def _measurement(row: Mapping[str, Any]) -> Measurement:
    values = an_object(row.get("values"), "values")
    return Measurement(
        values={one: number(values, one) for one in values},
        p50=number(row, "p50"),
        p95=number(row, "p95"),
        index_seconds=number(row, "index_seconds"),
        index_mb=number(row, "index_mb"),
        failed=whole(row, "failed", least=0),
        tokens=number(row, "tokens"),
    )
