"""F75: with local models nothing opens a connection, and a missing model is one clear error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sample"
# Every way to a socket raises and is counted; `sitecustomize` puts it into worker processes too.
GUARD = """
import os, socket

def _refuse(event, values):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        with open(os.environ["SOCKET_LOG"], "a") as log:
            log.write(f"{event} {values!r}\\n")
        raise OSError(f"no network here: {event}")

import sys
sys.addaudithook(_refuse)
"""


@pytest.fixture
def offline(tmp_path: Path) -> dict[str, str]:
    """An environment in which no Python process can use a socket; attempts stand in `attempts.log`."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(GUARD)
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("PINCITE_", "OPENAI_", "HF_"))}
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9")
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    log = {"SOCKET_LOG": str(tmp_path / "attempts.log"), "PYTHONPATH": str(site)}
    return {**keep, **proxies, **home, **log}


def run(env: dict[str, str], *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pincite", *map(str, words)]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=100)


def attempts(env: dict[str, str]) -> str:
    log = Path(env["SOCKET_LOG"])
    return log.read_text() if log.exists() else ""


def test_the_guard_sees_a_connection(offline: dict[str, str]) -> None:
    code = "import urllib.request as r\ntry: r.urlopen('http://127.0.0.1:9/')\nexcept OSError as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], env=offline, capture_output=True, text=True)
    assert "no network here" in done.stdout
    assert "socket.connect" in attempts(offline) or "socket.getaddrinfo" in attempts(offline)


def test_sync_search_and_ask_use_no_socket(offline: dict[str, str], tmp_path: Path) -> None:
    """With enough files for worker processes, and with both bundled models."""
    root = tmp_path / "docs"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".pincite"))
    for number in range(70):
        (root / f"note{number}.md").write_text(f"# Note {number}\n\nItem {number}.\n")
    synced = run(offline, "sync", root, "--json", "--model", "english")
    assert (synced.returncode, json.loads(synced.stdout)["dense_complete"]) == (0, 1)
    for words in (["search", "battery"], ["ask", "Can I immerse it?"], ["status"], ["show", "note1.md:3"]):
        assert run(offline, *words, "--in", root, "--json").returncode == 0
    other = run(offline, "search", "电池", "--in", root, "--index", tmp_path / "i", "--model", "multilingual")
    assert other.returncode == 0
    assert attempts(offline) == ""


def test_a_missing_hub_model_is_one_clear_error(offline: dict[str, str], tmp_path: Path) -> None:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_text("# A\n\nopal-1\n")
    done = run(offline, "sync", root, "--model", "hub:nobody/no-such-model")
    assert done.returncode == 3
    assert "nobody/no-such-model" in done.stderr and "pincite pull" in done.stderr
    assert str(tmp_path / "cache") in done.stderr or str(tmp_path / "home") in done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) < 8
    assert attempts(offline) == ""


def test_parsing_needs_no_model_file(offline: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("# A\n\nopal-1\n")
    done = run(offline, "parse", file, "--json")
    assert done.returncode == 0 and "opal-1" in done.stdout
    assert attempts(offline) == ""
