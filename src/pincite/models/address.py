"""A server's address taken apart: its name and password are used, and never shown."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from pincite.errors import UsageError

_SHOWN_FIELDS = frozenset({"api-version", "version"})
_BEFORE_HOST = re.compile(r"\A([A-Za-z][\w+.-]*://)?.*@", re.S)
_KEPT = "!$%&'()*+,/:;=@~"  # of a path, besides letters and digits; what is encoded stays so


@dataclass(frozen=True, slots=True)
class Address:
    """`url` is bare: no name, no password, no query, no slash at its end. `shown` is for people."""

    url: str
    shown: str
    query: str = field(default="", repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    def at(self, path: str) -> str:
        """What is asked for `path` below the address."""
        return f"{self.url}/{path}" + (f"?{self.query}" if self.query else "")

    @property
    def host(self) -> str:
        """The name or number of the server, without its port."""
        return urlsplit(self.url).hostname or ""

    @property
    def authorization(self) -> str:
        """The header that carries name and password; "" without them."""
        if not self.user and not self.password:
            return ""
        return f"Basic {b64encode(f'{self.user}:{self.password}'.encode()).decode('ascii')}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no message: name, password, their header, and the values of the query."""
        pairs = parse_qsl(self.query, keep_blank_values=True)
        values = [value for name, value in pairs if name.lower() not in _SHOWN_FIELDS]
        header = self.authorization.removeprefix("Basic ")
        return tuple(filter(None, (self.password, self.user, header, *values)))


def taken_apart(text: str, setting: str) -> Address:
    """The address in `setting`. Raises `UsageError` for one that cannot be asked, without its secrets."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket without its pair
        good = False
    if not good or re.search(r"[\s\x00-\x1f]", text):
        raise UsageError(
            f"{setting}: expected http:// or https:// and a host, got {masked(text)!r}",
            hint="in a name or password, write % / ? # @ : as %25 %2F %3F %23 %40 %3A",
        )
    _check_marks(parts, masked(text), setting)
    userinfo, _, host = parts.netloc.rpartition("@")
    user, _, password = userinfo.partition(":")
    url = f"{parts.scheme}://{host}{quote(parts.path, safe=_KEPT).rstrip('/')}"
    query = quote(parts.query, safe=_KEPT + "?")
    return Address(url, masked(text).rstrip("/"), query, unquote(user), unquote(password))


def _check_marks(parts: SplitResult, shown: str, setting: str) -> None:
    """A `/`, `?`, `#` or `@` of a password ends it: the rest of it would be taken for a path, and shown."""
    if parts.fragment or "@" in parts.path + parts.query + parts.netloc.rpartition("@")[0]:
        raise UsageError(
            f"{setting}: an @ or # stands where none can: {shown!r}",
            hint="in a name or password, write / ? # @ as %2F %3F %23 %40; elsewhere, write @ as %40",
        )


def masked(text: str) -> str:
    """An address, however it is written, with `***` for all before its last `@` and the query's values."""
    head, mark, query = _BEFORE_HOST.sub(r"\1***@", text).partition("?")
    return head + mark + "&".join(map(_masked_field, query.split("&")))


def _masked_field(text: str) -> str:
    name, sign, _ = text.partition("=")
    if not text or name.lower() in _SHOWN_FIELDS:
        return text
    return f"{name}=***" if sign else "***"
