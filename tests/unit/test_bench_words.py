"""The measure of parsing itself: words, their order, and what other projects expect of their files."""

from __future__ import annotations

import random
import sys
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Place

BENCH = Path(__file__).resolve().parents[2] / "bench" / "parse"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch):
    """A module of bench/parse, imported as its scripts import it, and forgotten afterwards."""
    monkeypatch.syspath_prepend(str(BENCH))
    before = set(sys.modules)

    def load(name: str) -> ModuleType:
        return import_module(name)

    yield load
    for name in set(sys.modules) - before:
        if str(BENCH) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def longest(a: str, b: str) -> int:
    """The textbook table."""
    row = [0] * (len(b) + 1)
    for one in a:
        above = row[:]
        for at, other in enumerate(b):
            row[at + 1] = above[at] + 1 if one == other else max(above[at + 1], row[at])
    return row[-1]


def test_the_longest_common_subsequence_is_that_of_the_textbook(module):
    words = module("words")
    draw = random.Random(7)
    for _ in range(200):
        a, b = ("".join(draw.choices("abcd", k=draw.randint(0, 70))) for _ in range(2))
        assert words.common_in_order(a, b) == longest(a, b)


def test_the_order_of_words_counts_and_their_number(module):
    words = module("words")
    right = ["one", "two", "three", "four", "five", "six"]
    moved = ["four", "five", "six", "one", "two", "three"]
    score = words.score(right, moved)
    assert (score.in_order, score.in_any_order, score.recall, score.precision) == (3, 6, 0.5, 0.5)
    assert words.score(right, []).f1 == 0
    assert words.score(right, [*right, "seven"]).precision == pytest.approx(6 / 7)
    blocks = SequenceMatcher(None, right, moved, autojunk=False).get_matching_blocks()
    assert sum(block.size for block in blocks) == 3


def test_words_are_folded_and_numbers_of_items_do_not_count(module):
    words = module("words").words
    assert words("1. Straße\n- b) ﬁve\n## 3.1 Zwölf") == ["strasse", "five", "zwölf"]
    assert words("漢字 and カナ πr2") == ["漢", "字", "and", "カ", "ナ", "π", "r2"]
    assert words("soft\u00adhyphen, 2020. snake_case") == ["softhyphen", "2020", "snake", "case"]


def test_markdown_is_measured_by_what_a_reader_sees(module):
    plain = module("words").plain
    seen = plain("See [the page](https://example.org/a(b)) <!-- image --> &amp; <b>bold</b>[^1]{.mark}")
    assert seen.split() == ["See", "[the", "page]", "&", "bold"]


NATIVE = r"""Pandoc
  Meta { unMeta = fromList [ ( "author" , MetaList [ MetaInlines [ Str "Ann" ] , MetaInlines [ Str "Bo" ] ] )
                           , ( "title" , MetaInlines [ Str "A" , Space , Str "\8220title\8221" ] ) ] }
  [ Header 1 ( "id" , [ "class" ] , [ ( "key" , "value" ) ] ) [ Str "Head" ]
  , Para [ Str "H" , Subscript [ Str "2" ] , Str "O"
         , Note [ Para [ Str "a" , Space , Str "note" ] ] , Str "."
         , Link ( "" , [] , [] ) [ Str "link" ] ( "https://example.org" , "tip" )
         , Math InlineMath "\\alpha + x" , Code ( "" , [] , [] ) "f(x)" ]
  , CodeBlock ( "" , [ "py" ] , [] ) "say(\"hi\")"
  , RawBlock (Format "html") "<p>raw</p>" ]
"""


def test_a_native_ast_gives_its_text_in_order(module):
    native, words = module("native"), module("words").words
    found = native.native_texts(NATIVE)
    assert words(found.meta) == ["a", "title", "ann", "bo"]
    body = ["head", "h2o", "a", "note", "link", "α", "x", "f", "x", "say", "hi", "raw"]
    assert words(found.body) == body
    assert words(found.body_then_notes) == [w for w in body if w not in {"a", "note"}] + ["a", "note"]


def test_notes_and_comments_may_follow_their_paragraph(module):
    source = (
        '[Para [Str "Wear",Note [Para [Str "Always"]],Span ("",["comment-start"],[("id","0")]) [Str "Which"],'
        'Space,Str "gloves",Span ("",["comment-end"],[("id","0")]) []],Para [Str "Then",Space,Str "start"]]'
    )
    found, words = module("native").native_texts(source), module("words").words
    assert words(found.body) == ["wear", "always", "which", "gloves", "then", "start"]
    assert words(found.body_with_asides) == ["wear", "gloves", "always", "which", "then", "start"]


def test_words_without_a_place_are_not_said(module):
    writer = Writer()
    writer.add("list", [("1. ", None), ("Close it", Place(part="paragraph 1")), (" [note a]", None)])
    document = writer.finish(Source("a.docx", b"", "0" * 64), "docx")
    said = module("ours").said_text(document)
    assert said.split() == [".", "Close", "it", "[", "]"] and len(said) == len(document.text)


def test_html_is_read_as_it_is_seen(module):
    html_text = module("expected").html_text
    source = "<div><p>one<b>two</b> three</p><p>four<script>no()</script>five</p><!-- no --></div>"
    assert html_text(source).split() == ["onetwo", "three", "fourfive"]
