"""What the cells of a notebook printed: bounded text, shortened tracebacks, names of what is no text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MAX_OUTPUT = 2_000  # characters of the outputs of one cell
_HEAD, _TAIL = 2, 8  # lines kept of a traceback
_ANSI = re.compile(r"\x1b(?:\[[0-9;:?]{0,40}[A-Za-z]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)?|[()][A-Za-z0-9]|.)")
_OBJECT = re.compile(r"\s*<[^<>\n]{1,300}>\s*|Figure\([^()]{1,80}\)\s*")  # the name of a drawing, not text
_FORMS = (  # the first that an output has is read
    ("text/markdown", "markdown"),
    ("text/plain", "plain"),
    ("text/html", "html"),
    ("text/latex", "plain"),
    ("application/json", "plain"),
)
_OLD_NAMES = {
    "text": "text/plain", "html": "text/html", "latex": "text/latex", "json": "application/json",
    "png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml", "pdf": "application/pdf",
}  # fmt: skip


@dataclass(slots=True)
class Outputs:
    """What was left of the outputs read so far: characters cut, and names of what was dropped."""

    cut: int = 0
    dropped: list[str] = field(default_factory=list)


def read_outputs(given: Sequence[object], number: int, outputs: Outputs) -> Iterator[tuple[str, str]]:
    """The outputs of a cell as (form, text): `plain`, `markdown` or `html`, together within `MAX_OUTPUT`."""
    room = MAX_OUTPUT
    for form, text in _merged(_each(given, number, outputs)):
        kept = _cut(text.rstrip(), room, form)
        outputs.cut += len(text.rstrip()) - len(kept)
        room -= len(kept)
        if kept.strip():
            yield form, kept


def _each(given: Sequence[object], number: int, outputs: Outputs) -> Iterator[tuple[str, str]]:
    for output in given:
        if not isinstance(output, dict):
            continue
        kind = output.get("output_type")
        if kind == "stream":
            yield "stream", without_escapes(_joined(output.get("text")))
        elif kind in ("error", "pyerr"):
            yield "plain", _error(output)
        else:
            yield from _shown(_bundle(output), number, outputs)


def _merged(parts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The outputs, what was printed piece by piece as one; carriage returns write over their line."""
    printed: list[str] = []
    for form, text in parts:
        if form == "stream":
            printed.append(text)
            continue
        yield "plain", _overwritten("".join(printed))
        printed = []
        yield form, text
    yield "plain", _overwritten("".join(printed))


def _bundle(output: Mapping[str, object]) -> dict[str, object]:
    """What is shown, by media type; formats 2 and 3 have short names beside the other keys."""
    data = output.get("data")
    if isinstance(data, dict):
        return {str(name): value for name, value in data.items()}
    return {_OLD_NAMES[key]: value for key, value in output.items() if key in _OLD_NAMES}


def _shown(bundle: dict[str, object], number: int, outputs: Outputs) -> Iterator[tuple[str, str]]:
    """The best text of an output; what it shows besides, or instead, is named."""
    pictures = sorted(name for name in bundle if name.startswith(("image/", "application/pdf")))
    outputs.dropped.extend(f"cell {number}: an image ({name[:40]})" for name in pictures[:1])
    found = next(((name, form) for name, form in _FORMS if name in bundle), None)
    if found:
        text = without_escapes(_joined(bundle[found[0]]))
        if not (_OBJECT.fullmatch(text) and (pictures or len(bundle) > 1)):
            yield found[1], text
            return
    others = sorted(name for name in bundle if not name.startswith(("text/", "image/", "application/pdf")))
    if others:
        outputs.dropped.append(f"cell {number}: an output that is no text ({others[0][:80]})")


def _error(output: Mapping[str, object]) -> str:
    """The start and end of a traceback, where the error is named last."""
    named = f"{output.get('ename', '')}: {output.get('evalue', '')}".strip(": ")
    lines = without_escapes("\n".join(_joined(part) for part in _lines(output))).strip("\n").split("\n")
    if len(lines) > _HEAD + _TAIL:
        lines = [*lines[:_HEAD], "…", *lines[-_TAIL:]]
    text = "\n".join(line.rstrip() for line in lines)
    return text if named and named in text else f"{text}\n{named}".strip("\n")


def _lines(output: Mapping[str, object]) -> Sequence[object]:
    lines = output.get("traceback")
    return lines if isinstance(lines, list) else ()


def _cut(text: str, room: int, form: str) -> str:
    """The text up to `room` characters; a longer one ends with a line, or a tag, if one ends near."""
    if len(text) <= room:
        return text
    end = text.rfind(">" if form == "html" else "\n", room // 2, room)
    return text[: end + 1 if end != -1 else room]


def without_escapes(text: str) -> str:
    """Text without the sequences that colour and steer a terminal."""
    return _ANSI.sub("", text) if "\x1b" in text else text


def _overwritten(text: str) -> str:
    """Text as a terminal leaves it: of a line written over with carriage returns, the last state."""
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return text
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))


def _joined(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "".join(value)
    return "" if value is None else json.dumps(value, ensure_ascii=False)
