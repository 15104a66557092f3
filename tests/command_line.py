"""Commands run in this process, in an empty folder, without the user's settings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in an empty folder; gives exit code, stdout and stderr."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in [n for n in os.environ if n.startswith(("PINCITE_", "OPENAI_"))]:
        monkeypatch.delenv(name)

    def command(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return command


def read(text: str) -> dict[str, Any]:
    """The one JSON object `text` is."""
    found = json.loads(text)
    assert isinstance(found, dict)
    return found
