"""F01, F02, F03, F07, F08, F10, F11, F73 as far as parsing goes: headings, places, metadata, text."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from parsed import slice_of, source
from pincite.config import ParseConfig
from pincite.errors import InputError
from pincite.parse import parse
from pincite.types import Document, Place, Span

HERE = Path(__file__).parent


def _read(case: str, name: str) -> Document:
    return parse(source(name, (HERE / case / name).read_bytes()))


def _expected(case: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / case / "expect.json").read_text("utf-8"))
    return found


def _headings(document: Document) -> list[list[object]]:
    return [[s.level, s.title, document.origins.place(s.title_span).line_start] for s in document.sections]


def _place_of(document: Document, needle: str) -> Place:
    at = document.text.index(needle)
    return document.origins.place(Span(at, at + len(needle)))


def _blocks_with(document: Document, needle: str) -> list[tuple[tuple[str, ...], str]]:
    """Heading path and text of each block that holds `needle`."""
    held = [b for b in document.blocks if needle in slice_of(document, b)]
    return [(document.heading_path(b.section), slice_of(document, b)) for b in held]


def test_f01_comments_in_code_are_no_headings() -> None:
    document, expected = _read("F01", "fences.md"), _expected("F01")
    assert _headings(document) == expected["headings"]
    assert not any(expected["forbidden_in_heading_path"] in s.title for s in document.sections)
    places = [document.origins.place(b.span) for b in document.blocks if b.kind == "code"]
    assert (places[0].line_start, places[0].line_end) == tuple(expected["same_chunk_lines"])
    ((path, _),) = _blocks_with(document, "last line of the file")
    assert path == ("Deploy guide", "Unclosed fence")


def test_f02_front_matter_is_metadata_and_a_rule_is_not() -> None:
    for name, expected in _expected("F02").items():
        document = _read("F02", name)
        wanted = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in expected["metadata"].items()
        }
        if "updated" in wanted:
            wanted["updated"] = datetime.date.fromisoformat(wanted["updated"])
        assert dict(document.meta) == wanted
        assert _headings(document) == expected["headings"]
        for needle, line in expected["line_of"].items():
            assert _blocks_with(document, needle)
            assert _place_of(document, needle).line_start == line
        assert not _blocks_with(document, "owner: finance")


@pytest.mark.parametrize("name", ["policy.md", "rule.md", "rule2.md"])
def test_f02_every_body_line_is_in_a_block(name: str) -> None:
    document = _read("F02", name)
    body_from = document.left_out[0].span.end if document.left_out else 0
    in_blocks = "\n".join(slice_of(document, b) for b in document.blocks).split("\n")
    body = document.text[body_from:].split("\n")
    assert [line for line in in_blocks if line.strip()] == [line for line in body if line.strip()]


def test_f03_heading_text_is_exact() -> None:
    document = _read("F03", "headings.md")
    assert _headings(document) == _expected("F03")["headings"]
    for needle in ("#hashtag is not", "####### seven hashes are not", "# escaped is not"):
        assert _blocks_with(document, needle)
    ((path, _),) = _blocks_with(document, "Text under an empty heading.")
    assert path == ("Languages",)


def test_f07_equal_sentences_stand_at_their_own_lines() -> None:
    document, expected = _read("F07", "pumps.md"), _expected("F07")
    sentences = [b for b in document.blocks if b.kind == "paragraph"]
    assert [b.span.start for b in sentences] == expected["sentence_offsets"]
    assert [document.origins.place(b.span).line_start for b in sentences] == expected["sentence_lines"]
    assert [list(document.heading_path(b.section)) for b in sentences] == [
        section["heading_path"] for section in expected["sections"]
    ]


def test_f08_mark_and_crlf_move_nothing() -> None:
    document, expected = _read("F08", "safety.md"), _expected("F08")["safety.md"]
    assert _headings(document) == expected["headings"]
    assert "\ufeff" not in document.text
    for needle, line in expected["line_of"].items():
        assert _place_of(document, needle).line_start == line
        stored = (HERE / "F08" / "safety.md").read_bytes()
        assert stored.index(needle.encode()) == expected["byte_of"][needle]
        assert needle.encode() in stored.split(b"\n")[line - 1]


def test_f10_html_reads_as_a_reader_sees_it() -> None:
    document, expected = _read("F10", "valve.html"), _expected("F10")
    assert document.title == expected["title"]
    assert [[s.level, s.title] for s in document.sections] == expected["headings"]
    assert not [word for word in expected["forbidden"] if word in document.text]
    assert not [word for word in expected["required"] if word not in document.text]
    words = document.text.replace("|", " ").split()
    for word in ("Home", "Parts", "more.", "Use", "Part", "Torque", "Cap", "12", "Grease", "Gasket"):
        assert word in words
    (row,) = [b for b in document.blocks if b.kind == "row"]
    assert (slice_of(document, row), row.header) == ("Cap | 12", "Part | Torque")
    ((_, code),) = _blocks_with(document, "wait 5s")
    assert code == "open  valve\n    wait 5s\nclose valve"
    assert _place_of(document, "wait 5s").line_start == 11


def test_f10_hidden_text_is_out_or_marked() -> None:
    page = source("valve.html", (HERE / "F10" / "valve.html").read_bytes())
    assert "7719" not in parse(page).text
    ((_, hidden),) = _blocks_with(parse(page, ParseConfig(hidden_html=True)), "7719")
    assert hidden == "[hidden] Hidden answer: reset with code 7719."


def test_f11_equal_headings_stay_apart() -> None:
    document, expected = _read("F11", "faq.md"), _expected("F11")
    for section in expected["sections"]:
        first, last = section["lines"]
        held = [
            b
            for b in document.blocks
            if list(document.heading_path(b.section)) == section["path"]
            and first <= (document.origins.place(b.span).line_start or 0) <= last
        ]
        assert held, section
    for port, line in expected["line_of"].items():
        ((path, _),) = _blocks_with(document, port)
        assert path[-1] == "Setup"
        assert _place_of(document, port).line_start == line
    assert [s.title for s in document.sections].count("Setup") == 3
    ((path, text),) = _blocks_with(document, "Intro line")
    assert (path, text) == ((), "Intro line before any heading.")
    assert document.sections[-1].title == "Empty tail"


def test_f73_blank_files_are_no_error_and_bad_ones_have_a_reason() -> None:
    assert _read("F73/folder", "blank.md").blocks == ()
    assert _read("F73/folder", "empty.md").blocks == ()
    for name, reason in (
        ("zero.pdf", "empty file"),
        ("fake.docx", "not a zip file"),
    ):
        with pytest.raises(InputError, match=f"^{name}: .*{reason}"):
            _read("F73/folder", name)
