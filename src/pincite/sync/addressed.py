"""Text of a document that speaks to an assistant instead of its readers, told as information.

It is no defence: what keeps a document's text from being an instruction is how it is put into a prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from itertools import islice

from pincite.control import tokens_in
from pincite.hidden import Folded, folded, plain, written_unseen
from pincite.types import Document, Span

_NAMED = 3  # places that are named in one line
_MOST = 100  # places that are counted
_SHOWN = 60  # characters of each

_WORDS = r"(?:[\w’'-]{1,30}\s{1,3}){0,4}?"
_ORDERS = r"(?:instructions?|rules?|prompts?|guidelines?|directives?)"
_BEFORE = r"(?:previous|prior|earlier|preceding|foregoing|above|system|your)"
_TO_IGNORE = (
    rf"\s{{1,3}}{_WORDS}(?:{_BEFORE}\s{{1,3}}(?:[\w-]{{1,30}}\s{{1,3}}){{0,2}}?{_ORDERS}"
    rf"|{_ORDERS}\s{{1,3}}(?:above|before|so far|you (?:have|were)))\b"
)
_COMMAND = (
    r"(?: model| assistant| agent)?s?\s?[:,]\s{0,4}(?:please\s{1,3})?"
    r"(?:tell|say|answer|reply|respond|ignore|disregard|forget|do not|don['’]t|never|always|you (?:must|are"
    r"|should|will)|output|print|write|recommend|rate|send|reveal|include|summari[sz]e|follow|stop)\b"
)
_FORMER = r"(?:vorherig|bisherig|vorangegangen|obig|précédent|antérieur|anterior|preceden)\w{0,3}"
_ORDERED = r"(?:anweisung|instruktion|instruction|instruccion|istruzion|instruç)\w{0,4}"
_TO_IGNORE_ABROAD = (
    rf"\w{{1,6}}\s{{1,3}}{_WORDS}(?:{_FORMER}\s{{1,3}}{_WORDS}{_ORDERED}|{_ORDERED}\s{{1,3}}{_FORMER})"
)
_NAMES = ("assistant", "ai", "chatbot", "llm", "language model", "chatgpt", "claude", "gemini", "copilot")
# Each begins with its own letters, in lower case: the expression engine looks for those first.
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        *(verb + _TO_IGNORE for verb in ("ignore", "disregard", "forget", "override", "bypass")),
        *(name + _COMMAND for name in _NAMES),
        rf"ignor{_TO_IGNORE_ABROAD}",
        r"忽略[^。\n]{0,12}(?:指令|指示|提示词)",
        r"if you are an? (?:ai|llm|(?:large )?language model|(?:ai )?assistant)\b",
        r"you are now (?:unrestricted|jailbroken|in (?:developer|debug|admin) mode)\b",
        r"do not (?:tell|inform) the user\b",
        r"without telling the user\b",
    )
)


def addressed(document: Document) -> str:
    """One line on the text in it that speaks to an assistant: places and first words; "" if there is none.

    Hidden text, as in comments, counts too. Wordings are those in use, in six languages; others go unseen.
    """
    found = list(islice(_found(document.text), _MOST))
    told = [
        f"{document.origins.place(span).location(document.uri)} “{words}”" for span, words in found[:_NAMED]
    ]
    return "; ".join(told) + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")


def _found(text: str) -> Iterator[tuple[Span, str]]:
    """Where text speaks to an assistant, in order, with its first words; of two that overlap the first.

    Words are looked for as a model reads them, without characters that nobody sees between their letters;
    words written in nothing but such characters count whatever they say.
    """
    shown = folded(text)
    seen = ((span, _words(text[span.start :])) for span in _spans(shown))
    unseen = ((span, f"hidden: {_words(said)}") for span, said in written_unseen(text) if said.strip())
    last = -1
    for span, words in merge(seen, sorted(unseen, key=_start), key=_start):
        if span.start >= last:
            yield span, words
            last = span.end


def _start(found: tuple[Span, str]) -> int:
    return found[0].start


def _spans(shown: Folded) -> Iterator[Span]:
    """Where a wording or a control token is; a wording only where a word begins."""
    text = shown.text
    wordings = merge(*(map(re.Match.span, one.finditer(text)) for one in _PATTERNS))
    begun = (
        (start, end)
        for start, end in wordings
        if not (start and text[start].isascii() and text[start].isalnum() and text[start - 1].isalnum())
    )
    return merge((shown.span(*one) for one in begun), tokens_in(shown), key=lambda span: span.start)


def _words(text: str) -> str:
    """The first words of a text, as they are read."""
    shown = " ".join(plain(text[: 4 * _SHOWN].split("\n")[0]).split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
