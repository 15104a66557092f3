"""An index folder is ours or empty: links and others' files are refused, and nothing of theirs goes."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from failing_models import HashedWords, library, synced, uris
from index_files import current
from pincite.config import Config, ModelConfig
from pincite.errors import StoreError, UsageError
from pincite.index.catalog import SqliteCatalog
from pincite.index.qdrant_edge import QdrantEdgeIndex
from pincite.protocols import Embedder


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with a document and a package called `search`."""
    docs = tmp_path / "docs"
    (docs / "search").mkdir(parents=True)
    (docs / "search" / "engine.py").write_text("print(1)\n")
    (docs / "note.md").write_text("# Note\n\nquartz\n")
    return docs


def state(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def refused(docs: Path, index: Path) -> StoreError:
    """The refusal to use `index`; nothing in the folder of documents has changed."""
    before = state(docs.parent)
    with library(docs, index=index) as opened, pytest.raises(StoreError) as caught:
        opened.sync()
    assert state(docs.parent) == before
    assert caught.value.hint and "remove " + str(index) not in caught.value.hint
    return caught.value


def test_the_documents_folder_as_index(docs: Path) -> None:
    assert "other files (note.md, search)" in refused(docs, docs).message


def test_a_folder_with_nothing_but_a_package_called_search(docs: Path) -> None:
    (docs / "note.md").unlink()
    assert "other files (search)" in refused(docs, docs).message
    with pytest.raises(StoreError, match="nothing was removed"):
        QdrantEdgeIndex(docs / "search", dimension=4, create=True)
    assert (docs / "search" / "engine.py").is_file()


def test_what_is_not_ours_below_search_stays(docs: Path) -> None:
    """An index of ours is never refused for what lies beside its shards, and only what is ours goes."""
    synced(docs)
    shards = docs / ".pincite" / "search"
    (shards / "mine").mkdir()
    (shards / "mine" / "notes.txt").write_text("mine\n")
    left = shards / f"generation-{current(docs / '.pincite').number + 5}"
    left.mkdir()
    (docs / "note.md").write_text("# Note\n\nopal\n")
    assert synced(docs).changed == ("note.md",)
    assert (shards / "mine" / "notes.txt").read_text() == "mine\n"
    assert not left.exists()


def test_a_link_in_the_place_of_the_index(docs: Path) -> None:
    (docs.parent / "app" / "search").mkdir(parents=True)
    (docs.parent / "app" / "search" / "main.py").write_text("x\n")
    (docs / ".pincite").symlink_to("../app")
    assert "it is a link" in refused(docs, docs / ".pincite").message


@pytest.mark.parametrize("name", ["sync.lock", "search.lock", "search", "catalog.db", ".gitignore"])
def test_a_link_inside_the_index(docs: Path, name: str) -> None:
    """A lock is emptied when it is taken: a link there would empty the file it leads to."""
    (docs.parent / "mine.txt").write_text("mine\n")
    (docs / ".pincite").mkdir()
    (docs / ".pincite" / name).symlink_to("../../mine.txt")
    assert f"{name} in it is a link" in refused(docs, docs / ".pincite").message


def test_a_database_of_another_program(docs: Path) -> None:
    index = docs.parent / "index"
    index.mkdir()
    with closing(sqlite3.connect(index / "catalog.db")) as db:
        db.execute("CREATE TABLE books (title TEXT)")
        db.commit()
    assert "another program's" in refused(docs, index).message


def test_what_an_ended_process_left_is_used(docs: Path) -> None:
    index = docs / ".pincite"
    index.mkdir()
    for name in ("sync.lock", "catalog.db"):
        (index / name).touch()
    assert synced(docs).indexed == 2


def test_an_index_with_a_file_of_somebody_else(docs: Path) -> None:
    index = docs.parent / "index"
    synced(docs, index=index)
    (index / "readme.txt").write_text("mine\n")
    assert synced(docs, index=index).indexed == 2
    assert (index / "readme.txt").read_text() == "mine\n"


@pytest.mark.parametrize("name", ["docs/.pincite", "index", "my 'own' index"])
def test_a_damaged_catalog_names_the_one_command_that_mends_it(docs: Path, name: str) -> None:
    index = docs.parent / name
    synced(docs, index=index)
    (index / "catalog.db").write_bytes(b"no database at all" * 500)
    with library(docs, index=index) as opened, pytest.raises(StoreError, match=r"catalog\.db") as caught:
        opened.search("quartz")
    command = caught.value.hint.removeprefix("run: ").removesuffix("; then: pincite sync")
    subprocess.run(["sh", "-c", command], check=True)
    assert sorted(path.name for path in index.glob("catalog*")) == []
    assert synced(docs, index=index).indexed == 2


# ── its model ─────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("choice", ["st:./m", "api:m", "./m", "plug-in", "auto"])
def test_an_index_cannot_name_just_any_model(docs: Path, choice: str) -> None:
    synced(docs)
    catalog = SqliteCatalog(docs / ".pincite" / "catalog.db")
    catalog.put(model={**catalog.get("model"), "choice": choice})
    catalog.close()
    with library(docs) as opened:
        for use in (lambda: opened.search("quartz"), opened.sync):
            with pytest.raises(UsageError, match="which your settings do not") as caught:
                use()
            assert f"--model {choice}" in caught.value.hint
    if choice != "auto":
        with library(docs, config=Config(model=ModelConfig(choice))) as opened:
            assert uris(opened, "quartz")[0] == "note.md"


def test_a_model_that_is_replaced_is_closed(docs: Path) -> None:
    class Closing(HashedWords):
        closed = False

        def close(self) -> None:
            self.closed = True

    made: list[Closing] = []

    def make(config: Config, name: str) -> Embedder:
        made.append(Closing())
        return made[-1]

    from pincite.index.opened import OpenLibrary

    opened = OpenLibrary(docs, docs / ".pincite", Config(), make)
    opened.embedder("english")
    opened.embedder("multilingual")
    assert [model.closed for model in made] == [True, False]
    opened.close()
    assert [model.closed for model in made] == [True, True]


@pytest.mark.parametrize("name", ["catalog.stamp", "catalog.tmp", "search.seal", "search.tmp"])
def test_the_rights_of_a_file_elsewhere_stay(docs: Path, name: str) -> None:
    """These are never written into, so a second name of another file is not refused, only replaced."""
    synced(docs)
    secret = docs.parent / "secret.txt"
    secret.write_text("mine\n")
    secret.chmod(0o644)
    place = docs / ".pincite" / name
    place.unlink(missing_ok=True)
    place.hardlink_to(secret)
    assert synced(docs).unchanged
    assert (secret.stat().st_mode & 0o777, secret.read_text()) == (0o644, "mine\n")
