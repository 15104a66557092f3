"""Static models: a weighted mean of token vectors, unknown tokens left out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pincite.config import ModelConfig
from pincite.errors import ModelError
from pincite.models import load_embedder
from pincite.models.model2vec import read
from tiny_models import WORDS, random_table, static_folder, word_tokenizer, write_safetensors

TABLE = random_table(len(WORDS))


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_the_mean_of_the_tokens(tmp_path: Path) -> None:
    folder = static_folder(tmp_path / "static", word_tokenizer(), {"embeddings": TABLE})
    embedder = load_embedder(ModelConfig(str(folder)))
    assert (embedder.dimension, embedder.limit) == (8, 512)
    row = embedder.embed_documents(["battery seal seal"])[0]
    assert np.allclose(row, unit(TABLE[2] + 2 * TABLE[3]), atol=1e-6)


def test_unknown_tokens_count_for_nothing(tmp_path: Path) -> None:
    folder = static_folder(tmp_path / "static", word_tokenizer(), {"embeddings": TABLE})
    embedder = load_embedder(ModelConfig(str(folder)))
    rows = embedder.embed_documents(["zebra battery okapi", "zebra okapi", ""])
    assert np.allclose(rows[0], unit(TABLE[2]), atol=1e-6)
    assert not rows[1:].any()
    with pytest.raises(ModelError, match="a zero vector for the query"):
        embedder.embed_query("zebra")


def test_mapping_and_weights(tmp_path: Path) -> None:
    mapping = np.array([0, 0, 1, 1, 2, 2, 1, 0])
    weights = np.linspace(0.5, 2, len(WORDS)).astype(np.float32)
    arrays = {"embeddings": TABLE[:3].astype(np.float16), "mapping": mapping, "weights": weights}
    folder = static_folder(tmp_path / "static", word_tokenizer(), arrays)
    row = load_embedder(ModelConfig(str(folder))).embed_documents(["battery water"])[0]
    half = TABLE[:3].astype(np.float16).astype(np.float32)
    assert np.allclose(row, unit(weights[2] * half[1] + weights[4] * half[2]), atol=1e-6)


def test_arrays_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    few = static_folder(tmp_path / "few", word_tokenizer(), {"embeddings": TABLE[:3]})
    with pytest.raises(ModelError, match="3 rows for the 8 tokens"):
        load_embedder(ModelConfig(str(few)))
    far = {"embeddings": TABLE[:3], "mapping": np.array([0, 1, 2, 3, 0, 0, 0, 0])}
    with pytest.raises(ModelError, match="do not fit together"):
        load_embedder(ModelConfig(str(static_folder(tmp_path / "far", word_tokenizer(), far))))
    other = static_folder(tmp_path / "other", word_tokenizer(), {"words": TABLE})
    with pytest.raises(ModelError, match="an array named embeddings"):
        load_embedder(ModelConfig(str(other)))


def test_bfloat16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    bits = (np.array([1.5, -2.0], np.float32).view(np.uint32) >> 16).astype(np.uint16)
    header = json.dumps({"a": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + bits.tobytes())
    assert read(path)["a"].tolist() == [1.5, -2.0]


@pytest.mark.parametrize(
    "header",
    [
        {"a": {"dtype": "F32", "shape": [4], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [1000], "data_offsets": [0, 4000]}},
        {"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}},
        {"a": {"dtype": "PICKLE", "shape": [1], "data_offsets": [0, 4]}},
        {"a": [1]},
        [],
    ],
)
def test_a_broken_header_is_refused(tmp_path: Path, header: object) -> None:
    path = tmp_path / "x.safetensors"
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"\0" * 8)
    with pytest.raises(ModelError, match=r"x\.safetensors: not a safetensors file"):
        read(path)


def test_a_header_of_absurd_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"\xff" * 16)
    with pytest.raises(ModelError, match="a header of"):
        read(path)
    write_safetensors(path, {"a": TABLE})
    assert np.array_equal(read(path)["a"], TABLE)
