"""A question that a model writes about one passage: what it is shown, and what of its reply is usable.

The passage comes from a file and may hold anything, so it stands in the same frame as evidence does, and
the reply is used only if it is one short question that does not repeat the passage.
"""

from __future__ import annotations

import re

from pincite.answer.frame import render_block, tag_for
from pincite.answer.prompt import DATA
from pincite.chunk.sentences import paragraph_spans
from pincite.evaluate.draft.patterns import MAX_CHARS, PROSE
from pincite.evaluate.labels.leaks import words_of
from pincite.scripts import PAIRED
from pincite.types import Document, Evidence, Span

_SHORTEST, _LONGEST = 60, 1_200  # characters of a passage; a third of that suffices where one is a word
_QUESTION = 300  # characters of a question
_COPIED = 8  # words in a row that a question may not share with its passage
_COPIED_CHARACTERS = 14  # the same where each character counts as a word
_FEWEST = 3
_PAIRED = re.compile(f"[{PAIRED}]")
_LABEL = re.compile(
    r"^(?:\d{1,2}[.)]\s+|[-*•]\s+)?(?:\*\*)?(?:(?:question|q|问题|问)\s{0,2}[:：]\s*)?(?:\*\*)?", re.I
)

_RULES = """\
You write test questions for a search over documents.
{data}
- Write one question that this passage answers and that a person could ask who has never seen it.
- Name what the question is about; never speak of "the passage", "the text" or "the document".
- Use your own words; do not copy phrases of the passage.
- Write in the language of the passage, one line, at most 30 words, ending with a question mark.
- Reply with the question alone."""


def passages_of(document: Document) -> list[Span]:
    """The paragraphs of prose a question may be asked about, in order."""
    if document.type not in PROSE:
        return []
    text, end = document.text, min(len(document.text), MAX_CHARS)
    return [span for span in paragraph_spans(text, 0, end) if _tells(text[span.start : span.end])]


def _tells(text: str) -> bool:
    least = _SHORTEST // 3 if _PAIRED.search(text) else _SHORTEST
    letters = sum(map(str.isalpha, text))
    return (
        least <= len(text) <= _LONGEST
        and 2 * letters >= len(text)
        and not text.lstrip().startswith(("```", "#"))
    )


def request(document: Document, span: Span) -> list[dict[str, str]]:
    """The messages that ask for a question about a passage."""
    section = next(
        (n for n in reversed(range(len(document.sections))) if document.sections[n].span.holds(span)), -1
    )
    passage = Evidence(
        marker=1,
        doc_id=document.id,
        uri=document.uri,
        span=span,
        text=document.text[span.start : span.end],
        place=document.origins.place(span),
        context=" › ".join(document.heading_path(section)) or document.title,
    )
    tag = tag_for(render_block(passage))
    content = f"{render_block(passage, tag)}\n\nWrite the question."
    return [
        {"role": "system", "content": _RULES.format(data=DATA.format(tag=tag))},
        {"role": "user", "content": content},
    ]


def question_in(reply: str) -> tuple[str, str]:
    """(question, "") or ("", why the reply is not one question)."""
    lines = [line.strip() for line in reply.strip()[: 4 * _QUESTION].splitlines() if line.strip()]
    if len(lines) != 1 or len(reply) > 4 * _QUESTION:
        return "", "not one line" if lines else "empty"
    text = _LABEL.sub("", lines[0], count=1).strip().strip("\"'“”‘’*「」 ")
    if len(text) > _QUESTION:
        return "", "too long"
    if len(re.findall("[?？؟]", text)) != 1 or text[-1] not in "?？؟":
        return "", "not one question"
    if len(words_of(text)) < _FEWEST:
        return "", "too short"
    return text, ""


def copies(question: str, passage: str) -> str:
    """Why a question says too much in the passage's own words; "" if it does not."""
    words, there = words_of(question), " ".join(words_of(passage))
    most = min(len(words), _COPIED_CHARACTERS if _PAIRED.search(question) else _COPIED)
    runs = (" ".join(words[at : at + most]) for at in range(len(words) - most + 1))
    return "copies the passage" if any(f" {run} " in f" {there} " for run in runs) else ""
