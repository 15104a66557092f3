"""Small models made on the spot: a random transformer in ONNX, a static table, a byte tokeniser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

WIDTH, VOCABULARY, POSITIONS = 16, 258, 512
BEGIN, END = 256, 257


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def byte_tokenizer() -> Tokenizer:
    """One token a byte, `[CLS]` before and `[SEP]` after; decoding gives the text back exactly."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: i for i, letter in enumerate(letters)} | {"[CLS]": BEGIN, "[SEP]": END}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", BEGIN), ("[SEP]", END)]
    )
    return tokenizer


def tiny_bert(*, output: str = "last_hidden_state", inputs: int = 3, seed: int = 0) -> onnx.ModelProto:
    """Embeddings, one attention head and a layer norm, with random weights."""
    random = np.random.default_rng(seed)
    constants, nodes = [], []

    def weight(name: str, *shape: int) -> str:
        constants.append(numpy_helper.from_array(random.normal(size=shape).astype(np.float32), name))
        return name

    def add(op: str, ins: list[str], out: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(op, ins, [out], **attributes))
        return out

    names = ["input_ids", "attention_mask", "token_type_ids"][:inputs]
    constants.append(numpy_helper.from_array(np.array([0], np.int64), "zero"))
    add("Shape", ["input_ids"], "length", start=1, end=2)
    add("Slice", [weight("positions", POSITIONS, WIDTH), "zero", "length", "zero"], "places")
    x = add("Add", [add("Gather", [weight("words", VOCABULARY, WIDTH), "input_ids"], "word"), "places"], "x")
    if inputs == 3:
        x = add("Add", [x, add("Gather", [weight("types", 2, WIDTH), "token_type_ids"], "type")], "typed")
    for part in "qkv":
        add("MatMul", [x, weight(f"w{part}", WIDTH, WIDTH)], part)
    add("Transpose", ["k"], "kt", perm=[0, 2, 1])
    add("MatMul", [add("Softmax", [add("MatMul", ["q", "kt"], "s")], "p"), "v"], "mixed")
    ones = numpy_helper.from_array(np.ones(WIDTH, np.float32), "gamma")
    constants.append(ones)
    hidden = add(
        "LayerNormalization", [add("Add", [x, "mixed"], "sum"), "gamma"], "last_hidden_state", axis=-1
    )
    if output == "sentence_embedding":
        add("ReduceMean", [hidden], "sentence_embedding", axes=[1], keepdims=0)
    shape = [1, "n", WIDTH] if output == "last_hidden_state" else [1, WIDTH]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in names],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def onnx_folder(folder: Path, *, pooling: str | None = "mean", **graph: Any) -> Path:
    """A model folder as sentence-transformers lays it out."""
    (folder / "onnx").mkdir(parents=True)
    onnx.save(tiny_bert(**graph), folder / "onnx" / "model.onnx")
    byte_tokenizer().save(str(folder / "tokenizer.json"))
    write_json(folder / "config.json", {"model_type": "bert", "max_position_embeddings": POSITIONS})
    if pooling:
        write_json(
            folder / "1_Pooling/config.json",
            {f"pooling_mode_{pooling}": True, "word_embedding_dimension": WIDTH},
        )
    return folder


def write_safetensors(path: Path, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
    kinds = {"float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32"}
    header, data = {}, b""
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": kinds[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


WORDS = ("[UNK]", "[PAD]", "battery", "seal", "water", "gasket", "it", "a")


def word_tokenizer() -> Tokenizer:
    """One token a word of `WORDS`, any other word unknown."""
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def static_folder(folder: Path, tokenizer: Tokenizer, arrays: dict[str, np.ndarray[Any, Any]]) -> Path:
    """A Model2Vec folder of these arrays (`embeddings`, and `mapping` and `weights` if wanted)."""
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(folder / "config.json", {"model_type": "model2vec", "normalize": True, "seq_length": 1000000})
    write_safetensors(folder / "model.safetensors", arrays)
    return folder


def random_table(rows: int, *, width: int = 8, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32)
