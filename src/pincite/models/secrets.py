"""Keys and passwords taken out of what a server or the system says."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote, quote_plus

_LONG, _WORD = 8, 4
"""A secret from `_LONG` characters on is taken out wherever it stands, a shorter one where it is a word of
its own; below `_WORD` (dummies such as `k`) only where a key is named: it would be a word of any text."""

_NAMED = r"(?i:(?:key|token|secret|password)\b[^\n]{0,24}?(?:[:=]\s?['\"`]?|['\"`])|(?:bearer|basic)\s)"


@dataclass(frozen=True)
class Secrets:
    """What must not be shown. Only what others say is looked through: what is written here names none."""

    values: tuple[str, ...] = field(repr=False)

    def out_of(self, text: str) -> str:
        """The text with `***` for each secret, also as addresses, JSON and HTML write it."""
        for pattern in self._patterns:
            text = pattern.sub(lambda found: (found.groupdict().get("before") or "") + "***", text)
        return text

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        forms = {form: len(value) for value in self.values if value for form in _forms(value)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        return tuple(_pattern(form, forms[form]) for form in longest_first)


def _forms(value: str) -> Iterable[str]:
    quoted = {quote(value, safe=""), quote(value), quote_plus(value)}
    written = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], html.escape(value)}
    return {value, *quoted, *written}


def _pattern(form: str, length: int) -> re.Pattern[str]:
    written = re.sub("%[0-9A-F]{2}", lambda found: f"(?i:{found[0]})", re.escape(form))
    if length >= _LONG:
        return re.compile(written)
    alone = rf"(?<![\w-]){written}(?![\w-])"
    if length >= _WORD:
        return re.compile(alone)
    return re.compile(rf"(?P<before>{_NAMED}){alone}")


def secrets(values: Iterable[str]) -> Secrets:
    """The secrets among values that may be empty."""
    return Secrets(tuple(dict.fromkeys(filter(None, values))))
