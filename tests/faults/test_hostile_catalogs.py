"""A catalog may come from anywhere: what lies in it is refused with the command that mends, never obeyed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from failing_models import library, synced, uris
from pincite.errors import IndexStaleError, StoreError, UsageError
from pincite.index import rows, tree
from pincite.index.checks import COVERED, crc

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i, i FROM n"
MAGIC = bytes.fromhex("d9d505f920a163d7")


def made(docs: Path) -> Path:
    docs.mkdir()
    (docs / "a.md").write_text("# Pump\n\nThe pump holds 24 litres.\n\n# Valve\n\nThe valve is open.\n")
    synced(docs)
    return docs


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced folder; tests change only copies."""
    return made(tmp_path_factory.mktemp("catalogs") / "docs")


@pytest.fixture
def docs(whole: Path, tmp_path: Path) -> Path:
    """A synced folder, in a folder that holds nothing else."""
    tree.copy(whole, tmp_path / "docs")
    return tmp_path / "docs"


def change(docs: Path, *statements: str) -> None:
    with closing(sqlite3.connect(docs / ".pincite" / "catalog.db")) as db, db:
        for statement in statements:
            db.execute(statement)


def refused(docs: Path, words: str) -> None:
    """Every call refuses the catalog; the command of its hint mends it."""
    calls: list[Callable[[object], object]] = [
        lambda opened: opened.search("pump"),  # type: ignore[attr-defined]
        lambda opened: opened.status(),  # type: ignore[attr-defined]
        lambda opened: opened.sync(),  # type: ignore[attr-defined]
    ]
    for call in calls:
        with library(docs) as opened, pytest.raises(StoreError, match=words) as caught:
            call(opened)
    command = caught.value.hint.removeprefix("run: ").removesuffix("; then: pincite sync")
    subprocess.run(["sh", "-c", command], check=True)
    assert synced(docs).indexed == 1
    with library(docs) as opened:
        assert uris(opened, "pump")[0] == "a.md"


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE documents RENAME TO kept", f"CREATE VIEW documents AS {ENDLESS}"],
        ["ALTER TABLE manifest RENAME TO kept", f"CREATE VIEW manifest AS {ENDLESS}"],
        ["CREATE VIEW more AS SELECT * FROM files"],
        ["CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM chunks; END"],
        ["CREATE TABLE more (x)"],
        ["DROP INDEX chunks_pending"],
        ["DROP TABLE files", "CREATE VIRTUAL TABLE files USING fts5(uri)"],
    ],
)
def test_tables_that_are_not_those_of_a_catalog(docs: Path, statements: list[str]) -> None:
    change(docs, *statements)
    refused(docs, "its tables are not those of a catalog")


@pytest.mark.timeout(30)
@pytest.mark.parametrize("name", ["catalog.db", "catalog.db-wal", "catalog.db-shm", "catalog.db-journal"])
@pytest.mark.parametrize("kind", ["pipe", "link", "second name", "folder"])
def test_what_is_no_file_of_one_name_is_not_opened(docs: Path, name: str, kind: str) -> None:
    path, outside = docs / ".pincite" / name, docs.parent / "outside"
    outside.write_bytes(path.read_bytes() if path.exists() else b"")
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(outside)
    else:
        path.hardlink_to(outside)
    before = outside.read_bytes()
    for call in ("search", "sync"):
        with library(docs) as opened, pytest.raises(StoreError) as caught:
            opened.search("pump") if call == "search" else opened.sync()
        assert name in caught.value.message and caught.value.hint
    assert outside.read_bytes() == before


def test_a_journal_that_names_another_file(docs: Path) -> None:
    """SQLite removes the file that the end of a rollback journal names."""
    outside = docs.parent / "mine.txt"
    outside.write_text("mine\n")
    name = str(outside).encode()
    head = (
        MAGIC + b"\0" * 4 + b"\1\2\3\4" + b"\0\0\0\1" + (512).to_bytes(4, "big") + (4096).to_bytes(4, "big")
    )
    end = b"\0\0\0\2" + name + len(name).to_bytes(4, "big") + sum(name).to_bytes(4, "big") + MAGIC
    (docs / ".pincite" / "catalog.db-journal").write_bytes(head.ljust(512, b"\0") + end)
    refused(docs, "names another file")
    assert outside.read_text() == "mine\n"


def test_a_row_is_looked_at_whenever_it_is_read(docs: Path) -> None:
    """Also when it changes after the catalog was found whole."""
    for table, column in (("chunks", "text"), ("documents", "title"), ("documents", "body")):
        with library(docs) as opened:
            assert opened.search("pump").hits and opened.ask("How much does the pump hold?").claims
            if column == "body":
                change(docs, "UPDATE documents SET body = CAST('{}' || char(10) || '25' AS BLOB)")
            else:
                change(
                    docs, f"UPDATE {table} SET {column} = replace(replace({column}, '24', '25'), 'P', 'B')"
                )
            with pytest.raises(StoreError, match="has changed") as caught:
                opened.search("pump.*", regex=True) if column == "body" else opened.search("pump")
            assert "catalog.db" in caught.value.message and caught.value.hint
        for path in (docs / ".pincite").glob("catalog*"):
            path.unlink()
        synced(docs)


def test_a_chunk_that_is_missing_is_missed(docs: Path) -> None:
    with library(docs) as opened:
        assert len(opened.search("(?s).", regex=True).hits) == 2
        change(docs, "DELETE FROM chunks WHERE ordinal = 1")
        with pytest.raises(StoreError, match="has 1 of 2 chunks"):
            opened.search("(?s).", regex=True)


def test_a_document_that_is_missing_is_missed_by_a_new_search_index(docs: Path) -> None:
    """A catalog that nobody looked through, as its stamp says that it is whole."""
    with library(docs) as opened:
        opened.search("pump")
        change(docs, "DELETE FROM documents")
        for seal in (docs / ".pincite" / "search").glob("*.seal"):
            seal.unlink()
        opened._open().release()
        with pytest.raises(StoreError, match="the document of a chunk is missing") as caught:
            opened.search("pump")
        assert "catalog.db" in caught.value.hint


def test_what_was_written_and_dated_back_is_looked_at(tmp_path: Path) -> None:
    docs = made(tmp_path / "docs")  # a copy of a catalog is looked at in any case
    path = docs / ".pincite" / "catalog.db"
    before = path.stat()
    data = path.read_bytes().replace(b"24 litres", b"25 litres")
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    refused(docs, "has changed")


def test_a_text_cannot_inflate_without_end(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_MOST_INFLATED", 1_000_000)
    bomb = zlib.compress(b'{"a": 1}\n' + b" " * 5_000_000)
    with library(docs) as opened:
        opened.search("pump")
        with closing(sqlite3.connect(docs / ".pincite" / "catalog.db")) as db, db:
            (doc_id,) = db.execute("SELECT doc_id FROM documents").fetchone()
            db.execute("UPDATE documents SET body = ?, body_crc = ?", [bomb, crc([doc_id, bomb])])
        with pytest.raises(StoreError, match="larger than 1,000,000 bytes"):
            opened.search("pump", regex=True)


def test_a_value_of_any_size_is_not_read(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.index.connection.MOST_BYTES", 1_000_000)
    change(docs, "UPDATE chunks SET text = printf('%.*c', 2000000, 'x')")
    with library(docs) as opened, pytest.raises(StoreError, match="too big"):
        opened.search("pump")


@pytest.mark.parametrize("value", ["[]", "[1, 2, 3, 4]", "{}", '"x"', "[[1], 2]", "nonsense"])
@pytest.mark.parametrize("column", ["meta", "losses"])
def test_values_that_make_no_sense_with_sums_that_are_right(docs: Path, column: str, value: str) -> None:
    change(docs, f"UPDATE documents SET {column} = '{value}'")
    with closing(sqlite3.connect(docs / ".pincite" / "catalog.db")) as db, db:
        row = db.execute(f"SELECT {', '.join(COVERED['documents'])} FROM documents").fetchone()
        db.execute("UPDATE documents SET crc = ?", [crc(row)])
    for call in ("status", "sync"):
        with library(docs) as opened:
            try:
                getattr(opened, call)()
            except StoreError as error:
                assert "is damaged" in error.message and error.hint


ODD_VALUES = ("7", '"zz"', '["x", 3]', '{"a": 1}', "true", "-1", "1e300", "null")


@pytest.mark.parametrize(
    "key", ["root", "model", "dimension", "stemmers", "fields", "odd_fields", "given", "epoch"]
)
def test_facts_of_another_kind_are_told_as_damage_at_most(docs: Path, key: str) -> None:
    for value in ODD_VALUES:
        with closing(sqlite3.connect(docs / ".pincite" / "catalog.db")) as db:
            db.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)", (key, value, crc((key, value))))
            db.commit()
        for call in ("status", "search", "sync"):
            with suppress(StoreError, UsageError, IndexStaleError), library(docs) as opened:
                opened.search("pump") if call == "search" else getattr(opened, call)()
