"""TREC run files and qrels files, in and out, and tables with a header line as BEIR sets have them.

Ids are strings. White space separates the fields, so that of an id (a file name, say) is written as its
control picture (`␠` for a space) and read back as itself.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from pincite.errors import InputError, UsageError
from pincite.folder.whole import refuse_target, write_whole
from pincite.parse.decode import decode

_MAX_BYTES = 256_000_000
_MAX_SHOWN = 20
_SPACE = re.compile(r"[ \t\f\v]+")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}(?:\.0{1,9})?")
_NUMBER = re.compile(r"[+-]?(?:[0-9.]{1,60}(?:e[+-]?[0-9]{1,4})?|inf|infinity)", re.IGNORECASE)

_PICTURES = {code: chr(0x2400 + code) for code in (9, 10, 11, 12, 13, 32)}
_CHARACTERS = {ord(picture): chr(code) for code, picture in _PICTURES.items()}

_RUN = (("question", "", "doc", "place", "score", ""), ("question", "doc", "rank", "score"))
_QRELS = (("question", "", "doc", "score"), ("question", "doc", "score"))
_RUN_LINE = re.compile(rb"\S+ Q0 \S+ \d+ \S+ \S+\s")
_QRELS_LINE = re.compile(rb"\S+ 0 \S+ -?\d+\s")
_RUN_FORM = "expected `question Q0 document rank score tag`, or `question document rank score`"
_QRELS_FORM = "expected `question 0 document relevance`, or `question document relevance`"
_HEADER = {
    **dict.fromkeys(("query-id", "query_id", "question_id", "qid", "topic"), "question"),
    **dict.fromkeys(("corpus-id", "corpus_id", "doc_id", "doc-id", "docid", "docno"), "doc"),
    **dict.fromkeys(("score", "relevance", "rel"), "score"),
    "rank": "rank",
}
"""What a column holds, by its name in a header line, in lower case."""

_Layout = tuple[str, ...]
_Entry = tuple[str, str, float, float]  # question, document, score, minus its rank (0 without one)


# ── in ────────────────────────────────────────────────────────────────────────────────────────
def read_run(path: Path) -> dict[str, tuple[str, ...]]:
    """Document ids by question, best first, of a run file; questions in their order in the file.

    Lines are `question Q0 document rank score tag`, `question document rank score`, or the columns that a
    header line names. The order is trec_eval's: by score, falling, as float32; equal scores by document id,
    falling. Ranks do not count, unless a table has no scores. `InputError` names every line that cannot be
    read, and those that list a document of a question again.
    """
    return read_ranked_run(path)[0]


def read_ranked_run(path: Path) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """What `read_run` gives, and the questions whose ranks, as the file has them, are in another order."""
    scores: dict[str, dict[str, float]] = {}
    ranks: dict[str, dict[str, float]] = {}
    for question_id, doc_id, value, rank in _entries(path, _RUN, _RUN_FORM, _single):
        scores.setdefault(question_id, {})[doc_id] = value
        ranks.setdefault(question_id, {})[doc_id] = rank
    ordered = {question_id: _trec_order(found) for question_id, found in scores.items()}
    return ordered, tuple(one for one, docs in ordered.items() if not _falling(docs, ranks[one]))


def _falling(docs: Sequence[str], ranks: Mapping[str, float]) -> bool:
    return all(ranks[first] >= ranks[second] for first, second in pairwise(docs))


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Judgements of documents by question, in the order of the file.

    Lines are `question 0 document relevance`, `question document relevance`, or the columns that a header
    line names. Relevance is a whole number. `InputError` as for a run.
    """
    qrels: dict[str, dict[str, int]] = {}
    for question_id, doc_id, value, _ in _entries(path, _QRELS, _QRELS_FORM, _whole):
        qrels.setdefault(question_id, {})[doc_id] = int(value)
    return qrels


def _trec_order(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Code points order ids as the bytes of UTF-8 do, which trec_eval compares."""
    return tuple(sorted(scores, key=lambda doc_id: (scores[doc_id], doc_id), reverse=True))


def _entries(
    path: Path, layouts: Sequence[_Layout], form: str, number: Callable[[str], float]
) -> list[_Entry]:
    """The entries of the file; raises with all lines that are wrong. The first row decides the layout."""
    entries: list[_Entry] = []
    problems: list[str] = []
    first_line: dict[tuple[str, str], int] = {}
    header: _Layout = ()
    for at, (line_number, line) in enumerate(_lines(path)):
        try:
            if at == 0 and (header := _header(line, layouts)):
                layouts, form = [header], f"expected the {len(header)} columns of the header line"
                continue
            layout, fields = _split(line, layouts, form, bool(header))
            layouts = [layout]
            entry = _entry(dict(zip(layout, fields, strict=True)), number)
        except ValueError as error:
            problems.append(f"line {line_number}: {error}")
            continue
        earlier = first_line.setdefault(entry[:2], line_number)
        if earlier == line_number:
            entries.append(entry)
        else:
            again = f"document {_shown(entry[1])} of question {_shown(entry[0])} is on line {earlier} already"
            problems.append(f"line {line_number}: {again}")
    if problems:
        raise _bad_lines(path, problems)
    return entries


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1; `#` and a space start a remark."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: expected at most {_MAX_BYTES:,} bytes", stage="evaluate")
        text = decode(path.read_bytes(), uri=str(path)).text
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}", stage="evaluate") from error
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.strip() and not line.startswith("# "):
            yield number, line


def _header(line: str, layouts: Sequence[_Layout]) -> _Layout:
    """What each column holds, if the line names at least those of question and document; else nothing."""
    names = tuple(_HEADER.get(field.lower(), "") for field in _fields(line, "\t" in line))
    if "question" not in names or "doc" not in names:
        return ()
    kinds = [name for name in names if name]
    if len(set(kinds)) < len(kinds):
        raise ValueError("the header line names two columns of one kind")
    rank_will_do = any("rank" in layout for layout in layouts)
    if "score" not in kinds and not ("rank" in kinds and rank_will_do):
        raise ValueError("the header line names no column for scores")
    return names


def _split(
    line: str, layouts: Sequence[_Layout], form: str, has_header: bool
) -> tuple[_Layout, Sequence[str]]:
    """The layout of a line and its fields.

    Tabs separate where they give the right number of fields, so that ids may have spaces; but without a
    header line a space in the first field rather means that both separate.
    """
    tabbed, plain = _fields(line, True), _fields(line, False)
    for fields in [tabbed, plain] if has_header or " " not in tabbed[0] else [plain]:
        for layout in layouts:
            if len(fields) == len(layout):
                return layout, fields
    raise ValueError(f"{form}; got {len(plain)} field{'s' * (len(plain) != 1)}")


def _fields(line: str, tabs: bool) -> list[str]:
    return (
        [field.strip(" \f\v") for field in line.split("\t")] if tabs else _SPACE.split(line.strip(" \t\f\v"))
    )


def _entry(row: Mapping[str, str], number: Callable[[str], float]) -> _Entry:
    question_id, doc_id = (row[kind].translate(_CHARACTERS) for kind in ("question", "doc"))
    if not question_id or not doc_id:
        raise ValueError("the id of the question or of the document is empty")
    rank = _whole(row["rank"]) if "rank" in row else 0
    place = row.get("place", "")  # of TREC's own form, whose rank counts for nothing and may be anything
    rank = int(place) if place.isdecimal() and len(place) < 10 else rank
    return question_id, doc_id, number(row["score"]) if "score" in row else -rank, -rank


def _whole(field: str) -> float:
    if not _INTEGER.fullmatch(field):
        raise ValueError(f"expected a whole number, got {_shown(field)}")
    return int(field.partition(".")[0])


def _single(field: str) -> float:
    """The score as float32, in which trec_eval compares: what differs less is equal."""
    try:
        value = float(field) if _NUMBER.fullmatch(field) else math.nan
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise ValueError(f"expected a number as score, got {_shown(field)}")
    return array("f", [value])[0]


def _shown(field: str) -> str:
    return repr(field if len(field) <= 60 else f"{field[:60]}…")


def _bad_lines(path: Path, problems: Sequence[str]) -> InputError:
    more = len(problems) - _MAX_SHOWN
    listed = [*problems[:_MAX_SHOWN], *([f"and {more} more"] if more > 0 else [])]
    count = f"{len(problems)} line{'s' * (len(problems) != 1)}"
    return InputError(
        f"{path}: {count} cannot be used:\n  " + "\n  ".join(listed), stage="evaluate", uri=str(path)
    )


# ── out ───────────────────────────────────────────────────────────────────────────────────────
def refuse_targets(run: Path | None, qrels: Path | None) -> None:
    """Refuses paths that a run or judgements cannot be written to, before any question is asked."""
    if run is not None:
        refuse_target(run, _RUN_LINE, "a TREC run")
    if qrels is not None:
        refuse_target(qrels, _QRELS_LINE, "TREC judgements")


def write_run(path: Path, rankings: Mapping[str, Sequence[str]], *, tag: str = "pincite") -> None:
    """Writes rankings (document ids by question, best first) as a TREC run, whole or not at all.

    The score is the rank with a minus, so that trec_eval, which sorts by score in single precision and
    breaks ties by id, keeps this order. A question without results has no line. `UsageError` for an id that
    a run cannot hold, and for a document that is twice in a ranking.
    """
    lines: list[str] = []
    for question_id, ranked in rankings.items():
        if len(set(ranked)) < len(ranked):
            raise UsageError(f"question {_shown(question_id)} ranks a document twice", stage="evaluate")
        start = _word(question_id)
        lines += [
            f"{start} Q0 {_word(doc)} {rank} {-rank} {_word(tag)}" for rank, doc in enumerate(ranked, 1)
        ]
    _write(path, lines)


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Writes judgements of documents by question as TREC qrels, whole or not at all."""
    _write(
        path,
        [f"{_word(q)} 0 {_word(d)} {grade}" for q, judged in qrels.items() for d, grade in judged.items()],
    )


def _word(id_: str) -> str:
    """The id as one field of a line; `UsageError` for one that would not be read back as itself."""
    word = id_.translate(_PICTURES)
    comes_back = word.translate(_CHARACTERS) == id_ and word not in ("", "#") and word[0] != "\ufeff"
    if not comes_back or any(ch == "\0" or "\ud800" <= ch <= "\udfff" for ch in word):
        raise UsageError(f"the id {_shown(id_)} cannot stand in a TREC file", stage="evaluate")
    return word


def _write(path: Path, lines: Sequence[str]) -> None:
    write_whole(path, "".join(f"{line}\n" for line in lines).encode(), stage="evaluate", error=UsageError)
