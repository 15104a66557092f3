"""Which figures of a statement a source holds: numbers in any writing, units, weekdays, months, dates."""

from __future__ import annotations

import pytest

from growth import assert_linear
from pincite.answer.figure_words import in_one_word, language, spaced, units, unspaced
from pincite.answer.figures import each, figures
from pincite.answer.support import Held


def lacks(statement: str, source: str) -> list[str]:
    held = Held([source])
    return [figure.written for figure in each(statement) if not held.holds(figure)]


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("for 24 days", "for 24 hours"),
        ("for thirty-six hours", "24 hours"),
        ("two hundred and six", "two hundred"),
        ("sechsunddreißig Stunden", "24 Stunden"),
        ("trente-six heures", "24 heures"),
        ("quatre-vingt-dix-sept bars", "97,5 bar"),
        ("treinta y seis horas", "24 horas"),
        ("trentasei ore", "24 ore"),
        ("trinta e seis horas", "24 horas"),
        ("zesendertig uur", "24 uur"),
        ("trettiosex timmar", "24 timmar"),
        ("trzydzieści sześć godzin", "24 godziny"),
        ("тридцать шесть часов", "24 часа"),
        ("晾干三十六小时", "晾干24小时"),
        ("三天", "两天"),
        ("百分之三十六", "百分之二十"),
        ("36시간", "24시간"),
        ("for ³⁶ hours", "24 hours"),
        ("٣٦ hours", "24 hours"),
        ("３６ hours", "24 hours"),
        ("𝟑𝟔 hours", "24 hours"),
        ("3\u200b6 hours", "24 hours"),
        ("③ times", "2 times"),
        ("½ l", "1 l"),
        ("24 ｍｉｎ", "24 h"),
        ("on Tuesday", "on Monday"),
        ("am Mittwoch", "am Dienstag"),
        ("星期三", "星期二"),
        ("火曜日", "月曜日"),
        ("수요일", "화요일"),
        ("in April 2024", "in May 2024"),
        ("5 May", "5 April"),
        ("5月", "6月"),
        ("5 March 2024", "2024-04-05"),
        ("2024-03-05", "5 April 2024"),
        ("$5", "5 EUR"),
        ("-18 °C", "18 °C"),
        ("3 million euros", "3 euros"),
        ("7 bar", "valve V7"),
        ("12:30", "12:45"),
        ("1.2.3", "1.2.4"),
        ("1 450 EUR", "1,550 EUR"),
    ],
)
def test_another_figure_is_lacking(statement: str, source: str) -> None:
    assert lacks(statement, source)


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("öffnet bei 8,5 bar", "opens at 8.5 bar"),
        ("1.250 Euro", "costs 1,250 euros"),
        ("1 450 EUR", "1,450 EUR"),
        ("1\u202f450 EUR", "1450 EUR"),
        ("alle zwölf Monate", "every 12 months"),
        ("24 hours", "one day"),
        ("ein Tag", "24 hours"),
        ("one hour", "an hour"),
        ("1.5 kg", "1500 g"),
        ("60 min", "1 h"),
        ("sechsunddreißig Stunden", "36 hours"),
        ("einundzwanzig", "21"),
        ("soixante et onze", "71"),
        ("三十六小时", "36 hours"),
        ("3万元", "30000元"),
        ("三万六千", "36000"),
        ("10 minutes", "十分钟"),
        ("3 million euros", "3,000,000 €"),
        ("5 March 2024", "2024-03-05"),
        ("2024-03-05", "March 5, 2024"),
        ("05/03/2024", "5.3.2024"),
        ("2024年3月5日", "5 March 2024"),
        ("on Monday", "Mon 9:00"),
        ("am Montag", "on Monday"),
        ("5 bar", "pressure (bar): 5"),
        ("valve 7", "valve V7"),
        ("08:30", "8:30"),
        ("12.50", "12,5"),
        ("two dozen", "24"),
    ],
)
def test_the_same_figure_in_other_words_is_held(statement: str, source: str) -> None:
    assert lacks(statement, source) == []


@pytest.mark.parametrize(
    "statement",
    [
        "You may open it once; one of them is on the march.",
        "The sun is due on days when it rains; wed them, sat down.",
        "Gib acht, ein Elf kommt; sei so gut.",
        "十分重要, 万一漏水, 一般来说, 第一",
        "an m³ of CO, a second edition",
    ],
)
def test_words_that_mean_something_else_are_no_figures_of_a_statement(statement: str) -> None:
    assert lacks(statement, "nothing") == []


def test_a_figure_is_named_as_it_is_written_with_its_unit() -> None:
    assert [one.written for one in figures("Wait thirty-six  hours, then 5 bar on Monday.", sure=True)] == [
        "thirty-six hours",
        "5 bar",
        "Monday",
    ]


def test_every_language_counts_to_ninety_nine_as_far_as_it_is_written_in_one_word() -> None:
    assert in_one_word("neunundneunzig".casefold()) == 99
    assert in_one_word("dreihundertfünfundsechzig") == 365
    assert in_one_word("negenennegentig") == 99
    assert in_one_word("novantanove") == 99
    assert in_one_word("nittionio") == 99
    assert in_one_word("undertaking") is None and in_one_word("achtenswert") is None


@pytest.mark.parametrize("name", [*spaced(), *unspaced()])
def test_every_table_is_whole(name: str) -> None:
    words = language(name)
    assert {value for kind, value, _ in words.names.values() if kind == "weekday"} == set("1234567")
    assert set(words.units.values()) <= set(units().measures)
    if name in spaced():
        assert {value for kind, value, _ in words.names.values() if kind == "month"} == {
            str(month) for month in range(1, 13)
        }
        values = {word.value for word in words.numbers.values()}
        assert set(range(2, 13)) | {20, 30, 40, 50, 60, 70, 80, 90} <= values


@pytest.mark.parametrize("part", ["1,", "1 000 ", "one ", "hundred ", "一", "½", "2024-", "V7 ", "und", "３"])
def test_a_long_text_is_read_in_time_that_grows_with_it(part: str) -> None:
    assert_linear(lambda size: figures((part * size)[:size], sure=True), 3_000)
