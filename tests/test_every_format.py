"""A folder with one file of every format: synced, searched, and cited with the right place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from libraries import bundled
from pincite.library import Library
from pincite.parse import TYPES
from pincite.parse.source.languages import CODE_TYPES
from samples import samples

FILES = samples()
# Types that are read as another sample's: by the same parser, or only when more is installed.
ELSEWHERE = {"chat", "code", "image", "json", "tsv", *CODE_TYPES.values()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    root = tmp_path_factory.mktemp("formats")
    with bundled(root, {name: one.data for name, one in FILES.items()}) as opened:
        opened.sync()
        yield opened


def test_every_file_is_indexed(folder: Library) -> None:
    report = folder.sync()
    assert (report.failed, report.skipped, report.empty) == ((), (), ())
    assert report.found == report.indexed == report.unchanged
    assert report.embedded == 0


def test_there_is_a_sample_of_every_type() -> None:
    assert {one.type for one in FILES.values()} | ELSEWHERE == set(TYPES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_found_with_its_place(folder: Library, name: str) -> None:
    sample = FILES[name]
    assert folder.status().by_type[sample.type]
    hit = folder.search(sample.words).hits[0]
    assert hit.stored.uri.startswith(name)
    shown = folder.show(hit.location).lines
    assert any(word in "\n".join(shown).lower() for word in sample.words.split())


@pytest.mark.parametrize("name", FILES)
def test_its_words_are_quoted_and_verified(folder: Library, name: str) -> None:
    answer = folder.ask(FILES[name].words)
    cited = [one for claim in answer.claims for one in claim.citations]
    assert cited and cited[0].verified
    assert cited[0].location.startswith(FILES[name].location)


def test_places_are_those_of_the_text(folder: Library) -> None:
    for name in FILES:
        document, chunked = folder.parse(name)
        for chunk in chunked.chunks:
            assert document.text[chunk.span.start : chunk.span.end] == chunk.text
            place = document.origins.place(chunk.span)
            assert (place.line_start, place.page, place.part) != (None, None, None)
