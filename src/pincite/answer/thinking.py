"""What of a model's reply is its answer: what follows its thinking, in whatever form that is written.

The forms are those of `lexicon/thinking.tsv`. Servers whose template opens the thinking send only its end.
"""

from __future__ import annotations

import re
from functools import cache

from pincite.errors import ModelError
from pincite.tables import rows_of

_NOTHING = "-"
_WRAPPERS = (
    "begin_of_solution",
    "end_of_solution",
    "START_RESPONSE",
    "END_RESPONSE",
    "START_TEXT",
    "END_TEXT",
)
_ENDS = re.compile(
    r"\A(?:\s|<\|message\|>|<\|constrain\|>\w*|</?answer>|<\|(?:" + "|".join(_WRAPPERS) + r")\|>)+"
    r"|(?:\s|</s>|<eos>|<end_of_turn>|</?answer>|<\|[\w ]{1,40}\|>|<｜[^<>｜]{1,40}｜>)+\Z",
    re.I,
)


def answer_of(reply: str) -> str:
    """The reply without its thinking, and without control tokens at its ends.

    Raises `ModelError` when the reply ends within its thinking, or holds nothing besides.
    """
    parts: list[str] = []
    at, thinking = 0, False
    for tag in _tags().finditer(reply):
        if tag.lastgroup == "close":
            parts = parts if thinking else []
            at, thinking = tag.end(), False
        elif not thinking:
            parts.append(reply[at : tag.start()])
            thinking = True
    if thinking:
        raise ModelError("the model's reply ends within its thinking", stage="answer", hint=_HINT)
    text = _ENDS.sub("", "".join([*parts, reply[at:]]))
    if not text and reply.strip():
        raise ModelError("the model's reply holds its thinking and no answer", stage="answer", hint=_HINT)
    return text


_HINT = "raise the limit of the model's reply, or switch its thinking off"


@cache
def _tags() -> re.Pattern[str]:
    """Every opening and closing tag of the table; one between backticks is spoken of, and is none."""
    rows = rows_of("lexicon/thinking.tsv")
    opening = "|".join(dict.fromkeys(_tag(row[0]) for row in rows if row[0] != _NOTHING))
    closing = "|".join(dict.fromkeys(_tag(row[1]) for row in rows))
    return re.compile(rf"(?<!`)(?:(?P<close>{closing})|(?P<open>{opening}))(?!`)", re.I)


def _tag(written: str) -> str:
    """The pattern of one tag: blanks in it are free, and a tag as of XML may have attributes."""
    named = re.fullmatch(r"<(/?)([\w:]+)>", written)
    if named:
        return rf"<\s{{0,4}}{named[1]}\s{{0,4}}{re.escape(named[2])}(?:\s[^<>]{{0,200}})?>"
    return r"\s{1,4}".join(re.escape(word) for word in written.split(" "))
