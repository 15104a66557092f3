"""Findings over a file: proofs that were run, the funnel, and remedies that recover what they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from embedders import bag_of_words
from libraries import library
from pdf_files import at, pdf
from pincite.cli.terminal import Terminal
from pincite.cli.why_text import why_text
from pincite.config import ChunkConfig, Config, ContextConfig, SearchConfig, SyncConfig
from pincite.errors import IndexStaleError
from pincite.evaluate.asking import Asker
from pincite.evaluate.diagnose import CODES, STAGES
from pincite.evaluate.proof.experiments import Lab
from pincite.evaluate.questions import question_set
from pincite.evaluate.run import evaluate
from pincite.evaluate.why import Diagnosis, funnel, why
from pincite.filter import parse_filter
from pincite.library import Library
from pincite.parse.scans import ocr
from pincite.types import Context, Everything, Finding, Qrel, Question, QuestionSet, Remedy

TOPICS = ("pump", "valve", "filter", "sensor", "cable", "battery", "screen", "handle")
FILES = {
    f"{topic}.md": f"# {topic.title()}\n\nThe {topic} is serviced every {number + 3} months by a workshop.\n"
    for number, topic in enumerate(TOPICS)
} | {"long.txt": "It takes " + ", ".join(f"step{n}" for n in range(60)) + ".\n"}
LEXICAL = SearchConfig(legs=("lexical",))


def asked(id: str, text: str, uri: str, line: int | None = 3, **more: object) -> Question:
    return replace(Question(id, text, (Qrel(id, uri, line),)), **more)  # type: ignore[arg-type]


def questions(*given: Question) -> QuestionSet:
    return question_set("given", given)


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    tiny = Config(chunk_for={"text": ChunkConfig(strategy="tokens", size=12, overlap=0)})
    root = tmp_path_factory.mktemp("why")
    with library(root, FILES, config=tiny, embedder=bag_of_words(dimension=8)) as opened:
        opened.sync()
        yield opened


def found(lib: Library, *given: Question, **more: object) -> Diagnosis:
    return why(lib._open(), questions(*given), **more)  # type: ignore[arg-type]


EVERY = tuple(asked(topic, f"How often is the {topic} serviced?", f"{topic}.md") for topic in TOPICS)
GONE = asked("gone", "How often is the pump serviced?", "no-such.md")
BLANK = asked("blank", "How often is the pump serviced?", "pump.md", 2)
UNANSWERABLE = Question("none", "Does the pump float?", answerable=False)


# ── one question ──────────────────────────────────────────────────────────────────────────────
def test_what_is_found_says_where_and_tries_nothing(lib: Library) -> None:
    (one,) = found(lib, EVERY[0], settings=LEXICAL).findings
    assert (one.code, one.ranks, one.remedies) == (
        "found",
        {"lexical": 1, "fused": 1, "hits": 1, "context": 1},
        (),
    )
    assert one.proof == "pump.md:3 is hit 1."


def test_a_shallow_pool_is_proved_by_the_true_rank_and_by_a_deeper_one(lib: Library) -> None:
    vague = asked("vague", "Which months does the workshop work?", "handle.md")
    (one,) = found(lib, vague, k=1, settings=SearchConfig(depth=1, legs=("lexical",))).findings
    assert one.code == "missed-lexical"
    assert "Of the whole index it is" in one.proof
    assert "With search.depth = 3000 it is" in one.proof


def test_evidence_without_a_common_word_says_so(lib: Library) -> None:
    (one,) = found(lib, asked("q", "qwertz", "pump.md"), settings=LEXICAL).findings
    assert (one.code, one.ranks["lexical"]) == ("missed-lexical", None)
    assert "It shares no word with the question." in one.proof


def test_a_filter_is_named_and_tried_without(lib: Library) -> None:
    filter = parse_filter(["type=html"], lib._open().catalog.get("fields") | {"type": "string"})
    (one,) = found(lib, EVERY[0], filter=filter, settings=LEXICAL).findings
    assert one.code == "filtered-out"
    assert "With no filter it is 1st." in one.proof
    assert one.remedies == (Remedy("--filter", "as given", "none", ("pump",), on_all=True),)


def needing(first: str, second: str, text: str) -> Question:
    """A question that needs evidence of both files."""
    return Question("both", text, (Qrel("both", first, 3, group="1"), Qrel("both", second, 3, group="2")))


def test_of_several_pieces_that_are_needed_each_is_told_with_its_own_rank(lib: Library) -> None:
    both = needing("pump.md", "valve.md", "Is the pump serviced every 3 months, and the valve?")
    (one,) = found(lib, both, settings=LEXICAL).findings
    assert (one.code, one.ranks["hits"], one.proof) == ("found", 2, "pump.md:3 is hit 1.")
    (one,) = found(lib, both, k=1, settings=LEXICAL).findings
    assert one.proof.startswith("valve.md:3 is in a pool, but 2nd after fusion, and 1 are taken.")
    assert "With k = 2 the last piece that is needed is 2nd." in one.proof
    aside = needing("valve.md", "cable.md", "What of the valve?")
    (one,) = found(lib, aside, k=1, settings=SearchConfig(depth=1, legs=("lexical",))).findings
    assert one.code == "missed-lexical" and "cable.md:3 is not in the lexical pool of 1." in one.proof
    assert "With search.depth = 3000 a piece is in no pool." in one.proof


@pytest.mark.parametrize(
    ("budget", "words", "said", "to"),
    [
        (40, 30, "With context.budget = 80 it is in the context.", ["80"]),
        (40, 75, "With context.budget = 160 it is in the context.", ["160"]),
        (40, 300, "With context.budget = 160 it is not in the context.", []),
    ],
)
def test_a_passage_that_stays_cut_before_the_evidence_is_not_mended(
    tmp_path: Path, budget: int, words: int, said: str, to: list[str]
) -> None:
    """The hit is in the context under each budget, but the words that were asked for may not be."""
    before = " ".join(f"Part {number} is green." for number in range(words // 4))
    text = f"{before} The gizmo weighs nine grams.\n"
    gizmo = Qrel("q", "a.md", 1, quote="The gizmo weighs nine grams.")
    config = Config(context=ContextConfig(budget=budget))
    with library(tmp_path, {"a.md": text}, config=config, embedder=bag_of_words(limit=1000)) as lib:
        lib.sync()
        question = Question("q", "What does the gizmo weigh?", (gizmo,))
        (one,) = found(lib, question, settings=LEXICAL).findings
    assert (one.code, one.ranks["hits"], one.ranks["context"]) == ("dropped-budget", 1, None)
    assert one.proof.endswith(said), one.proof
    assert [(r.setting, r.after) for r in one.remedies] == [("context.budget", after) for after in to]


def test_a_larger_chunk_is_cut_to_prove_that_it_holds_the_evidence(lib: Library) -> None:
    (one,) = found(lib, asked("steps", "What does it take?", "long.txt", 1), settings=LEXICAL).findings
    assert one.code == "split-by-chunking"
    assert one.proof.endswith("With chunk.text.size = 512 one chunk holds it.")
    assert [(r.setting, r.before, r.after) for r in one.remedies] == [("chunk.text.size", "12", "512")]


@pytest.mark.parametrize(
    ("steps", "most", "ending"),
    [
        (150, 120, "With chunk.size = 120 one chunk holds it."),
        (150, 70, "No larger chunk keeps it whole: chunk.parent_size and the model allow 70 tokens."),
    ],
)
def test_no_larger_chunk_is_tried_than_the_settings_allow(
    tmp_path: Path, steps: int, most: int, ending: str
) -> None:
    text = "# Steps\n\nIt takes " + ", ".join(f"step{n}" for n in range(steps)) + ".\n"
    config = Config(chunk=ChunkConfig(size=40, parent_size=most))
    with library(tmp_path, {"a.md": text}, config=config, embedder=bag_of_words(limit=1000)) as lib:
        lib.sync()
        (one,) = found(lib, asked("steps", "What does it take?", "a.md"), settings=LEXICAL).findings
    assert (one.code, one.proof.endswith(ending)) == ("split-by-chunking", True), one.proof


def test_a_question_without_text_is_a_faulty_label_and_stops_no_other(lib: Library) -> None:
    empty = asked("empty", " ", "pump.md")
    result = found(lib, empty, EVERY[0], settings=LEXICAL)
    assert [(one.code, one.stage) for one in result.findings] == [("label-suspect", "label"), ("found", "")]
    assert result.findings[0].proof == "The question has no text, so nothing was searched."
    assert result.funnel[0][2] == 1


@pytest.mark.parametrize("answers", [False, True])
def test_a_question_that_nobody_judged_is_no_unanswerable_one(lib: Library, answers: bool) -> None:
    unjudged = Question("unjudged", EVERY[0].text, (Qrel("unjudged", "pump.md", relevance=0),))
    more = {"answers": True, "generator": Says("The pump is serviced [1].")} if answers else {}
    result = found(lib, unjudged, Question("bare", "How often?"), settings=LEXICAL, **more)
    assert [(one.code, one.stage) for one in result.findings] == [("unknown", "label")] * 2
    assert {one.proof for one in result.findings} == {
        "The question has no judged evidence, and is not marked unanswerable."
    }
    assert {left for _, _, left in result.funnel} == {0}


def test_the_filter_is_among_the_settings(lib: Library) -> None:
    filter = parse_filter(["type=html"], lib._open().catalog.get("fields") | {"type": "string"})
    assert found(lib, EVERY[0], filter=filter, settings=LEXICAL).settings["filter"] == 'type = "html"'


@pytest.mark.parametrize(
    ("sync", "ignored", "remedy", "said"),
    [
        (
            SyncConfig(exclude=("*.log", "pu*", "*ump.md")),
            "",
            ("sync.exclude", '["*.log", "pu*", "*ump.md"]', '["*.log"]'),
            "sync.exclude leaves it out (pu*, *ump.md)",
        ),
        (
            SyncConfig(include=("a.log",)),
            "pump.md",
            ("sync.include", '["a.log"]', '["a.log", "pump.md"]'),
            "",
        ),
        (SyncConfig(exclude=("pump.md",)), "pump.md", None, "another rule still leaves it out"),
    ],
)
def test_a_file_that_a_rule_leaves_out_comes_back_by_the_fix(
    tmp_path: Path, sync: SyncConfig, ignored: str, remedy: tuple[str, str, str] | None, said: str
) -> None:
    """The fix is applied as it is written, and the file must be found then."""
    files = {**FILES, ".gitignore": ignored}
    with library(tmp_path, files, config=Config(sync=sync)) as lib:
        lib.sync()
        (one,) = found(lib, EVERY[0], settings=LEXICAL).findings
    assert one.code == "not-in-corpus" and said in one.proof
    assert [(r.setting, r.before, r.after) for r in one.remedies] == ([remedy] if remedy else [])
    if remedy:
        name = remedy[0].removeprefix("sync.")
        mended = replace(sync, **{name: tuple(json.loads(remedy[2]))})
        with library(tmp_path, files, config=Config(sync=mended)) as lib:
            lib.sync()
            assert found(lib, EVERY[0], settings=LEXICAL).counts == {"found": 1}


def test_a_file_over_the_limit_comes_back_by_one_that_it_meets(tmp_path: Path) -> None:
    question = asked("big", "What is said of the gizmo?", "big.md")
    files = {"big.md": "# Gizmo\n\nThe gizmo is blue.\n\n" + "word " * 400_000}
    for most, told in ((1, {"failed-to-parse": 1}), (3, {"found": 1})):
        config = Config(sync=SyncConfig(max_file_mb=most))
        with library(tmp_path, files, config=config, embedder=bag_of_words(limit=512)) as lib:
            lib.sync()
            result = found(lib, question, settings=LEXICAL)
        assert result.counts == told
        if most == 1:
            (remedy,) = result.findings[0].remedies
            assert (remedy.setting, remedy.before, remedy.after) == ("sync.max_file_mb", "1", "3")


@pytest.mark.parametrize(
    "qrel", [Qrel("q", "pump.md", 7), Qrel("q", "pump.md", 7, quote="It weighs nine grams.")]
)
def test_evidence_written_since_the_last_sync_waits_for_the_next(tmp_path: Path, qrel: Qrel) -> None:
    question = Question("q", "How many grams does it weigh?", (qrel,))
    with library(tmp_path, FILES) as lib:
        lib.sync()
        (tmp_path / "pump.md").write_text(FILES["pump.md"] + "\n# Weight\n\nIt weighs nine grams.\n")
        (one,) = found(lib, question, settings=LEXICAL).findings
        assert (one.code, [r.after for r in one.remedies]) == ("stale-index", ["pincite sync"])
        lib.sync()
        assert found(lib, question, settings=LEXICAL).counts == {"found": 1}


def test_a_fix_recovers_nothing_that_was_a_hit_before(tmp_path: Path) -> None:
    lost = asked("lost", "How often is the valve serviced by a workshop?", "filter.md")
    with library(tmp_path, FILES) as lib:
        lib.sync()
        (tmp_path / "cable.md").write_text("# Cable\n\nNothing is done.\n")
        result = found(lib, *EVERY, lost, k=1, settings=LEXICAL)
    assert result.counts == {"stale-index": 1, "lost-in-fusion": 1, "found": len(EVERY) - 1}
    more = next(one for one in result.remedies if one.setting == "--k")
    assert (more.recovers, more.loses) == (("lost",), ())


# ── over a file ───────────────────────────────────────────────────────────────────────────────
def test_the_funnel_loses_each_question_at_its_stage(lib: Library) -> None:
    result = found(lib, *EVERY, GONE, BLANK, UNANSWERABLE, k=1, settings=LEXICAL)
    left = [row[2] for row in result.funnel]
    assert left == sorted(left, reverse=True)
    assert left[-1] == sum(one.code == "found" for one in result.findings) == len(EVERY)
    assert [(stage, n) for stage, _, n in result.funnel][:2] == [("label", 9), ("corpus", 8)]
    assert result.apart == (UNANSWERABLE,)
    assert sum(result.counts.values()) == len(result.findings) == len(EVERY) + 2


def test_every_code_is_counted_at_its_stage() -> None:
    findings = [Finding(code, "", code, stage) for code, stage in CODES.items()]
    rows = funnel(findings, answers=True, legs=("lexical", "dense"))
    assert [stage for stage, _, _ in rows] == [stage for stage in STAGES if stage]
    lost = [
        before - after
        for before, after in zip([len(CODES), *(r[2] for r in rows)], [r[2] for r in rows], strict=False)
    ]
    assert lost == [sum(code == stage for code in CODES.values()) for stage, _, _ in rows]


def test_stages_that_did_not_run_are_no_part_of_the_funnel() -> None:
    rows = funnel([Finding("q", "", "found", "")], answers=False, legs=("lexical",))
    assert not {"rerank", "answer", "embed"} & {stage for stage, _, _ in rows}


def test_remedies_recover_and_lose_the_questions_they_say(lib: Library) -> None:
    """Each remedy's questions are those that an evaluation under its setting finds, against one without."""
    now = SearchConfig(legs=("dense",))
    result = found(lib, *EVERY, k=1, settings=now)
    tried = {r.after: r for r in result.remedies if r.setting == "search.legs"}
    assert tried
    for after, remedy in tried.items():
        changed = replace(now, legs=tuple(after.split(",")))
        before, then = passing(lib, now), passing(lib, changed)
        assert set(remedy.recovers) == then - before
        assert set(remedy.loses) == before - then
    gains = [len(remedy.recovers) - len(remedy.loses) for remedy in result.remedies]
    assert gains == sorted(gains, reverse=True)


def test_a_remedy_that_loses_another_question_says_so(lib: Library) -> None:
    filter = parse_filter(["path!=pump.md"], lib._open().catalog.get("fields"))
    beside = asked("beside", "How is the pump pump.md beside the valve?", "valve.md")
    result = found(lib, EVERY[0], beside, k=1, settings=LEXICAL, filter=filter)
    assert [one.code for one in result.findings] == ["filtered-out", "found"]
    (remedy,) = result.remedies
    assert (remedy.setting, remedy.recovers, remedy.loses) == ("--filter", ("pump",), ("beside",))
    assert result.findings[0].remedies == (remedy,)  # with what it loses elsewhere


def passing(lib: Library, settings: SearchConfig) -> set[str]:
    """The questions found first, by evaluation."""
    run = evaluate(lib._open(), questions(*EVERY), k=1, settings=settings)
    return {one.question.id for one in run.asked if one.rank == 1}


# ── with answers ──────────────────────────────────────────────────────────────────────────────
@dataclass
class Says:
    """A model that always writes the same."""

    text: str
    name: str = "fake"

    def generate(self, question: str, context: Context) -> str:
        return self.text


NOTHING_CITED = "[no source: nothing in this answer is cited] "
MARKED = {  # what is doubtful in a text is marked in it
    "The pump is serviced every 9 months by a workshop [1].": "The pump is serviced every 9 months by a "
    "workshop [1: not verified] [not in the source: 9 months].",
    "The pump is serviced every 3 months by a workshop.": NOTHING_CITED
    + "The pump is serviced every 3 months by a workshop.",
    "Gardens are green.": f"{NOTHING_CITED}Gardens are green.",
}


@pytest.mark.parametrize(
    ("text", "code", "refusal"),
    [
        ("The pump is serviced every 3 months by a workshop [1].", "found", "should-have-abstained"),
        ("The pump is serviced every 9 months by a workshop [1].", "contradicted", "should-have-abstained"),
        ("The pump is serviced every 3 months by a workshop.", "citation-wrong", "should-have-abstained"),
        ("Gardens are green.", "not-used", "should-have-abstained"),
        ("INSUFFICIENT EVIDENCE: nothing.", "should-not-have-abstained", "found"),
    ],
)
def test_answers_of_a_model_are_judged(lib: Library, text: str, code: str, refusal: str) -> None:
    result = found(lib, EVERY[0], UNANSWERABLE, settings=LEXICAL, answers=True, generator=Says(text))
    assert [one.code for one in result.findings] == [code, refusal]
    said = "and was refused." if refusal == "found" else f"but was answered: {MARKED.get(text, text)}"
    assert result.findings[1].proof == f"The question has no answer in the documents, {said}"
    assert result.apart == ()
    assert result.funnel[-1][0] == "answer"


def test_an_answer_of_several_lines_is_told_on_one(lib: Library) -> None:
    said = Says("Gardens are green.\n\nSome are blue.")
    (finding,) = found(lib, EVERY[0], settings=LEXICAL, answers=True, generator=said).findings
    assert f"the answer is: {NOTHING_CITED}Gardens are green. Some are blue." in f"{finding}"


def test_an_index_of_other_settings_is_refused_as_a_search_refuses_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    root = tmp_path_factory.mktemp("stale")
    with library(root, FILES, embedder=bag_of_words(dimension=8)) as opened:
        opened.sync()
    other = Config(chunk=ChunkConfig(size=64))
    refused = pytest.raises(IndexStaleError, match="does not fit the settings")
    with library(root, {}, config=other, embedder=bag_of_words(dimension=8)) as opened, refused:
        found(opened, EVERY[0])


# ── what the fixes stand for ──────────────────────────────────────────────────────────────────
# ── pages without text ────────────────────────────────────────────────────────────────────────
SCAN = question_set("one", [Question("q", "How high is the wall?", (Qrel("q", "plan.pdf", page=1),))])


def test_a_page_without_text_is_said_to_need_ocr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "which", lambda _: None)
    monkeypatch.setattr(ocr, "find_spec", lambda _: None)
    picture = "q 400 0 0 400 100 100 cm BI /W 1 /H 1 /CS /G /BPC 8 ID A EI Q"
    with library(tmp_path, {"plan.pdf": pdf(picture, at(72, 72, "The harbour plan of 1904."))}) as opened:
        opened.sync()
        (found,) = opened.why(SCAN).findings
    assert found.code == "page-without-text" and not found.remedies
    assert "No OCR is installed to try it with: pip install 'pincite[ocr]'" in found.proof


@pytest.mark.skipif(not (ocr.installed() and find_spec("PIL")), reason="pip install 'pincite[ocr]'")
@pytest.mark.parametrize("words", ["The harbour wall is seven metres high.", ""])
def test_ocr_is_run_on_a_page_without_text(tmp_path: Path, words: str) -> None:
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("RGB", (900, 300), "white")
    ImageDraw.Draw(page).text((60, 100), words, "black", ImageFont.load_default(36))
    page.save(tmp_path / "plan.pdf", resolution=100)
    reader = ocr.installed()[0]
    with library(tmp_path, {}) as opened:
        opened.sync()
        (found,) = opened.why(SCAN).findings
    assert found.code == "page-without-text"
    if words:
        assert f'With parse.ocr = "{reader}" there is text.' in found.proof
        assert [(one.setting, one.after) for one in found.remedies] == [("parse.ocr", f'"{reader}"')]
    else:
        assert f'With parse.ocr = "{reader}" there is none either.' in found.proof and not found.remedies


def lab(lib: Library, settings: SearchConfig, **more: object) -> Lab:
    return Lab(lib._open(), Asker(lib._open(), k=1, filter=Everything(), settings=settings), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings",
    [SearchConfig(), SearchConfig(fusion="rrf"), SearchConfig(lexical_weight=0.2, dense_weight=0.8)],
)
def test_a_fix_changes_the_one_setting_it_names(lib: Library, settings: SearchConfig) -> None:
    for one in lab(lib, settings).every():
        changed = [n for n in fields(settings) if getattr(settings, n.name) != getattr(one.search, n.name)]
        named = [f"search.{field.name}" for field in changed]
        assert named == ([one.setting] if one.setting.startswith("search.") else [])


def test_weights_to_either_side_are_tried_where_they_count(lib: Library) -> None:
    def weights(settings: SearchConfig) -> list[tuple[str, str]]:
        every = lab(lib, settings).every()
        return [(one.before, one.after) for one in every if one.setting == "search.lexical_weight"]

    assert weights(SearchConfig()) == [("0.5", "1.17"), ("0.5", "0.21")]
    assert weights(SearchConfig(lexical_weight=0.3, dense_weight=0.7)) == [("0.3", "1.63")]
    assert weights(SearchConfig(dense_weight=0.0)) == weights(SearchConfig(fusion="rrf")) == []


def test_a_fix_of_the_search_recovers_nothing_that_the_answer_lost(lib: Library) -> None:
    """Refused questions whose evidence is a hit are not recovered by a larger k: that was not tried."""
    lost = asked("lost", "How often is the valve serviced by a workshop?", "filter.md")
    result = found(
        lib, *EVERY, lost, k=1, settings=LEXICAL, answers=True, generator=Says("INSUFFICIENT EVIDENCE: no.")
    )
    assert result.counts == {"lost-in-fusion": 1, "should-not-have-abstained": len(EVERY)}
    deeper = next(one for one in result.remedies if one.setting == "--k")
    assert (deeper.recovers, deeper.loses) == (("lost",), ())


def test_places_of_passages_and_of_files_are_told_apart(lib: Library) -> None:
    whole = asked("whole", "How often is the valve serviced by a workshop?", "pump.md", None)
    (one,) = found(lib, whole, k=1, settings=LEXICAL).findings
    assert one.code == "lost-in-fusion" and "trials tell the file's place among files. With " in one.proof


# ── as text ───────────────────────────────────────────────────────────────────────────────────
def test_the_text_names_what_was_not_looked_at(lib: Library) -> None:
    alone = why_text(found(lib, UNANSWERABLE, settings=LEXICAL), term=Terminal())
    assert alone == "1 question unanswerable, looked at with --answers only: none"
    both = why_text(found(lib, EVERY[0], UNANSWERABLE, settings=LEXICAL), term=Terminal())
    assert both.endswith(f"\n\n{alone}")


def test_the_text_names_questions_by_id_and_says_how_a_fix_is_tried(lib: Library) -> None:
    settings = SearchConfig(legs=("dense",))
    result = found(lib, *EVERY, k=1, settings=settings)
    text = why_text(result, term=Terminal())
    lost = next(one for one in result.findings if one.code != "found")
    assert f"{lost.code}  {lost.question_id}  {lost.question}" in text
    assert "--k 5 (was 1)" in text or "--k 2 (was 1)" in text
    assert "Try a setting for one run: PINCITE_SEARCH_LEGS=lexical pincite eval …" in text
    assert "then pincite sync" not in text


def test_a_fix_of_the_index_is_not_tried_by_a_variable(lib: Library) -> None:
    steps = asked("steps", "What does it take?", "long.txt", 1)
    text = why_text(found(lib, steps, EVERY[0], settings=LEXICAL), term=Terminal())
    assert "+1 −?  chunk.text.size = 512 (was 12)" in text and "PINCITE_" not in text
    assert "\n−? was not tried on all the questions, for it needs another index\n" in text
    assert text.endswith("shape the index: write them into pincite.toml, then pincite sync")
