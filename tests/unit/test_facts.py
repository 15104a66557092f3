"""What folder and catalog say of a judged place: each state of its file, its chunks, its filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from embedders import bag_of_words
from libraries import DEFAULT, library, write
from pincite.config import ChunkConfig, Config, SyncConfig
from pincite.evaluate.golds import Resolver
from pincite.evaluate.proof.facts import FactFinder, Facts, refusing
from pincite.filter import parse_filter
from pincite.library import Library
from pincite.types import Everything, Qrel

FILES = {
    "pump.md": "# Pump\n## Oil\n\nOil the pump twice a year.\nUse thin oil.\nWipe it.\n\n## Paper\n\nNone.\n",
    "page.html": "<html><body><p>Open today.</p><script>var s = 'The secret word';</script></body></html>",
    "note.md": "# Note\n\nA line.\n\n<!-- Seen by nobody at all. -->\n",
}
Break = Callable[[Path], None]


def facts(lib: Library, qrel: Qrel, *expressions: str) -> Facts:
    opened = lib._open()
    resolver = Resolver(opened.catalog)
    filter = parse_filter(expressions, opened.catalog.get("fields"))
    return FactFinder(opened, resolver, filter)(resolver.gold(qrel))


def after(
    root: Path,
    qrel: Qrel,
    broken: Break,
    *,
    sync: bool,
    config: Config = DEFAULT,
    files: Mapping[str, str | bytes] = FILES,
) -> Facts:
    """The facts of a place once its folder was broken after a sync, and perhaps synced again."""
    with library(root, files, config=config) as lib:
        lib.sync()
        broken(root)
        if sync:
            lib.sync()
        return facts(lib, qrel)


def put(uri: str, content: str | bytes) -> Break:
    return lambda root: write(root, {uri: content})


def deleted(root: Path) -> None:
    (root / "pump.md").unlink()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library that nothing is done to."""
    long = " ".join(f"word{n}" for n in range(40)) + ".\n"
    tiny = Config(chunk_for={"text": ChunkConfig(strategy="tokens", size=10, overlap=0)})
    failing = bag_of_words(fails_on="Seldom")
    files = {**FILES, "long.txt": long, "seldom.md": "Seldom embedded."}
    with library(tmp_path_factory.mktemp("whole"), files, config=tiny, embedder=failing) as lib:
        lib.sync()
        yield lib


OIL = Qrel("q", "pump.md", quote="Oil the pump twice a year.")
SECTION = Qrel("q", "pump.md", 2, 2)


@pytest.mark.parametrize(
    ("broken", "sync", "state", "reason"),
    [
        (put("pump.md", "Oil it."), False, "changed", "no longer holds these words"),
        (put("pump.md", FILES["pump.md"] + "More."), False, "indexed", "still holds these words"),
        (put("pump.md", b"\xff\xfe\x00\xd8A\x00"), False, "unreadable", "cannot be read now"),
        (deleted, False, "gone", "no longer there"),
        (deleted, True, "absent", ""),
        (put("pump.md", b"\xff\xfe\x00\xd8A\x00"), True, "failed", "utf-16-le"),
        (put("pump.md", bytes(range(256))), True, "skipped", "binary"),
        (put("pump.md", " \n"), True, "empty", "empty file"),
        (put(".gitignore", "pump.md\n"), True, "excluded", "a rule leaves it out"),
        (put("pump.md", "x" * 1_000_001), True, "skipped", "sync.max_file_mb"),
    ],
)
def test_each_state_of_a_file(tmp_path: Path, broken: Break, sync: bool, state: str, reason: str) -> None:
    found = after(tmp_path, OIL, broken, sync=sync, config=Config(sync=SyncConfig(max_file_mb=1)))
    assert found.file == state
    assert reason in found.reason


def test_a_file_no_sync_has_seen_is_new(tmp_path: Path) -> None:
    found = after(tmp_path, Qrel("q", "new.md", 1), put("new.md", "New."), sync=False)
    assert (found.file, found.holders) == ("new", frozenset())


def test_evidence_as_it_was_indexed(whole: Library) -> None:
    found = facts(whole, OIL)
    assert (found.file, found.reason, found.text) == ("indexed", "", "Oil the pump twice a year.")
    assert (len(found.holders), found.share, found.refused, found.left_out) == (1, 1.0, (), "")


def test_a_link_no_sync_has_seen_is_there_and_would_be_skipped(tmp_path: Path) -> None:
    def linked(root: Path) -> None:
        (root / "linked.md").symlink_to(tmp_path.parent)

    found = after(tmp_path / "library", Qrel("q", "linked.md", 1), linked, sync=False)
    assert (found.file, found.reason) == ("skipped", "a link; links are not followed")


def test_an_absent_file_names_the_nearest(whole: Library) -> None:
    found = facts(whole, Qrel("q", "pumps.md", 1))
    assert found.file == "absent"
    assert "pump.md" in found.reason


@pytest.mark.parametrize("uri", ["../secret.md", "/etc/passwd", "a\0b"])
def test_a_path_outside_the_folder_is_absent(whole: Library, uri: str) -> None:
    assert facts(whole, Qrel("q", uri, 1)).file == "absent"


@pytest.mark.parametrize(
    ("kept", "state"),
    [
        (("Oil the pump twice a year.", "Use thin oil."), "indexed"),
        (("Use thin oil.",), "changed"),
        ((), "changed"),
    ],
)
def test_a_section_stands_while_half_of_its_lines_do(
    tmp_path: Path, kept: tuple[str, ...], state: str
) -> None:
    broken = put("pump.md", "\n".join(("# Pump", "## Oil", *kept)))
    assert after(tmp_path, SECTION, broken, sync=False).file == state


def test_a_label_on_a_whole_document_is_not_stale_by_an_edit(tmp_path: Path) -> None:
    found = after(tmp_path, Qrel("q", "pump.md"), put("pump.md", "Something else."), sync=False)
    assert (found.file, found.reason) == ("indexed", "the file changed since it was indexed")


def test_a_quote_in_a_script_is_in_the_source_alone(whole: Library) -> None:
    found = facts(whole, Qrel("q", "page.html", quote="The secret word"))
    assert found.gold.problem == "quote not there"
    assert found.in_source
    assert not facts(whole, Qrel("q", "page.html", quote="Another word")).in_source


def test_a_comment_is_left_out_of_the_chunks(whole: Library) -> None:
    found = facts(whole, Qrel("q", "note.md", quote="Seen by nobody at all."))
    assert (found.holders, found.left_out) == (frozenset(), "comment")


def test_a_span_no_chunk_holds_half_of_has_the_share_of_the_best(whole: Library) -> None:
    found = facts(whole, Qrel("q", "long.txt", 1))
    assert found.holders == frozenset()
    assert 0.2 < found.share < 0.3


def test_chunks_a_model_failed_for_are_without_a_vector(whole: Library) -> None:
    found = facts(whole, Qrel("q", "seldom.md", 1))
    assert found.holders == found.unembedded != frozenset()
    assert not facts(whole, OIL).unembedded


def test_the_parts_of_a_filter_a_document_does_not_meet_are_named(whole: Library) -> None:
    (refused,) = facts(whole, OIL, "type=html", "path!=other.md").refused
    assert "html" in refused
    assert refusing(Everything(), {}) == ()
