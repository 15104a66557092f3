"""The frame a passage stands in when a model reads it; nothing in a document can end, open or pose as one.

The tags have a boundary in their name that is made anew for each prompt, so no document can hold it.
Besides, what looks like a tag of a frame, a chat control token or a citation marker is written with
look-alikes. Only the rendering changes: quotes are always taken from `Evidence.text`.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Sequence
from functools import cache

from pincite.answer.marker_forms import bracketed
from pincite.control import replaced, without_tokens
from pincite.hidden import written_unseen
from pincite.types import Evidence

_DIGITS = 10
MEASURED = f"evidence-{'0' * _DIGITS}"
"""A tag's name as long as any: with it a passage is measured."""

SEPARATOR = "\n\n"
"""What stands between two passages."""

_FRAME = re.compile(
    r"<(?=\s{0,8}/?\s{0,8}(?:evidence|question|context|document|source|system|search_results?)\b)"
)
_COMMENT = re.compile(r"<!--|-->")
_INSTEAD = {"<!--": "‹hidden comment:", "-->": "›"}


def tag_for(*texts: str) -> str:
    """The name of the tags for a prompt that holds these texts.

    It depends on them and on a key that this process drew: equal prompts are equal, and nobody who writes a
    document knows the name.
    """
    said = "\0".join(texts).encode("utf-8", "surrogatepass")
    return f"evidence-{hmac.new(_key(), said, 'sha256').hexdigest()[:_DIGITS]}"


@cache
def _key() -> bytes:
    return secrets.token_bytes(32)


def neutral(text: str) -> str:
    """`text` with frame tags, control tokens, hidden words and citation markers made harmless."""
    text = replaced(_seen(text), _COMMENT, _INSTEAD.__getitem__)
    text = replaced(without_tokens(text), _FRAME, lambda _: "‹")
    return replaced(text, bracketed(), lambda found: f"⟦{found.strip('[]【】')}⟧")


def _seen(text: str) -> str:
    """The text with a remark instead of words written in characters that nobody sees."""
    parts, at = [], 0
    for span, _ in sorted(written_unseen(text), key=lambda one: one[0].start):
        parts += [text[at : span.start], "‹hidden characters›"]
        at = span.end
    return "".join([*parts, text[at:]])


def _attribute(text: str) -> str:
    """`text` on one line, unable to end an attribute or a tag."""
    line = neutral(" ".join(text.split()))
    return line.replace('"', "'").replace("<", "‹").replace(">", "›")


def render_block(evidence: Evidence, tag: str = MEASURED) -> str:
    """One passage as the model reads it: a numbered frame with location and situating line, then text."""
    about = f' about="{_attribute(evidence.context)}"' if evidence.context.strip() else ""
    old = f' file="{evidence.stale} since it was indexed"' if evidence.stale else ""
    cut = ' cut="the passage goes on in the file"' if evidence.cut else ""
    header = f"{neutral(evidence.header)}\n" if evidence.header else ""
    start = f'<{tag} n="{evidence.marker}" at="{_attribute(evidence.location)}"{about}{old}{cut}>'
    return f"{start}\n{header}{neutral(evidence.text)}\n</{tag}>"


def render_evidence(evidence: Sequence[Evidence], tag: str = MEASURED) -> str:
    """All passages in order, one blank line between two: the string a context budget is measured on."""
    return SEPARATOR.join(render_block(one, tag) for one in evidence)
