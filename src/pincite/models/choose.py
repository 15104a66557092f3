"""Which language a text is in, and which bundled model a collection needs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from tempfile import gettempdir
from typing import Any

from pincite.errors import StoreError
from pincite.scripts import script_of

SAMPLE = 1500  # characters looked at in one text, from its start, middle and end
PIECE = 600  # of those, what the statistical model reads
TEXTS = 512  # texts looked at in a collection, evenly spaced; up to twice as many
FOREIGN_SHARE = 0.10
MIN_LETTERS = 40
# How sure the model must be; in Latin script code, logs and lists of names look like some language too.
CERTAIN = {"latin": 0.9}
LIKELY = 0.5

# Words that English uses in every other clause and its neighbours hardly at all.
_ENGLISH = re.compile(
    r"\b(?:the|and|of|to|with|that|this|from|for|by|are|were|have|has|you|which|when|not)\b", re.IGNORECASE
)
_ENGLISH_SHARE = 0.1

# Languages told apart in each script that has several. A short list keeps code and names from being
# read as one of a hundred rarer languages.
_LATIN = (
    "af", "ca", "cs", "da", "de", "en", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu", "id", "is", "it",
    "lt", "lv", "ms", "nl", "nn", "no", "pl", "pt", "ro", "sk", "sl", "sq", "sv", "sw", "tl", "tr", "vi",
)  # fmt: skip
_CYRILLIC = ("be", "bg", "kk", "mk", "mn", "ru", "sr", "uk")
_ARABIC = ("ar", "fa", "ur", "ps", "ug")
_DEVANAGARI = ("hi", "mr", "ne", "sa")
_CANDIDATES = {"latin": _LATIN, "cyrillic": _CYRILLIC, "arabic": _ARABIC, "devanagari": _DEVANAGARI}

# What each script is judged as: by its name, or as the only language that we know in it.
_JUDGED_AS = {
    "Latin": "latin", "Cyrillic": "cyrillic", "Arabic": "arabic", "Devanagari": "devanagari", "Han": "han",
    "Hiragana": "kana", "Katakana": "kana", "Hangul": "ko", "Greek": "el", "Armenian": "hy", "Hebrew": "he",
    "Bengali": "bn", "Gurmukhi": "pa", "Gujarati": "gu", "Oriya": "or", "Tamil": "ta", "Telugu": "te",
    "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si", "Thai": "th", "Lao": "lo", "Myanmar": "my",
    "Georgian": "ka", "Ethiopic": "am", "Khmer": "km",
}  # fmt: skip
_ASCII = re.compile("[A-Za-z]+")
_DENSE_SCRIPTS = frozenset({"han", "kana", "ko"})  # one character says as much as two or three letters


def detect_language(text: str) -> str:
    """The ISO 639-1 code of the text's main language, or "" when it has too little or unclear text.

    Scripts are counted first; the statistical model is asked only where a script has several languages,
    the text has 40 letters of it, and it is not plainly English.
    """
    sample = sample_of(text)
    counts = scripts(sample)
    if not counts:
        return ""
    weight = {script: n * (3 if script in _DENSE_SCRIPTS else 1) for script, n in counts.items()}
    weight["han"] = weight.get("han", 0) + weight.get("kana", 0)  # written together, judged together
    main = max(sorted(weight), key=lambda script: weight[script])
    if main in ("han", "kana"):
        return "ja" if counts["kana"] * 6 >= counts["han"] else "zh"
    if main not in _CANDIDATES:
        return main
    if counts[main] < MIN_LETTERS:
        return ""
    if main == "latin" and plainly_english(sample):
        return "en"
    return _most_likely(main, sample)


def choose_model(texts: Iterable[str]) -> str:
    """`multilingual` if a tenth of the letters are not Latin or a tenth of the text is not English.

    Otherwise `english`. At most 1,024 texts are looked at, evenly spaced, 1,500 characters of each.
    """
    letters, not_latin, foreign = 0, 0, 0
    for text in spaced(texts):
        counts = scripts(sample_of(text))
        here = sum(counts.values())
        letters += here
        not_latin += here - counts["latin"]
        foreign += here if detect_language(text) not in ("", "en") else 0
    share = max(not_latin, foreign) / letters if letters else 0.0
    return "multilingual" if share >= FOREIGN_SHARE else "english"


def spaced(texts: Iterable[str]) -> list[str]:
    """`TEXTS` to twice as many of the texts, evenly spaced; all of them if there are fewer."""
    kept: list[str] = []
    step = 1
    for i, text in enumerate(texts):
        if i % step:
            continue
        kept.append(text)
        if len(kept) == 2 * TEXTS:
            kept, step = kept[::2], step * 2
    return kept


def sample_of(text: str, size: int = SAMPLE) -> str:
    """The text, or equal pieces of its start, middle and end with `size` characters together."""
    if len(text) <= size:
        return text
    part = size // 3
    middle = (len(text) - part) // 2
    return "\n".join((text[:part], text[middle : middle + part], text[-part:]))


def scripts(sample: str) -> Counter[str]:
    """The number of letters of each script; scripts of one language go by the language's code."""
    if sample.isascii():
        n = sum(map(str.isalpha, sample))
        return Counter({"latin": n} if n else {})
    letters = "".join(filter(str.isalpha, sample))
    others = _ASCII.sub("", letters)
    counts = Counter(_JUDGED_AS.get(script_of(char), "") for char in others)
    counts.update({"latin": n} if (n := len(letters) - len(others)) else {})
    del counts[""]
    return counts


def plainly_english(sample: str) -> bool:
    """Whether English function words are so frequent that no model needs to be asked."""
    words = len(sample.split())
    return words >= 20 and len(_ENGLISH.findall(sample)) >= words * _ENGLISH_SHARE


def _most_likely(script: str, sample: str) -> str:
    language, probability = _identifier(script).classify(sample_of(sample, PIECE))
    return str(language) if probability >= CERTAIN.get(script, LIKELY) else ""


@cache
def _identifier(script: str) -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:  # the model is unpacked into a temporary file
        identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        raise StoreError(
            f"{gettempdir()}: {(error.strerror or str(error)).lower()}",
            stage="read",
            hint="free some disk space there, or name another folder with TMPDIR",
        ) from error
    identifier.set_languages(_CANDIDATES[script])
    return identifier


__all__ = ["choose_model", "detect_language"]
