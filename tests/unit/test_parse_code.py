"""Source code: definitions under qualified names, and nothing lost between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsed import assert_sound, lines_of, slice_of, source, texts
from pincite.parse.source.code import parse_code
from pincite.parse.source.languages import CODE_TYPES, GRAMMARS, code_type
from pincite.types import Document

PYTHON = '''"""Locks of the canal."""
import os

# opens and shuts
@register
class Gate(Base):
    """A gate 😀."""

    label = "größe 中文"

    # lifts the leaf
    @property
    def open(self) -> int:
        def inner():
            return 2
        return inner()  # done

    async def shut(
        self,
        force: int,
    ) -> None: ...


def main():
    Gate()


main()
'''


def _parsed(uri: str, text: str) -> Document:
    document = parse_code(source(uri, text))
    assert document.text == text
    assert_sound(document)
    return document


def _titles(document: Document) -> list[str]:
    return [section.title for section in document.sections]


def test_python_sections_have_qualified_names_and_signatures() -> None:
    document = _parsed("locks.py", PYTHON)
    assert document.type == "python"
    assert _titles(document) == ["Gate", "Gate.open", "Gate.shut", "main"]
    assert [s.level for s in document.sections] == [1, 2, 2, 1]
    assert [s.parent for s in document.sections] == [-1, 0, 0, -1]
    signatures = [document.text[s.title_span.start : s.title_span.end] for s in document.sections]
    assert signatures[:2] == ["class Gate(Base):", "def open(self) -> int:"]
    assert signatures[2].startswith("async def shut(") and signatures[2].endswith("-> None:")


def test_python_blocks_carry_comments_decorators_and_the_class_line() -> None:
    document = _parsed("locks.py", PYTHON)
    assert {b.kind for b in document.blocks} == {"definition"}
    assert [lines_of(document, b) for b in document.blocks] == [
        (1, 2),
        (4, 9),
        (11, 16),
        (18, 21),
        (24, 25),
        (28, 28),
    ]
    assert [b.section for b in document.blocks] == [-1, 0, 1, 2, 3, -1]
    assert [b.header for b in document.blocks] == ["", "", "class Gate(Base):", "class Gate(Base):", "", ""]
    method = slice_of(document, document.blocks[2])
    assert method.startswith("    # lifts the leaf\n    @property") and method.endswith("# done")


def test_crlf_is_kept_and_spans_are_the_same_lines() -> None:
    unix, windows = _parsed("a.py", PYTHON), _parsed("a.py", PYTHON.replace("\n", "\r\n"))
    assert _titles(unix) == _titles(windows)
    assert [lines_of(unix, b) for b in unix.blocks] == [lines_of(windows, b) for b in windows.blocks]
    assert not any(t.endswith("\r") for t in texts(windows))


def test_a_byte_order_mark_is_not_text() -> None:
    document = parse_code(source("a.py", b"\xef\xbb\xbf" + PYTHON.encode()))
    assert document.text == PYTHON
    assert_sound(document)


LANGUAGES = {
    "a.ts": (
        "export class Gate {\n  /** opens */\n  @Log() open(): void {\n    go();\n  }\n  shut = () => {\n"
        "    stop();\n  };\n}\nexport const run = (x: number) => {\n  return x;\n};\n",
        ["Gate", "Gate.open", "Gate.shut", "run"],
    ),
    "a.tsx": (
        "export function Page() {\n  return <p>é</p>;\n}\ninterface Props { a: number }\n",
        ["Page", "Props"],
    ),
    "a.js": (
        "function a() {}\nmodule.exports.b = function () {\n  return 1;\n};\nclass C { d() {} }\n",
        ["a", "module.exports.b", "C"],
    ),
    "A.java": (
        "package p;\n/** Doc. */\npublic class A {\n  A() {}\n  int b() { return 1; }\n  enum E { X }\n}\n",
        ["A", "A.A", "A.b", "A.E"],
    ),
    "a.c": (
        "typedef struct { int a;\n} gate_t;\n#ifdef X\nint *lift(int a)\n{\n  return 0;\n}\n#endif\n",
        ["gate_t", "lift"],
    ),
    "a.cpp": (
        "namespace acme {\ntemplate <class T>\nclass Gate {\n  int lift() { return 1; }\n};\n}\n"
        "int Gate::shut() { return 2; }\n",
        ["acme", "acme::Gate", "acme::Gate::lift", "Gate::shut"],
    ),
    "a.go": (
        "package a\n\n// Gate is.\ntype Gate struct {\n\tA int\n}\n\n"
        "func (g *Gate) Open() error {\n\treturn nil\n}\n",
        ["Gate", "Gate.Open"],
    ),
    "a.rs": (
        "/// Gate.\n#[derive(Debug)]\npub struct Gate<T> { a: T }\n"
        "impl<T> Show for Gate<T> {\n    fn lift(&self) {}\n}\n",
        ["Gate", "Gate", "Gate::lift"],
    ),
    "a.cs": (
        "namespace Acme {\n  public class Gate {\n"
        "    public int A { get; set; }\n    int Open() => 1;\n  }\n}\n",
        ["Acme", "Acme.Gate", "Acme.Gate.Open"],
    ),
    "a.rb": (
        "module Acme\n  class Gate\n    # lifts\n    def lift\n      1\n    end\n  end\nend\n",
        ["Acme", "Acme.Gate", "Acme.Gate.lift"],
    ),
    "a.php": (
        "<?php\nclass Gate {\n  public $x;\n  /** lifts */\n  function lift() {}\n}\n",
        ["Gate", "Gate.lift"],
    ),
    "a.sh": ("set -e\n# lifts\nlift() {\n  echo 1\n}\nlift\n", ["lift"]),
    "a.py": ("def a(): pass\n", ["a"]),
}


@pytest.mark.parametrize("uri", LANGUAGES)
def test_each_grammar_finds_its_definitions(uri: str) -> None:
    text, expected = LANGUAGES[uri]
    document = _parsed(uri, text)
    assert _titles(document) == expected
    assert document.type == CODE_TYPES["." + uri.partition(".")[2]]


def test_every_grammar_is_tested() -> None:
    assert {code_type(uri) for uri in LANGUAGES} == set(GRAMMARS)


def test_closing_braces_stay_with_the_block_before_them() -> None:
    document = _parsed("a.ts", LANGUAGES["a.ts"][0])
    assert slice_of(document, document.blocks[2]).endswith("  };\n}")
    assert all(any(ch.isalnum() for ch in text) for text in texts(document))


def test_a_header_file_with_classes_is_cpp() -> None:
    assert _parsed("gate.h", "class Gate {\n  int a();\n};\n").type == "cpp"
    assert _parsed("gate.h", "int lift(int a);\n").type == "c"


def test_a_file_with_errors_still_has_its_definitions() -> None:
    document = _parsed(
        "a.py", "def one():\n    pass\n\ndef broken(:\n    x = (\n\ndef two():\n    return 2\n"
    )
    assert _titles(document)[0] == "one"


def test_languages_without_a_grammar_are_cut_at_blank_lines() -> None:
    document = _parsed("a.sql", "select 1\nfrom a;\n\n\n  select 2;\n")
    assert document.type == "sql"
    assert [(b.kind, slice_of(document, b)) for b in document.blocks] == [
        ("lines", "select 1\nfrom a;"),
        ("lines", "  select 2;"),
    ]


def test_long_stretches_are_cut_at_blank_lines_and_long_functions_are_kept() -> None:
    constants = "\n".join(f"A{i} = {i}" + "\n" * (i % 10 == 0) for i in range(200))
    body = "\n".join(f"    a{i} = {i}" for i in range(200))
    document = _parsed("a.py", f"{constants}\ndef long():\n{body}\n")
    heights = [text.count("\n") + 1 for text in texts(document)]
    assert max(heights[:-1]) <= 60 and min(heights[:-2]) >= 40
    assert heights[-1] == 201
    assert all(text.startswith("A") for text in texts(document)[:-1])


def test_hostile_nesting_and_minified_files_end_quickly() -> None:
    _parsed("a.js", "(" * 200_000)
    _parsed("a.py", "".join(" " * i + "class A:\n" for i in range(300)))
    document = _parsed("a.js", "function a(){}var x={a:[1,2]};" * 150_000)
    assert document.sections == () and len(document.blocks) == 1
    deep = _parsed("a.cs", "".join("class A {\n" for _ in range(100)) + "}" * 100)
    assert max(s.level for s in deep.sections) <= 17


def test_a_broken_file_is_given_up_after_bounded_repair() -> None:
    document = _parsed("a.c", "} if x ( class /* ' \" ; = \n" * 20_000)
    assert {b.kind for b in document.blocks} == {"lines"}


def test_an_empty_file_has_no_blocks() -> None:
    assert _parsed("a.py", "").blocks == ()
    assert _parsed("a.py", "\n \n").blocks == ()


def test_odd_line_breaks_do_not_shift_lines() -> None:
    """Form feed, U+2028, U+0085, U+001C and vertical tab end no line."""
    text = '# a\nB = 1\n\n\f\nclass Gate:\n    label = "u\u2028l"\n'
    text += '\nA = "l\x85r"\nM = "o\x1ct"\n# t\x0bh\nC = "cobalt"\n'
    document = _parsed("odd.py", text)
    assert document.origins.place(document.sections[0].span).line_start == 5
    last = next(b for b in document.blocks if "cobalt" in slice_of(document, b))
    assert lines_of(document, last) == (8, 11)


def test_file_names_give_types() -> None:
    assert code_type("src/Makefile") == "make"
    assert code_type("a/b.RS") == "rust"
    assert code_type("notes") is None
    assert code_type("a.py/readme") is None


_PYTHONIC = ["class A:", "def f(x):", "    ", "x = 1", "@d", "if x:", "return", "# é", '"😀', "\f", "\u2028"]
_BRACED = ["{", "}", ";", "/* 中", "*/", "function g() {", "export ", "namespace n {", "struct s {", "end"]
_WORDS = st.sampled_from([*_PYTHONIC, *_BRACED, "  ", "\n", "\r\n"])


@given(st.lists(_WORDS, max_size=40), st.sampled_from(sorted(LANGUAGES)))
def test_blocks_cover_any_text(words: list[str], uri: str) -> None:
    _parsed(uri, "".join(words))
