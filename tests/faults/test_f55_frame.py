"""F55: a document cannot end its frame, forge a source or pass on control tokens."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pincite.answer.cite import cite
from pincite.answer.prompt import build_messages, render_evidence
from pincite.types import Span
from shelf import Shelf, as_indexed, context_of

HERE = Path(__file__).parent / "F55"
EXPECT = json.loads((HERE / "expect.json").read_text("utf-8"))
NOTE = (HERE / "note.md").read_text("utf-8")


def test_two_documents_are_two_sources_whatever_they_say() -> None:
    shelf = Shelf()
    shelf.add("note.md", NOTE, cut=r"(?s).+")
    shelf.add("other.md", "Any text.\n")
    context = context_of(shelf, "note.md:1", "other.md:1")
    shown = render_evidence(context.evidence)
    heads = re.findall(r"<evidence\b[^>]*>", shown)
    sources = [re.search(r'at="([^":]+)', head) for head in heads]
    assert [source and source[1] for source in sources] == EXPECT["sources"]
    assert [re.findall(r'n="(\d+)"', head) for head in heads] == [["1"], ["2"]]
    assert shown.count("</evidence>") == 2
    assert not re.search(r"</?(?:document|context)\b|<\|im_(?:start|end)\|>|<!--", shown)
    assert "data" in build_messages("When?", context)[0]["content"]
    for words, line in EXPECT["line_of"].items():
        assert words in shown
        at = NOTE.index(words)
        citation = cite(context.evidence[0], Span(at, at + len(words)), words, as_indexed(shelf))
        assert (citation.location, citation.quote, citation.verified) == (f"note.md:{line}", words, True)
    assert context.evidence[0].text == NOTE.rstrip()
