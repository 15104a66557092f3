"""The documentation names every command, option, setting, error and exit code, and no others."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import cli, errors
from pincite.cli import exit_codes
from pincite.cli.args import parser
from pincite.config.keys import known_keys
from pincite.config.load import build_config, load_settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMON = (DOCS / "cli/index.md").read_text("utf-8")
CONFIG = (DOCS / "config.md").read_text("utf-8")
ERRORS = (DOCS / "errors.md").read_text("utf-8")


def below(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of a command's own commands."""
    return {
        name: choice
        for action in command._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, choice in action.choices.items()
    }


def tree(error: type[errors.PinciteError]) -> Iterator[type[errors.PinciteError]]:
    yield error
    for kind in error.__subclasses__():
        yield from tree(kind)


COMMANDS = below(parser())
EVERY = {name: [command, *below(command).values()] for name, command in COMMANDS.items()}
"""The parsers that a command's page is about."""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_page_with_every_option_and_placeholder(name: str) -> None:
    page = (DOCS / f"cli/{name}.md").read_text("utf-8")
    assert page.startswith(f"# pincite {name}\n")
    assert f"[`{name}`]({name}.md)" in COMMON
    for action in (action for command in EVERY[name] for action in command._actions):
        wanted = action.option_strings or [str(action.metavar)]
        missing = [word for word in wanted if not re.search(rf"{re.escape(word)}\b", page + COMMON)]
        assert missing == []


def test_every_command_has_a_function() -> None:
    assert all(callable(cli.command_of(name)) for name in COMMANDS)


def test_no_page_names_an_option_that_does_not_exist() -> None:
    parsers = [p for each in EVERY.values() for p in each]
    known = {o for p in parsers for a in p._actions for o in a.option_strings} | {"--version"}
    for page in sorted((DOCS / "cli").glob("*.md")):
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page.read_text("utf-8")))
        assert named <= known, page.name


def test_no_page_of_a_command_that_does_not_exist() -> None:
    assert {page.stem for page in (DOCS / "cli").glob("*.md")} == {*COMMANDS, "index"}


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| (.+?) \|", CONFIG, re.MULTILINE))
    assert sorted(rows) == sorted(known_keys())
    for key, setting in load_settings(None, env={"HOME": "/nonexistent"}).items():
        assert rows[key].strip("`") == default(setting.value), key


def default(value: object) -> str:
    """A default as TOML writes it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(default(part) for part in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_the_example_of_the_settings_is_valid(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text(re.findall(r"```toml\n(.*?)```", CONFIG, re.DOTALL)[0])
    config = build_config(load_settings(tmp_path, env={"HOME": "/nonexistent"}))
    assert config.chunk_for["markdown"].size == 256


def test_every_error_stands_with_its_exit_code_and_status() -> None:
    for error in tree(errors.PinciteError):
        if error.__module__ == "pincite.errors":
            assert f"`{error.__name__}`" in ERRORS
    for error in errors.PinciteError.__subclasses__():
        row = next(line for line in ERRORS.splitlines() if f"| `{error.__name__}` |" in line)
        assert row.startswith(f"| {error.exit_code} |") and f"| {error.http_status} |" in row


def test_every_exit_code_is_documented() -> None:
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", ERRORS, re.MULTILINE)}
    own = {code for name, code in vars(exit_codes).items() if name.isupper()}
    assert codes == own | {error.exit_code for error in errors.PinciteError.__subclasses__()}


def test_the_tests_that_hold_what_is_promised_are_there() -> None:
    """`SECURITY.md` names a test for each promise, and goes with the source."""
    root = DOCS.parent
    text = (root / "SECURITY.md").read_text("utf-8")
    promised = text.partition("## What is promised")[2].partition("## What is not promised")[0]
    for promise in re.split(r"\n\n(?=\*\*)", promised.strip()):
        named = re.findall(r"`((?:unit|faults)/test_\w+\.py)`", promise)
        assert named, promise
        assert [name for name in named if not (root / "tests" / name).is_file()] == []
    assert '"SECURITY.md"' in (root / "pyproject.toml").read_text("utf-8")
