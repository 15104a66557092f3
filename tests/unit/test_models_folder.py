"""Model folders: pooling, prefixes, limits and fingerprints come from the model's own files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import helper

from pincite.config import ModelConfig
from pincite.errors import ModelError, UsageError
from pincite.models import load_embedder
from pincite.models.folder import hash_of
from pincite.models.local import LocalEmbedder, query_vector, unit_rows
from pincite.models.onnx_folder import POOLINGS, read_settings
from pincite.models.prefixes import family_prefixes
from tiny_models import BEGIN, END, byte_tokenizer, onnx_folder, tiny_bert, write_json


def load(folder: Path, **settings: str | int) -> LocalEmbedder:
    embedder = load_embedder(ModelConfig(str(folder), **settings))
    assert isinstance(embedder, LocalEmbedder)
    return embedder


def hidden(folder: Path, text: str) -> np.ndarray:
    """The graph's own token vectors of a text."""
    session = ort.InferenceSession(str(folder / "onnx/model.onnx"), providers=["CPUExecutionProvider"])
    ids = np.array([[BEGIN, *byte_tokenizer().encode(text, add_special_tokens=False).ids, END]])
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return session.run(["last_hidden_state"], feed)[0][0]


BY_HAND = {
    "cls_token": lambda h: h[0],
    "mean_tokens": lambda h: h.sum(0) / len(h),
    "max_tokens": lambda h: np.array([max(column) for column in h.T]),
    "lasttoken": lambda h: h[len(h) - 1],
    "weightedmean_tokens": lambda h: sum((i + 1) * row for i, row in enumerate(h)),
    "mean_sqrt_len_tokens": lambda h: h.sum(0),
}


@pytest.mark.parametrize("pooling", BY_HAND)
def test_pooling_is_the_models_own(tmp_path: Path, pooling: str) -> None:
    folder = onnx_folder(tmp_path / "tiny", pooling=pooling)
    expected = BY_HAND[pooling](hidden(folder, "seal"))
    vector = load(folder).embed_documents(["seal"])[0]
    assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-6)
    assert len(BY_HAND) == len(POOLINGS)


def test_a_sentence_vector_in_the_graph_is_used(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path / "tiny", pooling="cls_token", output="sentence_embedding")
    plain = onnx_folder(tmp_path / "plain", pooling="mean_tokens")
    assert np.allclose(load(folder).embed_query("seal"), load(plain).embed_query("seal"), atol=1e-6)


def test_unsupported_parts_are_refused(tmp_path: Path) -> None:
    two = onnx_folder(tmp_path / "two")
    write_json(
        two / "1_Pooling/config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}
    )
    with pytest.raises(ModelError, match=r"expected one pooling of .*got cls \+ mean"):
        load(two)
    dense = onnx_folder(tmp_path / "dense")
    kinds = ["Transformer", "Pooling", "Dense"]
    write_json(dense / "modules.json", [{"type": f"sentence_transformers.models.{kind}"} for kind in kinds])
    with pytest.raises(ModelError, match="Dense layer after pooling"):
        load(dense)
    odd = onnx_folder(tmp_path / "odd")
    graph = tiny_bert()
    graph.graph.input.append(helper.make_tensor_value_info("pixel_values", 1, [1]))
    onnx.save(graph, odd / "onnx/model.onnx")
    with pytest.raises(ModelError, match=r"inputs that are not known: .*pixel_values"):
        load(odd)


@pytest.mark.parametrize(
    ("files", "window"),
    [
        ({}, 512),
        ({"sentence_bert_config.json": {"max_seq_length": 128}}, 128),
        ({"tokenizer_config.json": {"model_max_length": 100}}, 100),
        ({"tokenizer_config.json": {"model_max_length": 10**30}}, 512),
        ({"config.json": {"model_type": "xlm-roberta", "max_position_embeddings": 514}}, 512),
        ({"config.json": {"model_type": "mpnet", "max_position_embeddings": 66}}, 64),
        ({"config.json": {"model_type": "bert"}}, 512),
        (
            {
                "config.json": {"max_position_embeddings": 300},
                "sentence_bert_config.json": {"max_seq_length": 400},
            },
            300,
        ),
    ],
)
def test_limit_is_the_least_stated(tmp_path: Path, files: dict[str, dict[str, object]], window: int) -> None:
    folder = onnx_folder(tmp_path / "tiny")
    for name, value in files.items():
        write_json(folder / name, value)
    assert read_settings(folder, ModelConfig(), name="tiny").window == window
    assert load(folder).limit == window - 2


def test_a_prefix_takes_its_room_off_the_limit(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path / "tiny")
    embedder = load(folder, query_prefix="query: ", document_prefix="passage: ")
    assert embedder.limit == 512 - 2 - len("passage: ") - 1
    assert np.isfinite(embedder.embed_documents(["x" * embedder.limit])).all()
    with pytest.raises(ModelError, match=f"over the limit of {embedder.limit}"):
        embedder.embed_documents(["x" * (embedder.limit + 1)])


def test_prefixes_settings_then_model_then_family(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path / "my-e5-small")
    assert read_settings(folder, ModelConfig(), name="my-e5-small").prefixes == ("query: ", "passage: ")
    prompts = {"query": "Q> ", "document": "D> ", "clustering": "C> "}
    write_json(folder / "config_sentence_transformers.json", {"prompts": prompts})
    assert read_settings(folder, ModelConfig(), name="my-e5-small").prefixes == ("Q> ", "D> ")
    config = ModelConfig(query_prefix="", document_prefix="doc: ")
    assert read_settings(folder, config, name="my-e5-small").prefixes == ("", "doc: ")


REPRESENT = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("name", "prefixes"),
    [
        ("intfloat/multilingual-e5-small", ("query: ", "passage: ")),
        ("intfloat/e5-base-v2", ("query: ", "passage: ")),
        ("BAAI/bge-small-en-v1.5", (REPRESENT, "")),
        ("BAAI/bge-base-zh-v1.5", ("为这个句子生成表示以用于检索相关文章：", "")),
        ("BAAI/bge-m3", ("", "")),
        ("nomic-ai/nomic-embed-text-v1.5", ("search_query: ", "search_document: ")),
        ("thenlper/gte-small", ("", "")),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", (REPRESENT, "")),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", ("query: ", "")),
        ("jinaai/jina-embeddings-v2-base-en", ("", "")),
        ("sentence-transformers/all-MiniLM-L6-v2", ("", "")),
        ("somebody/unknown", ("", "")),
    ],
)
def test_families(name: str, prefixes: tuple[str, str]) -> None:
    assert family_prefixes(name) == prefixes
    assert family_prefixes(name.replace("/", "--")) == prefixes


def test_instructions_differ_from_plain_e5() -> None:
    query, document = family_prefixes("intfloat/multilingual-e5-large-instruct")
    assert query.startswith("Instruct: ") and query.endswith("\nQuery: ") and document == ""


def test_the_fingerprint_follows_weights_prefixes_pooling_and_limit(tmp_path: Path) -> None:
    same = [load(onnx_folder(tmp_path / name / "tiny")).fingerprint for name in "ab"]
    assert same[0] == same[1]
    prints = {same[0]}
    prints.add(load(onnx_folder(tmp_path / "c/tiny", seed=1)).fingerprint)
    prints.add(load(onnx_folder(tmp_path / "d/tiny", pooling="cls_token")).fingerprint)
    prints.add(load(tmp_path / "a/tiny", document_prefix="passage: ").fingerprint)
    write_json(tmp_path / "b/tiny/sentence_bert_config.json", {"max_seq_length": 128})
    prints.add(load(tmp_path / "b/tiny").fingerprint)
    assert len(prints) == 5


def test_a_large_file_is_hashed_by_samples(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(80 << 20)
    empty = hash_of([path])
    with path.open("r+b") as file:
        file.seek((80 << 20) - 1)
        file.write(b"x")
    assert hash_of([path]) != empty


@pytest.mark.parametrize(
    "file", ["config.json", "1_Pooling/config.json", "tokenizer.json", "onnx/model.onnx", "modules.json"]
)
def test_a_broken_file_is_named(tmp_path: Path, file: str) -> None:
    folder = onnx_folder(tmp_path / "tiny")
    (folder / file).write_text("{broken", "utf-8")
    with pytest.raises(ModelError, match=file):
        load(folder)


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"expected tokenizer\.json and config.json with onnx"):
        load(tmp_path)
    with pytest.raises(UsageError, match="'no-such-thing' is neither a known model nor a folder"):
        load_embedder(ModelConfig("no-such-thing"))


# ── vectors that cannot be used (F31) ─────────────────────────────────────────────────────────
def test_rows_that_are_not_finite_are_all_nan_and_zeros_stay() -> None:
    rows = np.array([[0.6, 0.8], [2, 0], [0, 0], [np.nan, 2], [np.inf, 1], [-0.0, 3]], np.float32)
    out = unit_rows(rows)
    assert np.isnan(out).all(axis=1).tolist() == [False, False, False, True, True, False]
    assert not out[2].any()
    assert np.allclose(out[[0, 1, 5]], [[0.6, 0.8], [1, 0], [0, 1]])


def test_denormal_and_huge_values_are_fine() -> None:
    out = unit_rows(np.array([[3e-42, 4e-42], [3e38, 3e38]], np.float32))
    assert np.allclose(np.linalg.norm(out, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(("bad", "said"), [([0, 0], "a zero vector"), ([np.nan, 1], "not finite")])
def test_a_query_vector_that_cannot_be_used_is_an_error(bad: list[float], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        query_vector(np.array(bad, np.float32), "tiny")
