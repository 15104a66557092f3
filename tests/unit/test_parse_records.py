"""JSON and JSONL: exact records, titles, and text where the JSON is broken."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from extracted import assert_placed
from parsed import assert_sound, lines_of, source, texts
from pincite.parse.records import parse_records
from pincite.types import Document, RunOrigins


def _parsed(text: str, uri: str = "data.json") -> Document:
    document = parse_records(source(uri, text))
    if isinstance(document.origins, RunOrigins):  # of a single line
        assert "".join(document.text.split()) == "".join(text.split())
        assert_placed(document)
    else:
        assert document.text == text
        assert_sound(document)
    return document


def test_a_list_gives_one_record_for_each_element() -> None:
    document = _parsed('[\n  {"id": 1, "t": "a,]"},\n  {"id": 2, "t": "é 中 😀"},\n  [3, "x"]\n]\n')
    assert document.type == "json"
    assert {b.kind for b in document.blocks} == {"record"}
    assert texts(document) == [
        '[\n  {"id": 1, "t": "a,]"},',
        '  {"id": 2, "t": "é 中 😀"},',
        '  [3, "x"]\n]',
    ]
    assert [lines_of(document, b) for b in document.blocks] == [(1, 2), (3, 3), (4, 5)]


def test_a_short_object_is_one_record_with_its_title() -> None:
    document = _parsed('{"name": "n", "title": "Pump\\n manual", "a": {"title": "inner"}}')
    assert len(document.blocks) == 1
    assert document.title == "Pump manual"
    assert _parsed('{"name": "n", "title": 3}').title == "n"
    assert _parsed('[{"title": "x"}]').title == ""


def test_a_long_object_is_cut_at_its_keys() -> None:
    data = {"name": "Locks", "a": "x" * 1500, "b": "y" * 1500, "n": 1}
    document = _parsed(json.dumps(data, indent=1).replace('"n": 1', '"n": ' + "1" * 9000))
    assert document.title == "Locks"
    assert [text.split('"')[1] for text in texts(document)] == ["name", "a", "b", "n"]
    assert document.sections == ()


def test_long_values_are_cut_under_their_key() -> None:
    gates = [{"id": i, "text": "water " * 20} for i in range(40)]
    document = _parsed(json.dumps({"meta": 1, "canal": {"gates": gates, "note": "n"}}))
    assert [(s.title, s.level, s.parent) for s in document.sections] == [("canal", 1, -1), ("gates", 2, 0)]
    assert len(document.blocks) == 42
    assert document.heading_path(document.blocks[5].section) == ("canal", "gates")
    assert document.heading_path(document.blocks[-1].section) == ("canal",)
    assert " ".join(texts(document)[1].split()).startswith('"canal": { "gates": [ { "id": 0')


SITE = (
    '{"site":{"name":"Pier 3, {east}","max_load_kg":1500,"tags":[],"levels":[1,2],'
    '"contacts":[{"role":"manager","name":"Ida \\"Voss\\""},{"role":"guard","name":"Bo"}]}}'
)


def test_json_of_one_line_is_read_with_an_entry_a_line() -> None:
    document = _parsed(f"\n{SITE}\n")
    assert document.text.split("\n") == [
        "{",
        '  "site": {',
        '    "name": "Pier 3, {east}",',
        '    "max_load_kg": 1500,',
        '    "tags": [],',
        '    "levels": [1, 2],',
        '    "contacts": [',
        "      {",
        '        "role": "manager",',
        '        "name": "Ida \\"Voss\\""',
        "      },",
        "      {",
        '        "role": "guard",',
        '        "name": "Bo"',
        "      }",
        "    ]",
        "  }",
        "}",
    ]
    assert [lines_of(document, block) for block in document.blocks] == [(2, 2)]


def test_values_on_one_line_and_deep_ones_are_read() -> None:
    assert _parsed(f"{SITE} {SITE} 3").text.count("\n}\n{\n") == 1
    deep = _parsed("[" * 400 + "1" + "]" * 400)
    assert len(deep.text) < 400 * 100


def test_lines_of_jsonl_are_records_even_if_broken() -> None:
    text = '{"id": 1}\r\n\r\n{"id": 2, "t": "a\u2028b"}\r\n{broken\r\n'
    document = _parsed(text, "a.jsonl")
    assert document.type == "jsonl"
    assert texts(document) == ['{"id": 1}', '{"id": 2, "t": "a\u2028b"}', "{broken"]
    assert [lines_of(document, b) for b in document.blocks] == [(1, 1), (3, 3), (4, 4)]
    assert {b.kind for b in document.blocks} == {"record"}


def test_values_one_after_another_are_records() -> None:
    document = _parsed('{"a": 1}\n{"a": 2}\n[3, 4]\n')
    assert texts(document) == ['{"a": 1}', '{"a": 2}', "[3,", "4]"]


def test_broken_json_is_read_as_text() -> None:
    broken = [
        '{"a": 1,\n\n"b": }',
        "[1, 2",
        '{"a" 1}',
        "[1 2]",
        "[1,]",
        '{"a": "b',
        "// c\n{}",
        "[" + " " * 3000,
    ]
    for text in broken:
        document = _parsed(text)
        assert {b.kind for b in document.blocks} == {"paragraph"}
        assert document.meta == {"json": "invalid"}
    assert len(_parsed('{"a": 1,\n\n"b": }').blocks) == 2


def test_nesting_without_end_is_read_as_text() -> None:
    for text in ("[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000):
        assert _parsed(text).meta == {"json": "invalid"}


def test_duplicate_keys_and_constants_are_kept() -> None:
    assert texts(_parsed('[NaN, {"a": 1, "a": 2}, -Infinity, "x"]')) == [
        "[NaN,",
        '{"a": 1, "a": 2},',
        "-Infinity,",
        '"x"]',
    ]


def test_a_byte_order_mark_and_crlf() -> None:
    document = parse_records(source("a.json", b"\xef\xbb\xbf[\r\n 1,\r\n 2\r\n]\r\n"))
    assert texts(document) == ["[\r\n 1,", " 2\r\n]"]
    assert_sound(document)


def test_empty_files_and_values() -> None:
    assert _parsed("").blocks == ()
    assert _parsed(" \n").blocks == ()
    assert texts(_parsed("[]")) == ["[]"]
    assert texts(_parsed(' "x" ')) == [' "x"']


def test_many_elements_take_linear_time() -> None:
    document = _parsed(json.dumps([{"id": i, "text": "water"} for i in range(50_000)], indent=1))
    assert len(document.blocks) == 50_000


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(_JSON, min_size=1, max_size=6), st.sampled_from([None, 2]), st.booleans())
def test_records_are_those_of_the_json_module(values: list[object], indent: int | None, ascii_: bool) -> None:
    document = _parsed(json.dumps(values, indent=indent, ensure_ascii=ascii_).replace("\n", "\r\n"))
    first, *_ = read = texts(document)
    read[0], read[-1] = first.removeprefix("["), read[-1] if len(read) > 1 else first.removeprefix("[")
    read[-1] = read[-1].removesuffix("]")
    assert [json.loads(text.strip().removesuffix(",")) for text in read] == values


_SIGNS = ["{", "}", "[", "]", ",", ":", '"a"', '"', "\\"]
_PIECES = st.sampled_from([*_SIGNS, "1", "null", " ", "\n", "\r\n", "\f", "😀"])


@given(st.lists(_PIECES, max_size=40), st.sampled_from(["a.json", "a.jsonl"]))
def test_blocks_cover_any_text(pieces: list[str], uri: str) -> None:
    _parsed("".join(pieces), uri)


def test_half_a_character_in_a_title_or_key_is_replaced() -> None:
    value = json.dumps({"text": "x " * 1500})
    text = rf'{{"title": "A \ud83d", "\udc00 key": {value}, "\ud83d\ude00": {value}}}'
    document = _parsed(text)
    assert document.title == "A \ufffd"
    assert [section.title for section in document.sections] == ["\ufffd key", "😀"]
