"""What a sync plans and does: which files are read, and that each is in the catalog whole or as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from failing_models import HashedWords, anyones_folder, go, library, not_root, start, synced, uris
from pincite.config import ChunkConfig, Config, ModelConfig, SyncConfig
from pincite.errors import IndexStaleError, InputError, StoreError, UsageError
from pincite.folder.walk import FoundFile, Walk
from pincite.index import opened as opened_library
from pincite.index import search_index
from pincite.index.schema import FileRow
from pincite.sync.plan import plan
from pincite.types import Progress, Reason

SECOND = 1_000_000_000
SETTINGS = {"": "s1", "csv": "s2"}
FOUND = FoundFile("a.md", Path("a.md"), 10, 5 * SECOND + 1, 6 * SECOND + 1, 7, seen_ns=9 * SECOND)
ROW = FileRow("a.md", "id", "indexed", "", "", *FOUND.identity, "sha", "markdown", "s1", seen_ns=9 * SECOND)


def reads(found: FoundFile, row: FileRow) -> bool:
    """Whether the plan reads the file again."""
    return plan(Walk([found]), {row.uri: row}, SETTINGS).to_read == (found,)


def test_equal_in_all_that_a_stat_tells() -> None:
    assert not reads(FOUND, ROW)


@pytest.mark.parametrize("field", ["size", "mtime_ns", "ctime_ns", "inode"])
def test_one_difference_is_enough(field: str) -> None:
    assert reads(replace(FOUND, **{field: getattr(FOUND, field) + 1}), ROW)


@pytest.mark.parametrize(
    ("kind", "settings", "again"),
    [("markdown", "s1", False), ("markdown", "s0", True), ("csv", "s2", False), ("csv", "s1", True)],
)
def test_other_settings(kind: str, settings: str, again: bool) -> None:
    assert reads(FOUND, replace(ROW, kind=kind, settings=settings)) is again


@pytest.mark.parametrize(
    ("ctime_ns", "seen_after", "again"),
    [(1, 5_000_000, True), (1, 50_000_000, False), (0, 50_000_000, True), (0, 3 * SECOND, False)],
)
def test_read_within_a_tick_of_the_clock(ctime_ns: int, seen_after: int, again: bool) -> None:
    """An edit right after the reading could have left the same times; whole seconds are a coarse clock."""
    found = replace(FOUND, ctime_ns=6 * SECOND + ctime_ns)
    row = replace(ROW, ctime_ns=found.ctime_ns, seen_ns=found.ctime_ns + seen_after)
    assert reads(found, row) is again


def test_what_is_gone_is_removed_unless_all_is_gone() -> None:
    other = replace(FOUND, uri="b.md")
    assert plan(Walk([other]), {"a.md": ROW}, SETTINGS).removed == (ROW,)
    with pytest.raises(InputError, match="1 is indexed; nothing was removed"):
        plan(Walk(), {"a.md": ROW}, SETTINGS)
    assert plan(Walk(), {"a.md": ROW}, SETTINGS, allow_empty=True).removed == (ROW,)
    assert plan(Walk(), {}, SETTINGS).removed == ()


def test_what_lies_in_a_folder_that_cannot_be_read_is_not_gone() -> None:
    known = {uri: replace(ROW, uri=uri) for uri in ("a.md", "in/b.md", "in/deep/c.md", "inner.md", "d.md")}
    todo = plan(Walk([FOUND], failed=[Reason("in/", "no"), Reason("d.md", "no")]), known, SETTINGS)
    assert [row.uri for row in todo.removed] == ["inner.md"]
    assert [one.uri for one in todo.kept] == ["in/b.md", "in/deep/c.md"]
    assert plan(Walk(failed=[Reason("./", "no")]), known, SETTINGS).removed == ()


# ── on a real folder ──────────────────────────────────────────────────────────────────────────
def write(root: Path, number: int, word: str = "first") -> None:
    (root / f"n{number}.md").write_text(
        f"# Note {number}\n\nItem item-{number}, {word} state.\n\nMore text.\n"
    )


def test_only_what_changed_is_embedded(tmp_path: Path) -> None:
    model = HashedWords()
    for number in range(5):
        write(tmp_path, number)
    with library(tmp_path, model) as opened:
        assert opened.sync().added == tuple(f"n{number}.md" for number in range(5))
        model.seen.clear()
        write(tmp_path, 3, "second")
        report = opened.sync()
        assert (report.changed, report.unchanged) == (("n3.md",), 4)
        assert len(model.seen) == report.embedded == 1


def test_other_chunk_settings_cut_again_and_name_themselves(tmp_path: Path) -> None:
    write(tmp_path, 1)
    synced(tmp_path)
    config = Config(chunk=ChunkConfig(size=8, overlap=0))
    with library(tmp_path, config=config) as opened:
        with pytest.raises(IndexStaleError, match="chunk"):
            opened.search("item-1")
        assert opened.sync().changed == ("n1.md",)
        assert uris(opened, "item-1")


def test_cutting_anew_that_did_not_end_is_seen(tmp_path: Path) -> None:
    """Neither the old settings nor the new ones find a mixture of old and new chunks."""
    for number in range(3):
        write(tmp_path, number)
    synced(tmp_path)
    other = Config(chunk=ChunkConfig(size=8, overlap=0))

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with library(tmp_path, config=other) as opened, pytest.raises(KeyboardInterrupt):
        opened.sync(progress=interrupt)
    for config in (Config(), other):
        with library(tmp_path, config=config) as opened:
            assert any("chunk" in line for line in opened.status().stale_settings)
            with pytest.raises(IndexStaleError, match="chunk"):
                opened.search("item-1")
    with library(tmp_path, config=other) as opened:
        opened.sync()
        assert opened.status().stale_settings == () and uris(opened, "item-1")


@pytest.mark.parametrize("name", ["PARSER_VERSION", "CHUNKER_VERSION"])
def test_another_parser_or_chunker_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write(tmp_path, 1)
    synced(tmp_path)
    monkeypatch.setattr(opened_library, name, 99)
    with library(tmp_path) as opened:
        with pytest.raises(IndexStaleError, match="this Pincite") as caught:
            opened.search("item-1")
        assert caught.value.hint == "run: pincite sync"
        opened.sync()
        assert uris(opened, "item-1")


def test_documents_that_drift_to_other_languages_are_told(tmp_path: Path) -> None:
    text = "This is one of the notes that we have written for the people of the town, and it is in English.\n"
    for number in range(8):
        (tmp_path / f"e{number}.md").write_text(text * 3)
    with library(tmp_path) as opened:
        assert opened.sync().warnings == () and opened.status().warnings == ()
        (tmp_path / "f.md").write_text("这是一份关于城市供水系统的中文说明。" * 20)
        (tmp_path / "g.md").write_text("本文件介绍如何在山区建造木结构房屋。" * 20)
        (warning,) = opened.sync().warnings
        assert (
            warning.startswith("2 of 10 documents are not ")
            and "pincite sync --model multilingual" in warning
        )
        assert opened.status().warnings == (warning,)
    named = Config(model=ModelConfig("english"))
    with library(tmp_path, config=named) as opened:
        assert opened.sync().warnings == ()


def test_texts_too_short_to_tell_their_language_are_not_counted_as_foreign(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"e{number}.md").write_text(f"Pump {number} ok.\n")
    german = "Sehr geehrte Damen und Herren, die Pumpe wurde gestern von unserem Monteur wieder eingebaut.\n"
    with library(tmp_path, config=Config(model=ModelConfig("auto"))) as opened:
        opened.sync()
        (tmp_path / "mail.eml").write_text(f"From: a@example.org\nSubject: Pumpe\n\n{german * 5}")
        assert opened.sync().warnings == ()
        for number in range(18):
            (tmp_path / f"e{number}.md").unlink()
        (warning,) = opened.sync().warnings
        assert warning.startswith("1 of 3 documents is not in English")


def test_another_model_embeds_everything_again(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path, number)
    synced(tmp_path)
    other = HashedWords("hashed-words-2", dimension=48)
    with library(tmp_path, other) as opened:
        with pytest.raises(IndexStaleError, match="weights or settings differ"):
            opened.search("item-1")
        report = opened.sync()
        assert (report.embedded, report.dense_complete) == (3, 1)
        assert uris(opened, "item-1 first", "dense")[0] == "n1.md"


def test_metadata_given_and_taken_away(tmp_path: Path) -> None:
    write(tmp_path, 1)
    model = HashedWords()
    with library(tmp_path, model) as opened:
        opened.sync(meta={"team": "red", "year": 2026})
        assert [h.stored.uri for h in opened.search("item-1", filter="team=red").hits] == ["n1.md"]
        model.seen.clear()
        opened.sync(meta={"team": "blue"})
        assert opened.search("item-1", filter="team=red").hits == ()
        assert len(opened.search("item-1", filter=["team=blue", "year>=2026"]).hits) == 1
        opened.sync(meta={"team": ""})
        with pytest.raises(UsageError, match="no document has a field 'team'"):
            opened.search("item-1", filter="team=blue")
        assert model.seen == []


def test_progress_has_an_end(tmp_path: Path) -> None:
    for number in range(40):
        write(tmp_path, number)
    seen: list[Progress] = []
    with library(tmp_path) as opened:
        opened.sync(progress=seen.append)
    for stage in ("read", "embed"):
        steps = [one for one in seen if one.stage == stage]
        assert steps and steps[-1].done == steps[-1].total
        assert [one.done for one in steps] == sorted(one.done for one in steps)


# ── two processes ─────────────────────────────────────────────────────────────────────────────
HOLD = """
from pincite.index.lock import hold
with hold(Path(values[0]) / ".pincite" / values[1], wait=0):
    ready()
"""


def test_two_syncs_at_once(tmp_path: Path) -> None:
    write(tmp_path, 1)
    synced(tmp_path)
    with (
        start(HOLD, tmp_path, "sync.lock") as child,
        library(tmp_path, config=Config(lock_wait=0.2)) as opened,
    ):
        assert child.stdout and child.stdout.readline() == "ready\n"
        with pytest.raises(IndexStaleError, match=rf"held by process {child.pid} .*waited 0.2 s") as caught:
            opened.sync()
        assert caught.value.exit_code == 5 and caught.value.hint
        assert uris(opened, "item-1")[0] == "n1.md"
        child.communicate("\n")
        assert opened.sync().unchanged == 1


def test_removals_wait_for_the_search_index_too(tmp_path: Path) -> None:
    """The catalog is not changed while the search index cannot follow."""
    for number in range(2):
        write(tmp_path, number)
    synced(tmp_path)
    (tmp_path / "n0.md").unlink()
    with (
        start(HOLD, tmp_path, "search.lock") as child,
        library(tmp_path, config=Config(lock_wait=0.2)) as opened,
    ):
        assert child.stdout and child.stdout.readline() == "ready\n"
        with pytest.raises(IndexStaleError, match=r"search\.lock is held"):
            opened.sync()
        assert opened.status().documents == 2
        child.communicate("\n")
        assert opened.sync().removed == ("n0.md",)
        assert "n0.md" not in uris(opened, "item-0")


def test_a_search_beside_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process syncs, searches answer from the state before or after, never from neither."""
    monkeypatch.setattr(
        search_index, "_PATIENCE", 60.0
    )  # however long other work holds up the one that syncs
    for number in range(30):
        write(tmp_path, number)
    synced(tmp_path)
    code = """
root = Path(values[0])
ready()
for round in range(3):
    for number in range(30):
        text = f"# Note {number}\\n\\nItem item-{number}, round {round} state.\\n"
        (root / f"n{number}.md").write_text(text)
    library(root).sync()
"""
    with start(code, tmp_path) as child:
        go(child)
        searches = 0
        while child.poll() is None:
            with library(tmp_path) as opened:
                for number in (4, 20):
                    texts = [hit.stored.chunk.text for hit in opened.search(f"item-{number}").hits]
                    assert sum(f"item-{number}," in text for text in texts) == 1
            searches += 1
        assert child.stderr is not None
        assert child.returncode == 0 and searches, child.stderr.read()
    with library(tmp_path) as opened:
        assert "round 2" in opened.search("item-4").hits[0].stored.chunk.text


# ── odd folders ───────────────────────────────────────────────────────────────────────────────
def test_an_index_folder_that_cannot_be_written(tmp_path: Path) -> None:
    synced(tmp_path)  # loads all that is loaded on first use
    with anyones_folder() as folder, not_root():
        write(folder, 1)
        folder.chmod(0o555)
        with pytest.raises(StoreError, match="cannot be written") as caught:
            synced(folder)
        assert "--index" in caught.value.hint


def test_the_index_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    root.mkdir()
    write(root, 1)
    with library(root, index=tmp_path / "index") as opened:
        opened.sync()
        assert uris(opened, "item-1")[0] == "n1.md"
    assert [path.name for path in root.iterdir()] == ["n1.md"]


def test_the_index_inside_the_folder_is_no_document(tmp_path: Path) -> None:
    write(tmp_path, 1)
    config = Config(sync=SyncConfig(hidden=True))
    for name in (".pincite", "index"):
        with library(tmp_path, config=config, index=tmp_path / name) as opened:
            opened.sync()
            assert opened.sync().found == 1
