"""Parameters that some models refuse: each is left out, or sent under its other name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pincite.models.failures import Failure, refuses

_INSTEAD = {"temperature": "", "encoding_format": "", "max_tokens": "max_completion_tokens"}
_OTHER_NAMES = frozenset(filter(None, _INSTEAD.values()))


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
