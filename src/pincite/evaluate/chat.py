"""The chat model that drafts questions or judges claims, where the settings name one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pincite.answer.inputs import has_generator
from pincite.errors import UsageError
from pincite.index.opened import OpenLibrary
from pincite.models.llm import chat_generator


class Chat(Protocol):
    """A model that replies to messages of `role` and `content`. Raises `ModelError`."""

    @property
    def name(self) -> str: ...

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str: ...


def configured_chat(library: OpenLibrary) -> Chat | None:
    """The chat model of the settings; None when they name none."""
    return chat_generator(library.config.llm) if has_generator(library) else None


def judging_model(library: OpenLibrary) -> Chat:
    """The chat model of the settings. Raises `UsageError` when they name none."""
    if (chat := configured_chat(library)) is None:
        hint = "set PINCITE_LLM_BASE_URL and PINCITE_LLM_MODEL, or leave the judge out: it is never needed"
        raise UsageError("no chat model is set that could judge", stage="evaluate", hint=hint)
    return chat
