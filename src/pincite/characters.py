"""Text as whole characters: Python strings can hold halves of surrogate pairs, files and models cannot."""

from __future__ import annotations

import json
import re

from pincite.scripts import HAN, UNSPACED, UNSPACED_SIGNS


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


# ── what is not seen ──────────────────────────────────────────────────────────────────────────
IGNORABLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What Unicode calls default ignorable, with the annotation marks; for a class of a pattern."""
UNSEEN = f"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f{IGNORABLE}"
"""The same with all controls that end no line."""
STEERING = f"\x7f-\x9f\u2028\u2029{IGNORABLE}"
"""What steers a terminal, reorders what it shows or is not seen, beside the ASCII controls."""

# Where such characters are part of how a text is written, they stay, one at a place.
_JOINING = (
    "\u0600-\u06ff\u0700-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1800-\u180a\u1820-\u18af\u1a20-\u1aaf"
    "\u1b00-\u1cff\ua800-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefe\U00011000-\U00011fff"
)
_EMOJI = "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_FLAGS = "|".join(
    "".join(chr(0xE0000 + ord(char)) for char in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls")
)
_KEPT = (
    r"(?<=\w)\xad(?=\w)",
    rf"(?<=[{_JOINING}])[\u200c\u200d](?![{IGNORABLE}])",
    rf"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])",
    rf"(?<=[{_EMOJI}])[\ufe0e\ufe0f]",
    r"(?<=[#*0-9])\ufe0f(?=\u20e3)",
    rf"(?<=[{HAN}])[\ufe00-\ufe02\U000e0100-\U000e01ef]",
    r"(?<=[\u1800-\u180a\u1820-\u18af])[\u180b-\u180f]",
    rf"(?<=[{UNSPACED}{UNSPACED_SIGNS}])(?<![{IGNORABLE}])\u200b(?![{IGNORABLE}])",
    rf"(?<=\U0001f3f4)(?:{_FLAGS})",
)
_HIDDEN = re.compile(f"(?=[\x00-\x08\x0b-\x1f{STEERING}])(?:({'|'.join(_KEPT)})|.)")

_STEERING = re.compile(f"[{STEERING}]")


def shown(text: str) -> str:
    """The text with what is not seen, or steers what shows it, as `\\x1b`, `\\u202e`, `\\U000e0041`.

    Tabs and line ends stay. So do joiners, variation selectors, soft hyphens and breaks where the script
    or an emoji is written with them: one after a letter or symbol that takes it.
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escaped, text)


def escaped_in_json(text: str) -> str:
    """JSON that says the same, in which each character that steers or is not seen is an escape."""
    return _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _escaped(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    code = ord(found[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
