"""Calendars: one block for each entry, times and rules in words, the lines of each value."""

from __future__ import annotations

import time

import pytest

from extracted import parts_of, read
from pincite.errors import InputError
from pincite.types import Place, Span

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
X-WR-CALNAME:Harbour
X-WR-CALDESC:Tides\\, and more
BEGIN:VTIMEZONE
TZID:Europe/Paris
BEGIN:STANDARD
DTSTART:19701025T030000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1@a
DTSTART;TZID=Europe/Paris:20240304T100000
DTEND;TZID=Europe/Paris:20240304T113000
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20240630T000000Z
EXDATE;TZID=Europe/Paris:20240318T100000
SUMMARY:Tide meeti
 ng\\; part 1
LOCATION:Brest\\, pier 2
ORGANIZER;CN="Koray: Ada":mailto:ada@example.org
ATTENDEE;CN=B. Lund;ROLE=CHAIR:mailto:lund@example.org
ATTENDEE:mailto:c@example.org
DESCRIPTION:Bring boots.\\nAnd a \\
 nlamp.
ATTACH;FMTTYPE=image/png;VALUE=BINARY:aGk=
BEGIN:VALARM
DESCRIPTION:Ring
END:VALARM
END:VEVENT
BEGIN:VEVENT
SUMMARY:Holiday
DTSTART;VALUE=DATE:20240501
DTEND;VALUE=DATE:20240503
END:VEVENT
BEGIN:VTODO
SUMMARY:Paint
DUE:20240601T120000Z
STATUS:NEEDS-ACTION
END:VTODO
BEGIN:VEVENT
SUMMARY:Call
DTSTART:20240301T230000Z
DURATION:PT1H30M
END:VEVENT
BEGIN:VFREEBUSY
END:VFREEBUSY
END:VCALENDAR
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_entry_is_a_block_in_words(end: str) -> None:
    document = read("a.ics", CALENDAR.replace("\n", end))
    assert parts_of(document) == [
        (
            "record",
            "13-22",
            "Tide meeting; part 1\nWhen: 2024-03-04 10:00 to 11:30 (Europe/Paris)\n"
            "Repeats: every 2 weeks on Monday, Wednesday, until 2024-06-30 00:00; except 2024-03-18 10:00\n"
            "Where: Brest, pier 2\nOrganizer: Koray: Ada <ada@example.org>\n"
            "With: B. Lund <lund@example.org>, c@example.org",
        ),
        ("paragraph", "23-24", "Bring boots.\nAnd a \nlamp."),
        ("record", "31-33", "Holiday\nWhen: 2024-05-01 to 2024-05-02"),
        ("record", "36-38", "To do: Paint\nWhen: due 2024-06-01 12:00 (UTC)\nStatus: NEEDS-ACTION"),
        ("record", "41-43", "Call\nWhen: 2024-03-01 23:00 (UTC) for 1 h 30 min"),
    ]
    assert (document.title, document.type) == ("Harbour", "ics")
    assert document.meta == {"description": "Tides, and more"}
    assert document.losses.dropped == (
        "line 25: an attachment",
        "line 45: VFREEBUSY, a part that is not read",
    )


def test_each_value_has_its_line_also_when_it_is_folded() -> None:
    document = read("a.ics", CALENDAR)
    for words, line in (
        ("Tide meeti", 17),
        ("ng; part 1", 18),
        ("Brest, pier", 19),
        ("lamp", 24),
        ("10:00 ", 13),
    ):
        at = document.text.index(words)
        assert document.origins.place(Span(at, at + len(words))) == Place(line, line)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("DTSTART:2024\nSUMMARY:x", "x\nWhen: 2024"),
        ("DTSTART:20240101\nDTEND:20240102\nSUMMARY:x", "x\nWhen: 2024-01-01"),
        ("DTSTART:20240101T220000\nDTEND:20240102T010000", "When: 2024-01-01 22:00 to 2024-01-02 01:00"),
        (
            "RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3;BYHOUR=9",
            "Repeats: every month on Friday no. -1, 3 times, BYHOUR=9",
        ),
        ("RRULE:nonsense", "Repeats: nonsense"),
        ("RRULE:FREQ=DAILY;BYDAY=MO, TU,XX", "Repeats: every day on Monday, Tuesday, XX"),
        (
            "RDATE:20240101,20240102\nRDATE:20240103\nEXDATE:",
            "Repeats: also 2024-01-01, 2024-01-02, 2024-01-03",
        ),
        ("SUMMARY;LANGUAGE=de:a\nDTEND:99999999", "a"),
        ("SUMMARY:a\nnot a line\n;:\nDTSTART:20249999\nDTEND:20249998", "a\nWhen: 2024-99-99 to 20249998"),
    ],
)
def test_values_of_any_make_are_shown(lines: str, text: str) -> None:
    document = read("a.ics", f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n")
    assert document.text == text


def test_a_calendar_that_is_cut_off_keeps_its_last_entry() -> None:
    document = read("a.ics", CALENDAR[: CALENDAR.index("LOCATION")])
    assert document.text.startswith("Tide meeting; part 1\nWhen")
    assert document.losses.dropped == ("what follows the end of the file, which is cut off",)


def test_what_is_no_calendar_is_refused() -> None:
    with pytest.raises(InputError, match=r"^a\.ics: not a calendar"):
        read("a.ics", "Just text.\n")
    assert read("a.ics", "").blocks == ()


@pytest.mark.parametrize(
    "unit", ["BEGIN:VEVENT\n", "END:VEVENT\n", " x\n", 'A;B="', "SUMMARY:a\n b\n", "BEGIN:X\n"]
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    start = time.process_time()
    read("a.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:s\n" + unit * 20_000)
    assert time.process_time() - start < 5


def _event(*lines: str) -> str:
    body = "\n".join(lines)
    return f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{body}\nEND:VEVENT\nEND:VCALENDAR\n"


def test_a_value_behind_a_parameter_of_any_length_is_read() -> None:
    page = "data:text/html," + "%20" * 3_000  # as Thunderbird writes a description's other form
    folded = "\n ".join(page[at : at + 70] for at in range(0, len(page), 70))
    document = read("a.ics", _event("SUMMARY:Tides", f'DESCRIPTION;ALTREP="{folded}":Bring boots.'))
    assert [text for _, _, text in parts_of(document)] == ["Tides", "Bring boots."]


def test_an_end_without_its_beginning_ends_nothing() -> None:
    document = read("a.ics", _event("SUMMARY:Tides", "END:VALARM", "LOCATION:Brest"))
    assert [text for _, _, text in parts_of(document)] == ["Tides\nWhere: Brest"]


def test_two_time_zones_are_both_named() -> None:
    start, end = "DTSTART;TZID=Europe/Paris:20240304T100000", "DTEND;TZID=America/New_York:20240304T060000"
    assert "2024-03-04 10:00 (Europe/Paris) to 2024-03-04 06:00 (America/New_York)" in (
        read("a.ics", _event("SUMMARY:Flight", start, end)).text
    )


@pytest.mark.parametrize(
    "lines",
    [
        "A" + ";b" * 200_000,
        "A;" + "\n x" * 100_000,
        'A;b="' * 100_000,
        "BEGIN:X\n" * 50_000 + "END:Y\n" * 50_000,
    ],
    ids=["parameters", "folds", "quotes", "ends"],
)
def test_hostile_lines_take_linear_time(lines: str) -> None:
    start = time.process_time()
    read("a.ics", _event("SUMMARY:Tides", lines))
    assert time.process_time() - start < 5
