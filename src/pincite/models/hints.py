"""What mends a failure of an endpoint, by its code."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pincite.models.address import Address

_OPERATION = re.compile(r"/(?:chat/completions|completions|embeddings|responses|messages)\Z")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call was made with; `setting` is "model" or "llm"."""

    address: Address
    setting: str
    path: str

    @property
    def variable(self) -> str:
        """The variable that holds the address."""
        return "PINCITE_LLM_BASE_URL" if self.setting == "llm" else "PINCITE_EMBED_BASE_URL"

    @property
    def proxy_variable(self) -> str:
        return "HTTPS_PROXY" if self.address.url.startswith("https") else "http_proxy"


def hint_of(code: str, asked: Asked) -> str:
    """The setting or step that mends it; "" where none is known."""
    make = _HINTS.get(code)
    return make(asked) if make else ""


def _denied(asked: Asked) -> str:
    if asked.address.authorization:
        return f"check the name and password in {asked.variable}"
    return f"check OPENAI_API_KEY or {asked.setting}.api_key"


def _context(asked: Asked) -> str:
    if asked.setting == "llm":
        return "lower context.budget (PINCITE_CONTEXT_BUDGET), or use a model that reads more"
    return "lower chunk.size and sync again: the model reads less than that"


def _too_large(asked: Asked) -> str:
    return "lower context.budget" if asked.setting == "llm" else "lower model.batch or chunk.size"


def _no_model(asked: Asked) -> str:
    named = "PINCITE_LLM_MODEL" if asked.setting == "llm" else "PINCITE_MODEL=api:NAME"
    return f"check {named}: the server has no model of this name, or has to fetch it first"


def _option(asked: Asked) -> str:
    return "see what the server takes: llm.temperature and llm.max_tokens can be changed, or left out"


def _path(asked: Asked) -> str:
    shown, tail = asked.address.shown, _OPERATION.search(asked.address.url)
    if tail:
        return f"set {asked.variable} to what stands before {tail[0]}: /{asked.path} is added to it"
    if not urlsplit(asked.address.url).path and not asked.address.query:
        return f"most servers have it below /v1: set {asked.variable}={shown}/v1"
    return f"check {asked.variable}: nothing answers at /{asked.path} below it"


def _redirect(asked: Asked) -> str:
    return f"set {asked.variable} to the address it sends on to, if you trust it: redirects are not followed"


def _tls(asked: Asked) -> str:
    file = os.environ.get("SSL_CERT_FILE", "")
    if file and not Path(file).is_file():
        return f"SSL_CERT_FILE names {file}, which is not there"
    return (
        "set SSL_CERT_FILE to the certificate (PEM) of the server or of your company, or use the name the "
        f"certificate is for; if the server speaks no TLS, write http:// in {asked.variable}"
    )


def _dns(asked: Asked) -> str:
    return f"check the name {asked.address.host} in {asked.variable}, and your network"


def _refused(asked: Asked) -> str:
    return f"start the server, or check host and port in {asked.variable}"


def _proxy(asked: Asked) -> str:
    return f"check {asked.proxy_variable}, or add {asked.address.host} to NO_PROXY to go without the proxy"


def _timeout(asked: Asked) -> str:
    return f"raise {asked.setting}.timeout, or use a faster server"


def _quota(asked: Asked) -> str:
    return "check plan and billing of the account, or use another key or server"


def _busy(asked: Asked) -> str:
    return f"try again later, or raise {asked.setting}.tries and {asked.setting}.timeout"


def _page(asked: Asked) -> str:
    return f"check {asked.variable}: it names a web page (a log-in, or no /v1 at its end), not the API"


def _blocked(asked: Asked) -> str:
    return "a firewall or gateway before the server forbids this request: ask who runs it"


def _reply(asked: Asked) -> str:
    return f"the server is not one that can be used as it is: check {asked.variable} and the model there"


def _filter(asked: Asked) -> str:
    return "ask otherwise, or use a model without such a filter"


_HINTS: Mapping[str, Callable[[Asked], str]] = {
    "denied": _denied,
    "quota": _quota,
    "busy": _busy,
    "too-large": _too_large,
    "context": _context,
    "filter": _filter,
    "no-model": _no_model,
    "option": _option,
    "path": _path,
    "redirect": _redirect,
    "page": _page,
    "blocked": _blocked,
    "tls": _tls,
    "dns": _dns,
    "refused": _refused,
    "proxy": _proxy,
    "timeout": _timeout,
    "reply": _reply,
}
