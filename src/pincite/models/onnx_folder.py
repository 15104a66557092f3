"""Any transformer in a folder as sentence-transformers lays it out, with its graph in ONNX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.config import ModelConfig
from pincite.errors import ModelError
from pincite.models.folder import hash_of, onnx_file, read_json
from pincite.models.local import Encode, LocalEmbedder, prefix_room
from pincite.models.onnx_session import open_session
from pincite.models.prefixes import Prefixes, choose_prefixes
from pincite.models.tokens import from_json
from pincite.protocols import Vectors

if TYPE_CHECKING:
    import onnxruntime as ort

DEFAULT_WINDOW = 512
_ENDLESS = 1_000_000  # tokenizer files write "no limit" as a huge number
# RoBERTa and its kin count positions from 2, so two of the table's rows are never used.
_FROM_TWO = frozenset({"roberta", "xlm-roberta", "camembert", "mpnet", "longformer"})

Pool = Callable[[Vectors], Vectors]
"""float32[n, d], the vectors of one text's tokens, to float32[d]."""

POOLINGS: dict[str, Pool] = {
    "cls": lambda tokens: tokens[0],
    "lasttoken": lambda tokens: tokens[-1],
    "max": lambda tokens: tokens.max(0),
    "mean": lambda tokens: tokens.mean(0),
    "mean_sqrt_len": lambda tokens: tokens.sum(0) / np.float32(len(tokens) ** 0.5),
    "weightedmean": lambda tokens: np.average(tokens, 0, np.arange(1, len(tokens) + 1)).astype(np.float32),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a folder's files say: pooling, prefixes, and the window in tokens, special ones included."""

    pooling: str
    prefixes: Prefixes
    window: int


def load(folder: Path, config: ModelConfig, *, name: str) -> LocalEmbedder:
    """The embedder of an ONNX folder. Raises `ModelError` for a part that is missing or not supported."""
    graph = onnx_file(folder)
    if graph is None or not (folder / "tokenizer.json").is_file():
        raise ModelError(f"{folder}: expected a tokenizer.json and onnx/model.onnx or model.onnx")
    settings = read_settings(folder, config, name=name)
    tokens = from_json(folder / "tokenizer.json")
    encode = encoder(open_session(graph), settings.pooling, folder)
    query, document = settings.prefixes
    special = len(tokens.before) + len(tokens.after)
    limit = settings.window - special - max(prefix_room(tokens, query), prefix_room(tokens, document))
    if limit < 1:
        raise ModelError(f"{folder}: a window of {settings.window} tokens leaves no room for text")
    return LocalEmbedder(
        name=name,
        fingerprint=hash_of([graph, folder / "tokenizer.json"], settings, "unit"),
        dimension=len(encode(tokens.wrapped(tokens.ids(["a"])[0]))),
        limit=limit,
        tokens=tokens,
        encode=encode,
        query_prefix=query,
        document_prefix=document,
        threads=config.threads,
    )


def read_settings(folder: Path, config: ModelConfig, *, name: str) -> Settings:
    """The settings from the model's own files; prefixes may come from the configuration."""
    own = read_json(folder / "config.json")
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    known_as = f"{name} {own.get('_name_or_path', '')}"
    return Settings(pooling(folder), choose_prefixes(known_as, prompts, config), window(folder, own))


def window(folder: Path, own: dict[str, Any]) -> int:
    """The most tokens of one text: the least of the limits the files state, 512 if they state none."""
    positions = own.get("max_position_embeddings") or own.get("n_positions") or 0
    if own.get("model_type") in _FROM_TWO:
        positions -= 2
    stated = (
        read_json(folder / "sentence_bert_config.json").get("max_seq_length") or 0,
        read_json(folder / "tokenizer_config.json").get("model_max_length") or 0,
        positions,
    )
    return min((int(n) for n in stated if 0 < n < _ENDLESS), default=DEFAULT_WINDOW)


def pooling(folder: Path) -> str:
    """The name of the model's pooling, mean if it states none. `ModelError` for a mix of several."""
    settings = read_json(folder / "1_Pooling" / "config.json")
    modes = [
        key.removeprefix("pooling_mode_").removesuffix("_tokens").removesuffix("_token")
        for key, on in sorted(settings.items())
        if key.startswith("pooling_mode_") and on is True
    ]
    modes = modes or [str(settings.get("pooling_mode", "mean"))]
    if len(modes) > 1 or modes[0] not in POOLINGS:
        raise ModelError(
            f"{folder / '1_Pooling/config.json'}: expected one pooling of {', '.join(POOLINGS)}, "
            f"got {' + '.join(modes)}"
        )
    return modes[0]


def encoder(session: ort.InferenceSession, pool: str, folder: Path) -> Encode:
    """The function from token ids to a vector: the graph's own sentence vector, or its tokens pooled."""
    inputs = {one.name: np.int32 if "int32" in one.type else np.int64 for one in session.get_inputs()}
    unknown = set(inputs) - {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
    if unknown or "input_ids" not in inputs:
        raise ModelError(f"{folder}: the graph wants inputs that are not known: {', '.join(sorted(inputs))}")
    output = _output(session, folder)

    def encode(ids: Sequence[int]) -> Vectors:
        n = len(ids)
        every = {
            "input_ids": ids,
            "attention_mask": [1] * n,
            "token_type_ids": [0] * n,
            "position_ids": range(n),
        }
        feed = {name: np.array([every[name]], kind) for name, kind in inputs.items()}
        try:
            found = np.asarray(session.run([output], feed)[0][0], np.float32)
        except Exception as error:  # the runtime's errors share no public class
            raise ModelError(f"{folder}: the model failed on a text of {n} tokens ({error})") from error
        return found if found.ndim == 1 else POOLINGS[pool](found)

    return encode


def _output(session: ort.InferenceSession, folder: Path) -> str:
    names = [one.name for one in session.get_outputs()]
    if "sentence_embedding" in names:
        return "sentence_embedding"
    modules = read_modules(folder)
    if "Dense" in modules:
        raise ModelError(
            f"{folder}: the model has a Dense layer after pooling, which is not in its ONNX graph",
            hint="Use it through sentence-transformers: model = 'st:NAME'.",
        )
    return next((name for name in ("last_hidden_state", "token_embeddings") if name in names), names[0])


def read_modules(folder: Path) -> list[str]:
    """The kinds of the model's modules in order, such as Transformer, Pooling, Normalize."""
    import json

    path = folder / "modules.json"
    if not path.is_file():
        return []
    try:
        return [str(module["type"]).rpartition(".")[2] for module in json.loads(path.read_text("utf-8"))]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelError(f"{path}: not a list of modules ({error})") from error
