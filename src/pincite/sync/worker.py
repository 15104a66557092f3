"""What a process that reads files does: settings once, then a path a line, answered with a prepared file.

It never takes more memory than it may, ends with the process that started it, and says all that it has to
say on its standard output.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from hashlib import sha256

from pincite.config import ChunkConfig, Config, ModelConfig, ParseConfig
from pincite.errors import PinciteError
from pincite.folder.walk import FoundFile
from pincite.models import load_embedder
from pincite.models.absent import estimating
from pincite.parse import parse
from pincite.parse.scans import ocr
from pincite.protocols import Source
from pincite.sync import limits
from pincite.sync.ingest import Cutters, Prepared, prepare, read_only
from pincite.sync.wire import pack_error, pack_prepared, unpack_file

READY, OCR = "ready", "ocr"
OVER_MEMORY = f"reading it needs more than {limits.MEMORY_MB:,} MB of memory (the limit)"
_GOOD = b"# A heading\n\nA sentence below it.\n"


def pack_settings(config: Config, model: str, *, estimated: bool = False) -> str:
    """All that shapes a file's chunks, as one line; without a `model` files are not cut.

    `estimated` says that the model is missing, so that sizes are estimates.
    """
    chunk_for = {kind: asdict(chunk) for kind, chunk in config.chunk_for.items()}
    parts = {"chunk": asdict(config.chunk), "chunk_for": chunk_for, "model": asdict(config.model)}
    return json.dumps({**parts, "name": model, "estimated": estimated, "parse": asdict(config.parse)})


def _unpack_settings(line: str) -> tuple[Config, Cutters | None]:
    parts = json.loads(line)
    config = Config(
        parse=ParseConfig(**parts["parse"]),
        chunk=ChunkConfig(**parts["chunk"]),
        chunk_for={kind: ChunkConfig(**chunk) for kind, chunk in parts["chunk_for"].items()},
        model=ModelConfig(**parts["model"]),
    )
    if not parts["name"]:
        return config, None
    name, estimated = parts["name"], parts["estimated"]
    return config, Cutters.of(
        config, estimating(name) if estimated else load_embedder(config.model, name=name)
    )


def main() -> None:
    """Answers each line with a prepared file until the input, or the process that started it, ends."""
    limits.end_with(parent=int(sys.argv[1]))
    try:
        _answer(iter(sys.stdin.readline, ""))
    except BrokenPipeError:
        os._exit(0)  # nobody reads the answers any more


def _answer(lines: Iterator[str]) -> None:
    if not (settings := next(lines, "")):
        return  # the run ended before it began
    try:  # what goes wrong here, or raises below, is not the file's fault: the whole run ends with it
        config, cutters = _unpack_settings(settings)
        limits.limit_memory()
        _prove(config, cutters)
        ocr.before_a_file.append(_ask_for_time)
        _say(f"{READY} {limits.peak_kb()}")
        for line in lines:
            limits.limit_cpu(limits.CPU_TIMES * limits.FILE_SECONDS)
            _say(_prepared(unpack_file(line), config, cutters))
    except PinciteError as error:
        _say(pack_error(error))


def _prove(config: Config, cutters: Cutters | None) -> None:
    """Reads and cuts a text that has nothing wrong: where that fails, it is no file's fault."""
    document = parse(Source("good.md", _GOOD, sha256(_GOOD).hexdigest()), config.parse)
    if cutters:
        cutters.cut(document)


def _prepared(file: FoundFile, config: Config, cutters: Cutters | None) -> str:
    """The file as the line that is sent back."""
    try:
        prepared = prepare(file, cutters) if cutters else read_only(file, config.parse)
        members = tuple(_with_limit(one) for one in prepared.members)
        return pack_prepared(replace(_with_limit(prepared), members=members))
    except MemoryError:
        return pack_prepared(Prepared(file, "", "failed", OVER_MEMORY, "memory", ended="memory"))


def _with_limit(prepared: Prepared) -> Prepared:
    """The file; where memory was too little, the reason names the limit there is here."""
    if prepared.code != "memory":
        return prepared
    return replace(prepared, reason=OVER_MEMORY, ended="memory")


def _ask_for_time() -> None:
    """Tells the process that started this one that the file is read with OCR."""
    limits.limit_cpu(limits.CPU_TIMES * limits.OCR_TIMES * limits.FILE_SECONDS)
    _say(OCR)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
