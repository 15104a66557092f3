"""Files of questions that are added to: the native form only, each question once, written whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from pincite.characters import escaped_in_json
from pincite.errors import UsageError
from pincite.evaluate.labels.jsonl import question_json, read_jsonl
from pincite.evaluate.labels.lines import Reading, read_bytes
from pincite.folder.whole import write_whole
from pincite.types import Question


def refuse_existing(path: Path) -> None:
    """Raises `UsageError` for a file that is there."""
    if path.exists():
        hint = "--append adds to it, --force writes over it, or name another file"
        raise UsageError(f"{path} is there already", stage="evaluate", hint=hint)


def questions_there(path: Path) -> tuple[Question, ...]:
    """The questions of a file in the native form; none if there is no file, or nothing in it.

    Raises `UsageError` for another form, `InputError` for a file that cannot be read whole.
    """
    if not path.exists():
        return ()
    data = read_bytes(path)
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        return ()
    if not start.startswith(b"{"):
        message = f"{path} is not in the native form (one JSON object a line), so nothing is added to it"
        raise UsageError(
            message, stage="evaluate", hint="name a .jsonl file; docs/questions.md shows the form"
        )
    reading = Reading(path.name)
    read_jsonl(data, reading)
    return reading.accepted()


def rows(questions: Iterable[Question]) -> str:
    """The questions in the native form, one a line."""
    return "".join(
        escaped_in_json(json.dumps(question_json(one), ensure_ascii=False)) + "\n" for one in questions
    )


def add_questions(path: Path, questions: Sequence[Question], *, anew: bool = False) -> None:
    """Adds questions behind those of a file, or writes it anew; whole or not at all.

    The rows that are there stay byte for byte. Raises `InputError` when the file cannot be written.
    """
    before = b"" if anew or not path.exists() else read_bytes(path)
    gap = b"" if not before or before.endswith(b"\n") else b"\n"
    data = before + gap + rows(questions).encode("utf-8", "backslashreplace")
    write_whole(path, data, stage="evaluate")
