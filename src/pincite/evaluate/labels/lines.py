"""A label file as lines, and everything that is wrong with them: it is accepted or refused as a whole."""

from __future__ import annotations

import codecs
import json
import posixpath
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pincite.characters import whole_characters
from pincite.errors import InputError
from pincite.types import LabelProblem, Question

MAX_BYTES = 256 * 1024 * 1024
LARGEST = 1_000_000_000
"""The largest number in a label: far over any line, page, place or grade, and no measure overflows."""
_SHOWN = 20
_BREAK = re.compile(rb"\r\n|\n|\r")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(slots=True)
class Reading:
    """What has been read of a set of labels so far: its questions, and everything wrong with its lines."""

    name: str
    questions: list[Question] = field(default_factory=list)
    problems: list[LabelProblem] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)

    def fault(self, line: int, message: str, code: str = "unreadable", *, name: str = "") -> None:
        """Notes what is wrong with a line of this file, or of the one named."""
        self.problems.append(LabelProblem(f"{name or self.name}:{line}", code, message))

    def add(self, line: int, question: Question, *, empty: bool = False) -> None:
        """Takes a question, unless it has the id of an earlier one, or no text (allowed if `empty`)."""
        if not question.id:
            self.fault(line, "the id is empty")
        elif question.id in self.lines:
            earlier = self.lines[question.id]
            self.fault(line, f"id {question.id!r} is that of line {earlier} too", "duplicate")
        elif not question.text.strip() and not empty:
            self.fault(line, "the question is empty")
        else:
            self.questions.append(replace(question, where=f"{self.name}:{line}"))
        self.lines.setdefault(question.id, line)

    def refuse_faults(self) -> None:
        """Raises one `LabelsError` that lists what is wrong, if anything is."""
        if self.problems:
            raise LabelsError(self.name, self.problems, self.questions)

    def accepted(self) -> tuple[Question, ...]:
        """The questions. Raises `LabelsError` that lists what is wrong, `InputError` if there are none."""
        self.refuse_faults()
        if not self.questions:
            message = f"{self.name}: no questions in it"
            raise InputError(message, stage="evaluate", hint="docs/questions.md shows the forms")
        return tuple(self.questions)


class LabelsError(InputError):
    """Labels that are refused: everything wrong with their lines, and the questions that could be read."""

    def __init__(self, name: str, problems: Sequence[LabelProblem], readable: Sequence[Question]) -> None:
        super().__init__(_listed(name, problems), stage="evaluate", hint="mend these lines")
        self.name, self.problems, self.readable = name, tuple(problems), tuple(readable)


def _listed(name: str, problems: Sequence[LabelProblem]) -> str:
    count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
    shown = [f"  {problem.where}: {problem.message}" for problem in problems[:_SHOWN]]
    more = [f"  … and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
    return "\n".join([f"{name}: {count}, so nothing of it is used", *shown, *more])


def read_bytes(path: Path) -> bytes:
    """The bytes of a label file. Raises `InputError` when it cannot be read or is too large."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES >> 20} MB", stage="evaluate")
        return path.read_bytes()
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise InputError(message, stage="evaluate", hint="check the path") from error


def lines(data: bytes, reading: Reading, *, name: str = "") -> Iterator[tuple[int, str]]:
    """(number, text) of each line that holds text, numbers from 1; LF, CRLF or CR end a line.

    A byte-order mark is no text. A line that is not UTF-8 is noted as a fault; a file that starts with
    the mark of UTF-16 is read as that.
    """
    if data.startswith(_WIDE):
        try:
            data = data.decode("utf-16").encode("utf-8")
        except UnicodeDecodeError as error:
            reading.fault(1, f"not UTF-16, as its byte-order mark says, at byte {error.start}", name=name)
            return
    elif _looks_wide(data):
        reading.fault(1, "every second byte is 0: UTF-16 without its byte-order mark (encoding)", name=name)
        return
    for number, raw in enumerate(_BREAK.split(data.removeprefix(codecs.BOM_UTF8)), start=1):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            reading.fault(number, f"not UTF-8 at byte {error.start + 1} of the line (encoding)", name=name)
            continue
        if text.strip():
            yield number, text


def _looks_wide(data: bytes) -> bool:
    """Whether a file without a mark is UTF-16 all the same, by its first characters."""
    start = data[:200]
    return b"\0" in start[:2] and 3 * start.count(0) >= len(start)


def objects(data: bytes, reading: Reading, *, name: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, object) of each line of a JSONL file; a line that is no JSON object is noted as a fault."""
    for number, text in lines(data, reading, name=name):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "cannot be read"
            reading.fault(number, f"no JSON: {reason}", name=name)
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            reading.fault(number, "expected a JSON object on each line", name=name)


def text_of(value: object) -> str | None:
    """A string in whole characters; a number as its digits, since ids are often numbers; else None."""
    if isinstance(value, str):
        return whole_characters(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def uri_of(path: str) -> str:
    """The path of a label: NFC, without `./`. Raises `ValueError` outside the folder.

    Which file it means is found where the files are known: `labels/placed.py`.
    """
    path = unicodedata.normalize("NFC", path.strip())
    if not path:
        raise ValueError("the path is empty")
    if ".." in path.replace("\\", "/").split("/"):
        normal = posixpath.normpath(path.replace("\\", "/"))
        if normal.split("/")[0] == "..":
            raise ValueError(f"{path!r} is outside the folder")
        return normal
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path
