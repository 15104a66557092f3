"""`pincite.toml` edited: keys replaced with their comments kept, added where they belong, or refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pincite.errors import StoreError, UsageError
from pincite.evaluate.tuning.settings_file import diff, edited, read_settings, write_settings


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "[search]\ndepth = 300\n"),
        ("[search]", "[search]\ndepth = 300\n"),
        ("[search]\ndepth = 50  # enough # ?\n", "[search]\ndepth = 300  # enough # ?\n"),
        ("[search]\r\n  depth=50\r\n", "[search]\r\n  depth=300\r\n"),
        (
            "[search]\nrrf_k = 3\n\n[chunk]\nsize = 9\n",
            "[search]\nrrf_k = 3\ndepth = 300\n\n[chunk]\nsize = 9\n",
        ),
        ("# mine\n[chunk]\nsize = 9", "# mine\n[chunk]\nsize = 9\n\n[search]\ndepth = 300\n"),
        ("[ search ] # s\nfusion = 'rrf'\n", "[ search ] # s\nfusion = 'rrf'\ndepth = 300\n"),
        ("[chunk]\ndepth = 1\n", "[chunk]\ndepth = 1\n\n[search]\ndepth = 300\n"),
    ],
)
def test_one_key(text: str, wanted: str) -> None:
    assert edited(text, {"search.depth": 300}) == wanted


def test_keys_of_several_sections_and_of_none() -> None:
    text = 'stemmers = ["english"] # both # sides\n\n[search]\nlegs = ["dense", "lexical"]  # "all"\n'
    made = edited(text, {"stemmers": (), "search.legs": ("lexical",), "chunk.strategy": "sentence"})
    assert made == (
        'stemmers = [] # both # sides\n\n[search]\nlegs = ["lexical"]  # "all"\n'
        '\n[chunk]\nstrategy = "sentence"\n'
    )
    assert edited("[search]\n", {"stemmers": ()}) == "stemmers = []\n[search]\n"
    assert tomllib.loads(edited("", {"stemmers": (), "search.feedback": 0.2})) == {
        "stemmers": [],
        "search": {"feedback": 0.2},
    }


@pytest.mark.parametrize(
    "text",
    [
        "search = { depth = 5 }\n",
        "search.depth = 5\n",
        'x = """\n[search]\n"""\n[search]\nlegs = [\n"dense"]\n',
    ],
)
def test_what_cannot_be_edited_line_by_line_is_refused_with_the_lines_to_write(text: str) -> None:
    with pytest.raises(UsageError, match="cannot be edited") as caught:
        edited(text, {"search.depth": 300, "search.legs": ("lexical",)})
    assert caught.value.hint == 'set it yourself: search.depth = 300; search.legs = ["lexical"]'


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(UsageError, match="not valid TOML"):
        edited("[search\n", {})


def test_reading_writing_and_the_difference(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == ""
    write_settings(tmp_path, "[search]\r\ndepth = 5\r\n")
    assert read_settings(tmp_path) == "[search]\r\ndepth = 5\r\n"
    assert [path.name for path in tmp_path.iterdir()] == ["pincite.toml"]
    assert "+depth = 6" in diff(read_settings(tmp_path), "[search]\r\ndepth = 6\r\n").splitlines()
    (tmp_path / "pincite.toml").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="UTF-8"):
        read_settings(tmp_path)


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("")
    (tmp_path / "pincite.toml").symlink_to(tmp_path / "theirs")
    with pytest.raises(StoreError, match="is a link"):
        write_settings(tmp_path, "[search]\n")
    assert (tmp_path / "theirs").read_text() == ""
