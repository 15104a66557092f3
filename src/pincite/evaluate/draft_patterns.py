"""Questions that a document's own form suggests: definitions, intervals, values, table rows, headings.

English and Chinese, by patterns over single sentences, lines and rows; nothing is understood. A pattern is
better too narrow than too wide: what it misses costs nothing, while a bad question costs a reader's time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pincite.chunk.sentences import line_spans, sentence_spans
from pincite.evaluate.draft_rows import row_drafts
from pincite.types import Document, Span

PROSE = frozenset({"markdown", "rst", "html", "text"})
MOST = 2_000  # drafts of one document
MAX_CHARS = 2_000_000  # of one document that are read
_LONGEST = 400  # characters of a sentence
_BODY = 40  # characters that must stand under a heading


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with the span that answers it; `kind` says which form of text suggested it."""

    text: str
    span: Span
    kind: str
    answer: str = ""


def drafts_of(document: Document) -> list[Draft]:
    """The questions a document suggests, in the order of its text, at most `MOST`; none for code."""
    rows = (Draft(text, span, "row", answer) for text, span, answer in row_drafts(document, MAX_CHARS))
    found = list(islice(rows, MOST))
    if document.type in PROSE:
        found += _of_text(document)
    return sorted(found, key=lambda one: (one.span, one.text))[:MOST]


def _of_text(document: Document) -> Iterator[Draft]:
    text, end = document.text, min(len(document.text), MAX_CHARS)
    without = sorted([*_fences(text, end), *(one.span for one in document.left_out)])
    for span in sentence_spans(text, 0, end):
        if len(span) <= _LONGEST and not _in_one(without, span):
            yield from _of_sentence(text, span)
    yield from (one for one in _values(text, end) if not _in_one(without, one.span))
    yield from _headings(document)


def _in_one(spans: list[Span], span: Span) -> bool:
    """Whether a span begins inside one of `spans`, which are in order and seldom overlap."""
    at = bisect_right(spans, span.start, key=lambda one: one.start)
    return any(one.end > span.start for one in spans[max(0, at - 2) : at])


_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*$", re.M)


def _fences(text: str, end: int) -> list[Span]:
    """The fenced code of a text; a fence that is never closed runs to the end."""
    spans, opened, mark = [], -1, ""
    for found in _FENCE.finditer(text, 0, end):
        if opened < 0:
            opened, mark = found.start(), found[1]
        elif found[1].startswith(mark):
            spans.append(Span(opened, found.end()))
            opened = -1
    return [*spans, Span(opened, end)] if opened >= 0 else spans


# ── sentences ─────────────────────────────────────────────────────────────────────────────────
_LEAD = re.compile(r"^(?:[-*+•·>]\s+|\(?\d{1,3}[.)]\s+)+")
_MARKUP = re.compile(r"\*\*|__|`+")
_LINK = re.compile(r"\[([^][]{1,200})\]\([^()\s]{1,400}\)")

_WORD = r"[\w'’./+-]+"
_SUBJECT = rf"(?P<subject>[A-Z0-9]{_WORD[:-1]}*(?: {_WORD}){{0,6}}?)"
_COUNT = "a few|other|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|\\d+"
_UNIT = "(?:second|minute|hour|day|week|month|quarter|year)s?"
_EVERY = (
    rf"(?P<every>(?:at least )?(?:(?:every|each) (?:(?:{_COUNT}) )?{_UNIT}"
    rf"|(?:once|twice|{_COUNT} times) (?:an?|per|every) (?:(?:{_COUNT}) )?{_UNIT}))\b"
)
_DONE = r"(?P<verb>[a-z-]+(?:ed|en|wn|ung|pt|lt|nt|et|ut|ught|ade|un|ead|eld))"
_DEFINITION = re.compile(
    rf"{_SUBJECT} (?P<verb>is|are) (?P<rest>(?:(?:an?|one of the) (?!few|lot|bit|hit).{{2,40}}?"
    r"\b(?:that|which|who|whose|where|for|used|of|with|to)\b"
    r"|the (?!same|only|most).{2,40}?\b(?:that|which|who|whose|where|used)\b).{3,})"
)
_MUST = re.compile(
    rf"{_SUBJECT} (?P<modal>must|should|shall|has to|have to|needs to|need to) be {_DONE} {_EVERY}"
)
_IS_DONE = re.compile(rf"{_SUBJECT} (?P<modal>is|are) {_DONE} {_EVERY}")
_DO = re.compile(
    rf"(?P<verb>[A-Z][a-z]{{2,14}}) (?P<object>(?:the|your) {_WORD}(?: {_WORD}){{0,5}}?) {_EVERY}"
)
_MEASURE = re.compile(
    r"(?P<subject>The [a-z][\w'’./+-]*(?: [\w'’./+-]+){0,5}?) (?P<verb>is|are) "
    r"(?P<answer>(?:at (?:most|least) |about |up to |between |not more than )?[-+−]?\d.{0,80})"
)
_OPENING = (
    "this that these those it he she we you they there here what which who how where when why if in on "
    "at for as one another each every all both neither some any no my our your his her their its and "
    "but so or while although because since after before once then thus with without not only to by "
    "from"
)
_NO_SUBJECT = frozenset(_OPENING.split())
_ZH_NAME = r"(?P<subject>[\u3400-\u9fffA-Za-z0-9·\-“”「」（）() ]{2,20}?)"
_ZH_DEFINITION = re.compile(
    rf"{_ZH_NAME}(?:是指|指的是|是)(?P<rest>(?:(?<=指)|(?<=指的是)|一[种个类款项条座门套片支部本名位]"
    r"|用[来于]|由.{1,40}(?:组成|构成)).{3,})"
)
_ZH_KIND = re.compile(
    r"(?P<subject>[\u3400-\u9fffA-Za-z0-9·-]{2,10}?)是(?P<rest>(?![由在从按基沿最如]).{2,60}的[\u3400-\u9fff]{2,8})"
)
_ZH_NUMBER = re.compile(
    rf"{_ZH_NAME}(?:是|为)(?P<answer>(?:约|大约|至少|最多|不超过|不低于)?[-+−]?\d.{{0,60}})"
)
_ZH_EVERY = (
    r"(?P<every>每隔?\s?[\d一二两三四五六七八九十半]{0,4}\s?个?(?:分钟|小时|天|日|周|星期|月|季度|年))"
)
_ZH_DONE = re.compile(
    rf"(?P<subject>[\u3400-\u9fffA-Za-z0-9 ]{{2,20}}?)(?:应该?|必须|需要?|须|要)?{_ZH_EVERY}"
    r"(?:应该?|必须|需要?|须|要)?(?P<verb>[\u3400-\u9fff]{1,8})一次"
)
_ZH_DO = re.compile(
    rf"{_ZH_EVERY}(?P<verb>[\u3400-\u9fff]{{1,4}})一次(?P<subject>[\u3400-\u9fffA-Za-z0-9 ]{{2,20}})"
)
_ZH_NO_START = re.compile(
    "[这那它他她我你您此该其本哪谁每各但如若当在从对由为因就也还而并或和与不没有]|什么|所以|如果|虽然"
)
_ZH_VERB = re.compile("的|被|认为|通常|可以|依然|表明|确定|一个|一些|第[一二三四五六七八九十]")
_ZH_NO_END = re.compile(r"[不就也而但还只都总可要若于如凡正既乃却又更最即便算像]$")


def _of_sentence(text: str, span: Span) -> Iterator[Draft]:
    """The first draft that a sentence suggests, if any."""
    words = " ".join(_LINK.sub(r"\1", _MARKUP.sub("", text[span.start : span.end])).split())
    words = _LEAD.sub("", words)
    if words.startswith(("#", "|")) or words.endswith(("?", "？")):
        return
    for question, kind, answer in (*_english(words), *_chinese(words)):
        yield Draft(question, span, kind, answer)
        return


def _english(words: str) -> Iterator[tuple[str, str, str]]:
    """(question, kind, answer) for each English pattern that a sentence meets, surest first."""
    bare = words.rstrip(".!")
    if (found := _MUST.match(bare) or _IS_DONE.match(bare)) and _is_subject(found["subject"]):
        subject, modal = _inside(found["subject"]), found["modal"]
        asked = _OFTEN.get(modal, "How often {modal} {subject} be {verb}?")
        yield asked.format(modal=modal, subject=subject, verb=found["verb"]), "interval", found["every"]
    if (found := _DO.match(bare)) and found["verb"].lower() not in _NO_SUBJECT:
        yield f"How often should one {found['verb'].lower()} {found['object']}?", "interval", found["every"]
    if (found := _MEASURE.fullmatch(bare)) and _is_subject(found["subject"], "the"):
        yield f"What {found['verb']} {_inside(found['subject'])}?", "value", found["answer"]
    if (found := _DEFINITION.fullmatch(bare)) and _is_subject(found["subject"]):
        yield f"What {found['verb']} {_inside(found['subject'])}?", "definition", found["rest"]


_OFTEN = {
    "is": "How often is {subject} {verb}?",
    "are": "How often are {subject} {verb}?",
    "has to": "How often does {subject} have to be {verb}?",
    "have to": "How often do {subject} have to be {verb}?",
    "needs to": "How often does {subject} need to be {verb}?",
    "need to": "How often do {subject} need to be {verb}?",
}


def _is_subject(subject: str, *allowed: str) -> bool:
    first = subject.split()[0].lower()
    return (first not in _NO_SUBJECT or first in allowed) and any(map(str.isalpha, subject))


def _inside(subject: str) -> str:
    """A subject as it stands inside a sentence: its article in lower case."""
    first, _, rest = subject.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "A", "An") else subject


def _chinese(words: str) -> Iterator[tuple[str, str, str]]:
    bare = words.rstrip("。！；")
    if (found := _ZH_DO.match(bare) or _ZH_DONE.match(bare)) and not _ZH_NO_START.match(found["subject"]):
        yield f"{found['subject'].strip()}多久{found['verb']}一次？", "interval", found["every"]
    if (found := _ZH_NUMBER.fullmatch(bare)) and _is_zh(found["subject"]):
        yield f"{found['subject'].strip()}是多少？", "value", found["answer"]
    found = _ZH_DEFINITION.fullmatch(bare) or _ZH_KIND.fullmatch(bare)
    if found and _is_zh(found["subject"]):
        yield f"什么是{found['subject'].strip()}？", "definition", found["rest"]


def _is_zh(subject: str) -> bool:
    said = _ZH_NO_START.match(subject) or _ZH_NO_END.search(subject) or _ZH_VERB.search(subject)
    return is_chinese(subject) and not said


def is_chinese(text: str) -> bool:
    """Whether a text holds a Chinese character."""
    return any("\u3400" <= char <= "\u9fff" for char in text)


# ── lines of a label and its value ────────────────────────────────────────────────────────────
_VALUE = re.compile(
    r"(?P<list>[ \t]*[-*+•·][ \t]+)?(?P<bold>\*\*|__)?"
    r"(?P<label>[A-Z][\w /()%°'’-]{1,39}|[\u3400-\u9fff][\w（）()/ -]{1,15})(?:\*\*|__)?"
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


def _values(text: str, end: int) -> Iterator[Draft]:
    """`Max depth: 2 m`: with a figure first, or short and in bold, an item, or beside such another line."""
    spans = line_spans(text, 0, end)
    found = [_VALUE.fullmatch(text, span.start, span.end) for span in spans]
    for number, (span, line) in enumerate(zip(spans, found, strict=True)):
        if line is None or not _is_label(line["label"]):
            continue
        value = _MARKUP.sub("", line["value"]).strip()
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


def lowered(name: str) -> str:
    """A name with a small first letter, unless its first word is written in capitals or with digits."""
    first = name.split()[0] if name.split() else ""
    keeps = any(char.isupper() or char.isdigit() for char in first[1:]) or (len(first) == 1 and first != "A")
    return name if keeps else name[:1].lower() + name[1:]


# ── headings ──────────────────────────────────────────────────────────────────────────────────
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


def _headings(document: Document) -> Iterator[Draft]:
    most = _WHOLE * len(document.text)
    for section in document.sections:
        title = _NUMBERING.sub("", " ".join(_MARKUP.sub("", section.title).split()))
        body = document.text[section.title_span.end : section.span.end].strip()
        whole = len(document.sections) > 1 and len(section.span) > most
        if section.span.start < MAX_CHARS and len(body) >= _BODY and not whole and _tells(title):
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
