"""Corpora with labelled questions that pass, and copies of them that may be broken."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from pincite.config import Config, SearchConfig
from pincite.evaluate.asking import Asker
from pincite.evaluate.collection import write_collection
from pincite.evaluate.golds import Resolver, holds
from pincite.evaluate.proof.experiments import Lab, Ran
from pincite.evaluate.questions import question_set, read_questions
from pincite.evaluate.why import why
from pincite.index.opened import OpenLibrary
from pincite.library import Library
from pincite.models import load_embedder
from pincite.pipeline import search
from pincite.protocols import Embedder, Generator
from pincite.types import Everything, Filter, Finding, Gold, Query, Question, Span, chunk_id, point_id

K = 5
MakeEmbedder = Callable[[Config, str], Embedder]
Watch = Callable[[Lab, Question, Ran], None]
_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_numbers = count()


@dataclass(frozen=True)
class Passing:
    """A question with one judgement, found at `rank`; `words` are those of its evidence."""

    question: Question
    gold: Gold
    words: str
    rank: int
    holders: tuple[str, ...]

    @property
    def uri(self) -> str:
        return self.gold.qrel.uri

    @property
    def span(self) -> Span:
        assert self.gold.span is not None
        return self.gold.span

    def labelled(self, **changes: object) -> Question:
        """The question with its judgement changed."""
        qrel = replace(self.gold.qrel, **changes)  # type: ignore[arg-type]
        return replace(self.question, qrels=(qrel,))


@dataclass(frozen=True)
class Corpus:
    """A synced folder, its passing questions, and questions it holds no answer to.

    `watch`, if there is one, is told of each question of a copy that the localiser is asked about.
    """

    name: str
    root: Path
    passing: tuple[Passing, ...]
    unanswerable: tuple[Question, ...]
    foreign: dict[str, str]  # question id → its text in another language
    make_embedder: MakeEmbedder
    draw: str = ""
    watch: Watch | None = None

    def pick(
        self,
        n: int,
        fault: str,
        fits: Callable[[Passing], bool] = lambda one: True,
        *,
        distinct: bool = True,
    ) -> list[Passing]:
        """Up to `n` passing questions, each fault its own; of different files if they are to be broken."""

        def draw(one: Passing) -> str:
            return sha256(f"{self.draw}{fault} {one.question.id}".encode()).hexdigest()

        found: dict[str, Passing] = {}
        for one in sorted(self.passing, key=draw):
            if fits(one):
                found.setdefault(one.uri if distinct else one.question.id, one)
        return list(found.values())[:n]

    @contextmanager
    def copy(
        self,
        *,
        config: Config = Config(),  # noqa: B008
        make_embedder: MakeEmbedder | None = None,
        prepare: Callable[[Path], None] = lambda root: None,
    ) -> Iterator[Copy]:
        """A copy of the folder and its index; `prepare` changes it before it is opened."""
        root = self.root.parent / f"copy{next(_numbers)}"
        shutil.copytree(self.root, root, ignore=shutil.ignore_patterns("*.lock"))
        prepare(root)
        make = make_embedder or self.make_embedder
        try:
            with Library(root, root / ".pincite", config, make_embedder=make) as library:
                yield Copy(library, self.watch)
        finally:
            shutil.rmtree(root)


@dataclass(frozen=True)
class Copy:
    """An open library that may be broken."""

    library: Library
    watch: Watch | None = None

    @property
    def root(self) -> Path:
        return self.library.root

    @property
    def open(self) -> OpenLibrary:
        return self.library._open()

    def write(self, uri: str, content: str | bytes) -> None:
        path = self.root / uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)

    def lab(
        self,
        *,
        k: int = K,
        filter: Filter = Everything(),  # noqa: B008
        settings: SearchConfig | None = None,
        generator: Generator | None = None,
    ) -> Lab:
        ask = Asker(self.open, k=k, filter=filter, settings=settings or self.library.config.search)
        return Lab(self.open, ask, answers=generator is not None, generator=generator)

    def why(
        self,
        question: Question,
        *,
        k: int = K,
        filter: Filter = Everything(),  # noqa: B008
        settings: SearchConfig | None = None,
        generator: Generator | None = None,
    ) -> Finding:
        """What the localiser says of one question."""
        one = question_set(question.id, [question])
        answers = generator is not None
        if self.watch:
            lab = self.lab(k=k, filter=filter, settings=settings, generator=generator)
            self.watch(lab, question, lab.run(question))
        found = why(
            self.open, one, k=k, filter=filter, settings=settings, answers=answers, generator=generator
        )
        return found.findings[0]

    def lost(self, question: Question, k: int, settings: SearchConfig) -> bool:
        """Whether the evidence is not in the first k: whether a fault had its effect."""
        rank = self.lab(k=k, settings=settings).ask(question)[0].rank
        return rank is None or rank > k

    def pools(
        self, question: Question, holders: Collection[str], settings: SearchConfig, *, k: int = K
    ) -> set[str]:
        """The legs whose pool holds one of the chunks."""
        steps = search(self.open, Query(question.text, k=k), settings=settings).trace.steps
        legs = [step for step in steps if step.stage in ("lexical", "dense")]
        return {leg.stage for leg in legs if any(item["chunk_id"] in holders for item in leg.items)}


class Kept:
    """A model that all copies share: closing one of them does not close it."""

    def __init__(self, model: Embedder) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def close(self) -> None:
        pass


@cache
def _loaded(name: str) -> Kept:
    return Kept(load_embedder(Config().model, name=name))


def bundled(config: Config, name: str) -> Embedder:
    """The bundled model of this name, loaded once."""
    return _loaded(name)


# ── building ──────────────────────────────────────────────────────────────────────────────────
def corpus(
    name: str,
    root: Path,
    questions: Sequence[Question],
    *,
    foreign: dict[str, str] | None = None,
    make_embedder: MakeEmbedder = bundled,
) -> Corpus:
    """A corpus of a folder: synced, and its answerable questions asked for those that pass."""
    with Library(root, root / ".pincite", Config(), make_embedder=make_embedder) as library:
        library.sync()
        here = Copy(library)
        lab = here.lab()
        asked = (_passing(one, lab) for question in questions for one in _one_by_one(question))
        found = tuple(one for one in asked if one is not None)
    unanswerable = tuple(question for question in questions if not question.answerable)
    return Corpus(name, root, found, unanswerable, foreign or {}, make_embedder)


def _one_by_one(question: Question) -> Iterator[Question]:
    """The question with each of its judgements alone."""
    for number, qrel in enumerate(question.judged):
        yield replace(question, id=f"{question.id}.{number}" if number else question.id, qrels=(qrel,))


def _passing(question: Question, lab: Lab) -> Passing | None:
    """The question if its evidence is among the hits and whole in the context, by rank and spans alone."""
    ran = lab.run(question)
    (gold,) = ran.asked.golds
    if ran.asked.rank is None or ran.asked.rank > K or gold.span is None:
        return None
    if not any(one.doc_id == gold.doc_id and one.span.overlap(gold.span) for one in ran.context.evidence):
        return None
    document = Resolver(lab.library.catalog).document(gold.doc_id or "")
    assert document is not None
    words = document.text[gold.span.start : gold.span.end]
    spans = lab.library.catalog.points_of(document.id)
    holders = tuple(chunk_id(p) for p, start, end in spans if holds(gold, document.id, Span(start, end)))
    return Passing(question, gold, words, ran.asked.rank, holders)


def points(one: Passing) -> list[int]:
    """The evidence's points in the search index."""
    return [point_id(holder) for holder in one.holders]


def sample(work: Path) -> Corpus:
    """The sample library: English and Chinese, every format, labels on headings and lines."""
    root = work / "sample"
    shutil.copytree(_EXAMPLES / "sample", root, ignore=shutil.ignore_patterns(".pincite"))
    return corpus("sample", root, read_questions(_EXAMPLES / "sample_questions.tsv").questions)


def collection(folder: Path, work: Path, *, documents: int, other: Path | None = None) -> Corpus:
    """The first documents of a collection with spans; questions of later documents have no answer in them.

    `other` holds the same questions in another language.
    """
    cut = work / f"{folder.name}_cut"
    cut.mkdir()
    lines = (folder / "corpus.jsonl").read_text("utf-8").splitlines(keepends=True)[:documents]
    (cut / "corpus.jsonl").write_text("".join(lines), "utf-8")
    for name in ("queries.jsonl", "qrels.tsv", "spans.jsonl"):
        shutil.copy(folder / name, cut / name)
    os.environ["XDG_DATA_HOME"] = str(work)
    made = write_collection(cut)
    questions = made.placed(read_questions(cut)).questions
    there = [one for one in questions if one.judged and one.judged[0].uri in made.doc_ids]
    apart = [replace(one, qrels=(), answerable=False) for one in questions if one not in there]
    return corpus(folder.name, made.root, [*_few(there), *apart[:60]], foreign=_texts(other))


def _few(questions: Sequence[Question], *, each: int = 2) -> list[Question]:
    """At most `each` questions of a document."""
    seen: dict[str, int] = {}
    kept = []
    for one in questions:
        uri = one.judged[0].uri
        seen[uri] = seen.get(uri, 0) + 1
        kept += [one] if seen[uri] <= each else []
    return kept


def _texts(folder: Path | None) -> dict[str, str]:
    if folder is None:
        return {}
    rows = map(json.loads, (folder / "queries.jsonl").read_text("utf-8").splitlines())
    return {row["_id"]: row["text"] for row in rows}


def working_folder() -> Path:
    """A new folder for copies, in memory where the system has such a place; to be removed by its maker."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="pincite-faults-", dir=memory if memory.is_dir() else None))
