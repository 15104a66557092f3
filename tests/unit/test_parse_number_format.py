"""Numbers as a sheet shows them; the expected values are what Excel shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.parse.sheets.number_format import BUILT_IN, shown_number, shown_text

ACCOUNTING = '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)'


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.256, "0%", "26%"),
        (0.2561, "0.0%", "25.6%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234.5678, "#,##0.###", "1,234.568"),
        (5, "#.##", "5"),
        (2.5, "0", "3"),
        (1.005, "0.00", "1.01"),
        (-0.5, "0.0", "-0.5"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (-12, "#,##0.00_);[Red](#,##0.00)", "(12.00)"),
        (0, "0;-0;;@", ""),
        (1234.5, ACCOUNTING, "$1,234.50"),
        (-1234.5, ACCOUNTING, "$(1,234.50)"),
        (0, ACCOUNTING, "$-"),
        (5.5, "#,##0.00 [$€-407]", "5.50 €"),
        (172, "00000", "00172"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (1500000, '0.0,,"M"', "1.5M"),
        (12500, "#,##0,", "13"),
        (3, '0 "kg"', "3 kg"),
        (12, 'General" pcs"', "12 pcs"),
        (150, '[>=100]"big";[<0]"neg";0.0', "big"),
        (-3, '[>=100]"big";[<0]"neg";0.0', "neg"),
        (7, '[>=100]"big";[<0]"neg";0.0', "7.0"),
    ],
)
def test_numbers(value: float, code: str, shown: str) -> None:
    assert shown_number(value, code) == shown


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (12345, "0.00E+00", "1.23E+04"),
        (12345, "##0.0E+0", "12.3E+3"),
        (99999.9, "0.0E+0", "1.0E+5"),
        (0.00012, "0.0E-0", "1.2E-4"),
        (1.5, "# ?/?", "1 1/2"),
        (0.75, "# ?/?", "3/4"),
        (0.3125, "# ?/16", "5/16"),
        (1.25, "?/?", "5/4"),
        (3, "# ?/?", "3"),
    ],
)
def test_exponents_and_fractions(value: float, code: str, shown: str) -> None:
    assert shown_number(value, code) == shown


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (46096, "yyyy-mm-dd", "2026-03-15"),
        (46096, BUILT_IN[14], "2026-03-15"),
        (46096.75, "d/m/yy h:mm AM/PM", "15/3/26 6:00 PM"),
        (46096, "[$-409]d\\-mmm\\-yyyy;@", "15-Mar-2026"),
        (46096.5, "dddd, mmmm dd, yyyy", "Sunday, March 15, 2026"),
        (46096, 'yyyy"年"m"月"d"日"', "2026年3月15日"),
        (0.5, "h:mm:ss", "12:00:00"),
        (1.5, "[h]:mm", "36:00"),
        (0.0625, "[mm]:ss", "90:00"),
        (0.0000001157, "mm:ss.000", "00:00.010"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (60, "yyyy-mm-dd", "1900-02-29"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (3e9, "yyyy-mm-dd", "3000000000"),
    ],
)
def test_dates_and_times(value: float, code: str, shown: str) -> None:
    assert shown_number(value, code) == shown


def test_the_date_system_of_1904() -> None:
    assert shown_number(44634, "yyyy-mm-dd", True) == "2026-03-15"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.1 + 0.2, "0.3"), (1e20, "1E+20"), (1 / 3, "0.333333333333333"), (42.0, "42"), (1e-5, "0.00001")],
)
def test_plain_numbers_have_the_digits_they_need(value: float, shown: str) -> None:
    assert shown_number(value, "General") == shown


def test_text_stays_as_typed() -> None:
    assert shown_text("00172", "@") == "00172"
    assert shown_text("00172", "0.00") == "00172"
    assert shown_text("Lund", '0;0;0;"Mr. "@') == "Mr. Lund"


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(alphabet='0#?.,%/E+-;[]>=<$hmsyd:AMP@_*\\" general1', max_size=20),
    st.booleans(),
)
def test_any_code_shows_something(value: float, code: str, date1904: bool) -> None:
    assert isinstance(shown_number(value, code, date1904), str)
    assert isinstance(shown_text("word", code), str)


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (float("inf"), "0.00", "INF"),
        (float("nan"), "yyyy-mm-dd", "NAN"),
        (float("-inf"), "# ?/?", "-INF"),
        (1e300, "0" + "%" * 200, "1E+300"),
    ],
)
def test_what_no_code_can_show_is_shown_plainly(value: float, code: str, shown: str) -> None:
    assert shown_number(value, code) == shown
