"""Label files for tests: writing them, and what an error says of each place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pincite.errors import InputError
from pincite.evaluate.questions import read_questions


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    """The path of a file with this content."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def refused(path: Path, qrels: Path | None = None) -> list[str]:
    """What the error says of each place."""
    with pytest.raises(InputError) as caught:
        read_questions(path, qrels)
    return [line.strip() for line in caught.value.message.split("\n")[1:]]


def jsonl(*rows: Mapping[str, object]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(row) + "\n" for row in rows)
