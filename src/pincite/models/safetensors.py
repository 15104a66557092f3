"""A reader of the safetensors format: named arrays after a JSON header, no code."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ModelError

_MAX_HEADER = 100_000_000
_KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1",
}  # fmt: skip


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
