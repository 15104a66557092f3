"""A model's reply as text that loads nothing and leads nowhere, whoever renders it.

Links, images, definitions, addresses and markup of a remote kind stay readable, as code or with look-alike
brackets; code stays as it is. What a reply has of a list of sources of its own is taken out: the product
prints the only one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pincite import lexicon
from pincite.answer.reply_code import code_in

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LOCAL = r"(?![^)\s]{0,400}\.\.)[\w.-]{1,200}(?:/[\w.-]{1,200}){0,20}(?:#[\w.-]{0,200})?"
_SCHEMES = "data|javascript|vbscript|mailto|tel|sms|blob|about|view-source|intent|magnet|file|urn|cid"
_COLON = r"\\?(?::|&#0{0,9}58;|&#x0{0,9}3a;|&colon;)"
_BEGINS = rf"[a-z][a-z0-9+.-]{{0,30}}{_COLON}(?:\\?/|\\){{2}}|\b(?:{_SCHEMES}){_COLON}(?=\S)|\bwww\."
_ADDRESS = rf"(?:{_BEGINS})[^\s<>\"'`]*"
_URL = re.compile(_ADDRESS, re.I)
_LINK = re.compile(
    rf"!?\[[^\[\]\n`]{{0,300}}\]\((?!{_LOCAL}\))[^()\n`]{{0,2000}}(?:\([^()\n`]{{0,500}}\)[^()\n`]{{0,500}})?\)"
)
_OPENS_LINK = re.compile(rf"\]\((?!{_LOCAL}\))")
_DEFINES = re.compile(
    r"(?m)^(?P<lead>[ \t>*+\-\d.)]{0,20})(?P<rest>\[[^\[\]\n]{1,300}\]:[ \t]*(?:\n[ \t>]*)?"
    r"(?:<[^<>\n]{0,2000}>|[^\s`]{1,2000})(?:[ \t]+[\"'(][^\n`]{0,500})?)[ \t]*$"
)
_FORMAT = (
    "b|i|em|strong|u|s|sub|sup|br|p|code|kbd|small|table|thead|tbody|tr|td|th|ul|ol|li|hr|blockquote|pre"
    "|h[1-6]"
)
_TAG = re.compile(rf"<(?!/?(?:{_FORMAT})\s{{0,4}}/?>)(?=[a-z/!?])", re.I)
_TRAILING = ".,;:!?)]}*_"
_LISTED = re.compile(r"\s*(?:[-*+•·>|]|\(?\d{1,3}[.):]|[\[【(［]|\S+\.\w{1,8}\b|https?:|`|\*\*|_)")
_POSES = re.compile(
    r"(?m)^\W{0,6}[\[【［]\d{1,3}[\]】］]\W{0,4}[ \t]+"
    r"(?!\S{0,300}://)(?:\S{1,300}\.\w{1,8}(?::\d[\d,-]*|#\S+)?(?=[ \t]{2}|[ \t]*$)"
    r"|\S{1,300}[ \t]{2,}(?:not )?verified\b).*(?:\n|\Z)"
)


@dataclass(frozen=True, slots=True)
class Inert:
    """The text, and in words what was changed or taken out."""

    text: str
    problems: tuple[str, ...] = ()


def inert(reply: str) -> Inert:
    """The reply without anything remote and without sources of its own; line ends are `\\n`."""
    text = reply.replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub("[\0\ue000\ue001]", "\ufffd", text)
    told, own = _without_sources(text)
    shown = _outside_code(told, _harmless)
    if remote(shown):
        shown = _harmless(told.replace("`", "ˋ").replace("~~~", "∼∼∼"))
    problems = []
    if own:
        problems.append("the model's own list of sources is left out")
    if shown != told:
        problems.append("links and markup of the model's are shown as text")
    return Inert(shown, tuple(problems))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    shown, at = "", 0
    parts: list[str] = []
    for span, _ in code_in(text):
        if span.start >= at:
            parts += [change(text[at : span.start]), text[span.start : span.end]]
            at = span.end
    for part in [*parts, change(text[at:])]:
        apart = " " if shown[-1:] in _TICK_OR_ESCAPE and part[:1] == "`" else ""
        shown += apart + part
    return shown


def _harmless(text: str) -> str:
    """Text that is no code; backticks in it would pair with those around what is shown as code."""
    changed = _shown(text)
    return changed if changed == text else _shown(text.replace("`", "ˋ"))


def _shown(text: str) -> str:
    """Each rule looks at what those before it left."""
    text = _besides(_DEFINES, text, lambda found: f"{found['lead']}{_as_code(found['rest'])}")
    text = _besides(_LINK, text, lambda found: _as_code(found[0]))
    text = _besides(_OPENS_LINK, text, lambda _: "] (")
    text = _besides(_URL, text, _address)
    text = _TAG.sub("‹", text)
    text = text.replace(f"{_END}{_START}", "` `").replace(f"\\{_START}", "\\ `")
    return text.replace(_START, "`").replace(_END, "`")


_START, _END = "\ue000", "\ue001"  # stand for backticks while the rules are at work
_TICK_OR_ESCAPE = ("`", "\\")


def _besides(pattern: re.Pattern[str], text: str, change: Callable[[re.Match[str]], str]) -> str:
    """Replaces what the pattern finds outside the code that another rule has made."""
    parts = re.split(f"({_START}[^{_END}]*{_END})", text)
    return "".join(part if number % 2 else pattern.sub(change, part) for number, part in enumerate(parts))


def _as_code(text: str) -> str:
    return f"{_START}{text.replace('<', '‹')}{_END}"


def without_addresses(text: str) -> str:
    """The words of a text without the addresses in it, those of links too, and without footnotes' numbers."""
    return _URL.sub(" ", re.sub(r"\]\([^()\s]*\)|\[\^[^\[\]\s]{1,40}\]", " ", text))


def _address(found: re.Match[str]) -> str:
    address = found[0].rstrip(_TRAILING)
    return f"{_as_code(address)}{found[0][len(address) :]}"


# ── sources of its own ────────────────────────────────────────────────────────────────────────
@cache
def _headings() -> frozenset[str]:
    return frozenset(lexicon.words("sources.headings"))


def _without_sources(text: str) -> tuple[str, bool]:
    """The text without lists that pose as the product's sources, and whether there were any."""
    told = _outside_code(text, lambda part: _POSES.sub("", part))
    lines = told.split("\n")
    for number, line in enumerate(lines):
        if _is_heading(line) and (end := _list_end(lines, number + 1)) > number + 1:
            lines[number:end] = [""] * (end - number)
    kept = "\n".join(lines).rstrip() if lines != text.split("\n") else told
    return kept, kept.rstrip() != text.rstrip()


def _is_heading(line: str) -> bool:
    """Whether a line is a heading of sources, however it is decorated."""
    words = "".join(char if char.isalnum() else " " for char in _skeleton(line)).split()
    return 0 < len(words) <= 3 and words[0] in _headings() and all(map(str.isalpha, words)) and len(line) < 60


_ALIKE = str.maketrans("аеорсухѕіјοανεικρτ", "aeopcyxsijoaveikpt")


def _skeleton(line: str) -> str:
    """A line in lower case, its Cyrillic and Greek look-alikes as Latin letters if it has Latin ones too."""
    from pincite.hidden import plain

    folded = unicodedata.normalize("NFKC", plain(line)).casefold()
    return folded.translate(_ALIKE) if re.search("[a-z]", folded) else folded


def _list_end(lines: list[str], first: int) -> int:
    """Behind the last line of the list that begins at a line, blank lines between its entries included."""
    end = first
    for number in range(first, len(lines)):
        if lines[number].strip() and not _LISTED.match(lines[number]):
            break
        if lines[number].strip():
            end = number + 1
    return end


# ── what is left, by another reading ──────────────────────────────────────────────────────────
@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def remote(text: str) -> list[str]:
    """What of a text a renderer of Markdown or HTML would load or link to, apart from local files."""
    env: dict[str, object] = {}
    tokens = list(_every(_markdown().parse(text, env)))
    found = [f"definition {name}" for name in env.get("references") or ()]  # type: ignore[attr-defined]
    for token in tokens:
        target = token.attrs.get("src") or token.attrs.get("href")
        if target and not re.fullmatch(_LOCAL, unquote(str(target))):
            found.append(f"{token.type} {target}")
        if token.type in ("html_inline", "html_block") and _TAG.search(token.content):
            found.append(token.content)
        if token.type == "text" and _URL.search(token.content):
            found.append(token.content)
    return found


def _every(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _every(token.children or [])
