"""Every embedder keeps the protocol's promises, and the suite sees when one does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from embedding_server import embedding_server
from pincite.config import ModelConfig
from pincite.models import load_embedder
from pincite.models.local import LocalEmbedder
from pincite.protocols import Embedder, Vectors
from pincite.testing import check_embedder
from tiny_models import VOCABULARY, byte_tokenizer, onnx_folder, random_table, static_folder


@pytest.mark.parametrize("name", ["english", "multilingual"])
def test_bundled(name: str) -> None:
    check_embedder(lambda: load_embedder(ModelConfig(), name=name))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_onnx_folder(tmp_path: Path, threads: int, inputs: int) -> None:
    folder = onnx_folder(tmp_path / "tiny", inputs=inputs)
    check_embedder(lambda: load_embedder(ModelConfig(str(folder), threads=threads)))


def test_onnx_folder_with_prefixes(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path / "some-e5-small")
    check_embedder(lambda: load_embedder(ModelConfig(str(folder))))


def test_model2vec_folder(tmp_path: Path) -> None:
    folder = static_folder(tmp_path / "static", byte_tokenizer(), {"embeddings": random_table(VOCABULARY)})
    check_embedder(lambda: load_embedder(ModelConfig(str(folder))))


def test_endpoint() -> None:
    with embedding_server() as server:
        check_embedder(lambda: load_embedder(ModelConfig("api:tiny", base_url=server.url)))


# ── what the suite must see ───────────────────────────────────────────────────────────────────
@dataclass(slots=True)
class Faulty:
    """An embedder made wrong in one way."""

    inner: LocalEmbedder
    fault: str
    calls: int = 0
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        self.fingerprint = f"{id(self):032x}" if self.fault == "fingerprint" else self.inner.fingerprint

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def limit(self) -> int:
        return self.inner.limit

    def count(self, texts: Sequence[str]) -> list[int]:
        return [
            len(text.split()) if self.fault == "count" else n
            for text, n in zip(texts, self.inner.count(texts), strict=True)
        ]

    def spans(self, text: str):  # type: ignore[no-untyped-def]
        return self.inner.spans(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.fault == "cut":
            texts = [text[: self.limit] for text in texts]
        rows = self.inner.embed_documents(texts)
        if self.fault == "length":
            rows = rows * np.float32(2)
        if self.fault == "width":
            rows = rows.astype(np.float64)
        if self.fault == "sorted":
            rows = rows[np.argsort(rows[:, 0])]
        if self.fault == "neighbours" and len(rows) > 1:
            rows = rows + np.float32(1e-6)
        if self.fault == "random":
            rows = rows + np.float32(1e-6) * self.calls
        return rows

    def embed_query(self, text: str) -> Vectors:
        return self.inner.embed_query(text)

    def close(self) -> None:
        self.inner.close()


@pytest.mark.parametrize(
    "fault", ["fingerprint", "count", "cut", "length", "width", "sorted", "neighbours", "random"]
)
def test_the_suite_sees(fault: str, tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path / "tiny")

    def make() -> Embedder:
        inner = load_embedder(ModelConfig(str(folder)))
        assert isinstance(inner, LocalEmbedder)
        return Faulty(replace(inner, threads=1), fault)

    with pytest.raises(AssertionError):
        check_embedder(make)
