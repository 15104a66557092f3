"""The catalog: what is written comes back, whole transactions, vectors by text, and its own checks."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Timer
from zlib import crc32

import numpy as np
import pytest

from pincite.errors import StoreError
from pincite.index import connection
from pincite.index.catalog import SqliteCatalog, vector_key
from pincite.index.checks import COVERED, crc, identity, stamped
from pincite.index.listing import pending_uris, problems
from pincite.index.lock import hold
from pincite.index.schema import FileRow
from pincite.types import (
    Box,
    Chunk,
    Document,
    LeftOut,
    LineOrigins,
    Losses,
    Meta,
    Place,
    Run,
    RunOrigins,
    Section,
    Span,
    point_id,
)

TEXT = "# Pump\n\nOil it.\n\nTwice a year — 每年两次.\n"
MODEL = "model-1"


@pytest.fixture
def catalog(tmp_path: Path) -> SqliteCatalog:
    return SqliteCatalog(tmp_path / "catalog.db")


def document(uri: str = "a.md", text: str = TEXT, **more: object) -> Document:
    section = Section("Pump", 1, Span(0, len(text)), Span(2, 6))
    fields: dict[str, object] = {"sections": (section,), "sha256": "sha", "language": "en", **more}
    return Document(f"id-{uri}", uri, "Pump", text, "markdown", LineOrigins.of(text), **fields)  # type: ignore[arg-type]


def chunk(of: Document, start: int, end: int, **more: object) -> Chunk:
    digits = f"{crc32(of.id.encode()):08x}"[:7] + f"{start:04x}{end:04x}"
    return Chunk(digits, of.id, Span(start, end), of.text[start:end], **more)  # type: ignore[arg-type]


def put(catalog: SqliteCatalog, of: Document, *spans: tuple[int, int], meta: Meta | None = None) -> int:
    """Stores the file and its chunks; returns how many have their vector."""
    with catalog.transaction():
        catalog.put_file(FileRow(of.uri, of.id, "indexed", "", "", 1, 2, 3, 4, "sha", "markdown", "s"))
        return catalog.put_document(of, meta or {}, [chunk(of, *span) for span in spans], MODEL)


def ops(catalog: SqliteCatalog) -> list[tuple[int, str]]:
    return [(point, op) for _, point, op in catalog.outbox.entries(0, 100)]


# ── records ───────────────────────────────────────────────────────────────────────────────────
def test_a_document_comes_back_as_it_was(catalog: SqliteCatalog) -> None:
    meta: Meta = {"n": 1, "f": 1.5, "yes": True, "on": date(2026, 3, 14), "tags": ("a", "b"), "t": "t"}
    before = document(meta={"own": "x"}, left_out=(LeftOut(Span(0, 2), "markup"),), losses=Losses((3,), 7))
    put(catalog, before, (0, 6), meta=meta)
    after = catalog.document(before.id)
    assert after is not None and dict(after.meta) == meta
    assert dict(catalog.document(before.id, own_meta=True).meta) == {"own": "x"}  # type: ignore[union-attr]
    for name in ("uri", "title", "text", "type", "sections", "left_out", "sha256", "language", "losses"):
        assert getattr(after, name) == getattr(before, name), name
    assert after.origins.place(Span(8, 15)) == Place(3, 3)
    assert catalog.document("nobody") is None


def test_places_of_pages_and_boxes_come_back(catalog: SqliteCatalog) -> None:
    place = Place(page=2, boxes=(Box(0.1, 0.2, 0.3, 0.4),), part="Table 1")
    before = document(text="abcdef")
    before = Document(
        before.id, before.uri, "", "abcdef", "pdf", RunOrigins((Run(Span(0, 6), place),)), sha256="s"
    )
    put(catalog, before, (0, 6))
    assert catalog.chunks_between(before.id, 0, 0)[0].place == place
    assert catalog.document(before.id).origins.place(Span(1, 3)) == place  # type: ignore[union-attr]


def test_chunks_come_back_in_order_and_by_point(catalog: SqliteCatalog) -> None:
    one = document()
    put(catalog, one, (0, 6), (8, 15), (17, len(TEXT)))
    stored = catalog.chunks_between(one.id, 1, 5)
    assert [s.chunk.text for s in stored] == [TEXT[8:15], TEXT[17:]]
    assert [(s.ordinal, s.place.line_start) for s in stored] == [(1, 3), (2, 5)]
    points = catalog.point_ids(0, 10)
    assert catalog.point_ids(points[0], 1) == [points[1]]
    assert sorted(catalog.stored([*points, 999])) == points
    assert catalog.points_of(one.id)[0] == (points[0], 0, 6)


def test_more_ids_than_a_statement_takes(catalog: SqliteCatalog) -> None:
    text = "x" * 1200
    one = document(text=text)
    put(catalog, one, *((at, at + 1) for at in range(1200)))
    assert len(catalog.stored(catalog.point_ids(0, 2000))) == 1200


# ── changes ───────────────────────────────────────────────────────────────────────────────────
def test_an_edit_keeps_the_points_of_equal_chunks(catalog: SqliteCatalog) -> None:
    one = document()
    put(catalog, one, (0, 6), (8, 15))
    first, second = catalog.point_ids(0, 10)
    catalog.applied(catalog.outbox.last())
    put(catalog, one, (0, 6), (17, len(TEXT)))
    new = point_id(chunk(one, 17, len(TEXT)).id)
    assert catalog.point_ids(0, 10) == [first, new]
    assert sorted(ops(catalog)) == [(first, "put"), (second, "delete"), (new, "put")]


def test_remove_tells_the_search_index(catalog: SqliteCatalog) -> None:
    put(catalog, document("a.md"), (0, 6))
    (point,) = catalog.point_ids(0, 10)
    put(catalog, document("b.md"), (0, 6))
    catalog.applied(catalog.outbox.last())
    with catalog.transaction():
        catalog.remove("a.md")
        catalog.remove("never.md")
    assert ops(catalog) == [(point, "delete")]
    assert catalog.document_ids() == [("id-b.md", "b.md")]
    assert list(catalog.files()) == ["b.md"]


def test_all_or_nothing(catalog: SqliteCatalog) -> None:
    put(catalog, document("a.md"), (0, 6))
    before = (catalog.counts(), list(catalog.files()))
    with pytest.raises(KeyboardInterrupt), catalog.transaction():
        catalog.remove("a.md")
        raise KeyboardInterrupt
    assert (catalog.counts(), list(catalog.files())) == before


def test_another_reader_sees_whole_transactions(catalog: SqliteCatalog) -> None:
    reader = SqliteCatalog(catalog.path)
    with catalog.transaction():
        catalog.put_file(FileRow("a.md", "id", "empty", "", "", 1, 2, 3, 4, "sha", "", ""))
        assert reader.files() == {}
    assert list(reader.files()) == ["a.md"]
    reader.close()


# ── vectors ───────────────────────────────────────────────────────────────────────────────────
def test_equal_texts_share_one_vector(catalog: SqliteCatalog) -> None:
    for uri in ("a.md", "b.md"):
        put(catalog, document(uri), (8, 15))
    waiting, points = catalog.pending(10), catalog.point_ids(0, 10)
    assert waiting == [(vector_key(MODEL, "Oil it."), "Oil it.", points)] and len(points) == 2
    vector = np.arange(4, dtype=np.float32)
    with catalog.transaction():
        catalog.put_vectors({waiting[0][0]: vector})
    assert catalog.pending(10) == [] and problems(catalog) == []
    assert [found.tolist() for found in catalog.vectors_of(points).values()] == [vector.tolist()] * 2
    assert put(catalog, document("c.md"), (8, 15)) == 1
    with catalog.transaction():
        catalog.remove("a.md")
    assert catalog.drop_unused_vectors() == 0
    with catalog.transaction():
        catalog.remove("b.md")
        catalog.remove("c.md")
    assert catalog.drop_unused_vectors() == 1


def test_a_problem_is_kept_until_cleared(catalog: SqliteCatalog) -> None:
    put(catalog, document(), (0, 6), (8, 15))
    key = vector_key(MODEL, "Oil it.")
    with catalog.transaction():
        catalog.put_problem(key, "no vector")
    assert [text for _, text, _ in catalog.pending(10)] == ["# Pump"]
    assert catalog.waiting([2]) == []
    assert [(uri, place.line_start, why) for uri, place, why in problems(catalog)] == [
        ("a.md", 3, "no vector"),
    ]
    assert pending_uris(catalog) == ("a.md",)
    catalog.clear_problems()
    assert len(catalog.pending(10)) == 2


def test_rekey_keeps_vectors_the_other_model_has(catalog: SqliteCatalog) -> None:
    put(catalog, document(), (0, 6), (8, 15))
    with catalog.transaction():
        catalog.put_vectors({vector_key("model-2", "Oil it."): np.ones(3, np.float32)})
        catalog.rekey("model-2")
    assert [text for _, text, _ in catalog.pending(10)] == ["# Pump"]


# ── its own checks ────────────────────────────────────────────────────────────────────────────
def test_a_whole_catalog_is_found_whole_after_every_kind_of_write(catalog: SqliteCatalog) -> None:
    one = document()
    put(catalog, one, (0, 6), (8, 15))
    with catalog.transaction():
        catalog.put_meta(one.id, {"team": "red"})
        catalog.put_vectors({vector_key(MODEL, "Oil it."): np.ones(3, np.float32)})
        catalog.put(anything={"a": [1, "ü"]})
    catalog.close()
    catalog.path.with_suffix(".stamp").unlink()
    again = SqliteCatalog(catalog.path)
    assert again.get("anything") == {"a": [1, "ü"]}
    again.close()
    assert catalog.path.with_suffix(".stamp").exists()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE chunks SET text = replace(text, 'Oil', 'Wax')",
        "UPDATE chunks SET place = '[9, 9]'",
        "UPDATE chunks SET vector_key = x'00' WHERE embedded",
        "UPDATE documents SET title = 'Other'",
        "UPDATE documents SET meta = '{}'",
        "UPDATE vectors SET vector = zeroblob(12)",
        "UPDATE manifest SET value = '\"other\"' WHERE key = 'library'",
        "UPDATE files SET state = 'indexeg'",
        "DELETE FROM documents",
        "DELETE FROM files",
        "DELETE FROM vectors",
    ],
)
def test_a_row_changed_from_outside_is_refused(catalog: SqliteCatalog, change: str) -> None:
    put(catalog, document(), (0, 6), (8, 15), meta={"team": "red"})
    with catalog.transaction():
        catalog.put_vectors({vector_key(MODEL, "Oil it."): np.ones(3, np.float32)})
        catalog.put(library="mine")
    catalog.close()
    other = sqlite3.connect(catalog.path)
    with other:
        assert other.execute(change).rowcount
    other.close()
    with pytest.raises(StoreError, match=r"catalog\.db is damaged") as caught:
        SqliteCatalog(catalog.path)
    assert "sync" in caught.value.hint and caught.value.exit_code == 7


def wax(path: Path) -> None:
    """Changes one text in the file itself, as a failing disk would."""
    data = path.read_bytes()
    assert b"Oil it." in data
    with path.open("r+b") as stream:
        stream.seek(data.index(b"Oil it."))
        stream.write(b"Wax")


def test_damage_during_a_session_that_writes_is_not_sealed(catalog: SqliteCatalog) -> None:
    put(catalog, document(), (8, 15))
    catalog.close()
    again = SqliteCatalog(catalog.path)
    wax(catalog.path)
    put(again, document("b.md"), (0, 6))
    again.close()
    with pytest.raises(StoreError, match="is damaged"):
        SqliteCatalog(catalog.path)


def test_a_reader_that_closes_seals_nothing(catalog: SqliteCatalog) -> None:
    put(catalog, document(), (8, 15))
    catalog.close()
    reader = SqliteCatalog(catalog.path)
    wax(catalog.path)
    reader.close()
    with pytest.raises(StoreError, match="is damaged"):
        SqliteCatalog(catalog.path)


def test_a_long_session_leaves_a_stamped_file_and_a_small_journal(
    catalog: SqliteCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may open it at any time: none of them has to read it all."""
    monkeypatch.setattr(connection, "_FOLD_BYTES", 200_000)
    journal = catalog.path.with_name("catalog.db-wal")
    sizes = []
    for number in range(12):
        put(catalog, document(f"{number}.md", text=f"{number} " * 20_000), (0, 40_000), (0, 30_000))
        sizes.append(catalog.path.stat().st_size)
        assert stamped(catalog.path)
    assert len(set(sizes)) > 5 and journal.stat().st_size < 1_000_000


def test_a_stamp_that_a_writer_renews_is_waited_for(catalog: SqliteCatalog) -> None:
    """The writer has folded its journal into the file, and is about to stamp it."""
    put(catalog, document(), (8, 15))
    catalog.close()
    stamp = catalog.path.with_suffix(".stamp")
    stamp.unlink()
    wax(catalog.path)  # would be found by a look
    with hold(catalog.path.with_name("sync.lock"), wait=0):
        later = Timer(0.1, stamp.write_text, [json.dumps(identity(catalog.path))])
        later.start()
        SqliteCatalog(catalog.path).close()
        later.join()


def test_read_only_writes_nothing(catalog: SqliteCatalog) -> None:
    put(catalog, document(), (8, 15))
    for beside_a_writer in (True, False):
        if not beside_a_writer:
            catalog.close()
            catalog.path.with_suffix(".stamp").unlink()
        before = sorted((path.name, path.stat().st_mtime_ns) for path in catalog.path.parent.iterdir())
        reader = SqliteCatalog(catalog.path, read_only=True)
        assert list(reader.files()) == ["a.md"]
        with pytest.raises(StoreError, match="readonly"), reader.transaction():
            reader.put(anything=1)
        reader.close()
        after = sorted((path.name, path.stat().st_mtime_ns) for path in catalog.path.parent.iterdir())
        assert after == before


def test_read_only_looks_for_damage_too(catalog: SqliteCatalog) -> None:
    put(catalog, document(), (8, 15))
    catalog.close()
    wax(catalog.path)
    with pytest.raises(StoreError, match="is damaged"):
        SqliteCatalog(catalog.path, read_only=True)


def test_a_catalog_that_was_never_begun_reads_as_empty(tmp_path: Path) -> None:
    (tmp_path / "catalog.db").touch()
    reader = SqliteCatalog(tmp_path / "catalog.db", read_only=True)
    assert reader.files() == {} and reader.counts()["documents"] == 0
    reader.close()
    assert (tmp_path / "catalog.db").stat().st_size == 0


def test_threads_take_turns(catalog: SqliteCatalog) -> None:
    """Each transaction is whole, and its rollback takes nothing of another thread's."""

    def write(number: int) -> None:
        for turn in range(20):
            try:
                put(catalog, document(f"{number}-{turn}.md"), (0, 6))
                with catalog.transaction():
                    catalog.put_file(FileRow(f"{number}", "x", "empty", "", "", 1, 2, 3, 4, "s", "", ""))
                    catalog.counts()
                    raise KeyError(number)
            except KeyError:
                assert f"{number}-{turn}.md" in catalog.files()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert catalog.counts()["documents"] == 80 and len(catalog.files()) == 80


def test_a_checksum_covers_every_value_and_its_place() -> None:
    assert crc(["ab", "c"]) != crc(["a", "bc"])
    assert crc([1, None]) != crc([None, 1])
    assert crc([b"\x00"]) != crc([b"\x01"])
    assert set(COVERED) == {"manifest", "documents", "chunks", "vectors"}


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "catalog.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match=r"catalog\.db"):
        SqliteCatalog(tmp_path / "catalog.db")


def test_a_fault_of_ours_inside_a_transaction_is_not_called_damage(catalog: SqliteCatalog) -> None:
    with pytest.raises(ValueError, match="ours"), catalog.transaction():
        raise ValueError("ours")
