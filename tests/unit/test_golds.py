"""Judged places in indexed text: lines, pages, headings, quotes; and what is said of those not there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels import saved
from libraries import library
from pincite.config import ChunkConfig, Config
from pincite.evaluate.golds import Resolver, holds, resolve
from pincite.evaluate.questions import read_questions
from pincite.evaluate.quotes import Squeezed, squeeze
from pincite.index.catalog import SqliteCatalog
from pincite.types import Document, Gold, Losses, Place, Qrel, Question, Run, RunOrigins, Span
from shelf import document

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MANUAL = """# Pump

## Oil

Oil the pump
twice a year.

## Empty

## Filter

### Paper

Change it in May.

Oil the pump
"""


@dataclass
class Documents:
    """Documents by id, which is their uri; counts what is read."""

    by_id: dict[str, Document] = field(default_factory=dict)
    reads: int = 0

    def document(self, doc_id: str) -> Document | None:
        self.reads += 1
        return self.by_id.get(doc_id)

    def document_ids(self) -> list[tuple[str, str]]:
        return [(doc_id, doc_id) for doc_id in sorted(self.by_id)]


def gold(qrel: Qrel, *documents: Document) -> Gold:
    (found,) = resolve(Question("q", "?", (qrel,)), Documents({one.uri: one for one in documents}))
    return found


def in_manual(first: int | None = None, last: int | None = None, **more: object) -> Gold:
    qrel = Qrel("q", "m.md", first, last if last is not None else first, **more)  # type: ignore[arg-type]
    return gold(qrel, manual())


def manual(text: str = MANUAL) -> Document:
    """Sections nested by their level."""
    flat = document("m.md", text)
    levels = [section.title_span for section in flat.sections]
    depth = [len(text[t.start : t.end]) - len(text[t.start : t.end].lstrip("#")) for t in levels]
    ends = [
        next((levels[m].start for m in range(n + 1, len(levels)) if depth[m] <= depth[n]), len(text))
        for n in range(len(levels))
    ]
    sections = (
        replace(section, level=level, span=Span(section.span.start, end))
        for section, level, end in zip(flat.sections, depth, ends, strict=True)
    )
    return replace(flat, sections=tuple(sections))


def text_of(found: Gold, text: str = MANUAL) -> str:
    assert found.span is not None and found.problem == ""
    return text[found.span.start : found.span.end]


# ── lines ─────────────────────────────────────────────────────────────────────────────────────
def test_lines_become_their_characters() -> None:
    assert text_of(in_manual(5)) == "Oil the pump"
    assert text_of(in_manual(4, 7)) == "Oil the pump\ntwice a year."
    assert not in_manual(5).any_part
    assert text_of(in_manual(16)) == "Oil the pump"


def test_a_line_that_is_not_there() -> None:
    assert in_manual(17).told == "no such place: the file has 16 lines"
    assert in_manual(16, 40).problem == "no such place"
    one = gold(Qrel("q", "a", 2, 2), document("a", "only line"))
    assert one.told == "no such place: the file has 1 line"
    assert gold(Qrel("q", "a", 1, 1), document("a", "")).problem == "span empty"


def test_a_blank_line() -> None:
    assert in_manual(4).problem == "span empty"
    assert in_manual(4).span is None and in_manual(4).doc_id == "m.md"


def test_a_document_that_is_gone() -> None:
    found = gold(Qrel("q", "n.md", 1, 1), manual())
    assert (found.problem, found.doc_id, found.span) == ("not in corpus", None, None)


def test_a_whole_document() -> None:
    assert in_manual() == Gold(Qrel("q", "m.md"), "m.md")
    assert gold(Qrel("q", "b"), document("b", " \n")).problem == "span empty"


def test_only_judgements_above_0_are_looked_for() -> None:
    qrels = (Qrel("q", "m.md", 5, 5, relevance=0), Qrel("q", "m.md", 6, 6, relevance=2))
    found = resolve(Question("q", "?", qrels), Documents({"m.md": manual()}))
    assert [one.qrel.line_start for one in found] == [6]


# ── headings ──────────────────────────────────────────────────────────────────────────────────
def test_a_heading_means_the_text_under_it() -> None:
    found = in_manual(3)
    assert found.any_part and text_of(found) == "Oil the pump\ntwice a year."


def test_subsections_are_included_but_a_title_is_no_text() -> None:
    assert text_of(in_manual(10)) == "Change it in May.\n\nOil the pump"
    assert text_of(in_manual(1)) == MANUAL[MANUAL.index("Oil the") :].rstrip()


def test_a_heading_without_text() -> None:
    found = in_manual(8)
    assert found.told == "span empty: no text under this heading" and found.span is None


def test_more_than_the_heading_is_what_it_says() -> None:
    found = in_manual(3, 5)
    assert not found.any_part and text_of(found) == "## Oil\n\nOil the pump"


CODE = """@cache
def f(
    x: int,
) -> int:
    \'\'\'Doubles.\'\'\'
    return 2 * x


def g(): return 1
"""
PARSED = {
    "a.md": "---\ntitle: x\n---\n# A\r\n\r\n<!-- to do -->\r\n\r\nText.\r\n\nB\n=\n\n<!-- only -->\n",
    "b.json": '{\n  "long": {\n    "x": "' + "y" * 3000 + '",\n    "z": 1\n  },\n  "n": 5\n}\n',
    "c.py": CODE,
}


@pytest.mark.parametrize(
    ("uri", "line", "any_part", "starts", "ends"),
    [
        ("a.md", 4, True, "Text.", "Text."),
        ("a.md", 8, False, "Text.", "Text."),
        ("a.md", 10, False, "", ""),
        ("b.json", 2, True, '"x": "yyy', '"z": 1\n  }'),
        ("b.json", 4, False, '"z": 1', '"z": 1'),
        ("b.json", 6, False, '"n": 5', '"n": 5'),
        ("c.py", 1, False, "@cache", "@cache"),
        ("c.py", 2, True, "'''Doubles", "2 * x"),
        ("c.py", 3, True, "'''Doubles", "2 * x"),
        ("c.py", 9, False, "def g()", "return 1"),
    ],
)
def test_headings_of_real_parsers(
    tmp_path: Path, uri: str, line: int, any_part: bool, starts: str, ends: str
) -> None:
    with library(tmp_path, {uri: PARSED[uri]}) as lib:
        parsed, _ = lib.parse(tmp_path / uri)
    found = gold(Qrel("q", uri, line, line), parsed)
    assert found.any_part is any_part
    text = parsed.text[found.span.start : found.span.end] if found.span else ""
    assert text.startswith(starts) and text.endswith(ends)
    assert bool(text) is bool(starts) is not (found.problem == "span empty")


# ── quotes ────────────────────────────────────────────────────────────────────────────────────
def test_a_quote_within_its_lines() -> None:
    found = in_manual(5, 6, quote="pump  twice")
    assert text_of(found) == "pump\ntwice" and found.moved_to == ""


def test_a_quote_that_moved() -> None:
    found = in_manual(14, quote="twice a year")
    assert text_of(found) == "twice a year" and found.moved_to == "m.md:6"
    found = in_manual(40, quote="Oil the pump")
    assert found.moved_to == "m.md:16"  # the nearest to where it was said to be
    found = in_manual(4, quote="Oil the pump twice")
    assert found.moved_to == "m.md:5-6"


def test_the_quote_in_its_lines_is_before_a_nearer_one() -> None:
    text = "Oil it.\nOil me. Or them. Oil it.\n"
    found = gold(Qrel("q", "a", 2, 2, quote="Oil it."), document("a", text))
    assert found.span == Span(25, 32) and found.moved_to == ""


def test_a_quote_that_is_nowhere() -> None:
    found = in_manual(5, quote="Oil the pumps")
    assert (found.problem, found.span, found.moved_to) == ("quote not there", None, "")


def test_a_quote_without_lines() -> None:
    found = in_manual(quote="Change it in May.")
    assert text_of(found) == "Change it in May." and found.moved_to == ""


def test_a_quoted_heading_means_its_section() -> None:
    found = in_manual(quote="## Oil")
    assert found.any_part and text_of(found) == "Oil the pump\ntwice a year."
    moved = in_manual(5, quote="Paper")
    assert moved.any_part and moved.moved_to == "m.md:12" and text_of(moved).startswith("Change")


def test_the_hash_of_the_lines() -> None:
    def sha(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    assert text_of(in_manual(5, 6, quote_sha=sha("Oil the pump\ntwice a year.").upper()))
    assert text_of(in_manual(5, 6, quote_sha=sha("Oil the pump twice a year.")))
    assert in_manual(5, 6, quote_sha=sha("Oil the pump")).problem == "quote not there"
    assert in_manual(quote_sha=sha(MANUAL.strip())).problem == ""


def test_characters() -> None:
    at = MANUAL.index("twice")
    exact = in_manual(chars=Span(at - 1, at + 6), quote="twice ")
    assert text_of(exact) == "twice" and exact.moved_to == ""
    assert text_of(in_manual(chars=Span(at, at + 5))) == "twice"
    assert in_manual(chars=Span(at + 9, at + 14), quote="twice").moved_to == "m.md:6"
    assert in_manual(chars=Span(0, 5), quote="never").problem == "quote not there"
    assert in_manual(chars=Span(0, 9999)).told.startswith("no such place: the text has")
    assert text_of(in_manual(chars=Span(9000, 9999), quote="twice")) == "twice"
    assert text_of(in_manual(chars=Span(8, 14))) == "## Oil"  # characters are exact, on a heading too


@given(st.lists(st.sampled_from(["a", "b", " ", "\n", " ", "\t"]), max_size=60).map("".join), st.data())
def test_a_quote_is_found_by_its_words(text: str, data: st.DataObject) -> None:
    words = squeeze(text).split()
    first = data.draw(st.integers(0, max(0, len(words) - 1)))
    quote = " \n".join(words[first : first + data.draw(st.integers(1, 4))])
    near = data.draw(st.integers(0, len(text)))
    found = Squeezed.of(text).find(quote, Span(near, near))
    if not words:
        assert found is None
    else:
        assert found is not None and squeeze(text[found.start : found.end]) == squeeze(quote)
        assert text[found.start : found.end] == text[found.start : found.end].strip()
    assert Squeezed.of(text).find("c", Span(near, near)) is None


# ── extracted text ────────────────────────────────────────────────────────────────────────────
PAGES = "Gate valve.\nNut.\n\nBolt.\n"


def paged(*places: Place, without_text: tuple[int, ...] = ()) -> Document:
    """A document of three runs, each with its place in the source."""
    lines = [line for line in PAGES.split("\n") if line]
    spans = [Span(PAGES.index(line), PAGES.index(line) + len(line)) for line in lines]
    runs = tuple(Run(span, place) for span, place in zip(spans, places, strict=True))
    return Document("p.pdf", "p.pdf", "", PAGES, "pdf", RunOrigins(runs), losses=Losses(without_text))


def test_a_page_means_all_its_runs() -> None:
    document = paged(Place(page=1), Place(page=3), Place(page=3), without_text=(2,))
    assert text_of(gold(Qrel("q", "p.pdf", page=3), document), PAGES) == "Nut.\n\nBolt."
    assert gold(Qrel("q", "p.pdf", page=2), document).told == "page empty: page 2 has no text"
    assert gold(Qrel("q", "p.pdf", page=4), document).told == "no such place: the text ends on page 3"
    assert gold(Qrel("q", "p.pdf", 3, 3), document).told == "no such place: the file has no lines"
    assert gold(Qrel("q", "p.pdf", page=1, quote="Bolt."), document).moved_to == "p.pdf#page=3"
    assert in_manual(page=1).told == "no such place: the file has no pages"


def test_lines_of_extracted_text() -> None:
    document = paged(Place(3, 3), Place(4, 6), Place(9, 9))
    assert text_of(gold(Qrel("q", "p.pdf", 3, 5), document), PAGES) == "Gate valve.\nNut."
    assert gold(Qrel("q", "p.pdf", 7, 8), document).problem == "span empty"
    assert gold(Qrel("q", "p.pdf", 10, 10), document).told == "no such place: the text ends on line 9"


def test_parts_that_have_no_page_are_not_there() -> None:
    document = paged(*(Place(part=f"slide {n}") for n in (1, 2, 3)))
    assert gold(Qrel("q", "p.pdf", page=1), document).told == "no such place: the file has no pages"
    assert gold(Qrel("q", "p.pdf", quote="Nut."), document).span == Span(12, 16)


# ── chunks ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("span", "any_part", "chunk", "held"),
    [
        (Span(10, 20), False, Span(0, 15), True),
        (Span(10, 20), False, Span(0, 14), False),
        (Span(10, 20), False, Span(12, 17), True),
        (Span(10, 20), True, Span(0, 11), True),
        (Span(10, 20), True, Span(0, 10), False),
        (Span(10, 20), True, Span(19, 30), True),
        (None, False, Span(500, 600), True),
    ],
)
def test_half_of_a_span_or_any_part_of_a_section(
    span: Span | None, any_part: bool, chunk: Span, held: bool
) -> None:
    found = Gold(Qrel("q", "a"), "d", span, any_part)
    assert holds(found, "d", chunk) is held
    assert not holds(found, "other", chunk)


@pytest.mark.parametrize("qrel", [Qrel("q", "p.pdf", page=2), Qrel("q", "p.pdf", part="slide 2")])
def test_a_page_or_part_is_found_by_any_of_its_text(qrel: Qrel) -> None:
    document = paged(*(Place(page=n, part=f"slide {n}") for n in (1, 2, 3)))
    found = gold(qrel, document)
    assert found.span is not None and found.any_part and text_of(found, PAGES) == "Nut."
    assert holds(found, document.id, Span(0, found.span.start + 1))
    assert not holds(found, document.id, Span(0, found.span.start))
    quoted = gold(replace(qrel, quote="Nut."), document)
    assert quoted.span == found.span and not quoted.any_part


def test_what_was_not_found_is_held_by_nothing() -> None:
    assert not holds(Gold(Qrel("q", "a"), "d", problem="span empty"), "d", Span(0, 9))
    assert not holds(Gold(Qrel("q", "a"), problem="not in corpus"), "d", Span(0, 9))


# ── many ──────────────────────────────────────────────────────────────────────────────────────
def test_a_document_is_read_once_for_many_questions() -> None:
    documents = Documents({"m.md": manual(), "b": document("b", "Text.")})
    resolver = Resolver(documents)
    qrels = (Qrel("q", "m.md", 5, 5), Qrel("q", "m.md", quote="May"), Qrel("q", "b", 1, 1), Qrel("q", "gone"))
    for _ in range(50):
        assert [bool(one.problem) for one in resolver.resolve(Question("q", "?", qrels))] == [False] * 3 + [
            True
        ]
    assert documents.reads == 2


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteCatalog]:
    root = tmp_path_factory.mktemp("sample")
    files = {
        path.relative_to(EXAMPLES / "sample").as_posix(): path.read_bytes()
        for path in sorted((EXAMPLES / "sample").rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and ".pincite" not in path.parts
    }
    with library(root, files) as lib:
        lib.sync()
    catalog = SqliteCatalog(root / ".pincite/catalog.db", read_only=True)
    yield catalog
    catalog.close()


def test_every_label_of_the_sample_is_found_and_held_by_a_chunk(sample: SqliteCatalog) -> None:
    resolver = Resolver(sample)
    questions = read_questions(EXAMPLES / "sample_questions.tsv").questions
    for question in questions:
        for found in resolver.resolve(question):
            assert (found.problem, found.moved_to) == ("", ""), found.qrel.location
            assert found.doc_id is not None
            spans = [Span(start, end) for _, start, end in sample.points_of(found.doc_id)]
            assert any(holds(found, found.doc_id, span) for span in spans), found.qrel.location
    assert sum(not question.answerable for question in questions) >= 3


# ── labels longer than chunks ─────────────────────────────────────────────────────────────────
LINES = "".join(
    f"Line {n} of the log says that pump {n} was oiled at {n} past noon.\n" for n in range(1, 201)
)


def test_a_chunk_that_lies_in_a_label_longer_than_chunks_has_found_it(tmp_path: Path) -> None:
    files = {"log.txt": LINES, "other.txt": "Nothing is said of oil here.\n"}
    with library(tmp_path / "lib", files, config=Config(chunk=ChunkConfig(size=60))) as opened:
        opened.sync()
        rows = [("pump 120", "log.txt:20-180"), ("pump 5", "log.txt:20-180"), ("pump 120", "log.txt:118-121")]
        text = "".join(f"{words}\t{place}\n" for words, place in rows)
        found = opened.evaluate(saved(tmp_path, "q.tsv", text), legs=("lexical",), k=1).asked
        assert [one.golds[0].long for one in found] == [True, True, False]
        assert (found[0].rank, found[2].rank) == (1, 1)
        assert found[1].rank and found[1].rank > 1, "the first chunk lies before the label"
        assert len(found[0].judged) == 1 and found[0].ranking.count(next(iter(found[0].judged))) == 1


def test_a_label_that_a_larger_chunk_could_hold_is_still_split(tmp_path: Path) -> None:
    with library(tmp_path / "lib", {"log.txt": LINES}, config=Config(chunk=ChunkConfig(size=20))) as opened:
        opened.sync()
        questions = saved(tmp_path, "q.tsv", "pump 120\tlog.txt:117-122\n")
        assert opened.evaluate(questions).asked[0].rank is None
        assert opened.why(questions).findings[0].code == "split-by-chunking"


def test_a_long_gold_needs_half_of_the_shorter() -> None:
    long = Gold(Qrel("q", "a"), "a", Span(1000, 5000), long=True)
    assert holds(long, "a", Span(2000, 2400)) and holds(long, "a", Span(800, 1200))
    assert not holds(long, "a", Span(700, 1100)) and not holds(long, "a", Span(0, 900))
    assert holds(long, "a", Span(0, 3000)) and holds(long, "a", Span(0, 9000))
    assert not holds(replace(long, long=False), "a", Span(2000, 2400))


@pytest.mark.parametrize(("words", "long"), [(200, False), (520, True), (2000, True)])
def test_what_is_longer_than_two_chunks_depends_on_what_the_model_reads(words: int, long: bool) -> None:
    text = "pump " * words
    only = Documents({"a.md": document("a.md", text)})
    qrel = Qrel("q", "a.md", 1)
    assert Resolver(only, limit=128).gold(qrel).long is long
    assert Resolver(only, limit=8192).gold(qrel).long is (words > 1024)
