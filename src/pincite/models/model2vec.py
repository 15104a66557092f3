"""Model2Vec static models: a text's vector is the mean of its tokens' vectors."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.config import ModelConfig
from pincite.errors import ModelError
from pincite.models.folder import hash_of, read_json
from pincite.models.local import LocalEmbedder, prefix_room
from pincite.models.prefixes import choose_prefixes
from pincite.models.tokens import Tokens, from_json
from pincite.protocols import Vectors

DEFAULT_LIMIT = 512  # tokens: what Model2Vec itself reads unless told otherwise
_ENDLESS = 1_000_000


def load(folder: Path, config: ModelConfig, *, name: str) -> LocalEmbedder:
    """The embedder of a folder with model.safetensors, tokenizer.json and config.json.

    `embeddings` holds a row per token, or per group of tokens if there is a `mapping`; `weights`
    weighs the tokens. Unknown tokens count for nothing, so a text of them alone has no vector.
    """
    settings = read_json(folder / "config.json")
    tokens = Tokens(from_json(folder / "tokenizer.json").tokenizer)
    query, document = choose_prefixes(name, {}, config)
    window = settings.get("seq_length") or _ENDLESS
    room = max(prefix_room(tokens, query), prefix_room(tokens, document))
    table = read_table(folder / "model.safetensors", tokens)
    unknown = unknown_id(tokens)

    def encode(ids: Sequence[int]) -> Vectors:
        known = [i for i in ids if i != unknown]
        mean: Vectors = table[known].mean(0) if known else np.zeros(table.shape[1], np.float32)
        return mean

    files = [folder / "model.safetensors", folder / "tokenizer.json"]
    limit = (window if window < _ENDLESS else DEFAULT_LIMIT) - room
    return LocalEmbedder(
        name=name,
        fingerprint=hash_of(files, query, document, limit, "mean unit"),
        dimension=table.shape[1],
        limit=limit,
        tokens=tokens,
        encode=encode,
        query_prefix=query,
        document_prefix=document,
        threads=1,  # one text takes microseconds: threads would only cost
    )


def read_table(path: Path, tokens: Tokens) -> Vectors:
    """float32[vocabulary, dimension]: each token's vector, mapped and weighted."""
    arrays = read(path)
    if "embeddings" not in arrays or arrays["embeddings"].ndim != 2:
        raise ModelError(f"{path}: expected an array named embeddings with two dimensions")
    table: Vectors = arrays["embeddings"].astype(np.float32)
    size = tokens.tokenizer.get_vocab_size()
    try:
        if "mapping" in arrays:
            table = table[arrays["mapping"]]
        if "weights" in arrays:
            table = table * arrays["weights"].astype(np.float32)[:, None]
    except (IndexError, ValueError) as error:
        raise ModelError(f"{path}: mapping, weights and embeddings do not fit together ({error})") from error
    if len(table) < size:
        raise ModelError(f"{path}: {len(table)} rows for the {size} tokens of tokenizer.json")
    return table


def unknown_id(tokens: Tokens) -> int | None:
    """The id of the tokeniser's unknown token, or None if it has none."""
    model = tokens.tokenizer.model
    name = getattr(model, "unk_token", None)
    if name is not None:
        found: int | None = tokens.tokenizer.token_to_id(name)
        return found
    unk_id: int | None = getattr(model, "unk_id", None)
    return unk_id


_MAX_HEADER = 100_000_000
_KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1",
}  # fmt: skip


# ── safetensors: named arrays after a JSON header, no code ─────────────────────────────────────
def read(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name; bfloat16 becomes float32. Raises `ModelError` if it is broken."""
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > _MAX_HEADER:
                raise ValueError(f"a header of {size} bytes")
            header = json.loads(file.read(size))
        if not isinstance(header, dict):
            raise ValueError("the header is not a JSON object")
        data = np.memmap(path, np.uint8, "r", offset=8 + size)
        return {name: _array(data, info) for name, info in header.items() if name != "__metadata__"}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelError(f"{path}: not a safetensors file that can be read ({error})") from error


def _array(data: NDArray[np.uint8], info: dict[str, Any]) -> NDArray[Any]:
    start, end = info["data_offsets"]
    kind, shape = np.dtype(_KINDS[info["dtype"]]), tuple(info["shape"])
    if not 0 <= start <= end <= len(data) or end - start != math.prod(shape) * kind.itemsize:
        raise ValueError("an array lies outside of the file or has another size than its shape")
    values = np.array(data[start:end]).view(kind).reshape(shape)
    if info["dtype"] == "BF16":  # the upper half of a float32
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values
