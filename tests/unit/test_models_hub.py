"""Hub models: found locally, downloaded only by `pull`, from a hub that runs in the test."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pincite.config import ModelConfig
from pincite.errors import MissingExtraError, ModelError, UsageError
from pincite.models import hub, load_embedder
from tiny_models import onnx_folder

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    return tmp_path


def test_a_pulled_model_is_found_before_the_cache(homes: Path) -> None:
    cached = onnx_folder(homes / f"hf/hub/models--org--tiny/snapshots/{COMMIT}")
    assert hub.find("org/tiny") == cached
    pulled = onnx_folder(homes / "data/pincite/models/org--tiny")
    assert hub.find("org/tiny") == pulled
    assert load_embedder(ModelConfig("hub:org/tiny")).name == "org/tiny"


def test_the_caches_current_snapshot_comes_first(homes: Path) -> None:
    snapshots = homes / "hf/hub/models--org--tiny/snapshots"
    onnx_folder(snapshots / ("a" * 40))
    current = onnx_folder(snapshots / ("b" * 40))
    assert hub.find("org/tiny") == snapshots / ("a" * 40)
    refs = snapshots.parent / "refs"
    refs.mkdir()
    (refs / "main").write_text("b" * 40 + "\n", "utf-8")
    assert hub.find("org/tiny") == current


def test_an_incomplete_copy_is_not_used(homes: Path) -> None:
    folder = onnx_folder(homes / "data/pincite/models/org--tiny")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(MissingExtraError, match="org/tiny is not on this computer"):
        hub.find("org/tiny")


@pytest.mark.parametrize("name", ["../etc", "org/../x", "/etc", "org/x/y", "org--x", "-x/y", "org/tiny\n"])
def test_names_that_are_no_names(name: str) -> None:
    with pytest.raises(UsageError, match="is not a model name of the hub"):
        hub.find(name)


def test_only_what_is_needed_is_downloaded() -> None:
    listed = ["README.md", "config.json", "tokenizer.json", "onnx/model.onnx", "onnx/model_O4.onnx"]
    listed += ["onnx/model.onnx_data", "model.safetensors", "pytorch_model.bin", "1_Pooling/config.json"]
    wanted = ["1_Pooling/config.json", "config.json", "onnx/model.onnx", "onnx/model.onnx_data"]
    assert hub.wanted_files("a/b", listed) == [*wanted, "tokenizer.json"]
    static = ["config.json", "tokenizer.json", "model.safetensors"]
    assert hub.wanted_files("a/b", static) == sorted(static)
    with pytest.raises(ModelError, match="neither onnx/model") as caught:
        hub.wanted_files("a/b", ["config.json", "pytorch_model.bin"])
    assert "st:a/b" in caught.value.hint


@pytest.fixture
def hub_server(tmp_path: Path) -> Iterator[tuple[str, list[str]]]:
    """A hub with one model, `org/tiny`, and the paths that were asked for."""
    folder = onnx_folder(tmp_path / "served")
    (folder / "pytorch_model.bin").write_bytes(b"not wanted")
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            path = self.path.partition("?")[0]
            prefix = "/org/tiny/resolve/"
            if path.startswith("/api/models/org/tiny"):
                self._send(self._listing(path))
            elif path.startswith(prefix) and (name := path[len(prefix) :].partition("/")[2]) in files:
                self._send(files[name].read_bytes())
            else:
                self.send_error(404)

        def do_HEAD(self) -> None:
            self.do_GET()

        def _listing(self, path: str) -> bytes:
            sizes = {name: files[name].stat().st_size for name in sorted(files)}
            tree = [
                {"type": "file", "path": name, "size": size, "oid": "0" * 40} for name, size in sizes.items()
            ]
            info = {"id": "org/tiny", "sha": COMMIT, "siblings": [{"rfilename": name} for name in sizes]}
            return json.dumps(tree if "/tree/" in path else info).encode()

        def _send(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
            self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()
        thread.join()


PULL = """
from pincite.errors import PinciteError
from pincite.models import pull
import sys
try:
    print(pull(sys.argv[1]))
except PinciteError as error:
    print(type(error).__name__, error.message)
"""


PINCITE = """
import sys
from pincite.cli import main
sys.exit(main())
"""


def pull_from(endpoint: str, name: str) -> str:
    """What `pull` returns or raises in a process of its own: the client reads its settings once."""
    env = {
        **os.environ,
        "HF_ENDPOINT": endpoint,
        "NO_PROXY": "127.0.0.1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }
    run = subprocess.run([sys.executable, "-c", PULL, name], env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_pull_makes_a_model_that_loads(homes: Path, hub_server: tuple[str, list[str]]) -> None:
    endpoint, asked = hub_server
    assert pull_from(endpoint, "org/tiny") == str(homes / "data/pincite/models/org--tiny")
    assert not any("pytorch_model.bin" in path for path in asked)
    made = homes / "data/pincite/models"
    assert [path.name for path in made.iterdir()] == ["org--tiny"]
    assert load_embedder(ModelConfig("hub:org/tiny")).dimension == 16
    before = len(asked)
    pull_from(endpoint, "org/tiny")
    assert len(asked) == before


def test_pull_of_an_unknown_model_is_one_error(homes: Path, hub_server: tuple[str, list[str]]) -> None:
    said = pull_from(hub_server[0], "org/nothing")
    assert said.startswith("ModelError hub model org/nothing could not be downloaded: ")
    assert not hub.pulled("org/nothing").exists()


def test_what_goes_wrong_is_said_once_and_by_us(homes: Path) -> None:
    env = {**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
    command = [
        sys.executable,
        "-c",
        f"import time; time.sleep = lambda _: None\n{PINCITE}",
        "pull",
        "org/tiny",
    ]
    run = subprocess.run(command, env=env, capture_output=True, text=True)
    assert run.returncode == ModelError.exit_code and run.stdout == ""
    lines = run.stderr.splitlines()
    assert len(lines) == 2, run.stderr
    assert lines[0].startswith("pincite: hub model org/tiny could not be downloaded: ")
