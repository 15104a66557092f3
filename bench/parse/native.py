"""The text of a pandoc native AST, which is written as Haskell would show it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from words import tex

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Za-z]\w*)|([\[\](){},])', re.S)
_ESCAPE = re.compile(r"\\(?:&|\s+\\|(\d+)|x([0-9a-fA-F]+)|(.))", re.S)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_BLOCKS = frozenset(
    {
        "Plain",
        "Para",
        "Header",
        "Cell",
        "CodeBlock",
        "LineBlock",
        "BlockQuote",
        "Caption",
        "Div",
        "Figure",
        "MetaInlines",
    }
)
_SPACES = frozenset(["Space", "SoftBreak", "LineBreak"])
_LITERALS = frozenset(["Str", "Code", "CodeBlock", "Math", "RawInline", "RawBlock", "MetaString"])


_Token = tuple[str, str]
_ORDER = ("title", "subtitle", "author", "date", "abstract")


@dataclass(frozen=True, slots=True)
class Native:
    """Texts of a document; each block ends with a line break.

    `meta` are the title and other metadata as they stand before a text; `body` has notes and comments where
    their marks are, `body_then_notes` has notes at the end, `body_with_asides` has both after the paragraph
    that refers to them.
    """

    meta: str
    body: str
    body_then_notes: str
    body_with_asides: str


def native_texts(source: str) -> Native:
    """The texts of an AST, given as a list of blocks or as a document with metadata."""
    tokens = _tokens(source)
    start = tokens.index(("mark", "{")) if ("name", "Pandoc") in tokens[:3] else 0
    end = _closing(tokens, start) if start else 0
    with_notes, _ = _text(tokens[end:])
    without, notes = _text(tokens[end:], apart=True)
    with_asides, _ = _text(tokens[end:], apart=True, by_block=True)
    return Native(_meta(tokens[start + 1 : end]), with_notes, f"{without}\n{notes}", with_asides)


def _meta(tokens: list[_Token]) -> str:
    """Values of the metadata on lines of their own, the title first."""
    entries: dict[str, str] = {}
    for at, (kind, value) in enumerate(tokens):
        if kind == "text" and at and tokens[at - 1] == ("mark", "(") and value in _ORDER:
            end = _closing(tokens, at - 1)
            entries.setdefault(value, _text(tokens[at + 1 : end - 1])[0])
    return "\n".join(entries[key] for key in _ORDER if key in entries)


def _text(tokens: list[_Token], *, apart: bool = False, by_block: bool = False) -> tuple[str, str]:
    """The text, and that of its notes if they are to be kept apart.

    With `by_block`, notes and comments end up in the text, after the block they were found in.
    """
    body: list[str] = []
    notes: list[str] = []
    out, at = body, 0
    stack: list[bool] = []  # whether each open bracket is that of a note or comment
    is_comment = False
    while at < len(tokens):
        kind, value = tokens[at]
        if value == "(" and kind == "mark" and tokens[at + 1][0] == "text":
            end = _closing(tokens, at)  # attributes, or the target of a link
            is_comment, at = by_block and ("text", "comment-start") in tokens[at:end], end
            continue
        if kind == "name" and value in _LITERALS:
            at = _literal(tokens, at, out)
            continue
        if kind == "name" and value in _BLOCKS and by_block and not any(stack):
            body += ["\n", *notes]
            notes.clear()
        if kind == "name":
            out.append("\n" if value in _BLOCKS else " " if value in _SPACES else "")
        elif value in "[(":
            stack.append(is_comment or (at > 0 and tokens[at - 1] == ("name", "Note")))
            is_comment = False
            out = notes if apart and any(stack) else body
        elif value in ")]" and stack:
            out.append(" " if stack.pop() else "")
            out = notes if apart and any(stack) else body
        at += 1
    if by_block:
        body += ["\n", *notes]
    return "".join(body), "".join(notes)


def _tokens(source: str) -> list[_Token]:
    return [
        ("name", found[2])
        if found[2]
        else ("mark", found[3])
        if found[3]
        else ("text", _unescape(found[1] or ""))
        for found in _TOKEN.finditer(source)
    ]


def _unescape(text: str) -> str:
    return _ESCAPE.sub(
        lambda found: (
            chr(int(found[1]))
            if found[1]
            else chr(int(found[2], 16))
            if found[2]
            else _SHORT.get(found[3], found[3] or "")
        ),
        text,
    )


def _closing(tokens: list[_Token], at: int) -> int:
    """The place after the bracket that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        kind, value = tokens[at]
        depth += kind == "mark" and value in "([{"
        depth -= kind == "mark" and value in ")]}"
        at += 1
        if not depth:
            break
    return at


def _literal(tokens: list[_Token], at: int, out: list[str]) -> int:
    """Writes the text of the literal at `at`; returns the place after it."""
    name, language = tokens[at][1], ""
    at += 1
    while at < len(tokens) and tokens[at][0] != "text":  # attributes, the kind of math, the language
        if tokens[at] == ("mark", "("):
            language = next((value for kind, value in tokens[at : at + 3] if kind == "text"), "")
            at = _closing(tokens, at)
        else:
            at += 1
    text = tokens[at][1] if at < len(tokens) else ""
    if name in {"Str", "MetaString"}:
        out.append(text)
    else:
        edge = "\n" if name.endswith("Block") else "" if name == "Code" else " "
        out.extend((edge, "".join(_written(name, language, text)), edge))
    return at + 1


def _written(name: str, language: str, text: str) -> Iterator[str]:
    if name == "Math" or language in {"latex", "tex"}:
        yield tex(text)
    elif name.startswith("Raw"):
        yield "" if language == "openxml" else re.sub(r"<[^<>]*>", " ", text)
    else:
        yield text
