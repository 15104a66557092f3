"""Libraries in a temporary folder, made of real parts, and what tests ask of their hits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from embedders import bag_of_words, maker
from pincite.config import Config, SearchConfig
from pincite.library import Library
from pincite.protocols import Embedder
from pincite.types import SearchHit, SearchResult

FAULTS = Path(__file__).parent / "faults"
DEFAULT = Config()
PLAIN = Config(search=SearchConfig(feedback=0.0))
"""Dense scores are the cosines with the question's own vector."""


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes files below a folder, by their path."""
    for uri, content in files.items():
        path = root / uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def inputs(fault: str, *names: str) -> dict[str, bytes]:
    """The input files of a fault case, by their path."""
    return {name: (FAULTS / fault / name).read_bytes() for name in names}


@contextmanager
def library(
    root: Path,
    files: Mapping[str, str | bytes],
    *,
    embedder: Embedder | None = None,
    config: Config = DEFAULT,
) -> Iterator[Library]:
    """An open library of these files, not synced yet; the stand-in model is one word a token."""
    write(root, files)
    stand_in = embedder if embedder is not None else bag_of_words()
    with Library(root, root / ".pincite", config, make_embedder=maker(stand_in)) as opened:
        yield opened


@contextmanager
def bundled(root: Path, files: Mapping[str, str | bytes]) -> Iterator[Library]:
    """An open library of these files with the bundled model, not synced yet."""
    write(root, files)
    with Library(root, root / ".pincite", DEFAULT) as opened:
        yield opened


def all_chunks(lib: Library) -> list[SearchHit]:
    """Every chunk of the library, by file and place."""
    return list(lib.search("(?s).", regex=True, k=10_000).hits)


def lexical(lib: Library, query: str, *, k: int = 10) -> list[SearchHit]:
    """The hits of keyword search alone."""
    return list(lib.search(query, legs=("lexical",), k=k).hits)


def locations(found: SearchResult | list[SearchHit]) -> list[str]:
    """`path:line-line` of each hit, best first."""
    return [hit.location for hit in (found if isinstance(found, list) else found.hits)]


def uris(found: SearchResult | list[SearchHit]) -> list[str]:
    """The file of each hit, best first."""
    return [hit.stored.uri for hit in (found if isinstance(found, list) else found.hits)]


def cited_lines(root: Path, hit: SearchHit) -> str:
    """The hit's lines as they are on disk, counted by LF alone."""
    place = hit.stored.place
    assert place.line_start is not None and place.line_end is not None
    lines = (root / hit.stored.uri).read_bytes().split(b"\n")[place.line_start - 1 : place.line_end]
    return b"\n".join(lines).decode("utf-8")


def holds_lines(hit: SearchHit, first: int, last: int) -> bool:
    """Whether the hit's lines hold these."""
    place = hit.stored.place
    return place.line_start is not None and place.line_start <= first and last <= (place.line_end or 0)
