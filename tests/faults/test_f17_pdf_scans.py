"""F17: pages without text are named, and what stands beside them keeps its page."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F17" / "expect.json").read_text("utf-8"))
FILES = inputs("F17", "lease.pdf", "scan.pdf")


def test_pages_without_text_are_named(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        for name, expected in EXPECT.items():
            document, _ = lib.parse(tmp_path / name)
            assert list(document.losses.pages_without_text) == expected["pages_without_text"]
            assert bool(document.blocks) == (len(expected["pages_without_text"]) < expected["pages"])
        (hit, *_) = lexical(lib, "Notice period")
    assert (hit.stored.uri, hit.stored.place.page) == (
        "lease.pdf",
        EXPECT["lease.pdf"]["page_of"]["Notice period"],
    )
