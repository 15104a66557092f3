"""Writes the ranges of `src/pincite/scripts.py` from Unicode's properties, as the installed `regex` has them.

    python tools/make_scripts.py

Everything between the two marks in the file is replaced. A script's characters are those its words are
written with: letters, marks and letter numbers of the script, and letters that those of East Asia share
(ー). Code points without a character count with what stands on both sides of them, and the planes of
ideographs as Han.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import regex

FILE = Path(__file__).resolve().parents[1] / "src" / "pincite" / "scripts.py"
BEGIN, END = "# ── ranges, by tools/make_scripts.py ──\n", "# ── end of the ranges ──\n"
EAST_ASIAN = ("Han", "Hiragana", "Katakana")
SOUTH_ASIAN = ("Thai", "Lao", "Khmer", "Myanmar", "Tibetan")
OTHERS = (
    *(
        "Bopomofo",
        "Hangul",
        "Latin",
        "Greek",
        "Cyrillic",
        "Armenian",
        "Hebrew",
        "Arabic",
        "Devanagari",
        "Bengali",
    ),
    *("Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Georgian"),
    "Ethiopic",
)
SCRIPTS = (*EAST_ASIAN, *SOUTH_ASIAN, *OTHERS)
IDEOGRAPHS = range(0x20000, 0x40000)
WIDTH = 100

OWN = {name: regex.compile(rf"(?=\p{{Script={name}}})[\p{{L}}\p{{M}}\p{{Nl}}]") for name in SCRIPTS}
SHARED = {name: regex.compile(rf"(?=\p{{Script=Common}})(?=\p{{scx={name}}})\p{{L}}") for name in EAST_ASIAN}
SIGN = regex.compile("|".join(rf"(?=\p{{Script={name}}})[\p{{N}}\p{{P}}\p{{S}}]" for name in SOUTH_ASIAN))
CLOSE = regex.compile(r"(?!\p{Script=Hangul}|\p{Emoji}|\p{C})(?:\p{ea=W}|\p{ea=F}|\p{ea=H})")
NOTHING = regex.compile(r"\p{Cn}")


def script_of(char: str) -> str:
    """The script whose words are written with a character, "" for none."""
    if ord(char) in IDEOGRAPHS:
        return "Han"
    ways = ((name, way) for kind in (OWN, SHARED) for name, way in kind.items())
    return next((name for name, way in ways if way.match(char)), "")


def ranges(names: list[str], wanted: str) -> Iterator[str]:
    """The hexadecimal ranges of the code points that have the wanted name; None in between bridges them."""
    bridged, last = [], ""
    for name in names:
        last = last if name == "?" else name
        bridged.append(last)
    for name, run in groupby(enumerate(bridged), key=lambda pair: pair[1]):
        codes = [code for code, _ in run]
        while names[codes[-1]] == "?":
            codes.pop()
        if name == wanted:
            yield f"{codes[0]:X}" if len(codes) == 1 else f"{codes[0]:X}-{codes[-1]:X}"


def literal(words: Iterator[str], indent: str) -> str:
    """The ranges as string literals, a few to a line."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > WIDTH - len(indent):
            lines.append("")
        lines[-1] += f"{word} "
    lines[-1] = lines[-1].rstrip()
    return "\n".join(f'{indent}"{line}"' for line in lines)


def written() -> str:
    """The ranges as Python."""
    chars = [chr(code) for code in range(0x110000)]
    empty = ["?" if NOTHING.match(char) else "" for char in chars]
    scripts = [script_of(char) or none for char, none in zip(chars, empty, strict=True)]
    signs = ["sign" if SIGN.match(char) else none for char, none in zip(chars, empty, strict=True)]
    close = ["close" if CLOSE.match(char) else none for char, none in zip(chars, empty, strict=True)]
    close[IDEOGRAPHS.start : IDEOGRAPHS.stop] = ["close"] * len(IDEOGRAPHS)
    rows = [f'    "{name}": (\n{literal(ranges(scripts, name), " " * 8)}\n    ),\n' for name in SCRIPTS]
    return (
        f"_SCRIPTS = {{\n{''.join(rows)}}}\n"
        f"_SIGNS = (\n{literal(ranges(signs, 'sign'), ' ' * 4)}\n)\n"
        f"_CLOSE = (\n{literal(ranges(close, 'close'), ' ' * 4)}\n)\n"
    )


if __name__ == "__main__":
    text = FILE.read_text("utf-8")
    parts = re.split(f"({re.escape(BEGIN)}|{re.escape(END)})", text)
    parts[2] = written()
    FILE.write_text("".join(parts), encoding="utf-8")
