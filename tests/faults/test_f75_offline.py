"""F75: with local models nothing opens a connection, and a missing model is one clear error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from embedding_server import embedding_server
from tiny_models import onnx_folder

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


# ── without the model ─────────────────────────────────────────────────────────────────────────
MISSING = ("--model", "hub:nobody/tiny")


def notes(root: Path, n: int) -> None:
    """Enough notes for worker processes, if there are more than 64."""
    root.mkdir(exist_ok=True)
    for number in range(n):
        (root / f"note{number}.md").write_text(f"# Note {number}\n\nThe valve opal{number} is shut.\n")


def found(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return [hit["uri"] for hit in json.loads(done.stdout)["hits"]]


@pytest.mark.parametrize("files", [3, 70])
def test_a_first_sync_without_the_model_is_completed_with_it(
    files: int, offline: dict[str, str], tmp_path: Path
) -> None:
    """The lexical index stands, every text waits, the reason is told; what is searched by words is found."""
    root = tmp_path / "docs"
    notes(root, files)
    env = {**offline, "XDG_DATA_HOME": str(tmp_path / "data")}
    first = run(env, "sync", root, *MISSING, "--json")
    report = json.loads(first.stdout)
    assert first.returncode == report_code(report) == 3
    assert (report["indexed"], report["chunks"], report["embedded"]) == (files, files, 0)
    assert len(report["pending"]) == files and report["dense_complete"] == 0
    assert (
        "nobody/tiny is not on this computer" in first.stderr and "pincite pull nobody/tiny" in first.stderr
    )
    words = ("--in", root, "--json", *MISSING)
    assert found(run(env, "search", "opal2", "--legs", "lexical", *words)) == ["note2.md"]
    for command in ("ask", "explain"):
        done = run(env, command, "What is opal2?", "--legs", "lexical", *words)
        assert done.returncode == 0 and "opal2 is shut" in done.stdout
    refused = run(env, "search", "opal2", *words)
    assert refused.returncode == 3 and "pincite pull nobody/tiny" in refused.stderr
    status = run(env, "status", "--in", root, *MISSING)
    assert status.returncode == 0 and "not here yet" in status.stdout
    again = json.loads(run(env, "sync", root, *MISSING, "--json").stdout)
    assert (again["unchanged"], again["changed"], len(again["pending"])) == (files, [], files)

    onnx_folder(tmp_path / "data/pincite/models/nobody--tiny")
    late = run(env, "search", "opal2", *words)
    assert late.returncode == 5 and "run: pincite sync" in late.stderr
    second = run(env, "sync", root, *MISSING, "--json")
    report = json.loads(second.stdout)
    assert second.returncode == 0 and report["dense_complete"] == 1 and report["pending"] == []
    assert report["embedded"] == files
    assert "note2.md" in found(run(env, "search", "opal2", *words))
    assert attempts(env) == ""


def report_code(report: dict[str, object]) -> int:
    return 3 if report["missing"] and report["error"] else 0


def test_a_model_that_is_gone_costs_no_vector(offline: dict[str, str], tmp_path: Path) -> None:
    """What is new is found by words and waits; what was embedded stays, however the model counts."""
    root, model = tmp_path / "docs", tmp_path / "data/pincite/models/nobody--tiny"
    notes(root, 3)
    env = {**offline, "XDG_DATA_HOME": str(tmp_path / "data")}
    onnx_folder(model)
    assert run(env, "sync", root, *MISSING).returncode == 0
    model.rename(tmp_path / "gone")
    (root / "note1.md").write_text("# Note 1\n\nThe valve ruby1 is shut.\n")
    (root / "note2.md").touch()
    done = run(env, "sync", root, *MISSING, "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["changed"], report["pending"]) == (3, ["note1.md"], ["note1.md"])
    assert report["unchanged"] == 2
    lexical = ("--legs", "lexical", "--in", root, "--json", *MISSING)
    assert found(run(env, "search", "ruby1", *lexical)) == ["note1.md"]
    assert found(run(env, "search", "opal1", *lexical)) == []
    (tmp_path / "gone").rename(model)
    done = run(env, "sync", root, *MISSING, "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["embedded"], report["dense_complete"]) == (0, 1, 1)


def test_words_are_searched_without_the_model(offline: dict[str, str], tmp_path: Path) -> None:
    """In a folder nobody read, and beside an index of another model, which a sync with it does not harm."""
    root = tmp_path / "docs"
    notes(root, 3)
    lexical = ("--legs", "lexical", "--in", root, "--json", *MISSING)
    fresh = run(offline, "search", "opal1", *lexical, "--index", tmp_path / "fresh")
    assert found(fresh) == ["note1.md"]
    assert run(offline, "sync", root, "--model", "english").returncode == 0
    beside = run(offline, "search", "opal1", *lexical)
    assert found(beside) == ["note1.md"]
    assert "made with english" in beside.stderr and "by words alone" in beside.stderr
    assert run(offline, "search", "opal1", "--in", root, *MISSING).returncode == 5
    refused = run(offline, "sync", root, *MISSING)
    assert refused.returncode == 3 and "nobody/tiny is not on this computer" in refused.stderr
    kept = json.loads(run(offline, "status", "--in", root, "--json").stdout)
    assert (kept["model"], kept["dense_complete"]) == ("english", 1)
    assert attempts(offline) == ""


def test_a_file_is_parsed_without_the_model(offline: dict[str, str], tmp_path: Path) -> None:
    notes(tmp_path / "docs", 1)
    done = run(offline, "parse", tmp_path / "docs/note0.md", *MISSING, "--json")
    assert done.returncode == 0 and "opal0" in done.stdout
    assert "sizes in tokens are estimates" in done.stderr
    assert json.loads(done.stdout)["estimated"] == "hub:nobody/tiny"


def test_measuring_and_reporting_use_no_socket(offline: dict[str, str], tmp_path: Path) -> None:
    root, labels = tmp_path / "docs", tmp_path / "labels.tsv"
    notes(root, 3)
    labels.write_text("which valve is opal1?\tnote1.md\nwhich valve is opal2?\tnote2.md\n")
    assert run(offline, "sync", root, "--model", "english").returncode == 0
    page = tmp_path / "page.html"
    for words in (
        ["eval", labels, "--save", "one"],
        ["report", "one", "-o", page],
        ["why", labels],
        ["explain", "which valve is opal1?"],
        ["config"],
    ):
        done = run(offline, *words, "--in", root)
        assert done.returncode == 0, (words, done.stderr)
    assert page.is_file()
    assert attempts(offline) == ""


def test_no_proxy_holds_for_a_server_on_this_computer(
    offline: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every proxy named leads nowhere: only a connection that goes round it can give vectors."""
    root = tmp_path / "docs"
    notes(root, 3)
    open_env = {k: v for k, v in offline.items() if k not in ("PYTHONPATH", "no_proxy", "NO_PROXY")}
    open_env |= {"HTTP_PROXY": "http://127.0.0.1:9", "OPENAI_API_KEY": "", "NO_PROXY": "127.0.0.1"}
    with embedding_server() as server:
        env = {**open_env, "PINCITE_MODEL": "api:tiny", "PINCITE_EMBED_BASE_URL": server.url}
        done = run(env, "sync", root, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["embedded"] == 3
