"""Answers from any OpenAI-compatible `/chat/completions` endpoint, with the standard library alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.answer.prompt import build_messages
from pincite.answer.thinking import answer_of
from pincite.config import LLMConfig
from pincite.errors import UsageError
from pincite.models.endpoint import Endpoint
from pincite.models.replies import NoAnswerError, text_in
from pincite.types import Context

MAX_REPLY = 8_000_000
"""The largest reply that is read, in bytes."""

_SHOWN = 300  # characters of a reply that holds no answer


@dataclass(frozen=True, slots=True)
class ChatGenerator:
    """A `Generator` that asks a chat endpoint, and tries again when it is told to.

    `base_url` is what `/chat/completions` is appended to. `retries` counts attempts after the first.
    `whole` tells the model that the evidence is the whole library. `sleep` is called with seconds.
    `temperature` and `max_tokens` are sent if they are set, as far as the model takes them.
    """

    base_url: str = field(repr=False)
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = 120.0
    retries: int = 3
    whole: bool = False
    temperature: float | None = None
    max_tokens: int | None = None
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
        options = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        given = {name: value for name, value in options.items() if value is not None}
        reply = self._endpoint.post(
            "chat/completions", {"model": self.model, "messages": list(messages), **given}
        )
        try:
            return answer_of(text_in(reply))
        except NoAnswerError as error:
            none = error
        said = self._endpoint.quoted(none.text)[:_SHOWN]
        raise self._endpoint.error(said, code=none.code, hint=none.hint, retryable=none.retryable)


def chat_generator(config: LLMConfig, *, whole: bool = False) -> ChatGenerator:
    """The generator that the settings name."""
    return ChatGenerator(
        config.base_url,
        config.model,
        config.api_key,
        config.timeout,
        config.tries - 1,
        whole,
        config.temperature,
        config.max_tokens,
    )
