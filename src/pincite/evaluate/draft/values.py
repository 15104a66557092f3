"""Questions that lines of a label and its value suggest: `Max depth: 2 m`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.chunk.sentences import line_spans
from pincite.evaluate.draft.drafted import Draft
from pincite.evaluate.draft.words import MARKUP, is_chinese, lowered
from pincite.scripts import HAN

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
