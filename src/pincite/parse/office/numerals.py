"""Numbers as lists and pages show them: letters, Roman, ordinal, Chinese …"""

from __future__ import annotations

from collections.abc import Callable

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_CHINESE = "〇一二三四五六七八九"
_MOST = 9_999  # beyond it, numbers are shown in digits
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def numeral(number: int, style: str) -> str:
    """A number in a style by its name in Word's number formats; digits for one that is not known."""
    if style in ("none", "bullet"):
        return ""
    if style == "ordinal":
        return ordinal(number)
    if style == "decimalZero":
        return f"{number:02d}"
    if style == "decimalEnclosedCircle" and 1 <= number <= 20:
        return _CIRCLED[number - 1]
    shown = _STYLES.get(style)
    return shown(number) if shown and 0 < number <= _MOST else str(number)


def roman(number: int) -> str:
    """A number from 1 in small Roman numerals."""
    out = []
    for size, letters in _ROMAN:
        times, number = divmod(number, size)
        out.append(letters * times)
    return "".join(out)


def letters(number: int, alphabet: str = _LATIN) -> str:
    """A number from 1 as a letter, repeated beyond the alphabet's end: `z`, `aa`, `bb`."""
    times, at = divmod(number - 1, len(alphabet))
    return alphabet[at] * (times + 1) if times < 20 else str(number)


def ordinal(number: int) -> str:
    """A number as in `1st`, `2nd`, `11th`."""
    last = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{last}"


def chinese(number: int) -> str:
    """A number from 1 to 9,999 in Chinese: 十二, 三百零五."""
    out, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            one = "" if digit == 1 and unit == 10 and not out else _CHINESE[digit]
            out += ("零" if gap else "") + one + name
            gap = False
        elif out:
            gap = True
    return out


_STYLES: dict[str, Callable[[int], str]] = {
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "lowerLetter": letters,
    "upperLetter": lambda number: letters(number).upper(),
    "russianLower": lambda number: letters(number, _RUSSIAN),
    "russianUpper": lambda number: letters(number, _RUSSIAN).upper(),
    "decimalFullWidth": lambda number: "".join(chr(0xFF10 + int(digit)) for digit in str(number)),
    "ideographDigital": lambda number: "".join(_CHINESE[int(digit)] for digit in str(number)),
    **dict.fromkeys(
        (
            "chineseCounting",
            "chineseCountingThousand",
            "japaneseCounting",
            "taiwaneseCounting",
            "taiwaneseCountingThousand",
        ),
        chinese,
    ),
}
