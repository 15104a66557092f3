"""Runs on disk: `<index folder>/runs/NAME.json`. What is read is checked, whoever wrote it."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from pincite.errors import InputError, StoreError, UsageError
from pincite.evaluate.intervals import Interval
from pincite.evaluate.saved import FORMAT, RunQuestion, SavedRun, run_json
from pincite.index.folder import make_folder

FOLDER = "runs"
_MAX_BYTES = 256 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_SHOWN = 10


def save(index: Path, name: str, run: SavedRun) -> Path:
    """Writes a run below the index folder, whole or not at all, over one of this name; returns its file.

    Raises `StoreError` for a folder that is no index folder or cannot be written.
    """
    path = _path(index, name)
    make_folder(index)
    text = json.dumps(run_json(run), ensure_ascii=True, allow_nan=False, indent=1)
    part = path.with_name(f".{name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(exist_ok=True)
        part.write_text(text + "\n", encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written: {error.strerror}", stage="evaluate") from error
    return path


def load(index: Path, name: str) -> SavedRun:
    """The run saved under a name, or that of a file when the name is one's path (it ends with `.json`).

    Raises `InputError` when there is none, and when the file is not one that `save` or `--json` writes.
    """
    path = Path(name) if name.endswith(".json") else _path(index, name)
    if not path.is_file():
        there = names(index)
        near = get_close_matches(name, there, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(there[:_SHOWN])}"
        raise InputError(
            f"{path}: no such run", stage="evaluate", hint=hint if there else "pincite eval … --save NAME"
        )
    return read_run_file(path)


def names(index: Path) -> list[str]:
    """The names of the saved runs, sorted."""
    return sorted(path.stem for path in (index / FOLDER).glob("*.json") if _NAME.fullmatch(path.stem))


def check_name(name: str) -> None:
    """Raises `UsageError` for what cannot be the name of a run."""
    if not _NAME.fullmatch(name) or name.endswith(".json"):
        raise UsageError(
            f"expected the name of a run: letters, digits, '_', '-' and '.' (not first, nor .json at the "
            f"end), at most 100; got {name[:120]!r}",
            stage="evaluate",
        )


def _path(index: Path, name: str) -> Path:
    check_name(name)
    return index / FOLDER / f"{name}.json"


def read_run_file(path: Path) -> SavedRun:
    """The run in a file. Raises `InputError` that names what in it is not as it should be."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: larger than {_MAX_BYTES >> 20} MB", stage="evaluate")
        data = json.loads(path.read_bytes(), parse_constant=_no_number)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}", stage="evaluate") from error
    except (ValueError, RecursionError) as error:
        raise _broken(path, f"no JSON: {error}") from error
    try:
        return run_of(data)
    except ValueError as error:
        raise _broken(path, str(error)) from error


def _broken(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} is not a run: {why[:200]}", stage="evaluate", hint="measure again: pincite eval … --save"
    )


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


# ── checking ──────────────────────────────────────────────────────────────────────────────────
def run_of(data: object) -> SavedRun:
    """The run that `run_json` made this of. Raises `ValueError` that names the first wrong field."""
    row = _object(data, "a run")
    if row.get("format") != FORMAT:
        raise ValueError(f"format: expected {FORMAT}, got {str(row.get('format'))[:20]}")
    measures = _strings(row, "measures")
    questions = _list(row, "questions")
    question_set = _object(row.get("question_set"), "question_set")
    run = SavedRun(
        set_name=_text(question_set, "name"),
        set_sha256=_text(question_set, "sha256"),
        set_ids=_strings(question_set, "ids"),
        measures=measures,
        intervals=_intervals(_object(row.get("intervals"), "intervals")),
        questions=tuple(_question(one, number, measures) for number, one in enumerate(questions, 1)),
        without_evidence=_strings(row, "without_evidence"),
        unanswerable=_strings(row, "unanswerable"),
        refused=None if row.get("refused") is None else _strings(row, "refused"),
        k=_whole(row, "k"),
        settings=_object(row.get("settings"), "settings"),
        index=_text(row, "index"),
        seconds=_number(row, "seconds"),
        notices=_strings(row, "notices"),
        made=_text(row, "made"),
    )
    ids = [one.question_id for one in run.questions]
    if len(set(ids)) < len(ids):
        raise ValueError("questions: an id is there twice")
    return run


def _question(data: object, number: int, measures: tuple[str, ...]) -> RunQuestion:
    where = f"question {number}"
    row = _object(data, where)
    metrics = _object(row.get("metrics"), f"{where}: metrics")
    try:
        return RunQuestion(
            question_id=_text(row, "question_id"),
            question=_text(row, "question"),
            expected=_strings(row, "expected"),
            found=_strings(row, "found"),
            rank=None if row.get("rank") is None else _whole(row, "rank"),
            metrics={name: _number(metrics, name) for name in measures},
            ms=_number(row, "ms"),
            tags=_strings(row, "tags"),
            synthetic=row.get("synthetic") is True,
            error=_text(row, "error"),
            labels=_strings(row, "labels"),
            empty=row.get("empty") is True,
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _intervals(rows: Mapping[str, Any]) -> dict[str, Interval]:
    return {
        name: Interval(*(_number(_object(row, name), key) for key in ("low", "high", "level")))
        for name, row in rows.items()
    }


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what}: expected an object")
    return value


def _list(row: Mapping[str, Any], key: str) -> list[Any]:
    if not isinstance(value := row.get(key), list):
        raise ValueError(f"{key}: expected a list")
    return value


def _strings(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = _list(row, key)
    if not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key}: expected strings")
    return tuple(values)


def _text(row: Mapping[str, Any], key: str) -> str:
    if not isinstance(value := row.get(key), str):
        raise ValueError(f"{key}: expected a string")
    return value


def _number(row: Mapping[str, Any], key: str) -> float:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{key}: expected a number")
    return float(value)


def _whole(row: Mapping[str, Any], key: str) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{key}: expected a whole number of at least 1")
    return value
