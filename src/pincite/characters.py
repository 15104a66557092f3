"""Text as whole characters: Python strings can hold halves of surrogate pairs, files and models cannot."""

from __future__ import annotations


def whole_characters(text: str) -> str:
    """The text with surrogates joined in pairs; one that is alone is no character and becomes U+FFFD.

    They come from bytes in arguments that are no UTF-8, and from escapes such as `\\ud83d` in JSON and YAML.
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def shortened(text: str, most: int) -> str:
    """The text, or with `…` as much of its beginning as keeps to `most` characters, up to a word.

    A word that would leave less than half is cut.
    """
    if len(text) <= most:
        return text
    head = text[: most - 1]
    whole = head if text[most - 1].isspace() else "".join(head.rsplit(None, 1)[:1])
    return f"{(whole if 2 * len(whole) >= most else head).rstrip()}…"


def lowered(text: str) -> str:
    """The text in lower case, character for character: a place in it is the same place in `text`."""
    return text.replace("İ", "i").lower()  # the only letter whose lower case is two


STEERING = "\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
"""What steers a terminal or reorders what it shows, beside the ASCII controls; for a class of a pattern."""
