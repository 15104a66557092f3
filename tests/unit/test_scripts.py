"""One table of scripts: it agrees with Unicode, and each question has one answer wherever it is asked."""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

import pytest
import regex

from pincite import scripts
from pincite.analyze import analyze
from pincite.answer.claims import one_line
from pincite.answer.support import plain_words
from pincite.assemble.budget import word_ends
from pincite.characters import shown
from pincite.chunk.sentences import sentence_spans
from pincite.evaluate.draft.words import is_chinese
from pincite.evaluate.labels.leaks import words_of
from pincite.models.choose import detect_language
from pincite.scripts import CLOSE, HAN, PAIRED, UNSPACED, are_close, columns, script_of
from pincite.types import Span

ASSIGNED = [
    chr(code)
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
]

# Two characters, script, ideographs?, unspaced?, paired?, lines meet without a space?, columns
CASES = [
    ("中文", "Han", 1, 1, 1, 1, 4),
    ("㐀㐁", "Han", 1, 1, 1, 1, 4),  # Extension A
    ("𠀀𪜀", "Han", 1, 1, 1, 1, 4),  # Extensions B and C
    ("𬺰𮯰", "Han", 1, 1, 1, 1, 4),  # Extensions F and I
    ("\uf900\ufa0e", "Han", 1, 1, 1, 1, 4),  # for compatibility
    ("\U0002f800\U0002f801", "Han", 1, 1, 1, 1, 4),
    ("々〆", "Han", 1, 1, 1, 1, 4),
    ("ひら", "Hiragana", 0, 1, 1, 1, 4),
    ("カタ", "Katakana", 0, 1, 1, 1, 4),
    ("ｶﾀ", "Katakana", 0, 1, 1, 1, 2),
    ("ーー", "Hiragana", 0, 1, 1, 1, 4),  # shared with Katakana
    ("ㄅㄆ", "Bopomofo", 0, 1, 1, 1, 4),
    ("한국", "Hangul", 0, 0, 1, 0, 4),
    ("ㄱㄴ", "Hangul", 0, 0, 1, 0, 4),
    ("\u1112\u1161", "Hangul", 0, 0, 1, 0, 3),
    ("ﾡﾢ", "Hangul", 0, 0, 1, 0, 2),
    ("กข", "Thai", 0, 1, 1, 0, 2),
    ("ກຂ", "Lao", 0, 1, 1, 0, 2),
    ("កខ", "Khmer", 0, 1, 1, 0, 2),
    ("ကခ", "Myanmar", 0, 1, 1, 0, 2),
    ("\uaa60\ua9e0", "Myanmar", 0, 1, 1, 0, 2),  # Extended-A and -B
    ("ཀཁ", "Tibetan", 0, 1, 0, 0, 2),
    ("عر", "Arabic", 0, 0, 0, 0, 2),
    ("של", "Hebrew", 0, 0, 0, 0, 2),
    ("नम", "Devanagari", 0, 0, 0, 0, 2),
    ("Ωλ", "Greek", 0, 0, 0, 0, 2),
    ("Жд", "Cyrillic", 0, 0, 0, 0, 2),
    ("ab", "Latin", 0, 0, 0, 0, 2),
    ("ＡＢ", "Latin", 0, 0, 0, 1, 4),
    ("，。", "", 0, 0, 0, 1, 4),
    ("１２", "", 0, 0, 0, 1, 4),
    ("12", "", 0, 0, 0, 0, 2),
    ("\U0001f600\U0001f680", "", 0, 0, 0, 0, 4),  # emoji
]


@pytest.mark.parametrize(("text", "script", "han", "unspaced", "paired", "close", "wide"), CASES)
def test_each_question_about_each_script(
    text: str, script: str, han: int, unspaced: int, paired: int, close: int, wide: int
) -> None:
    def all_in(characters: str) -> bool:
        return bool(re.fullmatch(f"[{characters}]+", text))

    assert [script_of(char) for char in text] == [script, script]
    assert all_in(HAN) == is_chinese(text) == bool(han)
    assert all_in(UNSPACED) == bool(unspaced)
    assert all_in(PAIRED) == bool(paired)
    assert are_close(text, text) == all_in(CLOSE) == bool(close)
    assert columns(text) == wide


@pytest.mark.parametrize(
    ("text", "paired"), [(text, paired) for text, _, _, _, paired, _, _ in CASES if text.isalpha()]
)
def test_whoever_counts_words_counts_the_characters_that_are_found_by_pairs(text: str, paired: int) -> None:
    words = 2 if paired else 1
    normal = unicodedata.normalize("NFKC", text)
    assert len(words_of(text)) == words
    assert len(plain_words(text)) == len(set(text)) if paired else words
    assert len(analyze(normal, side="document").split()) == (3 if paired and len(normal) == 2 else 1)


@pytest.mark.parametrize(("text", "close"), [(text, close) for text, *_, close, _ in CASES])
def test_whoever_joins_lines_joins_them_alike(text: str, close: int) -> None:
    assert one_line([text, text]) == (text + text if close else f"{text} {text}")


@pytest.mark.parametrize("char", "中㐀𠀀\uf900ひカㄅ한กກកကㄱ")
def test_a_question_mark_ends_a_sentence_before_what_is_written_without_a_space(char: str) -> None:
    text = f"Really?{char * 3}"
    assert sentence_spans(text, 0, len(text)) == [Span(0, 7), Span(7, len(text))]


@pytest.mark.parametrize("text", ["看《桃之阵!》（桃の阵!）吧", "什么!，好"])
def test_a_question_mark_within_brackets_or_before_a_comma_ends_none(text: str) -> None:
    assert sentence_spans(text, 0, len(text))[0].end > text.index("!") + 2


@pytest.mark.parametrize("text", ["中文", "𠀀𪜀", "ひら", "한국", "กข", "กำ", "한", "か\u3099き"])
def test_a_passage_is_cut_between_such_characters_and_never_in_one(text: str) -> None:
    parts = regex.findall(r"\X", text)
    assert word_ends(text, Span(0, len(text))) == [len("".join(parts[:n])) for n in range(1, len(parts) + 1)]


@pytest.mark.parametrize("before", ["中", "𠀀", "\uf900", "ひ", "ก", "๑", "ກ", "ខ", "។", "က", "ཀ"])
def test_a_break_of_no_width_stays_in_scripts_without_spaces(before: str) -> None:
    assert shown(f"{before}\u200bx") == f"{before}\u200bx"
    assert shown(f"{before}\u200b\u200bx") == f"{before}\\u200b\\u200bx"


@pytest.mark.parametrize("before", ["한", "a", "ا", "\u17b4"])
def test_elsewhere_it_is_shown(before: str) -> None:
    assert shown(f"{before}\u200bx").endswith("\\u200bx")


def test_a_language_is_told_by_letters_of_every_block_of_its_script() -> None:
    assert detect_language("𠀀𪜀𫝀") == "zh"
    assert detect_language("\uaa60\uaa61\uaa62") == "my"
    assert detect_language("ｶﾀｶﾅ") == "ja"
    assert detect_language("ﾡﾢﾣ") == detect_language("\u1112\u1161\u11ab") == "ko"


def test_the_table_is_unicodes() -> None:
    """Every character that this Python knows; a letter that scripts share may be of any of them."""
    own = regex.compile(r"[\p{L}\p{M}\p{Nl}]")
    wrong = []
    for char in ASSIGNED:
        name = script_of(char)
        if name and not regex.match(rf"\p{{scx={name}}}", char):
            wrong.append(char)
        if not name and own.match(char) and regex.match(_known(), char):
            wrong.append(char)
    assert wrong == []


def _known() -> str:
    return "|".join(rf"\p{{Script={name}}}" for name in scripts._SCRIPTS)


def test_what_is_close_is_wide_and_neither_hangul_nor_an_emoji() -> None:
    close = re.compile(f"[{CLOSE}]")
    wanted = regex.compile(r"(?!\p{Script=Hangul}|\p{Emoji})(?:\p{ea=W}|\p{ea=F}|\p{ea=H})")
    assert [char for char in ASSIGNED if bool(close.match(char)) != bool(wanted.match(char))] == []


def test_no_other_file_has_ranges_of_its_own() -> None:
    """But two of PDF: the Hangul syllables and ideographs that are counted, and codes that stand upright."""
    package = Path(scripts.__file__).parent
    own = re.compile(
        r"(?i)\\u(?:3400|3040|3041|4e00|9fff|ac00|d7a3|0e00|f900|2e80)|0x(?:3400|3040|4e00|ac00|0?e00|2e80)\b"
        "|[\u2e80\u3040\u3041\u3400\u4e00\uac00\u0e01]-[\u2e80-\ud7ff]"
    )
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if own.search(path.read_text("utf-8"))
    }
    assert found == {"parse/pdf/garbage.py", "parse/pdf/repairs.py"}
