"""How plausible bytes are in each legacy encoding: by how many bits it takes to write the text down.

A wrong encoding often decodes without an error, so validity is not enough. Each encoding has a model of what
is written in it: bits for each character by how frequent it is, and more where characters stand together as
none do (a capital after a small letter, a sign inside a word, a final form before a letter). The reading of
fewest bits is the best one, and one that takes more than bytes without any meaning would is none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from pincite.parse import alphabets as abc

_ASCII = 5.0  # bits of an ASCII character, the same in all readings
_NOISE = 8.0  # bits of a byte beyond ASCII that means nothing
_DOUBT, _STRAY = 6.0, 0.01  # bits, and bits for each byte of the text, by which noise must be better
_SIGN, _RARE_SIGN = 6.0, 12.0
_MISPLACED = 9.0  # bits for what stands where no such character does
_SIGNS = "“”‘’–—…•€£©®™°§«»„‚×·№½¼²³µ´¿¡\u00a0\u00ad"
_WIDE_SIGNS = "、。，．：；？！「」『』（）【】《》〈〉〔〕　・～￥％－／"
_FINAL = frozenset("ςךםןףץةى")
_INSIDE_WORDS = frozenset("’‘·\u00ad\u00a0–")  # signs that stand between letters too
_BEFORE_WORDS = frozenset("“”‘’„«»–—…¿¡\u00a0·•")


@dataclass(frozen=True, slots=True)
class _Model:
    """What is written in an encoding; `tables` holds the bits of characters, one table a language."""

    tables: tuple[Mapping[str, float], ...]
    others: Callable[[str], float]  # bits of a character in no table
    prior: float = 3.0  # bits for using this encoding at all: the older, the more


def _other_letter(ch: str) -> float:
    return 11.0 if ch.isalpha() else _SIGN if ch in _SIGNS else _RARE_SIGN


def _by_level(codec: str, levels: Mapping[range, float]) -> Callable[[str], float]:
    """Bits of an ideograph by the row of the national standard it is in: the common ones stand first."""

    @cache
    def bits(ch: str) -> float:
        try:
            lead = ch.encode(codec)[0]
        except UnicodeEncodeError:
            return 20.0
        return next((bits for rows, bits in levels.items() if lead in rows), 14.0)

    return bits


def _alphabetic(letters: str, prior: float = 3.0) -> _Model:
    return _Model((abc.letter_bits(letters),), _other_letter, prior)


def _latin(languages: tuple[str, ...], prior: float) -> _Model:
    """A letter of another language of the group may stand in a name."""
    known = {ch: 9.5 for letters in languages for ch in letters + letters.upper()}
    return _Model(tuple({**known, **abc.letter_bits(one, 2.5)} for one in languages), _other_letter, prior)


def _eastern(shares: dict[str, float], codec: str, levels: Mapping[range, float], prior: float) -> _Model:
    return _Model((abc.share_bits({**shares, _WIDE_SIGNS: 0.12}),), _by_level(codec, levels), prior)


# GB 2312, Big5, JIS X 0208 and KS X 1001 put the common characters into a first level of their own.
_GB = {range(0xB0, 0xD8): 13.7, range(0xD8, 0xF8): 17.0}
_BIG5 = {range(0xA4, 0xC7): 14.0, range(0xC9, 0xFA): 18.0}
_JIS = {range(0xB0, 0xD0): 14.0, range(0xD0, 0xF5): 18.0}
_KS = {range(0xB0, 0xC9): 14.2, range(0xCA, 0xFE): 17.0}
_JAPANESE = {abc.KANJI: 0.3, abc.KANA: 0.5, abc.NARROW_KANA: 0.08}
_MODELS = {
    "cp1252": _latin(abc.WESTERN, 0.0),
    "gb18030": _eastern({abc.SIMPLIFIED: 0.65}, "gb2312", _GB, 3.0),
    "cp932": _eastern(_JAPANESE, "euc_jp", _JIS, 3.0),
    "cp949": _eastern({abc.HANGUL: 0.75}, "euc_kr", _KS, 3.0),
    "big5": _eastern({abc.TRADITIONAL: 0.65}, "big5", _BIG5, 3.0),
    "euc_jp": _eastern(_JAPANESE, "euc_jp", _JIS, 4.0),
    "cp1251": _alphabetic(abc.CYRILLIC),
    "koi8_r": _alphabetic(abc.CYRILLIC, 4.0),
    "koi8_u": _alphabetic(abc.CYRILLIC, 5.0),
    "cp1253": _alphabetic(abc.GREEK),
    "cp1255": _alphabetic(abc.HEBREW),
    "cp1256": _alphabetic(abc.ARABIC),
    "cp1250": _latin(abc.CENTRAL, 3.0),
    "iso8859_2": _latin(abc.CENTRAL, 3.5),
    "cp1254": _latin(abc.TURKISH, 3.0),
    "cp1257": _latin(abc.BALTIC, 4.0),
    "mac_roman": _latin(abc.WESTERN, 5.0),
    "cp850": _latin(abc.WESTERN, 5.0),
    "cp852": _latin(abc.CENTRAL, 8.0),
    "cp866": _alphabetic(abc.CYRILLIC, 8.0),
    "mac_cyrillic": _alphabetic(abc.CYRILLIC, 8.0),
    "iso8859_5": _alphabetic(abc.CYRILLIC, 8.0),
    "iso8859_6": _alphabetic(abc.ARABIC, 8.0),
}
CANDIDATES = tuple(_MODELS)


def rank_encodings(sample: bytes) -> tuple[str, ...]:
    """Encodings in which `sample` is more than noise, best first; each may still fail on the whole file."""
    high = sum(byte > 0x7F for byte in sample)
    noise = high * _NOISE + (len(sample) - high) * _ASCII
    noise += _DOUBT + len(sample) * _STRAY  # a few bytes without a meaning make no text noise
    bits = {name: _bits(sample, name) for name in CANDIDATES}
    likely = [name for name in CANDIDATES if bits[name] <= noise]
    return tuple(sorted(likely, key=lambda name: bits[name] + _MODELS[name].prior))


def _bits(sample: bytes, name: str) -> float:
    """Bits of the sample in an encoding, in the language that takes fewest; infinite if it is not valid."""
    text = _valid(sample, name)
    if text is None:
        return float("inf")
    model = _MODELS[name]
    places = Counter(t for t in zip(" " + text, text, text[1:] + " ", strict=False) if t[1] > "\x7f")
    characters: Counter[str] = Counter()
    for (_, ch, _), count in places.items():
        characters[ch] += count
    context = sum(count * _misplaced(*place) for place, count in places.items())
    spelled = min(_spelled(characters, table, model.others) + i / 2 for i, table in enumerate(model.tables))
    return spelled + context + _ASCII * (len(text) - characters.total())


def _spelled(characters: Counter[str], table: Mapping[str, float], others: Callable[[str], float]) -> float:
    return sum(count * (table[ch] if ch in table else others(ch)) for ch, count in characters.items())


def _misplaced(before: str, ch: str, after: str) -> float:
    """Bits for how oddly a character beyond ASCII stands between its neighbours."""
    if not ch.isalpha():
        return _misplaced_sign(before, ch, after)
    bits = 4.0 * (_welded(ch, before) + _welded(ch, after))
    if (ch.isupper() and before.islower()) or (ch.islower() and after.isupper()):
        bits += _MISPLACED
    if ch in _FINAL and after.isalpha():
        bits += _MISPLACED
    if ch < "\u0250":
        bits += _unspeakable(before, ch, after)
    return bits


def _misplaced_sign(before: str, ch: str, after: str) -> float:
    if before.isalpha() and after.isalpha() and ch not in _INSIDE_WORDS:
        wide = ch in _WIDE_SIGNS and not (before.isascii() and after.isascii())
        return 0.0 if wide else _MISPLACED
    return 4.0 if after.islower() and ch not in _BEFORE_WORDS and ch not in _WIDE_SIGNS else 0.0


def _unspeakable(before: str, ch: str, after: str) -> float:
    """Bits of a Latin letter as a vowel among vowels, a consonant among consonants, or beside another."""
    beside = 1.5 * (not after.isascii())
    if not (before.isalpha() and after.isalpha()):
        return beside
    alike = _vowel(before) == _vowel(ch) == _vowel(after)
    return beside + 3.0 * alike


@cache
def _vowel(ch: str) -> bool:
    return normalize("NFD", ch)[0].lower() in "aeiouyıæœø"


def _welded(ch: str, other: str) -> bool:
    """Whether two letters of different scripts stand side by side."""
    return other.isalpha() and _script(ch) != _script(other)


def _script(ch: str) -> int:
    """A number for the script of a letter: Latin, Greek, Cyrillic, Hebrew, Arabic, or of East Asia."""
    return bisect_right("\u0250\u0400\u0530\u0600\u0700", ch)


def _valid(sample: bytes, name: str) -> str | None:
    """The decoded sample, without up to 3 bytes of a character cut at its end; None if not valid."""
    for cut in range(4):
        try:
            text = sample[: len(sample) - cut].decode(name)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4:
                return None
        else:
            return None if any("\x80" <= ch <= "\x9f" for ch in text) else text
    return None
