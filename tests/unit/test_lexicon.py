"""The files of the languages: each has every key, its words sorted and once, and one more is found."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import lexicon

FILES = sorted(lexicon.FOLDER.glob("*.toml"))
SOURCES = "\n".join(
    path.read_text("utf-8") for path in lexicon.FOLDER.parent.rglob("*.py") if path.parent != lexicon.FOLDER
)
HEAD = {"order": int, "spaces": bool, "glued_numbers": bool, "ones_first": bool}


def lists(language: lexicon.Language) -> Iterator[tuple[str, lexicon.Words]]:
    yield from language.words.items()
    for key, table in language.tables.items():
        yield from ((f"{key}.{value}", words) for value, words in table.items())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with copies of all files, which the lexicon reads."""
    for path in FILES:
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(lexicon, "FOLDER", tmp_path)
    lexicon.languages.cache_clear()
    yield tmp_path
    lexicon.languages.cache_clear()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_every_key_and_no_other(path: Path) -> None:
    data = tomllib.loads(path.read_text("utf-8"))
    head = {name: type(value) for name, value in data.items() if not isinstance(value, dict)}
    rooms = [(room, names) for room, names in data.items() if room not in head]
    held = {f"{room}.{name}": value for room, names in rooms for name, value in names.items()}
    assert head == HEAD
    assert held.keys() == lexicon.keys().keys()
    kinds = {"words": str, "table": dict}
    assert all(isinstance(value, kinds[lexicon.keys()[key]]) for key, value in held.items())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_words_are_sorted_once_there_and_in_lower_case(path: Path) -> None:
    for key, words in lists(lexicon.read(path)):
        assert list(words) == sorted(set(words)), key
        assert all(word and word == word.lower() for word in words), key


def test_no_two_languages_have_one_order() -> None:
    orders = [one.order for one in lexicon.languages().values()]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize("key", lexicon.keys())
def test_every_key_is_asked_for_and_known_to_a_language(key: str) -> None:
    assert f'"{key}"' in SOURCES or f"'{key}'" in SOURCES
    known = lexicon.languages().values()
    assert any(one.words.get(key) or one.tables.get(key) for one in known)


def test_a_file_more_is_a_language_more(folder: Path) -> None:
    text = re.sub(r"order = \d+", "order = 5", (folder / "de.toml").read_text("utf-8"))
    made = re.sub(r"markers = .*", "markers = 'kildo, fonto de scio'", text)
    (folder / "xx.toml").write_text(made, "utf-8")
    assert next(iter(lexicon.languages())) == "xx"
    assert lexicon.words("sources.markers", only="xx") == ("kildo", "fonto de scio")
    assert re.fullmatch(lexicon.any_of("sources.markers"), "fonto de scio")


def test_a_file_without_a_key_is_refused_by_its_name(folder: Path) -> None:
    text = (folder / "de.toml").read_text("utf-8")
    (folder / "de.toml").write_text(re.sub(r"markers = .*", "", text), "utf-8")
    with pytest.raises(KeyError, match="markers"):
        lexicon.languages()


def test_words_are_whole_where_blanks_part_them(folder: Path) -> None:
    for code, words in (("de", "quelle, quellen, quelle s."), ("zh", "来源")):
        text = (folder / f"{code}.toml").read_text("utf-8")
        (folder / f"{code}.toml").write_text(re.sub(r"markers = .*", f"markers = '{words}'", text), "utf-8")
    whole = re.compile(lexicon.whole("sources.markers"))
    assert [one[0] for one in whole.finditer("quelle quellend quellen 的来源在 quelle s.")] == [
        "quelle",
        "quellen",
        "来源",
        "quelle s.",
    ]
    assert re.match(lexicon.any_of("sources.markers"), "quellend")
    assert not re.search(lexicon.any_of("sources.markers", only="de"), "来源")
    assert not re.search(lexicon.whole("sources.markers", only="de", but="de"), "quelle")
