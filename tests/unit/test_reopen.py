"""A cited file that is as it was indexed has the text of the index; only one that changed is parsed anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from libraries import library, write
from pincite.errors import InputError
from pincite.index.opened import OpenLibrary
from pincite.protocols import Source
from pincite.types import Document

FILES = {
    "a.md": "# Valve\n\nThe opal valve shuts at 4 bar.\n",
    "b.html": "<h1>Pump</h1><p>The pump runs at 9 bar.</p>",
    "c.eml": "From: a@example.org\nSubject: Seal\n\nThe seal is changed in May.\n",
}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenLibrary]:
    with library(tmp_path, FILES) as made:
        made.sync()
        yield made._open()


def hash_of(opened: OpenLibrary, uri: str) -> str:
    return opened.catalog.files_of([uri])[uri].sha256


def unread(source: Source) -> Document:
    raise AssertionError(f"{source.uri} was parsed")


@pytest.mark.parametrize("uri", FILES)
@pytest.mark.parametrize("touched", [False, True])
def test_an_unchanged_file_is_not_parsed(opened: OpenLibrary, uri: str, touched: bool) -> None:
    if touched:
        (opened.root / uri).touch()
    reopener = opened.reopener()
    reopener._parse = unread
    now = reopener(uri, hash_of(opened, uri))
    assert (now.state, now.reason) == (None, "")
    assert now.document is not None and now.document.uri == uri and now.document.text


def test_a_text_that_the_file_does_not_hold_is_not_shown(opened: OpenLibrary) -> None:
    """An index may have come with the folder: where the text is the file itself, the file decides."""
    reopener, honest = opened.reopener(), opened._stored("a.md")
    assert honest is not None
    reopener._stored = lambda uri: replace(honest, text=honest.text.replace("4 bar", "7 bar"))
    now = reopener("a.md", hash_of(opened, "a.md"))
    assert now.document is not None
    assert (now.state, now.document.text) == (None, FILES["a.md"])


def test_bytes_that_are_no_text_any_more_are_not_taken_for_it(opened: OpenLibrary) -> None:
    """Between the look at a file and its reading it can become another one."""
    reopener = opened.reopener()
    reopener._sources["a.md"] = Source("a.md", b"\0\1\2\3", "")
    assert reopener("a.md", hash_of(opened, "a.md")).document is None


def test_a_changed_file_is_parsed_unless_it_is_read_in_a_process_of_its_own(opened: OpenLibrary) -> None:
    hashes = {uri: hash_of(opened, uri) for uri in FILES}
    for uri, text in FILES.items():
        (opened.root / uri).write_text(text.replace("bar", "psi").replace("May", "June"))
    reopener = opened.reopener()
    page, text, mail = (reopener(uri, hashes[uri]) for uri in ("b.html", "a.md", "c.eml"))
    assert page.document is not None and "9 psi" in page.document.text
    assert text.document is not None and "4 psi" in text.document.text
    assert (page.state, text.state) == ("changed", "changed")
    assert (mail.state, mail.document, mail.reason) == ("changed", None, "")


def test_a_file_that_the_index_does_not_know_is_not_read(opened: OpenLibrary) -> None:
    write(opened.root, {"new.md": "# New\n"})
    reopener = opened.reopener()
    reopener._parse = unread
    assert reopener("new.md", "0").document is None


def test_one_that_is_gone_says_so(opened: OpenLibrary) -> None:
    known = hash_of(opened, "a.md")
    (opened.root / "a.md").unlink()
    now = opened.reopener()("a.md", known)
    assert (now.state, now.document) == ("gone", None)
    assert isinstance(opened.reopener()._source("a.md"), InputError)
