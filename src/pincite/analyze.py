"""Text to lexical terms: one function for documents and queries, so both always meet.

The search index splits the result at spaces and scores it (BM25); every decision about words is here:

- NFKC, accents folded, case folded *after* a word is split by case; dashes equal `-`.
- Words joined by case, `_`, `-` or `.` give the whole and its parts: `loadInvoiceById`, `ERR-5021`
  (which is also `err5021`).
- Versions, `C++`, `C#` and `.NET` are whole terms only: `v1.2.3` equals `1.2.3` and never meets `1.2.30`.
- Plain words are replaced by their Snowball stems, one for each stemmer of the index.
- Scripts written without spaces, and Hangul: documents give single characters and pairs of neighbours,
  queries give pairs (Chinese, Japanese, Thai ...). A run of one character gives itself.
- English stop words are indexed; a query drops them while other words remain (see `_drop_stop_words`).
- A word of more than `LONGEST_WORD` characters is kept as a digest, so it is still found as a whole.
"""

from __future__ import annotations

import hashlib
import re
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal

from pincite.errors import UsageError

VERSION = 1
LONGEST_WORD = 255  # characters
MOST_QUERY_TERMS = 1024  # distinct terms; what follows in a longer query is not searched lexically
_CACHED_WORDS = 200_000

STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no nor not of
    off on once only or other our out over own same she should so some such than that the their them then
    there these they this those through to too under until up very was we were what when where which while
    who whom why will with would you your""".split()  # noqa: SIM905
)

# Han, Kana, Bopomofo, Hangul; then Thai, Lao, Myanmar and Khmer, which also write words without spaces.
_PAIRED = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001aff0-\U0001b16f"
    "\U00020000-\U0003ffff\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
)
_LETTER = rf"[^\W_{_PAIRED}]"
# Vowel signs of the scripts of India and its neighbours belong to words, though `\w` leaves them out.
_SIGNS = (
    "[\u0900-\u0963\u0971-\u0df3\u0f18-\u0fbc\u1712-\u1734\u17dd\u1920-\u193b\u1a17-\u1cff"
    "\ua802-\ua8c5\uaa29-\uaaef]"
)


def _pattern(word: str, letter: str) -> str:
    """A pattern of one token; every repetition is possessive, so no input makes it backtrack."""
    return (
        rf"\.(?:NET|Net|net)(?!{letter})"
        rf"|[A-Za-z](?:\+\+[0-9]{{0,2}}|\#)(?![\#+]|{letter})"
        rf"|[0-9]{{1,3}}(?:,[0-9]{{3}})++(?:\.[0-9]++)?(?!,[0-9]|{letter})"
        rf"|{word}(?:(?:(?:\\?[-_])++|\._*+|'){word})*+(?:\+\+(?![\#+]|{letter}))?"
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern; by `regex` where this Python's `re` loses its place in a group repeated possessively.

    Before Python 3.11.5 a failed repetition of such a group could keep what it had read: `edition.` was
    one token.
    """
    if sys.version_info >= (3, 11, 5):
        return re.compile(pattern)
    import regex

    other: re.Pattern[str] = regex.compile(pattern)
    return other


_ASCII_TOKEN = _compiled(_pattern("[A-Za-z0-9]++", "[A-Za-z0-9]"))
_TOKEN = _compiled(f"[{_PAIRED}]++|" + _pattern(f"{_LETTER}++(?:{_SIGNS}++{_LETTER}*+)*+", _LETTER))
_IS_PAIRED = re.compile(f"[{_PAIRED}]").match
_PIECE = _compiled(r"[vV]?[0-9]++(?:\.[0-9]++[^\W_]*+)++|[^-_.'\\+]++")
_IS_VERSION = _compiled(r"[vV]?[0-9]++(?:\.[0-9]++[^\W_]*+)++").fullmatch
_IS_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]").fullmatch
_CONTRACTED = re.compile(r"'(?:s|ll|ve|re|d|m)$", re.IGNORECASE)
_IS_CODE = re.compile(r"(?=.*[0-9])(?=.*[a-z])[a-z0-9]+(?:[-_]+[a-z0-9]+)+").fullmatch
_IS_LOUD_CODE = _compiled(
    r"(?=[A-Z0-9_-]{4})(?=[^0-9]*+[0-9][^0-9]*+[0-9])(?=[^A-Z]*+[A-Z])[A-Z0-9]++(?:[-_]++[A-Z0-9]++)*+"
    r"|[vV]?[0-9]++(?:\.[0-9]++){2,}+"
).fullmatch
_JOINER = re.compile(r"(?<![0-9])[-_]+|[-_]+(?![0-9])")
_CASE_BORDER = re.compile(r"(?<=l)(?=U)|(?<=U)(?=Ul)|(?<=d)(?=Ul)")

_RAISED = re.compile("[⁰¹²³⁴-⁹¼½¾⅐-⅞]+")
_INVISIBLE = re.compile("[\u00ad\u034f\u0640\u061c\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8]+")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58]")
_BLANKS = re.compile("[™®©℠\u200c]")
_QUOTED = re.compile(
    r'(?<![A-Za-z0-9])"(?=\S)([^"]+)(?<=\S)"(?![A-Za-z0-9])|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|«([^«»]+)»'
)


def analyze(
    text: str, *, side: Literal["document", "query"], stemmers: tuple[str, ...] = ("english",)
) -> str:
    """The terms of `text`, separated by single spaces; "" if there is no word in it.

    On the document side a term stands as often as it occurs; on the query side once, in order of first
    occurrence, at most `MOST_QUERY_TERMS` of them. Never raises for any text; an unknown stemmer is a
    `UsageError`.
    """
    words = _words(stemmers)
    tokens = _tokens(text)
    if side == "document":
        return " ".join(map(words.__getitem__, tokens))
    if "english" in stemmers:
        tokens = _drop_stop_words(tokens)
    terms = (term for token in tokens for term in _query_terms(token, words))
    return " ".join(islice(dict.fromkeys(terms), MOST_QUERY_TERMS))


def identifier(query: str) -> str:
    """The whole term of a query that is one identifier, code or version, else "".

    `ERR-5021`, `loadInvoiceById()`, `v1.2.3`, `C++` and `ZKB118Q` are; a plain word or number is not.
    """
    tokens = _tokens(query.strip().strip("`\"'“”").removesuffix("()").lstrip("-"))
    token = tokens[0] if len(tokens) == 1 else ""
    if not token or len(token) > LONGEST_WORD or _IS_PAIRED(token) or "'" in token:
        return ""
    whole, parts = _split(token)
    plain = whole.isalpha() or whole.isdigit()
    return "" if plain and parts == [whole] else _fold(whole)


def codes(query: str) -> tuple[str, ...]:
    """The whole terms of the codes and full versions a query names, distinct, in order.

    A code has four characters or more, two digits or more, and capitals only: `ERR-5021`, `ZKB118Q`;
    a full version has three parts: `2.31.0`. `24h`, `python3` and `HTTP/2` are none.
    """
    named = (token for token in _tokens(query) if len(token) <= LONGEST_WORD and _IS_LOUD_CODE(token))
    return tuple(dict.fromkeys(_fold(_split(token)[0]) for token in named))


def phrases(query: str) -> tuple[str, ...]:
    """The phrases in balanced quotation marks, as written, in order; inch marks open none."""
    straight = query if query.count('"') % 2 == 0 else query.replace('"', " ")
    found = (next(filter(None, groups)).strip() for groups in _QUOTED.findall(straight))
    return tuple(phrase for phrase in found if phrase)


def fingerprint(stemmers: tuple[str, ...]) -> str:
    """What the terms depend on: this module's version, the stemmers, and the version of Snowball."""
    import Stemmer

    _words(stemmers)
    snowball = ".".join(Stemmer.version().split(".")[:2])
    return f"terms {VERSION}, stems {'+'.join(stemmers) or 'none'} (snowball {snowball})"


# ── text to tokens ────────────────────────────────────────────────────────────────────────────
def _tokens(text: str) -> list[str]:
    """Words as written, joined ones in one piece, and runs of characters that are indexed in pairs."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    text = _INVISIBLE.sub("", _BLANKS.sub(" ", text))
    text = unicodedata.normalize("NFKC", _RAISED.sub(_set_apart, text))
    text = _DASHES.sub("-", text.replace("’", "'").replace("ʼ", "'"))
    return _TOKEN.findall(_MARKS.sub("", text))


def _set_apart(raised: re.Match[str]) -> str:
    """A footnote number or fraction, apart from the word or number it hangs on; `m²` stays together."""
    before = raised.string[max(0, raised.start() - 3) : raised.start()]
    apart = before[-1:].isdigit() or (len(before) == 3 and before.isalpha())
    return f" {raised[0]}" if apart else raised[0]


def _drop_stop_words(tokens: list[str]) -> list[str]:
    """The tokens without English stop words; all of them if nothing else is there.

    A stop word in capitals inside a query that is not all in capitals is a name (`IT support`,
    `hepatitis A`) and stays.
    """
    loud = all(token.isupper() or not token.isalpha() for token in tokens)

    def is_name(at: int, token: str) -> bool:
        return not loud and token.isupper() and (len(token) > 1 or (at > 0 and token == "A"))

    words = [_CONTRACTED.sub("", token).casefold() for token in tokens]
    kept = [t for i, t in enumerate(tokens) if words[i] not in STOP_WORDS or is_name(i, t)]
    return kept or tokens


# ── tokens to terms ───────────────────────────────────────────────────────────────────────────
class _Words(dict[str, str]):
    """Terms of each token seen, as one string: words repeat, so most look-ups are a hit."""

    def __init__(self, stem: Callable[[str], list[str]]) -> None:
        super().__init__()
        self.stem = stem

    def __missing__(self, token: str) -> str:
        if _IS_PAIRED(token):
            return " ".join((*token, *_pairs(token)) if len(token) > 1 else token)
        simple = token.isascii() and token.isalpha() and (token.islower() or token[1:].islower())
        terms = " ".join(self.stem(token.lower()) if simple else _terms(token, self.stem))
        if len(token) <= LONGEST_WORD:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[token] = terms
        return terms


@lru_cache(maxsize=16)
def _words(stemmers: tuple[str, ...]) -> _Words:
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
        plain = _fold(word)
        with lock:
            stems = [_fold(tool.stemWord(form)) for form in {word: 0, plain: 0} for tool in tools]
        return list(dict.fromkeys(stems or [plain]))

    return _Words(stem)


def _pairs(run: str) -> Iterable[str]:
    return map(str.__add__, run, run[1:])


def _query_terms(token: str, words: _Words) -> Iterable[str]:
    if _IS_PAIRED(token):
        return _pairs(token) if len(token) > 1 else (token,)
    return words[token].split(" ")


def _terms(token: str, stem: Callable[[str], list[str]]) -> list[str]:
    """The distinct terms of one token: the whole, then its parts, plain words as stems.

    A joined code also stands without its joiners, so that `ERR5021` meets `ERR-5021`; joiners between
    two digits stay, so that `10-20` does not meet `1020`.
    """
    whole, parts = _split(token)
    if parts == [whole]:
        return _stems(whole, stem)
    bare = _JOINER.sub("", whole) if _IS_CODE(whole) else whole
    first = [_fold(whole), bare] if len(whole) <= LONGEST_WORD else [_digest(whole)]
    terms = first + [term for part in (whole, *parts) for term in _stems(part, stem)]
    return list(dict.fromkeys(terms))


def _stems(word: str, stem: Callable[[str], list[str]]) -> list[str]:
    """The stems of a plain word; codes, numbers and joined words as they are; a digest of a long one."""
    if len(word) > LONGEST_WORD:
        return [_digest(word)]
    plain = not any(c in word for c in "0123456789-_.+#")
    return stem(word) if plain else [_fold(word)]


def _split(token: str) -> tuple[str, list[str]]:
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
    token = _CONTRACTED.sub("", token)
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


def _digest(word: str) -> str:
    folded = _fold(word.casefold())
    return f"{folded[:32]}~{hashlib.blake2b(folded.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


# Latin, Greek, Cyrillic; й, ї and ў are letters of their own, not accented ones.
_IS_EUROPEAN = re.compile("[\u00c0-\u0438\u043a-\u0456\u0458-\u045d\u045f-\u052f\u1e00-\u1fff]").match
_BASE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"})


def _fold(word: str) -> str:
    """`word` without accents on Latin, Greek and Cyrillic letters."""
    if word.isascii():
        return word
    bare = (unicodedata.normalize("NFD", c)[0] if _IS_EUROPEAN(c) else c for c in word)
    return _MARKS.sub("", "".join(bare)).translate(_BASE)
