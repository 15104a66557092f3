"""Answers without a model: do the quotes hold what was asked for, and does it abstain when nothing does?

    python bench/answers.py [--only sample] [--first 300] [--work DIR] [--save bench/results/answers.json]

Questions are the sample library's and, where the public collections are, the first of XQuAD (English and
Chinese), SQuAD 2 (with questions whose own paragraph leaves them open) and of the chunking evaluation (five
long documents), each text as a file, one folder a set. `elsewhere` asks XQuAD's questions in the sample
library, which knows nothing about them. An answerable question counts as answered when a claim cites a
labelled line (sample) or its quote holds the answer's words or is part of them (sets); `first` when the
first claim does.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from common import data_folder, data_hash, machine, mean, percentile, rows, write_corpus

import pincite
from pincite.types import Answer, Claim, Span

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PARAGRAPH = 4  # lines at most, of a label in plain text
SETS = ("xquad_en", "xquad_zh", "squad2_en", "chunking_eval")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the lines (`path:line`) or the words that answer it; neither if nothing does."""

    text: str
    lines: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        return bool(self.lines or self.words)

    def held_by(self, claims: Sequence[Claim]) -> bool:
        """Whether a citation of `claims` overlaps a labelled line, or a quote holds the answer."""
        citations = [citation for claim in claims for citation in claim.citations]
        quotes = [plain(citation.quote) for citation in citations]
        cited = {
            f"{one.uri}:{line}"
            for one in citations
            for line in range(one.place.line_start or 0, (one.place.line_end or 0) + 1)
        }
        said = any(plain(words) in quote or quote in plain(words) for words in self.words for quote in quotes)
        return said or bool(cited.intersection(self.lines))


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


def sample_questions(folder: Path) -> list[Question]:
    """The sample's questions; a label on a heading stands for the lines up to the next heading."""
    lines = (EXAMPLES / "sample_questions.tsv").read_text(encoding="utf-8").splitlines()[1:]
    pairs = [line.split("\t") for line in lines]
    with pincite.open(folder) as library:
        return [
            Question(text, tuple(line for one in targets.split(",") if one for line in meant(library, one)))
            for text, targets in pairs
        ]


def meant(library: pincite.Library, label: str) -> Iterator[str]:
    """The lines (`path:line`) that a label stands for."""
    uri, _, line = label.rpartition(":")
    document, _ = library.parse(library.root / uri)
    starts = [document.origins.place(one.title_span).line_start or 0 for one in document.sections]
    last = int(line)
    if document.type == "text":
        return (f"{uri}:{number}" for number in range(last, last + PARAGRAPH))
    if last in starts and document.type in ("markdown", "rst", "html"):
        length = document.origins.place(Span(0, len(document.text))).line_end or last
        last = next((start - 1 for start in sorted(starts) if start > last), length)
    return (f"{uri}:{number}" for number in range(int(line), last + 1))


def set_questions(collection: Path, first: int) -> list[Question]:
    """The first questions of a collection, with the words of their answers; none where it says so."""
    spans: dict[object, list[object]] = {}
    for row in rows(collection / "spans.jsonl"):
        spans.setdefault(row["query_id"], []).append(row["text"])

    def question(row: Mapping[str, object]) -> Question:
        meta = row["metadata"]
        assert isinstance(meta, dict)
        answers = meta.get("answers") or spans.get(row["_id"], ()) if meta.get("answerable", True) else ()
        return Question(str(row["text"]), words=tuple(str(one) for one in answers))

    return [question(row) for row in rows(collection / "queries.jsonl")[:first]]


def measure(folder: Path, questions: Sequence[Question]) -> dict[str, object]:
    """What `ask` does with `questions` in `folder`, which is synced first."""
    with pincite.open(folder) as library:
        library.sync()
        asked = []
        for question in questions:
            started = time.perf_counter()
            asked.append((question, library.ask(question.text), (time.perf_counter() - started) * 1000))
    answerable = [(question, found) for question, found, _ in asked if question.answerable]
    open_ones = [found for question, found, _ in asked if not question.answerable]
    ms = [spent for *_, spent in asked]
    given = [found for _, found, _ in asked if not found.abstained]
    return {
        "answerable": len(answerable),
        "answered": share(question.held_by(found.claims) for question, found in answerable),
        "first": share(question.held_by(found.claims[:1]) for question, found in answerable),
        "abstained on answerable": share(found.abstained for _, found in answerable),
        "unanswerable": len(open_ones),
        "abstained on unanswerable": share(found.abstained for found in open_ones),
        "claims per answer": round(mean(len(found.claims) for found in given), 2),
        "ms": {"p50": round(percentile(ms, 0.5)), "p95": round(percentile(ms, 0.95))},
        "unlike the label": list(unlike(asked))[:40],
    }


def unlike(asked: Sequence[tuple[Question, Answer, float]]) -> Iterator[str]:
    """Each question that went wrong, with how."""
    for question, found, _ in asked:
        if not question.answerable and not found.abstained:
            yield f"answered: {question.text}"
        elif question.answerable and found.abstained:
            yield f"abstained: {question.text}"
        elif question.answerable and not question.held_by(found.claims):
            yield f"missed: {question.text}"


def share(values: Iterator[bool]) -> float | None:
    """The share that is true; None of nothing."""
    found = list(values)
    return round(mean(found), 3) if found else None


def wanted(work: Path, first: int) -> Iterator[tuple[str, Path, list[Question], str]]:
    """Name, folder, questions and data hash of each set there is."""
    sample = work / "sample"
    shutil.copytree(
        EXAMPLES / "sample", sample, ignore=shutil.ignore_patterns(".pincite"), dirs_exist_ok=True
    )
    yield "sample", sample, sample_questions(sample), ""
    data = data_folder()
    if data is None:
        print("no public collections: set PINCITE_DATA to measure on them")
        return
    strangers = [one for name in SETS[:2] for one in set_questions(data / name, first)[::10]]
    yield "elsewhere", sample, [Question(one.text) for one in strangers], ""
    for name in SETS:
        if not (work / name).is_dir():
            write_corpus(data / name, work / name)
        yield name, work / name, set_questions(data / name, first), data_hash(data / name)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append")
    parser.add_argument("--first", type=int, default=300)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name, folder, questions, data in wanted(options.work or Path(temporary), options.first):
            if options.only and name not in options.only:
                continue
            results[name] = {**measure(folder, questions), "data": data}
            print(f"{name}: {json.dumps(results[name], ensure_ascii=False)}", flush=True)
    if options.save:
        for name in (*SETS, "elsewhere"):  # their questions are not ours to copy
            results.get(name, {}).pop("unlike the label", None)
        saved = {"machine": machine(), "sets": results}
        options.save.write_text(json.dumps(saved, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
