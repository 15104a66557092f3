"""F14: the columns of a page are read one after the other, not across the gap."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F14" / "expect.json").read_text("utf-8"))


def test_columns_in_order(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F14", "bulletin.pdf")) as lib:
        document, _ = lib.parse(tmp_path / "bulletin.pdf")
        first, *_ = lexical(lib, '"open the service hatch"')
    text = " ".join(document.text.split())
    assert all(words in text for words in EXPECT["must_contain"])
    assert not any(words in text for words in EXPECT["must_not_contain"])
    places = [text.index(words) for words in EXPECT["order"]]
    assert places == sorted(places)
    assert first.stored.place.page == 1
