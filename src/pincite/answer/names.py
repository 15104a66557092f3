"""The names, codes and years of a question that the evidence does not hold, and persons without a name.

A name is a capitalised word that does not open a sentence. Where a question is in capitals throughout or in
German, or its script has none, no names are told apart. Days, months and units are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from pincite.analyze import stop_words
from pincite.types import Evidence

Terms = Callable[[str], set[str]]

ALIKE = 0.8
"""How alike (0–1, Ratcliff and Obershelp) a misspelt name is to the one meant."""
MOST_NAMES = 16
"""Names of a question that are looked for, and words of each; each misspelt one costs milliseconds."""
LEAST_JOINED = 6
"""Characters of a name at least that may be written as several words: `Super Bowl`."""
LEAST_STEM = 4
"""Characters that another form of a name begins with at least: `German` of `Germany`."""

_WORD = re.compile(r"[^\W_]+(?:[-_.'’/+#&][^\W_]+)*")
_DATED = re.compile(r"(?:1[5-9]|20)\d\d|[1-9]\d?(?:st|nd|rd|th)")
_NEVER = re.compile(r"(?!)")
_IN = re.compile(r"\b(?:in|since|until|during|year|before|after)\s+$", re.I)
_CODE = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z0-9]+(?:[-_.][A-Z0-9]+)*")
_AMOUNT = re.compile(r"\d\s?$")
_WHO_IS = re.compile(r"\W*who(?:'s|’s| is| are| was| were)\b", re.I)
# German writes every noun with a capital: such a question has no names to be told apart.
_GERMAN = re.compile(
    r"\b(?:[Ww]ie|[Ww]ann|[Ww]er|[Ww]arum|[Ww]elche[mnrs]?|ist|sind|wird|werden|kann|muss|darf|der|das|dem|des"
    r"|eine[mnrs]?|und|nicht|für|von|zum|zur)\b"
)
_JOINING = ("and", "of", "the", "for")
_ROLE_WORDS = """
president king queen prince princess emperor empress pope saint st sir lord lady dr doctor professor prof
mr mrs ms captain general governor senator minister chancellor judge bishop duke earl count
"""
_OTHER_WORDS = """
i i'm i’m i'd i’d i'll i’ll i've i’ve ok am pm january february march april may june july august september
october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
"""
_ROLES = frozenset(_ROLE_WORDS.split())
_NO_NAMES = frozenset(_OTHER_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Text:
    """The evidence in one piece: its terms; its words in lower case, sorted; their initials; all joined."""

    terms: set[str]
    words: list[str]
    initials: str
    joined: str


def unheld(question: str, evidence: Sequence[Evidence], terms: Terms) -> list[str]:
    """The names and codes of `question` that no passage holds, as written, in order.

    A passage is read with its situating line, its column names and its path. A name is held by another
    form of it, by a word spelt nearly so, as an acronym by its words, and by its acronym. A name of several
    words is held by its role (`President …`) or by most of them.
    """
    found = list(_WORD.finditer(question))
    named = _are_names(question, found)
    codes = [one[0] for one in found if _is_code(question, one)]
    if not any(named) and not codes:
        return []
    text = _text(evidence, terms)
    missing = []
    for run in islice(_runs(question, found, named), MOST_NAMES):
        absent = [word for word in run if not _holds(text, word, terms)]
        by_role = run[0].casefold() in _ROLES and run[0] not in absent
        if absent and 2 * len(absent) >= len(run) and not by_role and not _abbreviated(text, run):
            missing += absent
    return missing + [code for code in codes if text.terms.isdisjoint(_written(code))]


def undated(
    question: str, evidence: Sequence[Evidence], quoted: Sequence[Evidence], terms: Terms
) -> list[str]:
    """The years (`2019`) of `question` that no passage holds, and its ordinals that none of `quoted` does.

    A year of a decade or century stands for it: 1911 for `1910s`, `1900s` and `20th century`.
    """
    asked = [one for one in _WORD.finditer(question) if _is_date(question, one)]
    known, near = (_text(some, terms) if asked else None for some in (evidence, quoted))
    return [
        one[0]
        for one in asked
        if (text := known if one[0][:4].isdigit() else near)
        and terms(one[0]).isdisjoint(text.terms)
        and not any(map(_years(one[0], question[one.end() :]).fullmatch, text.words))
    ]


def _years(word: str, following: str) -> re.Pattern[str]:
    """The pattern of the years of a decade or century; any other year or ordinal has none."""
    number = re.match(r"\d+", word)
    digits = number[0] if number else ""
    if len(digits) == 4 and re.search(r"['’]?s$", word):
        return re.compile(digits[:2] + r"\d\d" if digits.endswith("00") else digits[:3] + r"\d")
    if re.match(r"[ -]centur", following, re.I):
        return re.compile(rf"{int(digits) - 1}\d\d")
    return _NEVER


def nowhere(question: str, evidence: Sequence[Evidence], terms: Terms) -> list[str]:
    """The words of `question` that no passage holds, as written, in order; stop words never are."""
    asked, known = terms(question), _text(evidence, terms).terms
    words = (word for word in _WORD.findall(question) if word.casefold() not in stop_words())
    return list(dict.fromkeys(w for w in words if terms(w) & asked and terms(w).isdisjoint(known)))


def names_nobody(question: str, quotes: Sequence[str]) -> bool:
    """Whether a question asks who holds a part and no quote has a name besides those it gives itself."""
    if not _WHO_IS.match(question):
        return False
    given = {word.casefold() for word in _WORD.findall(question)}
    words = (word for quote in quotes for word in _WORD.findall(quote) if word[0].isupper())
    return all(word.casefold() in given or word.casefold() in stop_words() for word in words)


def _text(evidence: Sequence[Evidence], terms: Terms) -> _Text:
    text = "\n".join(f"{one.uri}\n{one.context}\n{one.header}\n{one.text}" for one in evidence)
    words = [word.casefold() for word in _WORD.findall(text)]
    initials = "".join(word[0] for word in words if word not in _JOINING)
    return _Text(terms(text), sorted(set(words)), initials, "".join(words))


def _are_names(question: str, found: Sequence[re.Match[str]]) -> list[bool]:
    """For each word whether it is capitalised though nothing but a name asks for it."""
    shouted = len(found) > 1 and all(one[0][0].isupper() for one in found)
    if shouted or _GERMAN.search(question):
        return [False] * len(found)
    return [_is_name(one[0]) and not _opens(question, one) and not _counted(question, one) for one in found]


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.casefold() not in _NO_NAMES and not any(map(str.isdigit, word))


def _opens(question: str, word: re.Match[str]) -> bool:
    """Whether a word begins a sentence."""
    before = question[: word.start()].rstrip(" \t\"'“„«*_#[(")
    return not before or before[-1] in ".!?:;…\n"


def _counted(question: str, word: re.Match[str]) -> bool:
    """Whether a word follows a number: a unit, or what there are so many of."""
    return bool(_AMOUNT.search(question[max(0, word.start() - 2) : word.start()]))


def _is_code(question: str, word: re.Match[str]) -> bool:
    return bool(_CODE.fullmatch(word[0])) and not _counted(question, word)


def _written(code: str) -> tuple[str, str]:
    """The term of a whole code, and that without its joiners: `err-5021`, `err5021`."""
    return code.casefold(), re.sub(r"[-_.]", "", code.casefold())


def _is_date(question: str, word: re.Match[str]) -> bool:
    """Whether a word is a year or an ordinal; a number that counts what follows it is none."""
    if not _DATED.fullmatch(re.sub(r"['’]?s$", "", word[0])):
        return False
    following = re.match(r"\s+([^\W\d_]+)", question[word.end() : word.end() + 40])
    counts = word[0].isdigit() and following and following[1].casefold() not in stop_words()
    return not counts or bool(_IN.search(question[max(0, word.start() - 8) : word.start()]))


def _runs(question: str, found: Sequence[re.Match[str]], named: Sequence[bool]) -> Iterator[list[str]]:
    """The names of a question, each as its words without those that join them."""
    run: list[str] = []
    for n, (one, is_name) in enumerate(zip(found, named, strict=True)):
        apart = n > 0 and question[found[n - 1].end() : one.start()].strip() != ""
        if run and (apart or not (is_name or one[0] in _JOINING)):
            yield run
            run = []
        if is_name and len(run) < MOST_NAMES:
            run.append(one[0])
    if run:
        yield run


def _holds(text: _Text, word: str, terms: Terms) -> bool:
    """Whether the evidence has a word of a name, inflected or misspelt, or as an acronym its words."""
    if not terms(word).isdisjoint(text.terms):
        return True
    name = re.sub(r"['’]s$", "", word).casefold()
    acronym = word.isupper() and len(word) > 1 and name in text.initials
    if acronym or (len(name) >= LEAST_JOINED and name in text.joined):
        return True
    stem = name[: max(LEAST_STEM, len(name) - 3)]
    return any(one.startswith(stem) for one in text.words) or bool(
        get_close_matches(name, text.words, 1, ALIKE)
    )


def _abbreviated(text: _Text, run: Sequence[str]) -> bool:
    """Whether the evidence has the initials of a name as a word."""
    return len(run) > 1 and "".join(word[0].casefold() for word in run) in text.words
