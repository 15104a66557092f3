"""A stand-in model that fails in the ways models fail: for one text, for all, or by a killed process."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from embedders import maker
from pincite.config import Config
from pincite.errors import ModelError
from pincite.library import Library
from pincite.protocols import Embedder, Vectors
from pincite.types import Span, SyncReport

_NOBODY = 65534


class HashedWords:
    """Unit vectors of 32 numbers: each word adds one to the place its hash names. One token a word.

    `fails_for` raises `ModelError` for a text that holds the word, `down` for every text; `dies_after`
    kills the process once so many texts are embedded. `seen` has every document text, in order.
    """

    name = "hashed-words"
    dimension = 32
    limit = 256

    def __init__(self, fingerprint: str = "hashed-words-1", *, dimension: int = 32) -> None:
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.seen: list[str] = []
        self.fails_for = ""
        self.down = False
        self.dies_after = -1

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def spans(self, text: str) -> list[Span]:
        return [Span(*found.span()) for found in re.finditer(r"\S+", text)]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        rows = [self._document(text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimension), np.float32)

    def _document(self, text: str) -> Vectors:
        if self.down:
            raise ModelError("the model is down", retryable=True)
        if self.fails_for and self.fails_for in text:
            raise ModelError(f"no vector for {self.fails_for}")
        if len(self.seen) == self.dies_after:
            os.kill(os.getpid(), signal.SIGKILL)
        self.seen.append(text)
        return self.embed_query(text)

    def embed_query(self, text: str) -> Vectors:
        vector = np.zeros(self.dimension, np.float32)
        vector[0] = 0.01  # a text without words has a direction too
        for word in re.findall(r"[\w-]+", text.lower()):
            digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()
            vector[int.from_bytes(digest, "big") % self.dimension] += 1
        return np.asarray(vector / np.linalg.norm(vector), np.float32)

    def close(self) -> None:
        pass


def library(
    root: Path, embedder: Embedder | None = None, *, config: Config | None = None, index: Path | None = None
) -> Library:
    """The library of a folder with a stand-in for its model."""
    make = maker(embedder or HashedWords())
    return Library(root, index or root / ".pincite", config or Config(), make_embedder=make)


def synced(root: Path, embedder: Embedder | None = None, *, index: Path | None = None) -> SyncReport:
    """The report of a sync of the folder; the library is closed again."""
    with library(root, embedder, index=index) as opened:
        return opened.sync()


def uris(opened: Library, text: str, *legs: str) -> list[str]:
    """The files of the ten best hits, best first."""
    return [hit.stored.uri for hit in opened.search(text, legs=legs or None).hits]


@contextmanager
def not_root() -> Iterator[None]:
    """Inside, permissions count as for any user, even when tests run as root. Import before what you need."""
    if os.geteuid():
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def anyones_folder() -> Iterator[Path]:
    """A temporary folder that whoever `not_root` is owns, below folders everybody may enter."""
    folder = Path(mkdtemp()).resolve()
    folder.chmod(0o755)
    if not os.geteuid():
        os.chown(folder, _NOBODY, _NOBODY)
    try:
        yield folder
    finally:
        for path in [path for path in folder.rglob("*") if path.is_dir()]:
            path.chmod(0o755)
        shutil.rmtree(folder)


def start(code: str, *values: object) -> subprocess.Popen[str]:
    """A process that runs `code` with `library`, `HashedWords` and `values`; `ready()` waits for `go`."""
    setup = (
        "import os, sys; from pathlib import Path; from failing_models import HashedWords, library\n"
        "values = sys.argv[1:]\n"
        "def ready(): print('ready', flush=True); sys.stdin.readline()\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", setup + code, *map(str, values)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )


def go(process: subprocess.Popen[str]) -> None:
    """Waits until the process is ready, and lets it go on."""
    assert process.stdout and process.stdin
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("\n")
    process.stdin.flush()
