"""What a failed attempt means: a code that decides what follows, and words for people.

denied      401, 403: the key, or name and password        quota       nothing left to pay with
busy        429, 503: later                                 too-large   this many texts, or this long a text
context     more tokens than the model reads                filter      the server will not answer this
option      a parameter the model does not take             no-model    no model of this name
path        404, 405: another address                       redirect    it sends on elsewhere
page        a web page, no API                              blocked     a web page that forbids (a firewall)
tls dns refused proxy broken timeout                        no whole reply came
reply       not what was asked for                          failed      anything else
"""

from __future__ import annotations

import json
import math
import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from pincite.models.address import masked
from pincite.models.transport import Reply

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_SHOWN = 300  # characters of what a server says

_QUOTA_CODES = frozenset(
    {"insufficient_quota", "insufficient_balance", "billing_hard_limit_reached", "billing_not_active",
     "exceeded_current_quota_error", "insufficient_credits", "credits_exhausted"}
)  # fmt: skip
_QUOTA = re.compile(r"insufficient[ _-](?:quota|balance|credit|fund)|out of credits", re.I)
_CONTEXT_CODES = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "context_window_exceeded"}
)
_CONTEXT = re.compile(
    r"context[ _-]?(?:length|window|size)|prompt (?:is )?too long|too many (?:input )?tokens"
    r"|maximum (?:number of )?(?:input )?tokens|input (?:length|tokens?)\b.*exceed",
    re.I,
)
_SIZE_CODES = frozenset({"array_above_max_length", "max_tokens_per_request", "request_too_large"})
_SIZE = re.compile(
    r"\bbatch\b|too (?:large|long|big|many)|at most|maximum|max_|\bexceed|longer than|limit of"
    r"|array.{0,40}length",
    re.I,
)
_NO_MODEL = re.compile(
    r"model\b.{0,120}?(?:not found|not exist|unknown|no such|not available|not loaded)"
    r"|(?:no such|unknown|invalid|unsupported) model|try pulling",
    re.I | re.S,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not support|not permitted|not allowed|unrecogni[sz]ed|unknown|unexpected|extra|deprecated"
    r"|not (?:a )?valid (?:param|arg|field)",
    re.I,
)
_OPTION = re.compile(r"(?<!\w)(?:temperature|max_tokens|max_completion_tokens|encoding_format)(?!\w)")
_PAGE = re.compile(rb"\s*(?:<!doctype html|<html|<head|<body)", re.I)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.I | re.S)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt gave nothing: `text` is for people, `wait` the seconds the server asks for."""

    text: str
    code: str
    retryable: bool = False
    wait: float | None = None
    said: str = ""
    """What the server said of it, as it said it."""


class FailedError(Exception):
    """An attempt that failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.text)
        self.failure = failure


def is_page(data: bytes) -> bool:
    """Whether a body is a web page."""
    return _PAGE.match(data) is not None


def of_reply(reply: Reply, hide: Callable[[str], str]) -> Failure:
    """What a reply with a status of failure means; `hide` takes keys out of what is shown of it."""
    body, page = reply.data.decode("utf-8", "replace"), is_page(reply.data)
    code = _code_of(reply.status, body, page=page)
    # Hidden once it is read: JSON can write a key in many ways.
    said = hide(_page_title(body) if page else message_in(body))[:_SHOWN]
    text = f"HTTP {reply.status} {reply.reason}".rstrip() + (f": {said}" if said else "")
    if 300 <= reply.status < 400:
        location = masked(str(reply.headers.get("Location", "nowhere")))
        text += f", sent on to {hide(location)[:_SHOWN]}"
    again = reply.status in RETRYABLE and code != "quota"
    return Failure(text, code, again, retry_after(reply.headers), hide(body))


def of_error(error: object, quoted: str) -> Failure:
    """What an error object in a reply of status 200 means; `quoted` is its JSON as it may be shown."""
    status = _status_in(error)
    code = _code_of(status, quoted, page=False)
    return Failure(f"it sent no answer but {quoted[:_SHOWN]}", code, status in RETRYABLE, said=quoted)


def _status_in(error: object) -> int:
    """The HTTP status that an error object names; 400 if it names none."""
    named = error.get("code") or error.get("status") if isinstance(error, dict) else None
    if isinstance(named, str) and named in ("rate_limit_exceeded", "overloaded_error", "server_error"):
        return 429
    try:
        number = int(str(named))
    except ValueError:
        return 400
    return number if 400 <= number < 600 else 400


def _code_of(status: int, said: str, *, page: bool) -> str:
    if 300 <= status < 400:
        return "redirect"
    if status in (401, 403):
        return "blocked" if page and status == 403 else "denied"
    named = _codes_in(said)
    if status == 402 or named & _QUOTA_CODES or _QUOTA.search(said):
        return "quota"
    if status == 407:
        return "proxy"
    if status in (404, 405):
        return "no-model" if _NO_MODEL.search(said) or "model_not_found" in named else "path"
    if status in (400, 413, 422):
        return _code_of_refusal(status, said, named)
    return "busy" if status in (429, 503, 529) else "failed"


def _code_of_refusal(status: int, said: str, named: frozenset[str]) -> str:
    """Why a request was refused for what it holds."""
    if named & _CONTEXT_CODES or _CONTEXT.search(said):
        return "context"
    if "content_filter" in named or "content_policy_violation" in named:
        return "filter"
    if "unsupported_parameter" in named or (_OPTION.search(said) and _UNSUPPORTED.search(said)):
        return "option"
    if status == 413 or named & _SIZE_CODES or _SIZE.search(said):
        return "too-large"
    if _NO_MODEL.search(said) or "model_not_found" in named:
        return "no-model"
    return "failed"


def refuses(failure: Failure, option: str) -> bool:
    """Whether the server says that it does not take the parameter of this name."""
    if failure.code in ("denied", "quota", "busy", "path", "page"):
        return False
    named = re.search(rf"(?<![\w]){re.escape(option)}(?![\w])", failure.said) is not None
    return named and _UNSUPPORTED.search(failure.said) is not None


def message_in(said: str) -> str:
    """The message in a body of JSON, else the body, on one line."""
    value: Any = _json(said)
    if value == {}:
        return ""
    for name in ("error", "message", "detail"):
        if isinstance(value, dict) and isinstance(value.get(name), str | dict):
            value = value[name]
    return " ".join((value if isinstance(value, str) else said).split())


def _codes_in(said: str) -> frozenset[str]:
    value = _json(said)
    inner = value.get("error", value) if isinstance(value, dict) else None
    fields = inner if isinstance(inner, dict) else {}
    return frozenset(str(fields.get(name, "")).lower() for name in ("code", "type", "status"))


def _json(said: str) -> Any:
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return None


def _page_title(quoted: str) -> str:
    found = _TITLE.search(quoted)
    return f"a web page, {' '.join(found[1].split())!r}" if found else "a web page"


def of_exception(error: Exception, quoted: str, *, timeout: float, proxy: str = "") -> Failure:
    """What an exception of `exchange` means; `proxy` is the one it went through, as it may be shown."""
    if isinstance(error, TimeoutError):
        return Failure(f"no whole reply within {timeout:g} s", "timeout", True)
    if isinstance(error, ssl.SSLError):
        lost = isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError)
        return Failure(quoted, "broken", True) if lost else Failure(quoted, "tls")
    if proxy:
        return Failure(f"through the proxy {proxy}: {quoted}", "proxy", not _is_refusal(quoted))
    if isinstance(error, socket.gaierror):
        return Failure(f"its name is not known: {quoted}", "dns", error.errno == socket.EAI_AGAIN)
    if isinstance(error, ConnectionRefusedError):
        return Failure(quoted, "refused", True)
    retryable = not isinstance(error, ValueError)  # a key or address that no request can carry
    return Failure(quoted, "broken" if retryable else "failed", retryable)


def _is_refusal(said: str) -> bool:
    """Whether a proxy let nothing through, by what is said of the tunnel."""
    return re.search(r"Tunnel connection failed: 4\d\d", said) is not None


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
        aware = when if when.tzinfo else when.replace(tzinfo=UTC)
        return (aware - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return math.nan
