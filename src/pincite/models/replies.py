"""The text in a chat reply, in the forms in which servers send it, or why there is none."""

from __future__ import annotations

import json
from typing import Any

_KEPT = 4000  # characters of a reply that holds no answer: enough to find a key in, and take it out
_TEXTS = frozenset({"text", "output_text"})
_CUT = frozenset({"length", "max_tokens", "max_output_tokens"})
_FILTERED = frozenset({"content_filter", "safety", "prohibited_content", "recitation"})
_CALLS = frozenset({"tool_calls", "function_call", "tool_use"})


class NoAnswerError(Exception):
    """A reply without an answer: what came in its place, and what mends it."""

    def __init__(self, text: str, *, code: str, hint: str = "", retryable: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.code = code
        self.hint = hint
        self.retryable = retryable


def text_in(reply: Any) -> str:
    """The text of the first choice: a string, or the parts of it that are text, without what was thought.

    Raises `NoAnswerError` when there is none, when it was cut off or filtered, or the model refused.
    """
    choice = _first(reply)
    message, reason = choice["message"], str(choice.get("finish_reason") or "").lower()
    text, refusal = _content(message.get("content")), _refusal(message)
    _check_end(reason, thought=not text.strip() and _thought(message))
    if refusal:
        raise NoAnswerError(f"the model refused to answer: {refusal[:_KEPT]}", code="filter")
    if text.strip():
        return text
    if reason in _CALLS or message.get("tool_calls") or message.get("function_call"):
        hint = "use a model that answers in text: Pincite offers no tools"
        raise NoAnswerError("it called a tool in place of an answer", code="no-answer", hint=hint)
    if _thought(message):
        hint = "try again, or have the model think less"
        raise NoAnswerError(
            "it sent its thinking, but no answer", code="no-answer", hint=hint, retryable=True
        )
    if message.get("content") is None:
        raise _unknown(reply)
    raise NoAnswerError("it sent an empty answer", code="no-answer", hint="try again", retryable=True)


def _first(reply: Any) -> dict[str, Any]:
    choices = reply.get("choices") if isinstance(reply, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise _unknown(reply)
    return choice


def _unknown(reply: Any) -> NoAnswerError:
    said = json.dumps(reply, ensure_ascii=False)[:_KEPT]
    return NoAnswerError(f"it sent no answer but {said}", code="reply")


def _content(content: Any) -> str:
    """The text of a string or of a list of parts; thinking, images and what is unknown are left out."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(_part(part) for part in parts)


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    is_text = isinstance(part, dict) and part.get("type", "text") in _TEXTS
    text = part.get("text") if is_text else ""
    return text if isinstance(text, str) else ""


def _refusal(message: dict[str, Any]) -> str:
    """What the model says when it refuses, in a field of its own or as a part."""
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    said = [message.get("refusal"), *(part.get("refusal") for part in parts)]
    return " ".join(one for one in said if isinstance(one, str) and one.strip())


def _thought(message: dict[str, Any]) -> bool:
    """Whether the reply holds the model's thinking."""
    content = message.get("content")
    kinds = (
        [part.get("type") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    )
    fields = (message.get("reasoning_content"), message.get("reasoning"), message.get("thinking"))
    return any(fields) or any(kind in ("thinking", "reasoning") for kind in kinds)


def _check_end(reason: str, *, thought: bool) -> None:
    """Raises `NoAnswerError` for an answer that did not come to its end."""
    if reason in _CUT:
        spent = ", spent on its thinking" if thought else ""
        hint = "raise llm.max_tokens or the server's own limit, or lower context.budget"
        text = f"it stopped at its length limit before its answer ended{spent}"
        raise NoAnswerError(text, code="length", hint=hint)
    if reason in _FILTERED:
        hint = "ask otherwise, or use a model without such a filter"
        raise NoAnswerError("its content filter stopped the answer", code="filter", hint=hint)
