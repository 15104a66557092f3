"""The bundled English model against the float32 network it was made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx.numpy_helper
import pytest

from pincite.errors import ModelError
from pincite.models import minilm
from pincite.models.local import LocalEmbedder
from pincite.models.onnx_session import open_session

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/minilm_float32.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def english() -> Iterator[LocalEmbedder]:
    embedder = minilm.load(threads=2)
    yield embedder
    embedder.close()


def test_files_are_those_recorded() -> None:
    lines = (minilm.DATA / "SHA256SUMS").read_text("utf-8").splitlines()
    recorded = dict(reversed(line.split("  ")) for line in lines)
    assert sorted(recorded) == ["model.onnx", "vocab.txt"]
    for name, value in recorded.items():
        assert hashlib.sha256((minilm.DATA / name).read_bytes()).hexdigest() == value


def test_weights_cannot_saturate_without_vnni() -> None:
    model = onnx.load(minilm.DATA / "model.onnx")
    weights = [
        onnx.numpy_helper.to_array(one).astype(int)
        for one in model.graph.initializer
        if one.name.endswith(".weight")
    ]
    assert len(weights) == 4 * 6
    for signed in weights:
        for values in (np.maximum(signed, 0), np.maximum(-signed, 0)):
            assert (values[:-1] + values[1:]).max() * 255 < 2**15


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["text"][:20])
def test_close_to_float32(english: LocalEmbedder, case: dict[str, object]) -> None:
    assert float(english.embed_query(str(case["text"])) @ np.array(case["vector"])) >= 0.995


def test_similarities_as_published(english: LocalEmbedder) -> None:
    query = english.embed_query("That is a happy person")
    others = ["That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    assert english.embed_documents(others) @ query == pytest.approx([0.695, 0.943, 0.257], abs=0.02)


def test_limit_is_the_window_less_two(english: LocalEmbedder) -> None:
    assert (english.limit, english.dimension) == (254, 384)
    assert np.isfinite(english.embed_documents(["it " * 254])).all()
    with pytest.raises(ModelError, match="255 tokens is over the limit of 254"):
        english.embed_documents(["fine", "it " * 255])


def test_the_query_is_cut_at_the_limit(english: LocalEmbedder) -> None:
    assert np.array_equal(english.embed_query("it " * 400), english.embed_query("it " * 254))


def test_the_last_token_counts(english: LocalEmbedder) -> None:
    plain, other = english.embed_documents(["it " * 254, "it " * 253 + "battery"])
    assert float(plain @ other) < 0.9999


def test_spans_are_places_in_the_text(english: LocalEmbedder) -> None:
    text = "Größe  C++ 更换 café"
    pieces = [text[span.start : span.end] for span in english.spans(text)]
    assert pieces == ["Gr", "ö", "ße", "C", "+", "+", "更", "换", "café"]


def test_special_tokens_in_a_text_are_characters(english: LocalEmbedder) -> None:
    assert english.count(["[SEP]"]) == [3]
    assert 102 not in english.tokens.ids(["a [SEP] b"])[0]


def test_a_broken_graph_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes((minilm.DATA / "model.onnx").read_bytes()[:5000])
    with pytest.raises(ModelError, match=r"model\.onnx: the ONNX model cannot be loaded"):
        open_session(tmp_path / "model.onnx")
