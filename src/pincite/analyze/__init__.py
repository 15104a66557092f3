"""Text to lexical terms: one function for documents and queries, so both always meet.

The search index splits the result at spaces and scores it (BM25); every decision about words is here:

- NFKC, accents folded, case folded *after* a word is split by case; dashes equal `-`.
- Words joined by case, `_`, `-` or `.` give the whole and its parts: `loadInvoiceById`, `ERR-5021`
  (which is also `err5021`).
- Versions, `C++`, `C#` and `.NET` are whole terms only: `v1.2.3` equals `1.2.3` and never meets `1.2.30`.
- Plain words are replaced by their Snowball stems, one for each stemmer of the index.
- Scripts written without spaces, and Hangul: documents give single characters and pairs of neighbours,
  queries give pairs (Chinese, Japanese, Thai ...). A run of one character gives itself.
- Stop words are indexed; a query drops those of English and its own language while other words remain
  (see `stop_words.py`).
- A word of more than `LONGEST_WORD` characters is kept as a digest, so it is still found as a whole.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Literal

from pincite.analyze.parts import LONGEST_WORD, split
from pincite.analyze.stop_words import drop_stop_words, stop_words
from pincite.analyze.terms import fold, query_terms, words_of
from pincite.analyze.tokens import IS_PAIRED, compiled, tokens_of

__all__ = [
    "LONGEST_WORD",
    "MOST_QUERY_TERMS",
    "analyze",
    "codes",
    "fingerprint",
    "identifier",
    "operators",
    "phrases",
    "stop_words",
]

VERSION = 2
MOST_QUERY_TERMS = 1024  # distinct terms; what follows in a longer query is not searched lexically
_IS_LOUD_CODE = compiled(
    r"(?=[A-Z0-9_-]{4})(?=[^0-9]*+[0-9][^0-9]*+[0-9])(?=[^A-Z]*+[A-Z])[A-Z0-9]++(?:[-_]++[A-Z0-9]++)*+"
    r"|[vV]?[0-9]++(?:\.[0-9]++){2,}+"
).fullmatch
_QUOTED = re.compile(
    r'(?<![A-Za-z0-9])"(?=\S)([^"]+)(?<=\S)"(?![A-Za-z0-9])|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|«([^«»]+)»'
)

_OPERATOR = re.compile(r"""(?<!\S)(?:[-+\u2013\u2212](?=[\w"])\S+|(?:NOT|AND|OR)(?!\S))""")


def analyze(
    text: str, *, side: Literal["document", "query"], stemmers: tuple[str, ...] = ("english",)
) -> str:
    """The terms of `text`, separated by single spaces; "" if there is no word in it.

    On the document side a term stands as often as it occurs; on the query side once, in order of first
    occurrence, at most `MOST_QUERY_TERMS` of them. Never raises for any text; an unknown stemmer is a
    `UsageError`.
    """
    words = words_of(stemmers)
    tokens = tokens_of(text)
    if side == "document":
        return " ".join(map(words.__getitem__, tokens))
    tokens = drop_stop_words(tokens, english="english" in stemmers)
    terms = (term for token in tokens for term in query_terms(token, words))
    return " ".join(islice(dict.fromkeys(terms), MOST_QUERY_TERMS))


def identifier(query: str) -> str:
    """The whole term of a query that is one identifier, code or version, else "".

    `ERR-5021`, `loadInvoiceById()`, `v1.2.3`, `C++` and `ZKB118Q` are; a plain word or number is not.
    """
    tokens = tokens_of(query.strip().strip("`\"'“”").removesuffix("()").lstrip("-"))
    token = tokens[0] if len(tokens) == 1 else ""
    if not token or len(token) > LONGEST_WORD or IS_PAIRED(token) or "'" in token:
        return ""
    whole, parts = split(token)
    plain = whole.isalpha() or whole.isdigit()
    return "" if plain and parts == [whole] else fold(whole)


def codes(query: str) -> tuple[str, ...]:
    """The whole terms of the codes and full versions a query names, distinct, in order.

    A code has four characters or more, two digits or more, and capitals only: `ERR-5021`, `ZKB118Q`;
    a full version has three parts: `2.31.0`. `24h`, `python3` and `HTTP/2` are none.
    """
    named = (token for token in tokens_of(query) if len(token) <= LONGEST_WORD and _IS_LOUD_CODE(token))
    return tuple(dict.fromkeys(fold(split(token)[0]) for token in named))


def phrases(query: str) -> tuple[str, ...]:
    """The phrases in balanced quotation marks, as written, in order; inch marks open none."""
    found = (next(filter(None, groups)).strip() for groups in _QUOTED.findall(_balanced(query)))
    return tuple(phrase for phrase in found if phrase)


def operators(query: str) -> tuple[str, ...]:
    """What looks like an operator of other search engines beside a phrase: `-1970`, `+hall`, `NOT`, `-"…"`.

    All are words here. Without a phrase nothing looks so: `commit -m` and `must NOT` are questions too.
    """
    beside = _QUOTED.sub('"…"', _balanced(query)) if phrases(query) else ""
    return tuple(dict.fromkeys(_OPERATOR.findall(beside)))


def _balanced(query: str) -> str:
    return query if query.count('"') % 2 == 0 else query.replace('"', " ")


def fingerprint(stemmers: tuple[str, ...]) -> str:
    """What the terms depend on: our own version, the stemmers, and the version of Snowball."""
    import Stemmer

    words_of(stemmers)
    snowball = ".".join(Stemmer.version().split(".")[:2])
    return f"terms {VERSION}, stems {'+'.join(stemmers) or 'none'} (snowball {snowball})"
