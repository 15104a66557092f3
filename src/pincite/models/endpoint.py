"""JSON over HTTP to an OpenAI-compatible server: tries, waits, and errors that fit and hold no key."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException

from pincite.errors import ModelError, UsageError
from pincite.models.address import Address, masked, taken_apart
from pincite.models.events import is_events, joined
from pincite.models.failures import FailedError, Failure, is_page, of_error, of_exception, of_reply, refuses
from pincite.models.hints import Asked, hint_of
from pincite.models.secrets import Secrets, secrets
from pincite.models.servers import Server, server_of
from pincite.models.told import tell
from pincite.models.transport import Reply, exchange, proxy_of

_FIRST_WAIT = 0.5  # seconds; it doubles with each try
_BEGINNING = 80  # characters of a reply that is no JSON


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base address with what a call needs; `model`, `stage`, `setting`, `hint` are for errors.

    `retries` counts attempts after the first; waits are .5, 1, 2 … s unless the server names its own, and
    then all calls with this address and key wait. `timeout` is for the whole call in seconds, with all its
    attempts and waits, however the reply drips in. A name and password in the address are sent in place of
    the key.
    """

    base_url: str = field(repr=False)
    model: str
    api_key: str = field(default="", repr=False)
    stage: str = "embed"
    setting: str = "model"
    hint: str = ""
    timeout: float = 300.0
    retries: int = 4
    max_reply: int = 256_000_000  # bytes
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    address: Address = field(init=False)
    _secrets: Secrets = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.api_key.isascii() or not self.api_key.isprintable() or " " in self.api_key:
            raise UsageError(f"{self.setting}: the API key holds a space, a line end or a letter no key has")
        address = taken_apart(self.base_url, f"{self.setting}.base_url")
        object.__setattr__(self, "address", address)
        object.__setattr__(self, "_secrets", secrets((self.api_key, *address.secrets)))

    def post(self, path: str, body: Mapping[str, object]) -> object:
        """The JSON reply to `body` at `base_url/path`.

        Raises `ModelError` when all attempts failed, or `timeout` seconds are over with no whole reply; at
        once, and with nothing sent, while the server refuses the key.
        """
        server, until = self._server(), time.monotonic() + self.timeout
        if denied := server.denied():
            raise self._over(denied, path, 1)
        attempt = 0
        while True:
            self._wait_for_others(server, path, until)
            sent = adapted(body, server.refused.get(self.model, frozenset()))
            try:
                return self._attempt(path, sent, until)
            except FailedError as failed:
                failure = failed.failure
            option = refused_option(failure, sent)
            if option and server.refuse(self.model, option):
                tell(f"{self.model} at {self.address.shown} refuses {option}; asked again without it")
                continue
            attempt += 1
            self._wait_after(failure, attempt, server, path, until)

    def quoted(self, text: str) -> str:
        """What a server said, without keys and passwords."""
        return self._secrets.out_of(text)

    def error(
        self, text: str, *, code: str = "reply", hint: str = "", retryable: bool = False, attempts: int = 1
    ) -> ModelError:
        """A `ModelError` that names model and address; `text` holds nothing of a server but `quoted`."""
        tries = f" after {attempts} attempts" if attempts > 1 else ""
        message = f"{self.model} at {self.address.shown} failed{tries}: {text}"
        said = hint or hint_of(code, Asked(self.address, self.setting, "")) or self.hint
        return ModelError(message, stage=self.stage, hint=said, retryable=retryable, code=code)

    def _server(self) -> Server:
        return server_of(self.address.url, self.address.query, self.address.authorization, self.api_key)

    # ── waits ─────────────────────────────────────────────────────────────────────────────────
    def _wait_for_others(self, server: Server, path: str, until: float) -> None:
        """Waits as long as the server has asked another call to."""
        wait = server.pause_left()
        if wait and time.monotonic() + wait >= until:
            text = f"it asked to be left alone, for {wait:,.0f} s more"
            raise self._over(Failure(text, "busy", True, wait), path, 1)
        if wait:
            tell(f"{self.model} at {self.address.shown}: waiting {wait:,.1f} s, as the server asked")
            self.sleep(wait)

    def _wait_after(self, failure: Failure, attempt: int, server: Server, path: str, until: float) -> None:
        """Waits before the next attempt, if there is to be one. Raises `ModelError` if not."""
        wait = failure.wait if failure.wait is not None else _FIRST_WAIT * 2 ** (attempt - 1)
        asked = failure.retryable and failure.wait is not None
        pause = server.pause(wait) if asked else 0.0
        last = attempt > self.retries or time.monotonic() + wait >= until
        if not failure.retryable or last:
            if failure.code in ("denied", "quota"):
                server.deny(failure)
            raise self._over(failure, path, attempt)
        if asked and wait:
            told = failure.text.partition(":")[0]
            tell(f"{self.model} at {self.address.shown}: {told}; waiting {wait:,.1f} s, as the server asks")
        self.sleep(wait)
        server.resume(pause)

    def _over(self, failure: Failure, path: str, attempts: int) -> ModelError:
        hint = hint_of(failure.code, Asked(self.address, self.setting, path))
        if failure.wait and failure.code == "busy":
            hint = f"wait {failure.wait:,.0f} s, as the server asks; {hint}"
        where = f" (asked: {masked(self.address.at(path))})" if failure.code in ("path", "page") else ""
        return self.error(
            failure.text + where,
            code=failure.code,
            hint=hint,
            retryable=failure.retryable,
            attempts=attempts,
        )

    # ── one attempt ───────────────────────────────────────────────────────────────────────────
    def _attempt(self, path: str, body: Mapping[str, object], until: float) -> object:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := self.address.authorization or (f"Bearer {self.api_key}" if self.api_key else ""):
            headers["Authorization"] = key
        url, data = self.address.at(path), json.dumps(body).encode()
        try:
            reply = exchange(url, headers, data, until=until, most=self.max_reply)
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            failure = self._failure(reason if isinstance(reason, Exception) else error, url)
        else:
            if 200 <= reply.status < 300:
                return self._read(reply)
            failure = of_reply(reply, self.quoted)
        raise FailedError(failure)

    def _failure(self, error: Exception, url: str) -> Failure:
        proxy = proxy_of(url)
        said = self.quoted(str(error) or type(error).__name__)
        if proxy and isinstance(error, ValueError) and not isinstance(error, OSError):
            said = "its address cannot be read"  # and would be shown with its password
        return of_exception(error, said, timeout=self.timeout, proxy=masked(proxy))

    def _read(self, reply: Reply) -> object:
        """The JSON of a reply. Raises `FailedError` for anything else, and for an error sent as success."""
        data = reply.data
        if len(data) > self.max_reply:
            raise FailedError(Failure(f"its reply is longer than {self.max_reply // 1_000_000} MB", "reply"))
        sent_as_events = is_events(reply.headers.get_content_type(), data)
        value: object = joined(data) if sent_as_events else self._json(data)
        if isinstance(value, dict) and value.get("error") and "choices" not in value:
            error = value["error"]
            raise FailedError(of_error(error, self.quoted(json.dumps(value, ensure_ascii=False))))
        return value

    def _json(self, data: bytes) -> object:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            start = self.quoted(data[:4000].decode("utf-8", "replace"))[:_BEGINNING]
        code = "page" if is_page(data) else "reply"
        raise FailedError(Failure(f"its reply is not JSON but begins {start!r}", code))


_INSTEAD = {"temperature": "", "encoding_format": "", "max_tokens": "max_completion_tokens"}
_OTHER_NAMES = frozenset(filter(None, _INSTEAD.values()))


# ── parameters that some models refuse ─────────────────────────────────────────────────────────
def adapted(body: Mapping[str, object], refused: Collection[str]) -> dict[str, object]:
    """The request without what the model refuses, or with another name for it."""
    sent = {name: value for name, value in body.items() if name not in refused}
    for name in sorted(body.keys() & set(refused)):
        other = _INSTEAD.get(name, "")
        if other and other not in refused:
            sent[other] = body[name]
    return sent


def refused_option(failure: Failure, sent: Mapping[str, object]) -> str:
    """The parameter of the request that the server says it does not take; "" for another failure."""
    optional = sorted(sent.keys() & (_INSTEAD.keys() | _OTHER_NAMES))
    return next((name for name in optional if refuses(failure, name)), "")
