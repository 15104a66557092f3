"""One exchange over HTTP with the standard library: bytes there, bytes back, within a time and a size."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPMessage, HTTPResponse, IncompleteRead
from typing import IO
from urllib.parse import urlsplit

from pincite.models.deadline import Deadline

_MOST_OF_A_REFUSAL = 65_536  # bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whatever its status; `data` is whole, or one byte longer than was to be read."""

    status: int
    reason: str
    headers: Message
    data: bytes


def exchange(url: str, headers: Mapping[str, str], data: bytes, *, until: float, most: int) -> Reply:
    """The reply to a POST; it ends at `until` (monotonic seconds), however slowly it comes.

    Proxies come from the environment, `NO_PROXY` is honoured; redirects are not followed, so that key and
    texts go to one address only. Raises `TimeoutError` when the time is over, and what the standard library
    raises when there is no whole reply: `OSError`, `HTTPException`, `ValueError` for what cannot be sent.
    """
    with Deadline(until) as deadline:
        try:
            reply = _sent(urllib.request.Request(url, data, dict(headers), method="POST"), deadline, most)
        except Exception:
            if deadline.over:  # the connection was shut under it
                raise TimeoutError from None
            raise
    if deadline.over:  # what came is the part that came before
        raise TimeoutError
    return reply


def _sent(request: urllib.request.Request, deadline: Deadline, most: int) -> Reply:
    # Made for each call: proxies are those the environment names now.
    opener = urllib.request.build_opener(_NoRedirect, *deadline.handlers())
    try:
        with opener.open(request, timeout=deadline.left()) as response:
            return Reply(response.status, response.reason, response.headers, _read(response, most))
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, str(error.reason), error.headers, error.read(_MOST_OF_A_REFUSAL))


def _read(response: HTTPResponse, most: int) -> bytes:
    data = response.read(most + 1)
    if response.length and len(data) <= most:  # fewer bytes than were announced
        raise IncompleteRead(data, response.length)
    return data


def proxy_of(url: str) -> str:
    """The proxy that the environment names for an address; "" for none."""
    parts = urlsplit(url)
    proxy = urllib.request.getproxies().get(parts.scheme, "")
    return "" if not proxy or urllib.request.proxy_bypass(parts.netloc) else proxy


class _NoRedirect(urllib.request.HTTPRedirectHandler):
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
