"""What the patterns share: marks taken off, whether a text is Chinese, and a name inside a sentence."""

from __future__ import annotations

import re

from pincite.scripts import HAN

_HAN = re.compile(f"[{HAN}]")
MARKUP = re.compile(r"\*\*|__|`+")


def is_chinese(text: str) -> bool:
    """Whether a text holds a Chinese character."""
    return bool(_HAN.search(text))


def lowered(name: str) -> str:
    """A name with a small first letter, unless its first word is written in capitals or with digits."""
    first = name.split()[0] if name.split() else ""
    keeps = any(char.isupper() or char.isdigit() for char in first[1:]) or (len(first) == 1 and first != "A")
    return name if keeps else name[:1].lower() + name[1:]
