"""JSON over HTTP to an OpenAI-compatible server: retries, limits, and errors without the key."""

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
from typing import IO

from pincite.errors import ModelError, UsageError
from pincite.models.deadline import Deadline

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
MAX_WAIT = 60.0
"""The longest `Retry-After` that is waited for, in seconds; a longer one ends the call."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base address with what a call needs; `model`, `stage`, `setting`, `hint` are for errors.

    `retries` counts attempts after the first; waits are .5, 1, 2 … s unless the server names its own.
    `timeout` is for the whole call in seconds, with all its attempts and waits, however the reply drips in.
    Proxies come from the environment, `NO_PROXY` is honoured, redirects are not followed.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    stage: str = "embed"
    setting: str = "model"
    hint: str = ""
    timeout: float = 300.0
    retries: int = 4
    max_reply: int = 256_000_000  # bytes
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise UsageError(f"{self.setting}.base_url: expected http:// or https://, got {self.base_url!r}")
        if not self.api_key.isascii() or not self.api_key.isprintable() or " " in self.api_key:
            raise UsageError(f"{self.setting}: the API key holds a space, a line end or a letter no key has")

    def post(self, path: str, body: object) -> object:
        """The JSON reply to `body` at `base_url/path`.

        Raises `ModelError` when all attempts failed, or `timeout` seconds are over with no whole reply.
        """
        until = time.monotonic() + self.timeout
        for attempt in range(self.retries + 1):
            try:
                return self._attempt(path, body, until)
            except _FailedError as failed:
                wait = failed.wait if failed.wait is not None else 0.5 * 2**attempt
                last = attempt == self.retries or time.monotonic() + wait >= until
                if not failed.retryable or last or wait > MAX_WAIT:
                    raise self.error(failed.text, attempt + 1, failed.retryable, failed.hint) from None
                self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def error(self, text: str, attempts: int = 1, retryable: bool = False, hint: str = "") -> ModelError:
        """A `ModelError` that names model and address, the key taken out of what the server sent."""
        shown = text.replace(self.api_key, "***") if self.api_key else text
        tries = f" after {attempts} attempts" if attempts > 1 else ""
        return ModelError(
            f"{self.model} at {re.sub('//[^/@]*@', '//', self.base_url)} failed{tries}: {shown}",
            stage=self.stage,
            hint=hint or self.hint,
            retryable=retryable,
        )

    def _attempt(self, path: str, body: object, until: float) -> object:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        url = f"{self.base_url.rstrip('/')}/{path}"
        with Deadline(until) as deadline:
            try:
                request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
                # Made for each call: proxies are those the environment names now.
                opener = urllib.request.build_opener(_NoRedirect, *deadline.handlers())
                with opener.open(request, timeout=deadline.left()) as response:
                    data: bytes = response.read(self.max_reply + 1)
            except Exception as error:
                raise self._failed(error, over=deadline.over) from None
        if deadline.over:  # what came is the part that came before
            raise self._failed(TimeoutError(), over=True)
        return self._json(data)

    def _failed(self, error: Exception, *, over: bool) -> _FailedError:
        if over or isinstance(error, TimeoutError):
            return _FailedError(f"no whole reply within {self.timeout:g} s", True)
        if isinstance(error, urllib.error.HTTPError):
            with error:
                return _failed_status(error)
        if isinstance(error, (OSError, HTTPException)):  # refused, reset, timed out, broken off
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                return self._failed(reason, over=True)
            return _FailedError(str(reason) or type(error).__name__, True)
        if isinstance(error, ValueError):  # a key or address that no request can carry
            return _FailedError(str(error), False)
        raise error

    def _json(self, data: bytes) -> object:
        if len(data) > self.max_reply:
            raise _FailedError(f"its reply is longer than {self.max_reply // 1_000_000} MB", False)
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            start = data[:80].decode("utf-8", "replace")
            raise _FailedError(f"its reply is not JSON but begins {start!r}", False) from None


class _FailedError(Exception):
    """One attempt's failure: what to say, whether another may help, and how long the server asks to wait."""

    def __init__(self, text: str, retryable: bool, wait: float | None = None, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.retryable = retryable
        self.wait = wait
        self.hint = hint


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key and the texts go to the configured address only."""

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


def _failed_status(error: urllib.error.HTTPError) -> _FailedError:
    said = " ".join(error.read(2000).decode("utf-8", "replace").split())
    text = f"HTTP {error.code} {error.reason}" + (f": {said[:300]}" if said else "")
    hint = "check OPENAI_API_KEY" if error.code in (401, 403) else ""
    return _FailedError(text, error.code in RETRYABLE, retry_after(error.headers), hint)


def retry_after(headers: Message) -> float | None:
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
