"""ONNX graphs in single-threaded sessions: many threads may run one session at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ModelError

if TYPE_CHECKING:
    import onnxruntime as ort


def open_session(path: Path, *, optimise: bool = True) -> ort.InferenceSession:
    """A session on the processor that runs in the calling thread. Raises `ModelError` if it cannot load.

    `optimise=False` is for graphs that are already in their final form; it saves start-up time.
    """
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    level = ort.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_ENABLE_ALL if optimise else level.ORT_DISABLE_ALL
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's errors share no public class
        raise ModelError(
            f"{path}: the ONNX model cannot be loaded ({error})", hint="Fetch or install it again."
        ) from error
