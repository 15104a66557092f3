"""Labelled questions from files: JSONL, TSV, a BEIR folder, or TREC topics."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from pincite.errors import InputError, UsageError
from pincite.evaluate.labels.beir import qrels_files, read_beir
from pincite.evaluate.labels.jsonl import question_json, read_jsonl
from pincite.evaluate.labels.lines import Reading, objects, read_bytes
from pincite.evaluate.labels.trec import read_simple, read_topics
from pincite.evaluate.labels.tsv import read_tsv
from pincite.types import Question, QuestionSet

__all__ = ["first_of", "qrels_files", "question_set", "read_questions"]


def read_questions(path: Path, qrels: Path | None = None) -> QuestionSet:
    """The questions of a label file or BEIR folder; content and name decide its form.

    `qrels` holds the judgements of TREC topics, of lines `id<TAB>text`, or of BEIR queries. Everything
    wrong with the file is raised as one `InputError` that lists each place, so nothing is read in part.
    """
    if path.is_dir():
        return _read_folder(path, qrels)
    data = read_bytes(path)
    reading = Reading(path.name)
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"{") or path.suffix in (".jsonl", ".ndjson", ".json"):
        _read_objects(path, data, qrels, reading)
    elif start[:4].lower() == b"<top":
        if qrels is None:
            raise UsageError(f"{path}: topics need the qrels that judge them", hint="name the qrels file too")
        read_topics(data, qrels, reading)
    elif qrels is not None:
        read_simple(data, qrels, reading)
    else:
        read_tsv(data, reading)
    return question_set(path.stem, reading.accepted())


def _read_folder(folder: Path, qrels: Path | None) -> QuestionSet:
    """A BEIR folder's questions, named by the folder and the split of `qrels/` that judges them."""
    queries = folder / "queries.jsonl"
    if not queries.is_file():
        raise InputError(
            f"{folder}: a folder of questions holds queries.jsonl (BEIR), and this one does not",
            stage="evaluate",
            hint="name a file of questions, or a BEIR folder",
        )
    there = qrels_files(folder)
    chosen = qrels or (there[0] if there else None)
    reading = Reading(queries.name)
    read_beir(queries, chosen, reading)
    name = folder.resolve().name
    split = chosen.stem if chosen and chosen.name != "qrels.tsv" else ""
    return question_set(f"{name}/{split}" if split else name, reading.accepted())


def _read_objects(path: Path, data: bytes, qrels: Path | None, reading: Reading) -> None:
    """JSON lines are BEIR's queries when the first has an `_id`, else the native form."""
    _, first = next(objects(data, Reading(path.name)), (0, {}))
    if "_id" in first:
        beside = qrels_files(path.parent) if path.name == "queries.jsonl" else ()
        read_beir(path, qrels or next(iter(beside), None), reading)
    elif qrels is not None:
        raise UsageError(f"{path} holds its own judgements", hint="leave out the qrels file")
    else:
        read_jsonl(data, reading)


def question_set(name: str, questions: Sequence[Question]) -> QuestionSet:
    """The set of these questions; its `sha256` is that of their native form as canonical JSON."""
    rows = [question_json(question) for question in questions]
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return QuestionSet(name, tuple(questions), hashlib.sha256(text.encode("ascii")).hexdigest())


def first_of(questions: QuestionSet, limit: int | None) -> QuestionSet:
    """The first `limit` questions, as a set whose name says so; the set itself if it has no more."""
    total = len(questions.questions)
    if limit is None or limit >= total:
        return questions
    if limit < 1:
        raise UsageError(f"limit: expected 1 or more, got {limit}", stage="evaluate")
    return question_set(f"{questions.name} (first {limit} of {total})", questions.questions[:limit])
