"""Labels name files in many spellings: one rule finds the file, names all that may be meant, or says no."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from labels import jsonl, saved
from libraries import library, write
from pincite.config import Config
from pincite.errors import InputError
from pincite.evaluate.labels.adding import expected
from pincite.evaluate.labels.spelt import Paths, below
from pincite.evaluate.questions import read_questions
from pincite.library import Library

TEXT = "# Pump\n\nThe pump holds three bar.\n\n# Valve\n\nThe valve holds nine bar.\n"
FILES = {"docs/guide.md": TEXT, "docs/größe 1.md": TEXT, "old/Guide.md": TEXT, "A.md": TEXT, "a.md": TEXT}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    root = tmp_path_factory.mktemp("spelt") / "Library"
    with library(root, FILES) as found:
        found.sync()
        (root.parent / "link").symlink_to(root)
        (root.parent / "docs").symlink_to(root / "docs")
        yield found


def spellings(root: Path) -> dict[str, str]:
    """Ways to write `docs/guide.md` and `docs/größe 1.md`, and the file each means."""
    size = "docs/größe 1.md"
    ways = ["docs/guide.md", "./docs/guide.md", "docs//guide.md", "docs/./guide.md", "docs\\guide.md"]
    ways += [
        ".\\docs\\guide.md",
        "old/../docs/guide.md",
        "Docs/GUIDE.MD",
        "docs\\Guide.md",
        "docs%2Fguide.md",
    ]
    ways += [f"{top}/docs/guide.md" for top in (root, root.parent / "link", root.parent / "LIBRARY")]
    ways += [f"{root.parent}/docs/guide.md", f"file://{root}/docs/guide.md", f"{root}//docs/../docs/guide.md"]
    odd = [
        unicodedata.normalize("NFD", size),
        quote(size),
        size.upper(),
        quote(str(root)) + "/" + quote(size),
    ]
    return {**dict.fromkeys(ways, "docs/guide.md"), **dict.fromkeys(odd, size)}


PLACES = ["", ":3", ":3-4", ":3:7", "#L3", "#L3-L4", "#L3-4", "#L3C1-L4C5", "#l3", ": 3 – 4"]


def test_every_spelling_is_found_alike(opened: Library, tmp_path: Path) -> None:
    for spelt, uri in spellings(opened.root).items():
        for place in PLACES:
            questions = saved(tmp_path, "q.tsv", f"What does the pump hold?\t{spelt}{place}\n")
            assert [p.code for p in opened.check_questions(questions)] == ["too few"], (spelt, place)
            (asked,) = opened.evaluate(questions).asked
            assert asked.expected[0].startswith(uri) and asked.rank, (spelt, place)
            assert asked.golds[0].qrel.line_start == (3 if place else None)


def test_json_labels_are_read_by_the_same_rule(opened: Library, tmp_path: Path) -> None:
    for spelt, uri in spellings(opened.root).items():
        for place, fields in (
            (":3", {}),
            ("#L3-L4", {}),
            ("", {"line_start": 3}),
            ("", {"quote": "three bar"}),
        ):
            row = {"question": "What?", "evidence": [{"uri": spelt + place, **fields}]}
            (asked,) = opened.evaluate(saved(tmp_path, "q.jsonl", jsonl(row))).asked
            assert asked.golds[0].qrel.uri == uri and asked.golds[0].span, (spelt, place)


def test_a_path_that_may_mean_two_files_names_both(opened: Library, tmp_path: Path) -> None:
    questions = saved(tmp_path, "q.tsv", "What?\tA.MD:3\nWhat now?\tA.md:3\nAnd?\ta.md:3\n")
    messages = [one.message for one in opened.check_questions(questions) if one.code == "ambiguous"]
    assert messages == ["A.MD:3: it may mean A.md, a.md"]
    result = opened.evaluate(questions)
    assert [one.golds[0].told for one in result.asked] == ["ambiguous: it may mean A.md, a.md", "", ""]


def test_a_file_that_is_nowhere_names_all_of_its_name(opened: Library, tmp_path: Path) -> None:
    questions = saved(tmp_path, "q.tsv", "What?\tnew/guide.md:3\n")
    (gone, _) = opened.check_questions(questions)
    assert gone.message == "new/guide.md:3: did you mean docs/guide.md or old/Guide.md?"


@pytest.mark.parametrize(
    "outside", ["/etc/passwd", "C:\\docs\\guide.md", "/docs/guide.md", "%2e%2e/guide.md"]
)
def test_what_lies_outside_is_no_file_of_the_library(opened: Library, tmp_path: Path, outside: str) -> None:
    questions = saved(tmp_path, "q.tsv", f"What?\t{outside}:3\n")
    assert opened.check_questions(questions)[0].code == "file gone"
    with pytest.raises(InputError, match=r"outside|no such file|not a path inside"):
        expected(opened.root, [f"{outside}:3"], Config().parse)


def test_a_place_can_be_given_by_its_absolute_path(opened: Library) -> None:
    for top in (opened.root, opened.root.parent / "link"):
        (qrel,) = expected(opened.root, [f"{top}/docs/guide.md#L3"], Config().parse)
        assert (qrel.location, qrel.quote) == ("docs/guide.md:3", "The pump holds three bar.")


def test_when_most_labels_name_no_file_there_is_no_mean_over_the_rest(
    opened: Library, tmp_path: Path
) -> None:
    half = "A?\tdocs/guide.md:3\nB?\tgone/x.md:3\n"
    assert opened.evaluate(saved(tmp_path, "half.tsv", half)).asked
    questions = saved(tmp_path, "most.tsv", half + "C?\tgone/y.md:3\n")
    for call in (opened.evaluate, opened.answers):
        with pytest.raises(InputError, match="2 of 3 labels name files that are not in the index") as caught:
            call(questions)
        assert "gone/x.md, gone/y.md" in caught.value.message
        assert "pincite questions check" in caught.value.hint and "pincite sync" in caught.value.hint
    assert opened.why(questions).findings, "that is what it is for"


def test_the_set_stays_the_same_set(opened: Library, tmp_path: Path) -> None:
    questions = saved(tmp_path, "q.tsv", "What?\tdocs\\guide.md:3\n")
    assert opened.evaluate(questions).questions.sha256 == read_questions(questions).sha256


def test_an_exact_path_wins_over_any_other_reading() -> None:
    odd = ["a%20b.md", "a b.md", "x\\y.md", "x/y.md", "g.md", "G.md"]
    paths = Paths(odd)
    assert [paths.meant(one) for one in odd] == [(one,) for one in odd]
    assert paths.meant("A%20B.md") == ("a%20b.md",) and paths.meant("A B.md") == ("a b.md",)
    assert paths.meant("X\\Y.md") == ("x\\y.md",) and paths.meant("nowhere.md") == ()
    straße = Paths(["straße.md"])
    assert straße.meant("STRASSE.MD") == ("straße.md",)


def test_an_absolute_path_is_followed_through_links(tmp_path: Path) -> None:
    write(tmp_path / "root", FILES)
    (tmp_path / "link").symlink_to(tmp_path / "root")
    for root in (tmp_path / "root", tmp_path / "link"):
        for given in (tmp_path / "root" / "a.md", tmp_path / "link" / "a.md"):
            assert below(root, str(given)) == "a.md"
    assert below(tmp_path / "root", "/elsewhere/a.md") == "/elsewhere/a.md"
