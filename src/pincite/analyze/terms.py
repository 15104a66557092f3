"""Tokens to terms: the whole, then its parts, plain words as their Snowball stems."""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from pincite.analyze.parts import LONGEST_WORD, split
from pincite.analyze.tokens import IS_PAIRED, MARKS
from pincite.errors import UsageError

_CACHED_WORDS = 200_000
_IS_CODE = re.compile(r"(?=.*[0-9])(?=.*[a-z])[a-z0-9]+(?:[-_]+[a-z0-9]+)+").fullmatch
_JOINER = re.compile(r"(?<![0-9])[-_]+|[-_]+(?![0-9])")
# Latin, Greek, Cyrillic; й, ї and ў are letters of their own, not accented ones.
_IS_EUROPEAN = re.compile("[\u00c0-\u0438\u043a-\u0456\u0458-\u045d\u045f-\u052f\u1e00-\u1fff]").match
_BASE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"})


class Words(dict[str, str]):
    """Terms of each token seen, as one string: words repeat, so most look-ups are a hit."""

    def __init__(self, stem: Callable[[str], list[str]]) -> None:
        super().__init__()
        self.stem = stem

    def __missing__(self, token: str) -> str:
        if IS_PAIRED(token):
            return " ".join((*token, *_pairs(token)) if len(token) > 1 else token)
        simple = token.isascii() and token.isalpha() and (token.islower() or token[1:].islower())
        terms = " ".join(self.stem(token.lower()) if simple else _terms(token, self.stem))
        if len(token) <= LONGEST_WORD:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[token] = terms
        return terms


@lru_cache(maxsize=16)
def words_of(stemmers: tuple[str, ...]) -> Words:
    """The terms of tokens under these stemmers. Raises `UsageError` for one that Snowball does not have."""
    import Stemmer

    unknown = [name for name in stemmers if name not in Stemmer.algorithms()]
    if unknown:
        raise UsageError(
            f"stemmers: expected names of Snowball stemmers, got {unknown[0]!r}",
            stage="analyze",
            hint=f"Known stemmers: {', '.join(Stemmer.algorithms())}",
        )
    tools = [Stemmer.Stemmer(name) for name in stemmers]
    lock = threading.Lock()  # a Stemmer must not be used by two threads at once

    def stem(word: str) -> list[str]:
        """The distinct stems; an accented word also stems as if written without accents."""
        plain = fold(word)
        with lock:
            stems = [fold(tool.stemWord(form)) for form in {word: 0, plain: 0} for tool in tools]
        return list(dict.fromkeys(stems or [plain]))

    return Words(stem)


def _pairs(run: str) -> Iterable[str]:
    return map(str.__add__, run, run[1:])


def query_terms(token: str, words: Words) -> Iterable[str]:
    """The terms of one token of a query: of a run that is indexed in pairs only the pairs."""
    if IS_PAIRED(token):
        return _pairs(token) if len(token) > 1 else (token,)
    return words[token].split(" ")


def _terms(token: str, stem: Callable[[str], list[str]]) -> list[str]:
    """The distinct terms of one token: the whole, then its parts, plain words as stems.

    A joined code also stands without its joiners, so that `ERR5021` meets `ERR-5021`; joiners between
    two digits stay, so that `10-20` does not meet `1020`.
    """
    whole, parts = split(token)
    if parts == [whole]:
        return _stems(whole, stem)
    bare = _JOINER.sub("", whole) if _IS_CODE(whole) else whole
    first = [fold(whole), bare] if len(whole) <= LONGEST_WORD else [_digest(whole)]
    terms = first + [term for part in (whole, *parts) for term in _stems(part, stem)]
    return list(dict.fromkeys(terms))


def _stems(word: str, stem: Callable[[str], list[str]]) -> list[str]:
    """The stems of a plain word; codes, numbers and joined words as they are; a digest of a long one."""
    if len(word) > LONGEST_WORD:
        return [_digest(word)]
    plain = not any(c in word for c in "0123456789-_.+#")
    return stem(word) if plain else [fold(word)]


def _digest(word: str) -> str:
    folded = fold(word.casefold())
    return f"{folded[:32]}~{hashlib.blake2b(folded.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


def fold(word: str) -> str:
    """`word` without accents on Latin, Greek and Cyrillic letters."""
    if word.isascii():
        return word
    bare = (unicodedata.normalize("NFD", c)[0] if _IS_EUROPEAN(c) else c for c in word)
    return MARKS.sub("", "".join(bare)).translate(_BASE)
