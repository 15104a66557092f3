"""F37: deleted, renamed and moved files stop answering at once, and a rename embeds nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from failing_models import HashedWords, library, uris
from pincite.errors import InputError
from pincite.library import Library
from pincite.types import Everything

HERE = Path(__file__).parent / "F37"
EXPECT = json.loads((HERE / "expect.json").read_text())
LEGS = [("lexical",), ("dense",), ("lexical", "dense")]


def replace_content(root: Path, version: str) -> None:
    """The folder as `version`; a renamed or moved file keeps its time."""
    for entry in [path for path in root.iterdir() if path.name != ".pincite"]:
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    shutil.copytree(HERE / version, root, dirs_exist_ok=True)


def chunk_ids(opened: Library, uri: str) -> list[str]:
    hits = opened.search("agate-4 jasper-2 onyx-3 topaz-1").hits
    return sorted(hit.stored.chunk.id for hit in hits if hit.stored.uri == uri)


def test_the_second_state_of_the_folder(tmp_path: Path) -> None:
    replace_content(tmp_path, "v1")
    model = HashedWords()
    with library(tmp_path, model) as opened:
        assert opened.sync().indexed == 4
        kept = chunk_ids(opened, "keep.md")
        model.seen.clear()
        replace_content(tmp_path, "v2")
        report = opened.sync()
        assert len(model.seen) == report.embedded == EXPECT["embedded_again"] == 0
        assert (report.removed, report.moved) == (("gone.md",), ("new_name.md", "plan.md"))
        assert (report.added, report.changed, report.unchanged) == ((), (), 1)
        for code, files in EXPECT["after_v2"].items():
            for legs in LEGS:
                hits = opened.search(code, legs=legs).hits
                assert [hit.stored.uri for hit in hits if code in hit.stored.chunk.text] == files
                assert {hit.stored.uri for hit in hits} <= {"new_name.md", "plan.md", "keep.md"}
            assert code not in str(opened.ask(code).context.evidence) or files
        assert chunk_ids(opened, "keep.md") == kept != []
        inside = opened._open()
        points = inside.catalog.point_ids(0, 100)
        assert inside.catalog.counts()["documents"] == len(inside.catalog.files()) == EXPECT["files"]
        assert inside.index().count(Everything()) == len(inside.index().vectors(points)) == len(points)


@pytest.mark.parametrize("state", ["missing", "empty"])
def test_a_folder_that_is_gone_removes_nothing(tmp_path: Path, state: str) -> None:
    root, index = tmp_path / "docs", tmp_path / "index"
    shutil.copytree(HERE / "v1", root)
    with library(root, index=index) as opened:
        opened.sync()
        shutil.rmtree(root)
        if state == "empty":
            root.mkdir()
        with pytest.raises(InputError) as caught:
            opened.sync()
        assert caught.value.hint
        assert uris(opened, "topaz-1", "lexical")[0] == "gone.md"
        root.mkdir(exist_ok=True)
        report = opened.sync(allow_empty=True)
        assert len(report.removed) == 4 and report.chunks == 0
        assert opened.search("topaz-1").hits == ()


def test_a_folder_that_cannot_be_listed_removes_nothing(tmp_path: Path) -> None:
    """A subfolder whose disk is not mounted is empty; only a folder that fails to be read keeps its files."""
    shutil.copytree(HERE / "v1", tmp_path, dirs_exist_ok=True)
    with library(tmp_path) as opened:
        opened.sync()
        (tmp_path / "sub" / "plan.md").unlink()
        (tmp_path / "sub").rmdir()
        (tmp_path / "sub").symlink_to(tmp_path / "nowhere")
        report = opened.sync()
        assert report.removed == ("sub/plan.md",)
        assert [reason.uri for reason in report.skipped] == ["sub"]


def test_swapped_names(tmp_path: Path) -> None:
    """Two files exchange their names: each text answers under its new name, and nothing is embedded."""
    model = HashedWords()
    for name, code in (("a.md", "beryl-1"), ("b.md", "beryl-2")):
        (tmp_path / name).write_text(f"# Stone\n\nThe code is {code}.\n")
    with library(tmp_path, model) as opened:
        opened.sync()
        model.seen.clear()
        (tmp_path / "a.md").rename(tmp_path / "c.md")
        (tmp_path / "b.md").rename(tmp_path / "a.md")
        (tmp_path / "c.md").rename(tmp_path / "b.md")
        opened.sync()
        assert model.seen == []
        for name, code in (("b.md", "beryl-1"), ("a.md", "beryl-2")):
            hits = opened.search(code).hits
            assert [hit.stored.uri for hit in hits if code in hit.stored.chunk.text] == [name]
