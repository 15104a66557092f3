"""Questions that headings suggest, where a section is a place in its document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.evaluate.draft.drafted import Draft
from pincite.evaluate.draft.words import MARKUP, is_chinese, lowered
from pincite.types import Document

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
