"""What the parser sees in each file of the sample library, held against snapshots in `parse/`.

A change here is a change for every user: look at the difference, then write the snapshots anew with
    PINCITE_GOLDEN=write python -m pytest tests/golden
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pincite.folder.read import read
from pincite.parse import parse
from pincite.types import Document, Span

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sample"
SNAPSHOTS = Path(__file__).parent / "parse"
FILES = sorted(
    path.relative_to(SAMPLE).as_posix()
    for path in SAMPLE.rglob("*")
    if path.is_file() and not any(part.startswith(".") for part in path.relative_to(SAMPLE).parts)
)
WRITE = os.environ.get("PINCITE_GOLDEN") == "write"


def lines(document: Document, span: Span) -> str:
    """`7` or `7-12`."""
    return document.origins.place(span).location("").lstrip(":#")


def picture(document: Document) -> dict[str, Any]:
    """A document in short: one line for each section and block, with its lines in the file."""
    return {
        "type": document.type,
        "title": document.title,
        "language": document.language,
        "encoding": document.encoding,
        "meta": {name: str(value) for name, value in sorted(document.meta.items())},
        "sections": [f"{lines(document, s.span)} {'#' * s.level} {s.title}" for s in document.sections],
        "blocks": [
            f"{lines(document, b.span)} {b.kind} §{b.section}{' under a header' if b.header else ''}"
            for b in document.blocks
        ],
        "left_out": [f"{lines(document, part.span)} {part.reason}" for part in document.left_out],
    }


@pytest.mark.parametrize("uri", FILES)
def test_sample_file(uri: str) -> None:
    found = picture(parse(read(SAMPLE / uri, uri, root=SAMPLE)))
    snapshot = SNAPSHOTS / f"{uri.replace('/', '__')}.json"
    if WRITE:
        snapshot.parent.mkdir(exist_ok=True)
        snapshot.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert found == json.loads(snapshot.read_text("utf-8"))


def test_every_snapshot_has_its_file() -> None:
    wanted = {f"{uri.replace('/', '__')}.json" for uri in FILES}
    assert {path.name for path in SNAPSHOTS.iterdir()} == wanted
