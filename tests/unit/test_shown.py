"""What is not seen is shown as escapes, and what a script or an emoji is written with stays."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from growth import assert_linear
from pincite.characters import shown
from pincite.cli.terminal import one_line, visible
from pincite.evaluate.html_report.markup import clean, tag
from pincite.jsonform import dump

# Format characters that are drawn: signs over numbers, and marks inside quadrats of hieroglyphs.
DRAWN = set("\u06dd\u070f\u08e2\U000110bd\U000110cd\u0890\u0891") | set(map(chr, range(0x600, 0x606)))
DRAWN |= set(map(chr, range(0x13430, 0x13460)))
UNSEEN = [
    char
    for char in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char not in DRAWN | set("\t\n")
]
BLANK_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
SELECTORS = [*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))]
FLAG = "\U0001f3f4{}\U000e007f"
UNASSIGNED = ["\u2065", "\ufff0", "\U000e0000", "\U000e0002", "\U000e0fff"]


def tags(name: str) -> str:
    """A name in tag characters."""
    return "".join(chr(0xE0000 + ord(char)) for char in name)


@pytest.mark.parametrize("around", ["{}", " {} ", "({})", "1{}."])
def test_everything_that_is_not_seen_is_shown(around: str) -> None:
    for char in [*UNSEEN, *BLANK_LETTERS, *SELECTORS, *UNASSIGNED]:
        text = shown(around.format(char))
        assert text.isascii(), f"U+{ord(char):04X}"
        assert text.encode().decode("unicode_escape") == around.format(char)
    assert len(UNSEEN) > 200


@pytest.mark.parametrize(
    "text",
    [
        "plain text\twith a tab\nand a line",
        "می\u200cخواهم کتاب\u200cها",  # Persian, with U+200C
        "हिन्दी क्\u200dष श्\u200cर",  # Hindi
        "ශ්\u200dරී ලංකා",  # Sinhala
        "ភាសា\u200bខ្មែរ ไทย\u200bคำ",  # Khmer and Thai, with U+200B between words
        "👨\u200d👩\u200d👧 👩🏽\u200d🚒 🏳\ufe0f\u200d🌈 ❤\ufe0f ☎\ufe0e 1\ufe0f⃣ #\ufe0f⃣ ❤\ufe0f\u200d🔥",
        *(FLAG.format(tags(name)) for name in ("gbeng", "gbsct", "gbwls")),
        "葛\U000e0100城市",  # an ideograph with a variation selector
        "Donau\xaddampf\xadschiff",
        "e\u0301 \u00a0 \u3000 \u2009 \u06dd",
        "שלום עולם, السلام عليكم",
        "ᠮᠣᠩᠭᠣᠯ\u180e",
    ],
)
def test_text_is_as_it_is_written(text: str) -> None:
    assert shown(text) == visible(text) == clean(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\u200db", "a\\u200db"),
        ("pass\u200bword", "pass\\u200bword"),
        ("a\ufe0f", "a\\ufe0f"),
        ("می\u200c\u200cخ", "می\\u200c\\u200cخ"),
        ("\u202egnp.exe\u202c", "\\u202egnp.exe\\u202c"),
        ("a\u200eb\u200fc\u061cd", "a\\u200eb\\u200fc\\u061cd"),
        ("שלום\u200f!", "שלום\\u200f!"),
        ("x\U000e0041\U000e0042", "x\\U000e0041\\U000e0042"),
        ("🏴\U000e0068\U000e0069\U000e007f", "🏴\\U000e0068\\U000e0069\\U000e007f"),
        ("😀\ufe0f\ufe0e", "😀\ufe0f\\ufe0e"),
        ("葛\U000e0100\U000e0101", "葛\U000e0100\\U000e0101"),
        ("\ufeffa\u2060b\u2062c", "\\ufeffa\\u2060b\\u2062c"),
        ("a\x1b]0;x\x07\x9b", "a\\x1b]0;x\\x07\\x9b"),
        ("a\u2028b\x85c\rd", "a\\u2028b\\x85c\\x0dd"),
        ("\xad a\xad", "\\xad a\\xad"),
    ],
)
def test_text_hides_nothing(text: str, said: str) -> None:
    assert visible(text) == clean(text) == said
    assert tag("p", text, title=text) == f'<p title="{said}">{said}</p>'
    assert one_line(f"{text}\n") == f"{said}\\n"


def test_json_has_an_escape_for_each_and_says_the_same() -> None:
    text = "".join([*UNSEEN, *BLANK_LETTERS, *SELECTORS, *UNASSIGNED, "\u200d😀é葛"])
    for ascii_only in (False, True):
        written = dump({text: [text]}, ascii_only=ascii_only)
        assert json.loads(written) == {text: [text]}
        assert not set(written) & {*UNSEEN, *BLANK_LETTERS, *SELECTORS, *UNASSIGNED}
    assert "😀é葛" in dump(text)


@pytest.mark.parametrize("unit", ["a\u200d", "plain text \n", "\U000e0041", "👨\u200d"])
def test_a_long_text_is_shown_in_time_that_grows_with_it(unit: str) -> None:
    assert_linear(lambda times: shown(unit * times), 10_000)
