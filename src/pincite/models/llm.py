"""Answers from any OpenAI-compatible `/chat/completions` endpoint, with the standard library alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.answer.prompt import build_messages
from pincite.answer.thinking import answer_of
from pincite.config import LLMConfig
from pincite.errors import ModelError, UsageError
from pincite.models.endpoint import Endpoint
from pincite.types import Context

MAX_REPLY = 8_000_000
"""The largest reply that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class ChatGenerator:
    """A `Generator` that asks a chat endpoint, at temperature 0, and tries again when it is told to.

    `base_url` is what `/chat/completions` is appended to. `retries` counts attempts after the first.
    `whole` tells the model that the evidence is the whole library. `sleep` is called with seconds.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = 120.0
    retries: int = 3
    whole: bool = False
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _endpoint: Endpoint = field(init=False, repr=False)

    def __post_init__(self) -> None:
        endpoint = Endpoint(
            self.base_url,
            self.model,
            self.api_key,
            stage="answer",
            setting="llm",
            hint="check PINCITE_LLM_BASE_URL and PINCITE_LLM_MODEL, or ask without a model",
            timeout=self.timeout,
            retries=self.retries,
            max_reply=MAX_REPLY,
            sleep=self.sleep,
        )
        object.__setattr__(self, "_endpoint", endpoint)
        if not self.model:
            raise UsageError("llm.model: no model is named", hint="set PINCITE_LLM_MODEL")

    @property
    def name(self) -> str:
        return self.model

    def generate(self, question: str, context: Context) -> str:
        """The model's answer, without its thinking. Raises `ModelError`, never with the key in it."""
        return self.chat(build_messages(question, context, whole=self.whole))

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The reply to messages of `role` and `content`, without thinking. Raises as `generate` does."""
        body = {"model": self.model, "messages": list(messages), "temperature": 0}
        reply = self._endpoint.post("chat/completions", body)
        return answer_of(_content(reply, self.model))


def chat_generator(config: LLMConfig, *, whole: bool = False) -> ChatGenerator:
    """The generator that the settings name."""
    return ChatGenerator(config.base_url, config.model, config.api_key, config.timeout, whole=whole)


def _content(reply: Any, model: str) -> str:
    """The text of the first choice. Raises `ModelError` when there is none or it was cut off."""
    try:
        choice = reply["choices"][0]
        content = choice["message"]["content"]
        text = content if isinstance(content, str) else "".join(part["text"] for part in content)
    except (KeyError, IndexError, TypeError):
        said = json.dumps(reply, ensure_ascii=False)[:200]
        raise ModelError(f"{model} sent no answer but {said}", stage="answer") from None
    if choice.get("finish_reason") == "length":
        hint = "raise the model's limit or lower context.budget"
        raise ModelError(
            f"{model} stopped at its length limit before its answer ended", stage="answer", hint=hint
        )
    if not text.strip():
        raise ModelError(f"{model} sent an empty answer", stage="answer", retryable=True)
    return text
