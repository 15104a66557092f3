"""What git leaves out of a repository besides `.gitignore`, with git's own order of who decides."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from libraries import write
from pincite.config import SyncConfig
from pincite.folder.walk import Walk, walk

FILES = {"a.md": "a", "b.md": "b", "c.md": "c", "docs/a.md": "a", "docs/d.md": "d"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def repository(home: Path) -> Path:
    root = home / "work" / "repository"
    write(root, {**FILES, ".git/info/exclude": "", ".git/HEAD": "ref: refs/heads/main\n"})
    return root


def seen(root: Path, **settings: bool) -> Walk:
    return walk(root, SyncConfig(**settings))


def names(root: Path, **settings: bool) -> list[str]:
    return [file.uri for file in seen(root, **settings).files]


def test_info_exclude(repository: Path) -> None:
    (repository / ".git/info/exclude").write_text("a.md\n/docs/d.md\n")
    assert names(repository) == ["b.md", "c.md"]
    assert names(repository / "docs") == []
    assert len(names(repository, gitignore=False)) == 5


def test_without_a_repository_nothing_of_the_user_counts(home: Path, repository: Path) -> None:
    write(home, {".config/git/ignore": "a.md\n"})
    assert names(repository) == ["b.md", "c.md", "docs/d.md"]
    shutil.rmtree(repository / ".git")
    assert len(names(repository)) == 5


def test_who_decides(home: Path, repository: Path) -> None:
    """The innermost .gitignore, then those above, then the repository's own, then the user's."""
    write(home, {".config/git/ignore": "*.md\n"})
    write(
        repository,
        {".git/info/exclude": "!a.md\n!b.md\n", ".gitignore": "b.md\n", "docs/.gitignore": "a.md\n!d.md\n"},
    )
    assert names(repository) == ["a.md", "docs/d.md"]


def test_the_repository_above_the_folder(repository: Path) -> None:
    (repository / ".git/info/exclude").write_text("docs/a.md\n")
    assert names(repository / "docs") == ["d.md"]


CONFIGS = {
    "plain": "[core]\n\texcludesFile = ~/mine\n",
    "one line": "[user] name = x\n[Core] EXCLUDESFILE=~/mine",
    "quoted": '[core]\nexcludesfile = "~/mi"ne ; a comment\n',
    "comments": "# [core]\n; excludesFile = ~/other\n[core] # here\n excludesFile = ~/mine # and here\n",
    "the last one": "[core]\nexcludesFile = ~/other\n[core]\nexcludesFile = ~/mine\n",
    "another section": '[core]\nexcludesFile = ~/mine\n[core "x"]\nexcludesFile = ~/x\n[o]\nx = 1\n',
    "continued": "[core]\nexcludesFile = ~/mi\\\nne\n",
    "an alias before": "[alias]\nx = \"!f() { echo '[core]'; }\"\n[core]\nautocrlf\nexcludesFile = ~/mine\n",
    "windows": "[core]\r\n\texcludesFile = ~/mine\r\n",
    "byte-order mark": "\ufeff[core]\nexcludesFile = ~/mine\n",
    "included": "[include]\n\tpath = more/config\n",
}


@pytest.mark.parametrize("how", CONFIGS)
def test_the_file_that_the_user_names(home: Path, repository: Path, how: str) -> None:
    more = "[core]\nexcludesFile = ~/mine\n[include]\npath = ../.gitconfig\n"
    write(home, {".gitconfig": CONFIGS[how], "more/config": more, "mine": "a.md\n", "other": "b.md\n"})
    write(home, {".config/git/ignore": "c.md\n"})
    assert names(repository) == ["b.md", "c.md", "docs/d.md"]
    if shutil.which("git"):
        command = ["git", "config", "--global", "--includes", "core.excludesFile"]
        if how != "included":  # git refuses the circle
            said = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
            assert said.stdout.strip() == "~/mine"


def test_the_users_configuration_where_the_environment_says(
    home: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        home,
        {"xdg/git/config": "[core]\nexcludesFile = ~/mine\n", "mine": "a.md\n", "xdg/git/ignore": "b.md\n"},
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    assert names(repository) == ["b.md", "c.md", "docs/d.md"]
    write(home, {".gitconfig": "[core]\nexcludesFile =\n"})
    assert len(names(repository)) == 5
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    assert names(repository) == ["a.md", "c.md", "docs/a.md", "docs/d.md"]


def test_a_repositorys_own_configuration_names_nothing(home: Path, repository: Path) -> None:
    """It comes with the documents: it would have any file of the user read."""
    write(home, {"mine": "*.md\n"})
    write(repository, {".git/config": "[core]\nexcludesFile = ~/mine\n"})
    assert len(names(repository)) == 5


def test_links_are_read_of_the_user_and_not_of_the_documents(home: Path, repository: Path) -> None:
    write(home, {"dots/gitconfig": "[core]\nexcludesFile = ~/mine\n", "dots/mine": "a.md\n"})
    (home / ".gitconfig").symlink_to(home / "dots/gitconfig")
    (home / "mine").symlink_to(home / "dots/mine")
    (repository / ".git/info/exclude").unlink()
    (repository / ".git/info/exclude").symlink_to(home / "dots/mine")
    found = seen(repository)
    assert [file.uri for file in found.files] == ["b.md", "c.md", "docs/d.md"]
    assert [line for line in found.warnings if "link" in line]


@pytest.mark.parametrize("nested", [False, True])
def test_a_repository_elsewhere(home: Path, repository: Path, nested: bool) -> None:
    """Of a further working tree, `.git` is a file that leads to the repository."""
    tree = repository / "docs" if nested else home / "work" / "tree"
    git = repository / ".git" / "worktrees" / "tree"
    write(git, {"commondir": "../..\n"})
    write(tree, {"a.md": "a", "d.md": "d", ".git": f"gitdir: {git}\n"})
    (repository / ".git/info/exclude").write_text("d.md\n")
    assert names(tree) == ["a.md"]


@pytest.mark.parametrize("led", ["/proc/self/fdinfo", "/", "../../../../../../../../../../proc", ""])
def test_a_file_that_leads_to_another_tree_is_not_followed(repository: Path, led: str) -> None:
    shutil.rmtree(repository / ".git")
    (repository / ".git").write_text(f"gitdir: {led}\n")
    found = seen(repository)
    assert len(found.files) == 5
    assert not led or any("another tree" in line for line in found.warnings)


@pytest.mark.parametrize(
    "text", ["[", "[core", '[core "', '[core]\nexcludesFile = "', "=\n=", "[core]\nexcludesFile", "\0"]
)
def test_a_broken_configuration_is_none(home: Path, repository: Path, text: str) -> None:
    write(home, {".gitconfig": text})
    assert len(names(repository)) == 5


@pytest.mark.timeout(20)
@pytest.mark.parametrize("unit", ['"', "\\", "[", "[a]", "a=", 'a="b', " ", "\t\n", "a", ";"])
def test_no_configuration_takes_long(home: Path, repository: Path, unit: str) -> None:
    write(home, {".gitconfig": "[core]\n" + unit * (250_000 // len(unit))})
    names(repository)


def test_a_configuration_that_cannot_be_read_is_told(home: Path, repository: Path) -> None:
    (home / ".gitconfig").write_text("#" * 300_000)
    assert any(".gitconfig was not read: larger than" in line for line in seen(repository).warnings)


@pytest.mark.skipif(not shutil.which("git"), reason="needs git to compare with")
def test_as_git_itself_has_it(home: Path) -> None:
    root = home / "real"
    patterns = {"global": "*.log\nx/\n", "info": "!keep.log\n*.tmp\n", "top": "docs/*.md\n", "in": "!a.md\n"}
    files = ["a.log", "keep.log", "b.tmp", "docs/a.md", "docs/b.md", "x/a.md", "docs/x/y.md", "c.md"]
    write(root, dict.fromkeys(files, "text"))
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    write(home, {".config/git/ignore": patterns["global"]})
    write(
        root,
        {
            ".git/info/exclude": patterns["info"],
            ".gitignore": patterns["top"],
            "docs/.gitignore": patterns["in"],
        },
    )
    command = ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert names(root) == sorted(name for name in said if ".git" not in name)
