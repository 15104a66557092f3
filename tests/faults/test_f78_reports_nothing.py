"""F78: no process leaves a file outside the index, looks up a name or connects, native code included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from libraries import write
from pincite.native import SWITCHES
from samples import samples
from watched import Watched, recorder

TRIES = 12  # seconds after which onnxruntime has tried to send: it waits nine
ASK = """
import sys, time
import pincite
with pincite.open("docs", index=sys.argv[1]) as library:
    library.sync()
    assert library.ask("What is opal2?").claims
import onnxruntime
time.sleep(float(sys.argv[2]))
"""


@pytest.fixture(scope="module")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    return recorder(tmp_path_factory.mktemp("recorder"))


@pytest.fixture
def watched(tmp_path: Path, preload: Path | None) -> Watched:
    """A folder `here/docs` with a file of every format and notes enough for worker processes."""
    notes = {f"note{n}.md": f"# Note {n}\n\nThe valve opal{n} is shut.\n" for n in range(70)}
    write(tmp_path / "all/here/docs", notes | {name: sample.data for name, sample in samples().items()})
    labels = "what is opal1?\tnote1.md\nwhat is opal2?\tnote2.md\n"
    write(tmp_path / "all/here", {"labels.tsv": labels})
    return Watched(tmp_path / "all", preload)


def outside(watched: Watched) -> list[str]:
    """What is there beside the documents, the labels and the index."""
    inside = ("here/docs", "here/labels.tsv", "here/index")
    return sorted(path for path in watched.left() if not path.startswith(inside))


def test_commands_leave_nothing_and_look_nothing_up(watched: Watched) -> None:
    before = watched.left()
    words = ["--in", "docs", "--index", "index", "--model", "english"]
    for command in (
        ["sync", "docs", *words[2:]],
        ["search", "opal3", *words],
        ["ask", "What is opal2?", *words],
        ["explain", "What is opal2?", *words],
        ["eval", "labels.tsv", *words],
        ["why", "labels.tsv", *words],
        ["show", "note1.md:3", *words],
        ["parse", "docs/note1.md"],
        ["status", *words],
        ["config"],
    ):
        done = watched.run("-m", "pincite", *command)
        assert done.returncode == 0, (command, done.stderr)
    assert before < watched.left() and outside(watched) == []
    assert watched.looked_up() == []


def test_an_index_beside_the_documents_is_all_there_is(watched: Watched) -> None:
    assert watched.run("-m", "pincite", "sync", "docs").returncode == 0
    assert watched.run("-m", "pincite", "ask", "What is opal2?", "--in", "docs").returncode == 0
    assert outside(watched) == [] and watched.looked_up() == []
    assert (watched.root / "here/docs/.pincite").is_dir()


def test_a_process_that_lives_on_sends_nothing(watched: Watched) -> None:
    """Also for a program that loads onnxruntime itself, after Pincite."""
    done = watched.run("-c", ASK, "index", TRIES if watched.preload else 0)
    assert done.returncode == 0, done.stderr
    assert outside(watched) == [] and watched.looked_up() == []


def test_the_recorder_sees_look_ups_and_connections(watched: Watched, preload: Path | None) -> None:
    if preload is None:
        pytest.skip("needs Linux and a C compiler (cc)")
    code = """
import ctypes, socket
for act in (
    lambda: socket.getaddrinfo("one.example", 80),
    lambda: socket.gethostbyname_ex("two.example"),
    lambda: socket.create_connection(("127.0.0.1", 9)),
    lambda: socket.socket().connect(("127.0.0.1", 9)),
    lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 53)),
):
    try:
        act()
    except OSError:
        pass
ctypes.CDLL(None).gethostbyname(b"three.example")
"""
    assert watched.run("-c", code).returncode == 0
    seen = watched.looked_up()
    calls = {"getaddrinfo one.example", "getaddrinfo two.example", "gethostbyname three.example"}
    assert calls | {"connect ", "sendto "} <= set(seen)


def test_onnxruntime_alone_would_leave_files(tmp_path: Path) -> None:
    """What the switch is for; once it leaves none, the switch and this test can go."""
    alone = Watched(tmp_path / "alone")
    assert alone.run("-c", "import onnxruntime").returncode == 0
    silent = Watched(tmp_path / "silent")
    assert silent.run("-c", "import pincite, onnxruntime").returncode == 0
    assert silent.left() == set()
    if not alone.left():
        pytest.skip("this onnxruntime keeps no events")


def test_the_switches_hold_whatever_the_environment_says() -> None:
    """And reach the processes that Pincite starts; set, but to nothing, would be as good as not set."""
    off = {**os.environ, **dict.fromkeys(SWITCHES, "0")}
    code = "import json, os, pincite; print(json.dumps(dict(os.environ)))"
    done = subprocess.run([sys.executable, "-c", code], env=off, capture_output=True, text=True, timeout=60)
    assert SWITCHES.items() <= json.loads(done.stdout).items()
    assert set(SWITCHES.values()) == {"1"}


def test_every_way_to_onnxruntime_is_silent(tmp_path: Path) -> None:
    """Its sessions, workers, and packages that load it: nothing of Pincite is there before the switch."""
    ways = ["pincite.models.onnx_session", "pincite.models.minilm", "pincite.sync.worker", "pincite.cli"]
    ways += ["pincite.parse.scans.ocr", "pincite.models.st"]
    also = [name for name in ("rapidocr", "sentence_transformers") if find_spec(name)]
    for number, way in enumerate(ways):
        place = Watched(tmp_path / str(number))
        done = place.run("-c", f"import {', '.join([way, *also, 'onnxruntime'])}")
        assert done.returncode == 0, done.stderr
        assert place.left() == set(), way
