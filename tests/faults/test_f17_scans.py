"""F17: pages without text are named, and a file without any is not indexed."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import bundled, inputs
from pincite.errors import StoreError

FILES = inputs("F17", "lease.pdf", "scan.pdf")


def test_a_scan_is_no_indexed_file_and_a_page_without_text_is_named(tmp_path: Path) -> None:
    with bundled(tmp_path, FILES) as opened:
        first, second = opened.sync(), opened.sync()
        for report in (first, second, opened.status()):
            (scan,), (lease,) = report.empty, report.partial
            assert scan.uri == "scan.pdf" and "no text on its 2 pages" in scan.reason
            assert "pincite[ocr]" in scan.reason and "pincite[ocr]" in lease.reason
            assert lease.uri == "lease.pdf" and lease.reason.startswith("page 2 has no text")
            assert report.pages_without_text == 1
        assert (first.found, first.indexed) == (2, 1)
        assert (second.unchanged, second.changed) == (1, ())
        hit = opened.search("Notice period").hits[0]
        assert (hit.stored.uri, hit.location) == ("lease.pdf", "lease.pdf#page=3")
        (claim,) = opened.ask("What is the notice period?").claims
        assert [one.location for one in claim.citations if one.verified] == ["lease.pdf#page=3"]


def test_files_without_changes_are_not_extracted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PDFs are extracted in processes of their own; here those die after the first sync."""
    docs = tmp_path / "docs"
    with bundled(docs, FILES) as opened:
        first = opened.sync()
        (tmp_path / "start").mkdir()
        (tmp_path / "start" / "sitecustomize.py").write_text("import os\nos._exit(3)\n")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "start"))
        second = opened.sync()
        assert (second.empty, second.partial, second.failed) == (first.empty, first.partial, ())
        with (docs / "scan.pdf").open("ab") as file:
            file.write(b"\n")
        with pytest.raises(StoreError):
            opened.sync()


def test_a_question_for_what_stands_there_is_told_so(tmp_path: Path) -> None:
    with bundled(tmp_path, FILES) as opened:
        opened.sync()
        for place in ("lease.pdf#page=2", "scan.pdf"):
            asked = tmp_path.parent / "asked.tsv"
            asked.write_text(f"What does the tenant pay?\t{place}\n")
            (finding,) = opened.why(asked).findings
            assert finding.code == "page-without-text"
