"""F59: no name and no path leaves the library's folder."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest

from failing_models import library
from pincite.cli import main
from pincite.errors import InputError, PinciteError
from pincite.folder.read import resolve
from pincite.types import Query

HERE = Path(__file__).parent / "F59"
NAMES = (HERE / "names.txt").read_text("utf-8").splitlines()
GOOD = json.loads((HERE / "expect.json").read_text("utf-8"))["good_names"]
MORE = [
    "",
    ".",
    "..",
    "/",
    "//etc/passwd",
    "link.md",
    "out/beside.txt",
    "./../beside.txt",
    "a\0b",
    "x" * 5000,
]
SECRET = "do not read"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """`data/` with a good file, a link to the file beside it and a link to the folder above."""
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "beside.txt").write_text(SECRET)
    (data / "ok.md").write_text("# Fine\n\nagate-1\n")
    (data / "link.md").symlink_to(tmp_path / "beside.txt")
    (data / "out").symlink_to(tmp_path)
    (data / "self").symlink_to(data)
    return data


@pytest.mark.parametrize("name", NAMES + MORE, ids=lambda name: name[:30].replace("\0", "NUL"))
def test_show_refuses_or_finds_nothing(data: Path, name: str) -> None:
    for location in (name, f"{name}:1", f"{name}:1-2"):
        with library(data) as opened:
            with pytest.raises(PinciteError) as caught:
                opened.show(location)
            assert caught.value.exit_code in (2, 4)
            told = f"{caught.value.message}\n{caught.value.hint}"
            assert SECRET not in told
            assert str(data.parent) not in told
    assert (data.parent / "beside.txt").read_text() == SECRET


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:30])
def test_the_command_line_says_what_was_given_and_where_nothing_is(
    data: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`parse` also reads what a path of the current folder names, which stands elsewhere here."""
    elsewhere = data.parent / "else" / "where"
    elsewhere.mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    assert main(["sync", str(data)]) == 0
    labels = data.parent / "labels.tsv"
    commands = [["show", name], ["questions", "add", "what is it", "--expect", name, "--to", str(labels)]]
    for command in commands if Path(name).is_file() else [*commands, ["parse", name]]:
        capsys.readouterr()
        assert main([*command, "--in", str(data)]) in (2, 4)
        out, err = capsys.readouterr()
        assert out == "" and SECRET not in err
        assert str(data.parent) not in err
        assert PurePosixPath(name).name.replace("\\", "") in err.replace("\\", "")
    assert not labels.exists()
    assert (data.parent / "beside.txt").read_text() == SECRET


@pytest.mark.parametrize("name", NAMES + MORE, ids=lambda name: name[:30].replace("\0", "NUL"))
def test_a_citation_reopens_nothing_outside(data: Path, name: str) -> None:
    """Uris come from the catalog, which may have been written by somebody else."""
    with library(data) as opened:
        reopened = opened._open().reopener()(name, "0")
    assert reopened.state == "gone" and reopened.document is None


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:30])
def test_resolved_paths_stay_inside(data: Path, name: str) -> None:
    try:
        path = resolve(data, name)
    except InputError as error:
        assert str(data) not in error.message + error.hint
        assert repr(name) in error.message
    else:
        assert path.resolve().is_relative_to(data.resolve())


def test_links_are_not_followed(data: Path) -> None:
    with library(data) as opened:
        report = opened.sync()
        assert (report.indexed, report.chunks) == (1, 1)
        assert {reason.uri for reason in report.skipped} == {"link.md", "out", "self"}
        assert all("link" in reason.reason for reason in report.skipped)
        found = opened.search("(?s).", regex=True, k=100)
        assert found.query == Query("(?s).", found.query.filter, 100, True, False)
        assert all(SECRET not in hit.stored.chunk.text for hit in found.hits)


def test_a_file_that_becomes_a_link_is_not_read(data: Path) -> None:
    with library(data) as opened:
        opened.sync()
        (data / "ok.md").unlink()
        (data / "ok.md").symlink_to(data.parent / "beside.txt")
        answer = opened.ask("agate-1")
        assert SECRET not in str(answer)
        with pytest.raises(InputError):
            opened.show("ok.md:1")
        assert opened.sync(allow_empty=True).removed == ("ok.md",)


@pytest.mark.parametrize("name", GOOD)
def test_good_names_work(data: Path, name: str) -> None:
    from pincite.config import Config, SyncConfig

    file = data / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# Good\n\nopal-1 is here\n")
    config = Config(sync=SyncConfig(include=(name,)))
    with library(data, config=config) as opened:
        opened.sync()
        hit = opened.search("opal-1").hits[0]
        assert hit.stored.uri == name
        assert opened.show(f"{name}:3").lines == ("opal-1 is here",)
        assert opened.ask("what is opal-1").claims[0].citations[0].uri == name
