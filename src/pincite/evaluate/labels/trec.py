"""Labels in TREC's form: topics, or lines of `id<TAB>text`, with their judgements in a qrels file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pincite.evaluate.labels.beir import Judgements, refuse_strangers
from pincite.evaluate.labels.lines import Reading, lines
from pincite.evaluate.trec import read_qrels
from pincite.types import Qrel, Question

_TAG = re.compile(r"<(/?)(top|num|title|desc|narr)>", re.I)
_LEAD = re.compile(r"\s*(?:Number|Topic):\s*", re.I)


def read_topics(data: bytes, qrels: Path, reading: Reading) -> None:
    """Adds the question of each `<top>`: its number as id, its title as text."""
    judged = read_qrels(qrels)
    by_question = _by_question(judged)
    inside, start, field = False, 0, ""
    parts: dict[str, list[str]] = {}
    for number, text in lines(data, reading):
        at = 0
        for tag in _TAG.finditer(text):
            parts.setdefault(field, []).append(text[at : tag.start()])
            at, field = tag.end(), "" if tag[1] else tag[2].lower()
            if tag[2].lower() == "top":
                if inside:
                    _add(start, parts, by_question, reading)
                inside, start, parts, field = not tag[1], number, {}, ""
        parts.setdefault(field, []).append(text[at:])
    if inside:
        _add(start, parts, by_question, reading)
    refuse_strangers(judged, reading)


def _add(
    line: int, parts: Mapping[str, list[str]], qrels: Mapping[str, tuple[Qrel, ...]], reading: Reading
) -> None:
    question_id, text = (
        " ".join(_LEAD.sub("", " ".join(parts.get(field, [])), count=1).split()) for field in ("num", "title")
    )
    if not question_id or not text:
        reading.fault(line, "this <top> has no <num> or no <title>")
        return
    reading.add(line, Question(question_id, text, qrels.get(question_id, ())))


def read_simple(data: bytes, qrels: Path, reading: Reading) -> None:
    """Adds the question of each line `id<TAB>text`."""
    judged = read_qrels(qrels)
    by_question = _by_question(judged)
    for number, line in lines(data, reading):
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 2:
            reading.fault(number, "expected id<TAB>text")
            continue
        reading.add(number, Question(fields[0], fields[1], by_question.get(fields[0], ())))
    refuse_strangers(judged, reading)


def _by_question(judged: Judgements) -> dict[str, tuple[Qrel, ...]]:
    return {
        question_id: tuple(Qrel(question_id, doc_id, relevance=grade) for doc_id, grade in grades.items())
        for question_id, grades in judged.items()
    }
