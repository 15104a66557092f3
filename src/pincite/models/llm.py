"""Answers from any OpenAI-compatible `/chat/completions` endpoint, with the standard library alone."""

from __future__ import annotations

import json
import math
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage
from typing import IO, Any

from pincite.answer.prompt import build_messages
from pincite.config import LLMConfig
from pincite.errors import ModelError, UsageError
from pincite.types import Context

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
MAX_WAIT = 60.0
"""The longest `Retry-After` that is waited for, in seconds; a longer one ends the call."""
MAX_REPLY = 8_000_000
"""The largest reply that is read, in bytes."""

_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.S)


@dataclass(frozen=True, slots=True)
class ChatGenerator:
    """A `Generator` that asks a chat endpoint, at temperature 0, and tries again when it is told to.

    `base_url` is what `/chat/completions` is appended to. `retries` counts attempts after the first;
    waits are .5, 1, 2 … s unless the server names its own. `whole` tells the model that the evidence is
    the whole library. `sleep` is called with seconds.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = 120.0
    retries: int = 3
    whole: bool = False
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise UsageError(f"llm.base_url: expected http:// or https://, got {self.base_url!r}")
        if not self.model:
            raise UsageError("llm.model: no model is named", hint="set PINCITE_LLM_MODEL")
        if not self.api_key.isascii() or not self.api_key.isprintable() or " " in self.api_key:
            raise UsageError("llm.api_key: the key holds a space, a line end or a letter no key has")

    @property
    def name(self) -> str:
        return self.model

    def generate(self, question: str, context: Context) -> str:
        """The model's answer, without its thinking. Raises `ModelError`, never with the key in it."""
        messages = build_messages(question, context, whole=self.whole)
        reply = self._post({"model": self.model, "messages": messages, "temperature": 0})
        return _THINKING.sub("", _content(reply, self.model)).strip()

    def _post(self, body: dict[str, object]) -> object:
        """The endpoint's JSON reply, after as many attempts as it takes and `retries` allows."""
        for attempt in range(self.retries + 1):
            try:
                return self._attempt(body)
            except _FailedError as failed:
                wait = failed.wait if failed.wait is not None else 0.5 * 2**attempt
                if not failed.retryable or attempt == self.retries or wait > MAX_WAIT:
                    raise self._error(failed, attempt + 1) from None
                self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _attempt(self, body: dict[str, object]) -> object:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
        try:
            with _OPENER.open(request, timeout=self.timeout) as response:
                data: bytes = response.read(MAX_REPLY + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise _FailedError.of(error) from None
        except (OSError, HTTPException) as error:  # refused, reset, timed out, broken off
            raise _FailedError(str(getattr(error, "reason", error)) or type(error).__name__, True) from None
        except ValueError as error:  # a key or address that no request can carry
            raise _FailedError(str(error), False) from None
        return _json(data)

    def _error(self, failed: _FailedError, attempts: int) -> ModelError:
        """The failure as `ModelError`, with the key taken out of whatever the server sent back."""
        text = failed.text.replace(self.api_key, "***") if self.api_key else failed.text
        tries = f" after {attempts} attempts" if attempts > 1 else ""
        return ModelError(
            f"{self.model} at {_without_login(self.base_url)} failed{tries}: {text}",
            stage="answer",
            hint=failed.hint or "check PINCITE_LLM_BASE_URL and PINCITE_LLM_MODEL, or ask without a model",
            retryable=failed.retryable,
        )


def chat_generator(config: LLMConfig, *, whole: bool = False) -> ChatGenerator:
    """The generator that the settings name."""
    return ChatGenerator(config.base_url, config.model, config.api_key, config.timeout, whole=whole)


# ── one attempt ───────────────────────────────────────────────────────────────────────────────
class _FailedError(Exception):
    """One attempt's failure: what to say, whether another may help, and how long the server asks to wait."""

    def __init__(self, text: str, retryable: bool, wait: float | None = None, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.retryable = retryable
        self.wait = wait
        self.hint = hint

    @staticmethod
    def of(error: urllib.error.HTTPError) -> _FailedError:
        """The failure that an HTTP status stands for."""
        said = " ".join(error.read(2000).decode("utf-8", "replace").split())
        text = f"HTTP {error.code} {error.reason}" + (f": {said[:300]}" if said else "")
        hint = "check OPENAI_API_KEY" if error.code in (401, 403) else ""
        return _FailedError(text, error.code in RETRYABLE, _retry_after(error.headers), hint)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key and the evidence go to the configured address only."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _retry_after(headers: Message) -> float | None:
    """Seconds to wait as the server asks, in seconds or as a date; None when it does not."""
    value = headers.get("Retry-After", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        seconds = _seconds_until(value)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _seconds_until(value: str) -> float:
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return math.nan
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return (aware - datetime.now(UTC)).total_seconds()


def _without_login(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)


def _json(data: bytes) -> object:
    if len(data) > MAX_REPLY:
        raise _FailedError(f"its reply is longer than {MAX_REPLY // 1_000_000} MB", False)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        start = data[:80].decode("utf-8", "replace")
        raise _FailedError(f"its reply is not JSON but begins {start!r}", False) from None


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
