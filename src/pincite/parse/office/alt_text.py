"""What a picture's description says, without what programs put there by themselves."""

from __future__ import annotations

import re

_GUESSES = ("Description automatically generated", "AI-generated content may be incorrect.")
_NO_WORDS = re.compile(
    r"(?:picture|image|grafik|bild)? ?\d*|[\w .()-]{1,80}\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)", re.I
)


def alt_text(text: str | None) -> str:
    """The description on one line; "" for the name of a file, and for one that only says it is a picture."""
    shown = " ".join((text or "").split())
    for guess in _GUESSES:
        shown = shown.partition(guess)[0].strip()
    return "" if _NO_WORDS.fullmatch(shown) else shown
