"""Overviews of what a catalog holds: documents by kind, what waits, what failed, what was lost."""

from __future__ import annotations

from typing import Literal

from pincite.index.catalog_reader import CatalogReader
from pincite.index.rows import unpack_losses, unpack_place
from pincite.types import Losses, Place


def tally(catalog: CatalogReader, column: Literal["type", "language"]) -> dict[str, int]:
    """Documents per type or language, in its order."""
    rows = catalog.rows(f"SELECT {column} AS kind, count(*) AS n FROM documents GROUP BY 1 ORDER BY 1")
    return {row["kind"]: row["n"] for row in rows}


def pending_uris(catalog: CatalogReader) -> tuple[str, ...]:
    """The documents with a chunk that has no vector, by uri."""
    sql = """SELECT DISTINCT d.uri FROM chunks c JOIN documents d ON d.doc_id = c.doc_id
             WHERE c.embedded = 0 ORDER BY d.uri"""
    return tuple(row["uri"] for row in catalog.rows(sql))


def problems(catalog: CatalogReader) -> list[tuple[str, Place, str]]:
    """(uri, place, problem) of every chunk the model gave no vector for, by uri and place."""
    sql = """SELECT d.uri, c.place, c.problem FROM chunks c JOIN documents d ON d.doc_id = c.doc_id
             WHERE c.embedded = 0 AND c.problem <> '' ORDER BY d.uri, c.ordinal"""
    with catalog.naming():
        return [(row["uri"], unpack_place(row["place"]), row["problem"]) for row in catalog.rows(sql)]


def losses(catalog: CatalogReader) -> list[tuple[str, Losses]]:
    """What could not be read of each document of which something could not, by uri."""
    sql = "SELECT uri, losses FROM documents WHERE losses <> '' ORDER BY uri"
    with catalog.naming():
        return [(row["uri"], unpack_losses(row["losses"])) for row in catalog.rows(sql)]
