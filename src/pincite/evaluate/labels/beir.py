"""Labels in BEIR's form: `queries.jsonl`, judgements of documents in qrels, and `spans.jsonl` beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.errors import InputError
from pincite.evaluate.labels.lines import LARGEST, Reading, objects, read_bytes, text_of
from pincite.evaluate.trec import read_qrels
from pincite.types import Qrel, Question, Span

_Key = tuple[str, str]
Judgements = Mapping[str, Mapping[str, int]]
"""Relevance by question id and document id, in the order of the qrels file."""


def qrels_files(folder: Path) -> tuple[Path, ...]:
    """The qrels files of a BEIR folder, the one that is read unless told otherwise first.

    That is `qrels.tsv`, else `qrels/test.tsv`, else the first of `qrels/` by name.
    """
    single = [path for path in (folder / "qrels.tsv",) if path.is_file()]
    splits = sorted((folder / "qrels").glob("*.tsv"), key=lambda path: (path.name != "test.tsv", path.name))
    return (*single, *splits)


def read_beir(queries: Path, qrels: Path | None, reading: Reading) -> None:
    """Adds the questions of a queries file, with the judgements and spans that are there.

    A question without judgements stays, unjudged, and so does one without text: published collections
    have such, and its id counts in their figures. Judgements of questions that are not in the file
    are not used; if that is all of them, it is an `InputError`.
    """
    judged = read_qrels(qrels) if qrels else {}
    spans = _spans(queries.parent / "spans.jsonl", reading)
    by_question: dict[str, list[Qrel]] = {}
    for qrel in _merged(judged, spans):
        by_question.setdefault(qrel.question_id, []).append(qrel)
    for number, row in objects(read_bytes(queries), reading):
        question_id, text = text_of(row.get("_id")), text_of(row.get("text"))
        if question_id is None or text is None:
            reading.fault(number, "expected an _id and a text, both strings")
            continue
        found = tuple(by_question.get(question_id, ()))
        reading.add(number, _question(question_id, text, found, row.get("metadata")), empty=True)
    refuse_strangers(judged, reading)


def refuse_strangers(judged: Judgements, reading: Reading) -> None:
    """Raises `InputError` when every judgement is of a question that is not there."""
    asked = {question.id for question in reading.questions}
    if judged and asked and not reading.problems and asked.isdisjoint(judged):
        raise InputError(
            f"the qrels judge none of the questions of {reading.name}: their first is {next(iter(judged))!r}",
            stage="evaluate",
            hint="name the qrels file that belongs to these questions",
        )


def _question(question_id: str, text: str, qrels: tuple[Qrel, ...], metadata: object) -> Question:
    """`metadata` may hold answerable, answer or answers, type, tags, and cites (file and page)."""
    data = metadata if isinstance(metadata, dict) else {}
    given = [data.get("answer"), *_list(data.get("answers"))]
    answer = next((one for one in map(text_of, given) if one), "")
    tags = tuple(tag for tag in (data.get("type"), *_list(data.get("tags"))) if isinstance(tag, str))
    qrels = qrels or tuple(_cites(question_id, _list(data.get("cites"))))
    return Question(question_id, text, qrels, data.get("answerable") is not False, answer, tags)


def _cites(question_id: str, cites: Iterable[Any]) -> Iterable[Qrel]:
    for cite in cites:
        if isinstance(cite, dict) and isinstance(cite.get("file"), str):
            page = cite.get("page")
            is_page = isinstance(page, int) and 0 < page <= LARGEST
            yield Qrel(question_id, cite["file"], page=page if is_page else None)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


# ── spans ─────────────────────────────────────────────────────────────────────────────────────
def _spans(path: Path, reading: Reading) -> dict[_Key, list[Qrel]]:
    """The evidence spans of each question and document."""
    found: dict[_Key, list[Qrel]] = {}
    for number, row in objects(read_bytes(path), reading, name=path.name) if path.is_file() else ():
        question_id, doc_id = text_of(row.get("query_id")), text_of(row.get("doc_id"))
        start, end, text = row.get("start"), row.get("end"), text_of(row.get("text", ""))
        if question_id is None or doc_id is None or text is None or not _is_range(start, end):
            message = "expected query_id, doc_id, start, end with 0 ≤ start < end, and text"
            reading.fault(number, message, name=path.name)
            continue
        qrel = Qrel(question_id, doc_id, chars=Span(int(start or 0), int(end or 0)), quote=text)
        found.setdefault((question_id, doc_id), []).append(qrel)
    return found


def _is_range(start: object, end: object) -> bool:
    return isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= LARGEST


def _merged(judged: Judgements, spans: Mapping[_Key, list[Qrel]]) -> Iterable[Qrel]:
    """A judged document becomes its spans where there are some, with the document's relevance."""
    for question_id, grades in judged.items():
        for doc_id, grade in grades.items():
            for qrel in spans.get((question_id, doc_id), [Qrel(question_id, doc_id)]):
                yield replace(qrel, relevance=grade)
    for (question_id, doc_id), found in spans.items():
        if doc_id not in judged.get(question_id, {}):
            yield from found
