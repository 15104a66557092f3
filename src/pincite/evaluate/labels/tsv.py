"""Labels in a TSV file: `question<TAB>path:line`, or columns named by a header line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pincite.evaluate.labels.lines import Reading, lines, uri_of
from pincite.types import Qrel, Question

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "question_id", "question-id", "query_id", "query-id", "qid"),
    "question": ("question", "query", "text"),
    "target": ("target", "targets", "expected", "evidence", "path"),
    "line": ("line", "lines", "line_start"),
    "last": ("line_end",),
    "page": ("page",),
    "answer": ("answer",),
    "tags": ("tags",),
}
_MEANING = {name: column for column, names in _COLUMNS.items() for name in names}
_LINES = re.compile(r"(?P<path>.+):\s*(?P<first>-?\d{1,9})(?:\s*[-–]\s*(?P<last>\d{1,9}))?")
_LINE_AND_COLUMN = re.compile(r"(?P<path>.+):(?P<first>\d{1,9})(?P<last>):\d{1,9}")
_LINES_OF_A_LINK = re.compile(
    r"(?P<path>.+)#[Ll](?P<first>\d{1,9})(?:C\d{1,9})?(?:-[Ll]?(?P<last>\d{1,9})(?:C\d{1,9})?)?"
)
_PAGE = re.compile(r"(?P<path>.+)(?:#page=|\sp\.\s*)(?P<page>-?\d{1,9})")
_NO_LINES = "docx|docm|dotx|odt|ott|odp|ods|xlsx|xlsm|xls|pptx|pptm|ppsx|eml|msg|mbox|epub|fb2|ipynb|rtf|zip"
_PART = re.compile(rf"(?P<path>.+?\.(?:{_NO_LINES}))#(?P<part>.+)", re.IGNORECASE)
_EXTENSION = re.compile(r".*[^./\\]\.[A-Za-z][A-Za-z0-9]{0,7}")

_LINE_FORMS = (_LINES_OF_A_LINK, _LINE_AND_COLUMN, _LINES)
_PLACED = (*_LINE_FORMS, _PAGE)

_MAX_TARGETS = 10_000  # characters of one cell
_ENDING = 200  # of a target: how it ends says whether a comma ends it, and is looked at for every comma

Columns = Mapping[str, int]
_PLAIN: Columns = {"question": 0, "target": 1}


def read_tsv(data: bytes, reading: Reading) -> None:
    """Adds the questions of a TSV file. Quotes are ordinary; blank lines and `#` lines are skipped."""
    columns: Columns | None = None
    for number, text in lines(data, reading):
        if text.startswith("#"):
            continue
        cells = [cell.strip() for cell in text.split("\t")]
        if columns is None:
            named = _header(cells)
            columns = named or _PLAIN
            if named:
                continue
        _row(number, cells, columns, reading)


def _header(cells: list[str]) -> Columns | None:
    """The place of each known column if this is a header line: all its names are known, or two of them."""
    meanings = [_MEANING.get(cell.casefold(), "") for cell in cells]
    known = [meaning for meaning in meanings if meaning]
    if "question" not in known or (len(known) < 2 and len(cells) > 1):
        return None
    return {meaning: meanings.index(meaning) for meaning in dict.fromkeys(known)}


def _about_tabs(cells: list[str], columns: Columns) -> str:
    """What to say of too few fields: a line without a tab may be one of a CSV file."""
    if len(cells) == 1 and "," in cells[0]:
        return "; tabs stand between fields, not commas, and one stays when the target is empty"
    return "; the tab stays when the target is empty" if "target" in columns else ""


def _row(number: int, cells: list[str], columns: Columns, reading: Reading) -> None:
    needed = 1 + max(columns[name] for name in ("id", "question", "target") if name in columns)
    if len(cells) < needed:
        reading.fault(
            number, f"{_fields(len(cells))} where {needed} are expected{_about_tabs(cells, columns)}"
        )
        return
    if columns is _PLAIN and any(cells[needed:]):
        what = f"{_fields(len(cells))} where {needed} are expected"
        reading.fault(number, f"{what}; a header line names more columns")
        return
    values = {name: cells[at] if at < len(cells) else "" for name, at in columns.items()}
    question_id = values.get("id", f"q{len(reading.lines) + 1}")
    tags = tuple(filter(None, (tag.strip() for tag in values.get("tags", "").split(","))))
    try:
        qrels = tuple(targets(question_id, _placed(values)))
    except ValueError as error:
        reading.fault(number, str(error))
        qrels = ()
    answerable = "target" not in columns or bool(values["target"])
    answer = values.get("answer", "")
    reading.add(number, Question(question_id, values["question"], qrels, answerable, answer, tags))


def _placed(values: Mapping[str, str]) -> str:
    """The target, with the line or page that a column of its own names. Raises `ValueError` for no such."""
    target, line, last, page = (values.get(name, "") for name in ("target", "line", "last", "page"))
    if not target or not (line or last or page):
        return target
    if len(list(_parts(target))) > 1 or any(form.fullmatch(target) for form in _PLACED):
        raise ValueError("a column of lines or pages goes with targets that are one path alone")
    place = f":{line}{'-' if last else ''}{last}" if line or last else f"#page={page}"
    if not (_LINES if line or last else _PAGE).fullmatch(target + place):
        raise ValueError(f"{(line or last or page)[:40]!r} is no number of a line or page")
    return target + place


def _fields(count: int) -> str:
    return f"{count} field" if count == 1 else f"{count} fields"


def targets(question_id: str, cell: str) -> Iterator[Qrel]:
    """The judgements a cell names, alternatives of each other. Raises `ValueError` for an impossible one."""
    if len(cell) > _MAX_TARGETS:
        raise ValueError(f"the targets are {len(cell)} characters long; at most {_MAX_TARGETS} are read")
    yield from dict.fromkeys(target(question_id, part) for part in _parts(cell))


def _parts(cell: str) -> Iterator[str]:
    """The cell cut at the commas behind a line, page, part or extension: a path may hold commas too.

    So may a part (`deck.pptx#slide 3, Title`): what follows it and ends like no target is more of it.
    """
    whole = ""
    pieces = cell.split(",")
    for piece, following in zip(pieces, [*pieces[1:], ""], strict=True):
        whole = f"{whole},{piece}" if whole else piece
        if not _ends_a_target(whole):
            continue  # what is looked at whole below is not looked at for every comma
        goes_on = _PART.fullmatch(whole.strip()) and not _ends_a_target(following)
        if not goes_on:
            yield from filter(None, (whole.strip(),))
            whole = ""
    yield from filter(None, (whole.strip(),))


def _ends_a_target(text: str) -> bool:
    """Whether a text ends as targets do; so does an empty one."""
    end = text.strip()[-_ENDING:]
    forms = (*_PLACED, _PART) if end[-1:].isdigit() else (_PART,)  # the others end with a digit
    return not end or any(form.fullmatch(end) for form in (*forms, _EXTENSION))


def target(question_id: str, text: str) -> Qrel:
    """The judgement of `path:7`, `path:7-12`, `path#page=3`, `path p. 3`, `path#slide 3` or `path`.

    Lines are read as editors and web pages write them too: `path:7:3` (a column), `path#L7-L12`.
    """
    if page := _PAGE.fullmatch(text):
        return Qrel(question_id, uri_of(page["path"]), page=_from_one(text, "page", int(page["page"])))
    if part := _PART.fullmatch(text):
        return Qrel(question_id, uri_of(part["path"]), part=part["part"].strip())
    if not (found := next(filter(None, (form.fullmatch(text) for form in _LINE_FORMS)), None)):
        return Qrel(question_id, uri_of(text))
    first = _from_one(text, "line", int(found["first"]))
    last = int(found["last"]) if found["last"] else first
    if last < first:
        raise ValueError(f"{text}: the last line is before the first")
    return Qrel(question_id, uri_of(found["path"]), first, last)


def _from_one(text: str, what: str, number: int) -> int:
    if number < 1:
        raise ValueError(f"{text}: {what}s count from 1")
    return number
