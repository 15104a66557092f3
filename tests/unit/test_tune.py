"""Tuning on small folders: what is kept, what is not, what the held-out questions see, and going on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from embedders import StandIn, bag_of_words, maker
from libraries import write
from pincite.cli.terminal import Terminal
from pincite.cli.tune_text import tune_text
from pincite.config import Config, ContextConfig, SearchConfig
from pincite.errors import StoreError, UsageError
from pincite.evaluate.asking import Asker
from pincite.evaluate.questions import question_set
from pincite.evaluate.tuning import scratch
from pincite.evaluate.tuning.context_recall import in_context
from pincite.evaluate.tuning.pools import collect, fused, fusing, rankings
from pincite.evaluate.tuning.space import weighted
from pincite.evaluate.tuning.split import Split, split
from pincite.evaluate.tuning.tune import tune
from pincite.evaluate.tuning.tuned import Tuned, tuned_json
from pincite.library import Library
from pincite.models import profile
from pincite.protocols import Vectors
from pincite.types import (
    Context,
    Everything,
    Evidence,
    Gold,
    Place,
    Progress,
    Qrel,
    Question,
    Span,
    point_id,
)

N = 48
GROUPED = (("one", 0), ("two", 42), ("three", 80))


def by_topic() -> StandIn:
    """A model that knows that alpha7, in a document, and beta7, in a question, are one topic."""

    def vector_of(text: str) -> Vectors:
        vector = np.full(N, 1e-3, dtype=np.float32)
        found = re.search(r"alpha(\d+)", text) or re.search(r"beta(\d+)", text)
        if found:
            vector[int(found[1])] = 1
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)

    return StandIn(vector_of, name="by-topic", dimension=N)


def misled() -> dict[str, str]:
    """Documents whose words lead to the wrong one: that of topic n holds the question's word for another."""
    return {f"d{n:02}.md": f"# Part {n}\n\nalpha{n} is told here, not beta{(n + 7) % N}.\n" for n in range(N)}


def asked() -> list[Question]:
    return [
        Question(
            f"q{n}", f"What of beta{n}?", (Qrel(f"q{n}", f"d{n:02}.md"),), tags=("odd",) if n % 2 else ()
        )
        for n in range(N)
    ]


def opened(root: Path, model: StandIn, files: dict[str, str], config: Config = Config()) -> Library:  # noqa: B008
    write(root, files)
    return Library(root, root / ".pincite", config, make_embedder=maker(model))


def parts() -> Split:
    return split(question_set("topics", asked()))


def shape(found: Tuned) -> list[object]:
    """All that is not a time."""
    rows = [(one.round, one.change.name, one.comparison, one.p_holm, one.kept) for one in found.trials]
    return [rows, dict(found.tuned), found.verdict, found.sample]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Tuned, Library, StandIn, list[str]]]:
    """The default space on the misled documents; with the held-out words asked before the verdict."""
    model, early = by_topic(), []
    aside = {one.text for one in parts().held_out.questions}

    def watch(step: Progress) -> None:
        if step.stage == "verdict":
            early.extend(sorted(aside & set(model.queries)))

    root = tmp_path_factory.mktemp("tuned")
    with opened(root, model, misled()) as library:
        yield tune(library._open(), parts(), progress=watch), library, model, early


# ── what is found ─────────────────────────────────────────────────────────────────────────────
def test_a_change_that_helps_is_kept_and_confirmed(whole: tuple[Tuned, Library, StandIn, list[str]]) -> None:
    found = whole[0]
    kept = [one for one in found.trials if one.kept]
    assert kept[0].comparison.after == 1.0 and kept[0].p_holm < 0.05
    assert found.verdict.recommended and found.changes == found.tuned != {}
    assert found.verdict.comparison is not None and found.verdict.comparison.after == 1.0
    assert found.verdict.legs["lexical"].difference > 0


def test_every_trial_is_corrected_for_all_so_far(whole: tuple[Tuned, Library, StandIn, list[str]]) -> None:
    found = whole[0]
    first = [one for one in found.trials if one.round == 1]
    assert all(one.p_holm >= one.comparison.p for one in found.trials)
    least = min(first, key=lambda one: one.comparison.p)
    assert least.p_holm == pytest.approx(min(1, least.comparison.p * len(first)))
    last = [one for one in found.trials if one.round == 2]
    assert last and not any(one.kept for one in last) and max(one.p_holm for one in last) == 1


def test_held_out_questions_are_not_asked_before_the_verdict(
    whole: tuple[Tuned, Library, StandIn, list[str]],
) -> None:
    found, _, model, early = whole
    aside = {one.text for one in parts().held_out.questions}
    assert early == [] and aside <= set(model.queries)
    tuned = {one.id for one in parts().tuning.questions}
    assert all(one.measured.values.keys() == tuned for one in found.trials)


def test_no_text_is_embedded_twice_and_no_query(whole: tuple[Tuned, Library, StandIn, list[str]]) -> None:
    model = whole[2]
    assert len(model.queries) == len(set(model.queries)) == N
    assert len(model.embedded) == len(set(model.embedded))


def test_each_trial_tells_its_price(whole: tuple[Tuned, Library, StandIn, list[str]]) -> None:
    for one in whole[0].trials:
        assert 0 < one.measured.p50 <= one.measured.p95 and one.measured.index_mb > 0
        made = one.change.cuts or one.change.name.startswith("stemmers")
        assert (one.measured.index_seconds > 0) == made


def test_the_library_is_left_as_it_was(whole: tuple[Tuned, Library, StandIn, list[str]]) -> None:
    library = whole[1]
    tune_folder = library.index_dir / "tune"
    assert sorted(path.suffix for path in tune_folder.iterdir()) == [
        "",
        ".jsonl",
    ]  # the lock, and what was found
    assert not [path for path in tune_folder.iterdir() if path.is_dir()]
    status = library.status()
    assert not status.stale_settings and not status.unindexed


def test_json_has_everything(whole: tuple[Tuned, Library, StandIn, list[str]]) -> None:
    found = tuned_json(whole[0])
    assert found["verdict"]["recommended"] and found["changes"][0].keys() == {"setting", "from", "to"}
    assert found["trials"][0]["p_holm"] <= 1 and found["question_sets"]["tuning"]["questions"] == N // 2


def test_a_way_to_cut_that_helps_is_made_for_all_documents(tmp_path: Path) -> None:
    """Two topics of 120 words to a document: one chunk by default, of which the model sees the first."""
    files = {
        f"d{n:02}.md": "\n\n".join(f"alpha{2 * n + half} " + "filler " * 119 for half in (0, 1)) + "\n"
        for n in range(N // 2)
    }
    questions = [
        Question(f"q{n}", f"beta{n}", (Qrel(f"q{n}", f"d{n // 2:02}.md", 1 + 2 * (n % 2)),)) for n in range(N)
    ]
    with opened(tmp_path, by_topic(), files) as library:
        found = tune(library._open(), split(question_set("halves", questions)), measure="RR")
        assert library.status().chunks == N // 2
    assert found.changes["chunk.size"] == (384, 192)
    kept = next(one for one in found.trials if one.kept)
    assert kept.change.cuts and kept.measured.index_mb > 0 and kept.measured.index_seconds > 0
    one = found.verdict.comparison
    assert one is not None and one.after == 1.0 and one.total == N // 2 and len(one.wins) >= 8


def test_what_had_no_effect_before_is_tried_when_it_has_one(tmp_path: Path) -> None:
    """Half of the questions are found by words alone, half by meaning: both legs, and then their weights."""
    words = [f"{chr(97 + n // 10)}{chr(97 + n % 10)}umbra" for n in range(N)]
    texts = [f"alpha{n} in here" if n % 2 else f"a bit of {words[n]}" for n in range(N)]
    asked_for = [f"beta{n}" if n % 2 else f"what is {words[n]}" for n in range(N)]
    files = {f"d{n:02}.md": f"{text}\n" for n, text in enumerate(texts)}
    questions = [Question(f"q{n}", one, (Qrel("", f"d{n:02}.md"),)) for n, one in enumerate(asked_for)]
    config = Config(search=SearchConfig(legs=("lexical",)))
    with opened(tmp_path, by_topic(), files, config) as library:
        found = tune(library._open(), split(question_set("mixed", questions)), space="quick")
    names = {number: [one.change.name for one in found.trials if one.round == number] for number in (1, 2)}
    assert [one.change.name for one in found.trials if one.kept] == ['search.legs = ["lexical", "dense"]']
    assert len(names[1]) == 2 and any("lexical_weight" in name for name in names[2])
    assert found.changes == {"search.legs": (("lexical",), ("lexical", "dense"))}


def crowded() -> tuple[dict[str, str], list[Question]]:
    """Nine documents a topic that no search can tell apart; one of them, not the first, is the evidence."""
    topics = range(N)
    text = "beta{} is told in this document of several words, as it is in the others of its kind."
    files = {f"d{n:02}{c}.md": f"{text.format(n)} {c * 3}\n" for n in topics for c in "abcd"}
    return files, [
        Question(f"q{n}", f"What of beta{n}?", (Qrel(f"q{n}", f"d{n:02}{'abcd'[n % 4]}.md"),)) for n in topics
    ]


def test_a_context_too_small_for_the_evidence_is_widened(tmp_path: Path) -> None:
    files, questions = crowded()
    config = Config(context=ContextConfig(budget=60))
    with opened(tmp_path, by_topic(), files, config) as library:
        found = tune(library._open(), split(question_set("crowded", questions)))
        again = tune(library._open(), split(question_set("crowded", questions)))
    read = found.context
    assert read is not None and read.recommended and again.context == read
    assert read.tuned == {"context.budget": (60, 1500)}
    assert found.changes == read.tuned  # no ranking can be better
    assert sum(read.before.values.values()) < 20 and set(read.after.values.values()) == {1.0}
    assert 0 < read.before.tokens <= 60 < read.after.tokens <= 1500
    assert read.comparison is not None and read.comparison.total == len(read.after.values) == N // 2
    first = {one.change.name: one for one in read.trials if one.round == 1}
    assert first["context.neighbours = 0"].comparison.p == 1.0
    assert [one.change.name for one in read.trials if one.kept] == ["context.budget = 1500"]
    told = tuned_json(found)["context"]
    assert told["verdict"]["recommended"] and told["verdict"]["after"] == {
        "mean": 1.0,
        "tokens": read.after.tokens,
    }
    assert told["tuned"] == [{"setting": "context.budget", "from": 60, "to": 1500}]
    text = tune_text(found, "", written=False, term=Terminal())
    assert "tried there: context.budget 60 → 1500" in text and "better by more than chance on 24" in text


def test_context_recall_needs_each_group_of_the_evidence() -> None:
    evidence = tuple(
        Evidence(1, "a", "a.md", Span(start, start + 10), "x" * 10, Place()) for start in (0, 40)
    )
    golds = [Gold(Qrel("q", "a.md", group=group), "a", Span(start, start + 10)) for group, start in GROUPED]
    assert in_context(golds[:2], Context(evidence)) and not in_context(golds, Context(evidence))
    assert not in_context([], Context(evidence))


# ── noise ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_noise_is_never_recommended(tmp_path: Path, seed: int) -> None:
    """Labels that have nothing to do with the questions."""
    order = np.random.default_rng(seed).permutation(N)
    drawn = [
        Question(f"q{n}", f"part {n} of beta{(3 * n) % N}", (Qrel(f"q{n}", f"d{order[n]:02}.md"),))
        for n in range(N)
    ]
    with opened(tmp_path, bag_of_words(), misled()) as library:
        found = tune(
            library._open(), split(question_set("noise", drawn), seed=seed), space="quick", seed=seed
        )
    assert not found.verdict.recommended and found.changes == {}
    assert not any(one.kept for one in found.trials)


def test_settings_that_make_no_difference_change_nothing(tmp_path: Path) -> None:
    files = {f"d{n:02}.md": f"alpha{n} alone\n" for n in range(N)}
    same = [Question(f"q{n}", f"alpha{n}", (Qrel(f"q{n}", f"d{n:02}.md"),)) for n in range(N)]
    with opened(tmp_path, by_topic(), files) as library:
        found = tune(library._open(), split(question_set("same", same)), space="quick")
    assert {one.comparison.p for one in found.trials} == {1.0}
    assert found.verdict.comparison is None and "keep the settings" in found.verdict.text
    assert any("24 tuning questions" in notice for notice in found.notices)


# ── going on ──────────────────────────────────────────────────────────────────────────────────
class StopError(Exception):
    """Where a test interrupts."""


def test_an_interrupted_tuning_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop_at_fourth(step: Progress) -> None:
        if step.stage == "tune" and step.done == 4:
            raise StopError

    with opened(tmp_path / "a", by_topic(), misled()) as library:
        with pytest.raises(StopError):
            tune(library._open(), parts(), space="quick", progress=stop_at_fourth)
        (log,) = (library.index_dir / "tune").glob("*.jsonl")
        lines = log.read_bytes().splitlines(keepends=True)
        assert len(lines) == 5  # the base and four changes
        log.write_bytes(b"".join(lines) + b'{"key": "torn')
        again = tune(library._open(), parts(), space="quick")
        third = tune(library._open(), parts(), space="quick")
    with opened(tmp_path / "b", by_topic(), misled()) as library:
        straight = tune(library._open(), parts(), space="quick")
    assert again.resumed == 5 and straight.resumed == 0
    assert shape(again) == shape(straight) == shape(third)
    assert third.resumed > 5 and len(log.read_bytes().splitlines()) == third.resumed
    assert b"torn" not in log.read_bytes()


def test_lines_of_others_and_of_other_questions_are_passed_over(tmp_path: Path) -> None:
    with opened(tmp_path, by_topic(), misled()) as library:
        first = tune(library._open(), parts(), space="quick")
        (log,) = (library.index_dir / "tune").glob("*.jsonl")
        text = log.read_text().replace('"q1":', '"other":').replace('"p50": ', '"p50": "x", "y": ')
        log.write_text("[]\nnonsense\n" + text)
        again = tune(library._open(), parts(), space="quick")
    assert again.resumed == 0 and shape(again) == shape(first)


@pytest.mark.parametrize("link", ["tune", "tune/lock", "tune/key/documents/sub"])
def test_a_link_in_the_index_is_not_followed(tmp_path: Path, link: str) -> None:
    with opened(tmp_path / "lib", by_topic(), misled()) as library:
        library.sync()
        (tmp_path / "elsewhere").mkdir()
        (library.index_dir / link).parent.mkdir(parents=True, exist_ok=True)
        (library.index_dir / link).symlink_to(tmp_path / "elsewhere")
        with pytest.raises(StoreError, match=f"{link} .*is a link"):
            tune(library._open(), parts(), space="quick")
    assert list((tmp_path / "elsewhere").iterdir()) == []


# ── samples, weights, legs ────────────────────────────────────────────────────────────────────
def test_larger_libraries_are_cut_anew_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "WHOLE_UP_TO", 20)
    with opened(tmp_path, by_topic(), misled()) as library:
        found = tune(library._open(), parts())
        sample = scratch.sample_of(library._open(), parts().tuning.questions)
    assert sample is not None and len(sample.uris) == 20 and len(sample.question_ids) == 14
    for one in found.trials:
        assert one.sampled == one.change.cuts and one.comparison.total == (14 if one.sampled else 24)
    assert "20 documents (20 chunks)" in found.sample and "the verdict is over all documents" in found.sample


def test_weights_are_fitted_and_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path, by_topic(), misled()) as library:
        found = tune(library._open(), parts(), fit_fusion=True)
    assert found.fit is not None and len(found.trials) == 1 and found.space == "weights"
    means = dict(found.fit.curve)
    assert means[found.fit.share] == max(means.values()) and means[0.05] > means[0.95]
    assert found.fit.share == max(share for share, mean in means.items() if mean == max(means.values()))
    assert set(found.changes) == {"search.lexical_weight", "search.dense_weight"}
    alone = Config(search=SearchConfig(legs=("lexical",)))
    library = opened(tmp_path / "alone", by_topic(), misled(), alone)
    with library, pytest.raises(UsageError, match="one leg"):
        tune(library._open(), parts(), fit_fusion=True)


@pytest.mark.parametrize("exact", [False, True])
def test_fusing_again_ranks_as_a_search_does(tmp_path: Path, exact: bool) -> None:
    """Every fusion from what one search found, against a search of its own."""
    questions = [replace(one, text=f'{one.text} "is told"' if exact else one.text) for one in asked()[:6]]
    config = Config(search=SearchConfig(depth=12))
    with opened(tmp_path, bag_of_words(), misled(), config) as library:
        library.sync()
        base = library._open()
        pools = collect(Asker(base, 10, Everything(), fusing(config.search)), questions, lambda *_: None)
        others = [weighted(share).applied(config).search for share in (0.1, 0.5, 0.8)]
        for settings in [
            *others,
            replace(config.search, fusion="rrf"),
            SearchConfig(12, fusion="rrf", rrf_k=3),
        ]:
            mine = profile("english", settings)
            found = rankings(pools, settings, mine)
            ask = Asker(base, 10, Everything(), settings)
            for pool, question in zip(pools.pools, questions, strict=True):
                asked_, result = ask(question)
                assert found[question.id] == (asked_.ranking, asked_.judged)
                assert result is not None
                step = next(one for one in result.trace.steps if one.stage == "fuse")
                ids = [str(item["chunk_id"]) for item in step.items]
                assert [one.chunk_id for one in fused(pool, settings, mine)] == ids
                assert sorted(map(point_id, ids)) == sorted(map(int, pool.points))
