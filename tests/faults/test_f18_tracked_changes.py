"""F18: of a Word file with tracked changes, the final text is indexed, and only that."""

from __future__ import annotations

from pathlib import Path

from libraries import all_chunks, inputs, library
from parsed import source, texts
from pincite.config import Config, ParseConfig
from pincite.parse import parse

FILES = inputs("F18", "contract.docx")
PARAGRAPHS = ["The fee is 450 EUR per year.", "Payment is due within 30 days.", "Notice: six weeks."]


def test_the_final_text_is_read() -> None:
    document = parse(source("contract.docx", FILES["contract.docx"]))
    assert texts(document) == PARAGRAPHS
    assert document.text.count("six weeks.") == 1
    assert document.meta["tracked_changes"] is True


def test_it_is_what_is_found_and_cited(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        chunks = "\n".join(hit.stored.chunk.text for hit in all_chunks(opened))
        assert "400" not in chunks and "struck out" not in chunks
        hit = opened.search("what is the fee").hits[0]
        assert "450" in hit.stored.chunk.text and hit.stored.uri == "contract.docx"
        assert hit.stored.meta["tracked_changes"] is True
        (claim, *_) = opened.ask("What is the fee?").claims
        (citation, *_) = claim.citations
        assert citation.verified and "450" in citation.quote
        assert citation.place.location(citation.uri) == "contract.docx#paragraph 1"


def test_the_text_before_the_changes_is_read_on_request(tmp_path: Path) -> None:
    config = Config(parse=ParseConfig(tracked_changes="original"))
    with library(tmp_path, FILES, config=config) as opened:
        opened.sync()
        chunks = "\n".join(hit.stored.chunk.text for hit in all_chunks(opened))
        assert "The fee is 400 EUR per year." in chunks and "This clause was struck out." in chunks
        assert "450" not in chunks and "Payment is due" not in chunks
        assert chunks.count("six weeks.") == 1
