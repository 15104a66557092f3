"""Runs on disk: `<index folder>/runs/NAME.json`. What is read is checked, whoever wrote it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from pincite.errors import InputError, StoreError, UsageError
from pincite.evaluate.answers.figures import answers_of
from pincite.evaluate.checked import a_list, an_object, number, share, strings, text, whole, wholes
from pincite.evaluate.intervals import Interval
from pincite.evaluate.measures import parse_measure
from pincite.evaluate.saved import FORMAT, RunQuestion, SavedRun, run_json
from pincite.evaluate.saved_why import diagnosis_of
from pincite.folder.whole import write_whole
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
    content = json.dumps(run_json(run), ensure_ascii=True, allow_nan=False, indent=1)
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}", stage="evaluate") from error
    write_whole(path, f"{content}\n".encode(), stage="evaluate", error=StoreError)
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


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


# ── checking ──────────────────────────────────────────────────────────────────────────────────
def run_of(data: object) -> SavedRun:
    """The run that `run_json` made this of. Raises `ValueError` that names the first wrong field."""
    row = an_object(data, "a run")
    if row.get("format") != FORMAT:
        raise ValueError(f"format: expected {FORMAT}, got {str(row.get('format'))[:20]}")
    measures = _measures(row)
    questions = a_list(row, "questions")
    question_set = an_object(row.get("question_set"), "question_set")
    run = SavedRun(
        set_name=text(question_set, "name"),
        set_sha256=text(question_set, "sha256"),
        set_ids=strings(question_set, "ids"),
        measures=measures,
        intervals=_intervals(an_object(row.get("intervals"), "intervals")),
        questions=tuple(_question(one, at, measures) for at, one in enumerate(questions, 1)),
        without_evidence=strings(row, "without_evidence"),
        unanswerable=strings(row, "unanswerable"),
        refused=None if row.get("refused") is None else strings(row, "refused"),
        k=whole(row, "k"),
        settings=an_object(row.get("settings"), "settings"),
        index=text(row, "index"),
        seconds=number(row, "seconds"),
        notices=strings(row, "notices"),
        made=text(row, "made"),
        answers=None if row.get("answers") is None else answers_of(row["answers"]),
        diagnosis=None if row.get("diagnosis") is None else diagnosis_of(row["diagnosis"]),
    )
    ids = [one.question_id for one in run.questions]
    if len(set(ids)) < len(ids):
        raise ValueError("questions: an id is there twice")
    return run


def _measures(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the measures, each once and as we spell it: they head tables and pages."""
    names = strings(row, "measures")
    for name in names:
        try:
            known = str(parse_measure(name)) == name
        except UsageError:
            known = False
        if not known:
            raise ValueError(f"measures: there is no measure {name[:40]!r}")
    if len(set(names)) < len(names):
        raise ValueError("measures: a name is there twice")
    return names


def _question(data: object, at: int, measures: tuple[str, ...]) -> RunQuestion:
    where = f"question {at}"
    row = an_object(data, where)
    metrics = an_object(row.get("metrics"), f"{where}: metrics")
    try:
        return RunQuestion(
            question_id=text(row, "question_id"),
            question=text(row, "question"),
            expected=strings(row, "expected"),
            found=strings(row, "found"),
            rank=None if row.get("rank") is None else whole(row, "rank"),
            metrics={name: share(metrics, name) for name in measures},
            relevant=whole(row, "relevant", least=0),
            relevant_at=wholes(row, "relevant_at"),
            ms=number(row, "ms"),
            tags=strings(row, "tags"),
            synthetic=row.get("synthetic") is True,
            error=text(row, "error"),
            labels=strings(row, "labels"),
            empty=row.get("empty") is True,
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _intervals(rows: Mapping[str, Any]) -> dict[str, Interval]:
    return {
        name: Interval(*(number(an_object(row, name), key) for key in ("low", "high", "level")))
        for name, row in rows.items()
    }
