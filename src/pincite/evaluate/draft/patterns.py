"""Questions that a document's own form suggests: definitions, intervals, values, table rows, headings.

English and Chinese, by patterns over single sentences, lines and rows; nothing is understood. A pattern is
better too narrow than too wide: what it misses costs nothing, while a bad question costs a reader's time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from pincite.chunk.sentences import line_spans, sentence_spans
from pincite.evaluate.draft.drafted import Draft
from pincite.evaluate.draft.rows import row_drafts
from pincite.evaluate.draft.sentences import sentence_drafts
from pincite.evaluate.draft.words import MARKUP, is_chinese, lowered
from pincite.scripts import HAN
from pincite.types import Block, Document, Span

_WRITTEN = ("markdown", "rst", "html", "mhtml", "text", "asciidoc", "org", "latex", "rtf")
PROSE = frozenset((*_WRITTEN, "pdf", "docx", "odt", "epub", "fb2", "pptx", "odp"))
MOST = 2_000  # drafts of one document
MAX_CHARS = 2_000_000  # of one document that are read
_LONGEST = 400  # characters of a sentence


def drafts_of(document: Document) -> list[Draft]:
    """The questions a document suggests, in the order of its text, at most `MOST`; none for code."""
    rows = (Draft(text, span, "row", answer) for text, span, answer in row_drafts(document, MAX_CHARS))
    found = list(islice(rows, MOST))
    if document.type in PROSE:
        found += _of_text(document)
    return sorted(found, key=lambda one: (one.span, one.text))[:MOST]


def _of_text(document: Document) -> Iterator[Draft]:
    text, end = document.text, min(len(document.text), MAX_CHARS)
    code = (one.span for one in document.blocks if one.kind == "code" or _holds_code(text, one))
    without = sorted([*code, *(one.span for one in document.left_out)])
    for span in sentence_spans(text, 0, end):
        if len(span) <= _LONGEST and not _in_one(without, span):
            yield from sentence_drafts(text, span)
    yield from (one for one in value_drafts(text, end) if not _in_one(without, one.span))
    yield from heading_drafts(document, MAX_CHARS)


def _holds_code(text: str, block: Block) -> bool:
    """Whether an item of a list has code between fences in it."""
    return block.kind == "list" and text.find("```", block.span.start, block.span.end) >= 0


def _in_one(spans: list[Span], span: Span) -> bool:
    """Whether a span begins inside one of `spans`, which are in order and seldom overlap."""
    at = bisect_right(spans, span.start, key=lambda one: one.start)
    return any(one.end > span.start for one in spans[max(0, at - 2) : at])


_BODY = 40  # characters that must stand under a heading
_NUMBERING = re.compile(
    r"^(?:(?:\d+|[A-Z])(?:\.\d+){1,5}[.)]?\s+|(?:\d+|[A-Z])[.)]\s+|\d+\s+(?=[A-Z])|第[\d一二三四五六七八九十]+[章节]\s*)"
)
_WHOLE = 0.6  # the part of a document from which on a section is no place in it
_ASKING = frozenset(("what", "which", "who", "how", "where", "when", "why", "if"))
_ANYWHERE = (
    "overview introduction summary notes note example examples contents references appendix "
    "conclusion background faq license changelog index general misc other abstract usage 概述 简介 总结 "
    "目录 附录 参考 其他 说明"
)
_GENERAL = frozenset(_ANYWHERE.split())


# ── headings ───────────────────────────────────────────────────────────────────────────────────
def heading_drafts(document: Document, limit: int) -> Iterator[Draft]:
    most = _WHOLE * len(document.text)
    for section in document.sections:
        title = _NUMBERING.sub("", " ".join(MARKUP.sub("", section.title).split()))
        body = document.text[section.title_span.end : section.span.end].strip()
        whole = len(document.sections) > 1 and len(section.span) > most
        if section.span.start < limit and len(body) >= _BODY and not whole and _tells(title):
            yield Draft(_about(title), section.title_span, "heading")


def _tells(title: str) -> bool:
    """Whether a heading says what its section is about, and is no question itself."""
    if title.endswith(("?", "？")) or title.lower() in _GENERAL or len(title) > 80:
        return False
    if is_chinese(title):
        return 2 <= len(title) <= 24
    words = re.findall(r"[^\W\d_]{3,}", title)
    return bool(words) and title.split()[0].lower() not in _ASKING and 2 <= len(title.split()) <= 9


def _about(title: str) -> str:
    if is_chinese(title):
        return f"关于{title}，有哪些说明？"
    first, subject = title.split()[0], _in_a_sentence(title)
    if first.endswith("ing") and len(first) > 5 and first[:1].isupper():
        return f"How does one go about {subject}?"
    return f"What is there to know about {subject}?"


def _in_a_sentence(title: str) -> str:
    """The title with a small first letter; with small letters if each of its longer words has a capital."""
    words = title.split()
    if all(word[:1].isupper() for word in words if len(word) > 3):
        return " ".join(map(lowered, words))
    return lowered(title)


_VALUE = re.compile(
    r"(?P<list>[ \t]*[-*+•·][ \t]+)?(?P<bold>\*\*|__)?"
    rf"(?P<label>[A-Z][\w /()%°'’-]{{1,39}}|[{HAN}][\w（）()/ -]{{1,15}})(?:\*\*|__)?"
    r"[ \t]?[:：](?:\*\*|__)?[ \t]*(?P<value>\S.{0,79})"
)
_FIGURE = re.compile(r"(?:[^\W\d]+ ){0,2}[^\w\s]?[^\W\d]{0,3}\d")  # among the first three words
_GOES_ON = re.compile(r"[.。!！?？;；]\s?\w|[,:，：;；]$")  # more than one statement, or not all of it
_STATING = frozenset(("is", "are", "was", "were", "has", "have", "can", "will", "must", "may", "does", "do"))
_FEW = 4  # words of a value without a figure
_ANNOUNCING = (
    "note notes warning caution danger important example examples tip hint see q a question answer "
    "todo from to subject date cc re http https file figure table step author authors source "
    "copyright 注意 警告 例如 提示 说明 备注 如下 问题 答案 举例 作者 来源 日期"
)
_NO_LABEL = frozenset(_ANNOUNCING.split())


# ── values ─────────────────────────────────────────────────────────────────────────────────────
def value_drafts(text: str, end: int) -> Iterator[Draft]:
    """`Max depth: 2 m`: with a figure first, or short and in bold, an item, or beside such another line."""
    spans = line_spans(text, 0, end)
    found = [_VALUE.fullmatch(text, span.start, span.end) for span in spans]
    for number, (span, line) in enumerate(zip(spans, found, strict=True)):
        if line is None or not _is_label(line["label"]):
            continue
        value = MARKUP.sub("", line["value"]).strip()
        beside = any(found[max(0, number - 1) : number] + found[number + 1 : number + 2])
        figure = bool(_FIGURE.match(value))
        short = len(value.split()) <= _FEW and len(value) <= 40
        if not _GOES_ON.search(value) and (figure or (short and (line["bold"] or line["list"] or beside))):
            yield Draft(_asking(line["label"].strip(), figure), span, "value", value)


def _is_label(label: str) -> bool:
    """Whether words before a colon name something, and neither announce nor state it."""
    words = label.lower().split()
    return (
        " ".join(words) not in _NO_LABEL and not _STATING.intersection(words) and words[0] not in ("a", "an")
    )


def _asking(label: str, figure: bool) -> str:
    if is_chinese(label):
        return f"{label}是{'多少' if figure else '什么'}？"
    label = lowered(label.removeprefix("The "))
    last = label.split()[-1]
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return f"What {'are' if plural else 'is'} the {label}?"
