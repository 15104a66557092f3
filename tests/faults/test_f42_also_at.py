"""F42: equal text at five places takes room once in the context, and none of the places is lost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from pincite.assemble import assemble
from pincite.config import ContextConfig
from shelf import Shelf, words

HERE = Path(__file__).parent / "F42"
PLACES = json.loads((HERE / "expect.json").read_text("utf-8"))["places"]


def test_every_place_of_a_repeated_paragraph_stays_visible() -> None:
    shelf = Shelf()
    for uri in ("a/terms.md", "b/terms.md", "a/guide.md", "twice.md"):
        shelf.add(uri, (HERE / uri).read_text("utf-8"), cut=r"The storage fee[^\n]+")
    hits = shelf.hits("b/terms.md:1", "twice.md:2", "a/terms.md:1", "a/guide.md:1", "twice.md:1")
    everywhere = [hit.location for hit in hits]
    hits = [replace(hit, also_at=tuple(at for at in everywhere if at != hit.location)) for hit in hits]
    context = assemble(hits, catalog=shelf, config=ContextConfig(neighbours=0), count=words)
    (one,) = context.evidence
    assert one.location == "b/terms.md:3"
    assert sorted([one.location, *one.also_at]) == sorted(PLACES)
    assert [dropped.reason for dropped in context.left_out] == ["duplicate of b/terms.md:3"] * 4
