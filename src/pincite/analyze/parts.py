"""A token to its whole and its parts: words joined by case, `_`, `-` or `.`, versions, initials."""

from __future__ import annotations

import re
from itertools import pairwise

from pincite.analyze.tokens import compiled

LONGEST_WORD = 255  # characters; a longer word is one term, and not split by case
_PIECE = compiled(r"[vV]?[0-9]++(?:\.[0-9]++[^\W_]*+)++|[^-_.'\\+]++")
_IS_VERSION = compiled(r"[vV]?[0-9]++(?:\.[0-9]++[^\W_]*+)++").fullmatch
_IS_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]").fullmatch
CONTRACTED = re.compile(r"'(?:s|ll|ve|re|d|m)$", re.IGNORECASE)
_CASE_BORDER = re.compile(r"(?<=l)(?=U)|(?<=U)(?=Ul)|(?<=d)(?=Ul)")


def split(token: str) -> tuple[str, list[str]]:
    """The whole of a token and its parts, in lower case; [whole] if it has none.

    `C++17` also holds `c++`; `libstdc++` also `libstdc`; `pump's` is `pump`, `can't` is `cant`,
    `l'eau` holds `eau`; `U.S.` is `us`; `1,000` is `1000`.
    """
    lower = token.replace("\\", "").casefold()
    if lower[0] == "." or lower[1:] in ("++", "#") or "," in lower:
        return (whole := lower.replace(",", "")), [whole]
    if lower[1:3] == "++":
        return lower, [lower[:3]]
    if _IS_INITIALS(token):
        return (whole := lower.replace(".", "")), [whole]
    token = CONTRACTED.sub("", token)
    lower = token.replace("\\", "").casefold()
    if lower.endswith("'t"):
        return (whole := lower.replace("'", "")), [whole]
    parts = [part.casefold() for piece in _PIECE.findall(token) for part in _pieces(piece)]
    return _unversion(lower.replace("'", "")), parts


def _pieces(piece: str) -> list[str]:
    """A version without its `v`, or a word split by case: `XMLHeader` is `XML` and `Header`."""
    if _IS_VERSION(piece):
        return [_unversion(piece)]
    one = piece.islower() or piece[1:].islower() or piece.isupper() or _is_plural(piece)
    if one or len(piece) > LONGEST_WORD:
        return [piece]
    shape = "".join("U" if c.isupper() else "d" if c.isdigit() else "l" for c in piece)
    borders = [0, *(m.start() for m in _CASE_BORDER.finditer(shape)), len(piece)]
    return [piece[a:b] for a, b in pairwise(borders)]


def _is_plural(piece: str) -> bool:
    return piece[-1] == "s" and piece[:-1].isupper()


def _unversion(word: str) -> str:
    return word[1:] if word[:1] in ("v", "V") and re.match(r"[0-9]+\.[0-9]", word[1:]) else word
