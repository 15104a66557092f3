"""What a process that reads files does: settings once, then a path a line, answered with a prepared file.

It never takes more memory than it may, and everything it has to say goes to its standard output.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from pincite.config import ChunkConfig, Config, ModelConfig, ParseConfig
from pincite.errors import PinciteError
from pincite.folder.walk import FoundFile
from pincite.models import load_embedder
from pincite.sync.ingest import NO_MEMORY, TOO_BIG, Cutters, Prepared, prepare, read_only
from pincite.sync.wire import pack_error, pack_prepared

READY = "ready"
MEMORY_MB = 2048  # it may take for its files, besides what it has at the start


def pack_settings(config: Config, model: str) -> str:
    """All that shapes a file's chunks, as one line; without a `model` files are not cut."""
    chunk_for = {kind: asdict(chunk) for kind, chunk in config.chunk_for.items()}
    parts = {"chunk": asdict(config.chunk), "chunk_for": chunk_for, "model": asdict(config.model)}
    return json.dumps({**parts, "name": model, "parse": asdict(config.parse)})


def _unpack_settings(line: str) -> tuple[Config, str]:
    parts = json.loads(line)
    config = Config(
        parse=ParseConfig(**parts["parse"]),
        chunk=ChunkConfig(**parts["chunk"]),
        chunk_for={kind: ChunkConfig(**chunk) for kind, chunk in parts["chunk_for"].items()},
        model=ModelConfig(**parts["model"]),
    )
    return config, parts["name"]


def main() -> None:
    """Answers each line with a prepared file until the input, or the process that reads it, ends."""
    try:
        _answer(iter(sys.stdin.readline, ""))
    except BrokenPipeError:
        os._exit(0)  # nobody reads the answers any more


def _answer(lines: Iterator[str]) -> None:
    if not (settings := next(lines, "")):
        return  # the run ended before it began
    try:  # what goes wrong here, or raises below, is not the file's fault: the whole run ends with it
        config, name = _unpack_settings(settings)
        cutters = Cutters.of(config, load_embedder(config.model, name=name)) if name else None
        _limit_memory()
        _say(READY)
        for line in lines:
            path, uri = json.loads(line)
            file = FoundFile(uri, Path(path), 0, 0, 0, 0)
            prepared = prepare(file, cutters) if cutters else read_only(file, config.parse)
            members = tuple(_with_limit(one) for one in prepared.members)
            prepared = replace(_with_limit(prepared), members=members)
            _say(pack_prepared(prepared, blocks=cutters is None))
    except PinciteError as error:
        _say(pack_error(error))


def _with_limit(prepared: Prepared) -> Prepared:
    """The file; where memory was too little, the reason names the limit there is here."""
    if prepared.reason != NO_MEMORY:
        return prepared
    return replace(prepared, reason=f"{TOO_BIG} {MEMORY_MB:,} MB of memory (the limit)")


def _limit_memory() -> None:
    """Lets this process take `MEMORY_MB` more than it has now, where the system can hold it to that."""
    try:
        import resource
    except ImportError:
        return
    pages = int(Path("/proc/self/statm").read_text().split()[5]) if Path("/proc/self/statm").exists() else 0
    most = pages * resource.getpagesize() + MEMORY_MB * 1_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
