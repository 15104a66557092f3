"""PDF: pages, places, running lines, headings, what the file says of itself, files that cannot be read."""

from __future__ import annotations

from datetime import date

import pytest

from parsed import texts
from pdf_files import BODY, Sheet, assert_sound, at, headings, left_out, lines, parsed, pdf, rule
from pincite.errors import InputError
from pincite.parse import parse
from pincite.protocols import Source
from pincite.types import Span


def test_a_page_with_its_places() -> None:
    document = parsed(pdf(at(72, 80, "The mill", 18) + "\n" + lines(72, 120, BODY)))
    assert texts(document) == ["The mill", " ".join(BODY)]
    assert headings(document) == [(1, "The mill")] and document.title == "The mill"
    second = document.text.index(BODY[1])
    (box,) = document.origins.place(Span(second, second + 5)).boxes
    assert (box.left, box.page) == (72, 1)
    assert box.top < 132 < box.bottom  # the baseline of the second line
    assert_sound(document)


def test_running_lines_are_in_the_text_but_in_no_block() -> None:
    pages = [
        at(72, 40, "Report on mills") + "\n" + lines(72, 120 + 30 * n, BODY) + "\n" + at(300, 770, str(n + 1))
        for n in range(4)
    ]
    document = parsed(pdf(*pages))
    assert texts(document) == [" ".join(BODY)] * 4
    assert left_out(document)[:2] == [("Report on mills", "running header"), ("1", "page number")]
    assert len(document.left_out) == 8
    assert_sound(document)


@pytest.mark.parametrize(("last", "reason"), [("xiv", ["page number"]), ("civil", []), ("ill", [])])
def test_the_last_word_of_a_page_is_no_roman_number(last: str, reason: list[str]) -> None:
    pages = [lines(72, 100, BODY) + "\n" + at(72, 760, last), lines(72, 120, BODY)]
    assert [why for _, why in left_out(parsed(pdf(*pages)))] == reason


def test_a_heading_that_comes_again_is_no_running_line() -> None:
    pages = [at(72, 60 + 5 * n, "Exceptions", 14) + "\n" + lines(72, 140, BODY) for n in range(8)]
    assert [title for _, title in headings(parsed(pdf(*pages)))] == ["Exceptions"] * 8


def test_rows_that_differ_in_their_numbers_are_no_running_lines() -> None:
    pages = [at(72, 60, f"Load {7 * n * n} of 90 kg") + "\n" + lines(72, 140 + 9 * n, BODY) for n in range(6)]
    document = parsed(pdf(*pages))
    assert [text for text in texts(document) if text.startswith("Load")] == [
        f"Load {7 * n * n} of 90 kg" for n in range(6)
    ]


def test_running_lines_whose_number_rises_by_more_than_the_page() -> None:
    pages = [
        at(72, 770, f"{n * n + 3}  Report on mills and pumps") + "\n" + lines(72, 140 + 9 * n, BODY)
        for n in range(4)
    ]
    assert [reason for _, reason in left_out(parsed(pdf(*pages)))] == ["running footer"] * 4


def test_lists_captions_and_footnotes() -> None:
    page = "\n".join(
        [
            lines(72, 100, BODY),
            lines(72, 150, ["\x95 Open the hatch and look", "  inside the tank.", "\x95 Close it."]),
            at(72, 200, "Figure 3: The tank under the roof."),
            lines(72, 240, BODY),
            at(72, 700, "1 The tank holds nine barrels.", 7),
        ]
    )
    document = parsed(pdf(page, lines(72, 100, BODY)))
    assert texts(document, "list") == ["• Open the hatch and look inside the tank.", "• Close it."]
    assert "Figure 3: The tank under the roof." in texts(document)
    assert "1 The tank holds nine barrels." in texts(document)
    assert_sound(document)


def test_headings_by_weight_number_and_outline() -> None:
    page = "\n".join(
        [
            at(72, 100, "1 Machines", 14, "B"),
            lines(72, 130, BODY),
            at(72, 200, "1.1 Pumps", 10, "B"),
            lines(72, 230, BODY),
            at(72, 300, "Notes on oil"),
            lines(72, 330, BODY),
        ]
    )
    marks = (
        "<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>",
        "<< /Title (Notes on oil) /Parent 10 0 R /Dest [12 0 R /Fit] >>",
    )
    document = parsed(pdf(page, catalog="/Outlines 10 0 R", more=marks))
    assert headings(document) == [(1, "1 Machines"), (2, "1.1 Pumps"), (1, "Notes on oil")]


def test_a_circle_of_bookmarks_ends() -> None:
    marks = (
        "<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>",
        "<< /Title (The mill) /Parent 10 0 R /Next 11 0 R /First 11 0 R /Dest [12 0 R /Fit] >>",
    )
    assert parsed(pdf(at(72, 100, "The mill"), catalog="/Outlines 10 0 R", more=marks)).blocks


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_those_of_the_page_as_shown(turn: int) -> None:
    document = parsed(pdf(Sheet(at(72, 100, "Upright before turning"), rotate=turn)))
    (box,) = document.origins.place(Span(0, 5)).boxes
    left, top = {0: (72, 91), 90: (690, 72), 180: (443, 690), 270: (91, 443)}[turn]
    assert (box.left, box.top) == (pytest.approx(left, abs=3), pytest.approx(top, abs=3))
    assert document.text == "Upright before turning"


def test_text_that_runs_up_the_margin_is_apart() -> None:
    stamp = "BT /F 20 Tf 0 1 -1 0 30 300 Tm (arXiv stamp of the paper) Tj ET"
    document = parsed(pdf(stamp + "\n" + lines(72, 100, BODY)))
    assert texts(document) == [" ".join(BODY)]
    assert left_out(document) == [("arXiv stamp of the paper", "text in the margin")]


def test_a_title_over_two_lines_is_one_heading() -> None:
    title = [at(72, 80, "Instructions for the use of the", 16), at(120, 99, "pump in the cellar", 16)]
    document = parsed(pdf("\n".join([*title, lines(72, 140, BODY)])))
    assert headings(document) == [(1, "Instructions for the use of the pump in the cellar")]


def test_invisible_text_is_kept() -> None:
    assert texts(parsed(pdf(at(72, 100, "Read by a machine", operators="3 Tr")))) == ["Read by a machine"]


def test_pages_without_text_are_named_and_blank_ones_are_not() -> None:
    document = parsed(pdf(lines(72, 100, BODY), rule(72, 100, 300, 400), ""))
    assert document.losses.pages_without_text == (2,)
    nothing = parsed(pdf(rule(72, 100, 300, 400)))
    assert (nothing.text, nothing.blocks, nothing.losses.pages_without_text) == ("", (), (1,))


@pytest.mark.parametrize(("said", "without"), [(["Bates 000123"], (1,)), (BODY, ())])
def test_a_scan_with_a_stamp_has_no_text(said: list[str], without: tuple[int, ...]) -> None:
    picture = "q 600 0 0 780 6 6 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"
    document = parsed(pdf(picture + "\n" + lines(72, 700, said)))
    assert document.losses.pages_without_text == without
    assert texts(document) == [" ".join(said)]


def test_what_the_file_says_of_itself() -> None:
    info = {
        "Title": "Mills of the north",
        "Author": "A. Miller",
        "CreationDate": "D:20240102030405Z",
        "ModDate": "D:20240305",
        "Keywords": "mill, pump",
    }
    catalog = "/Lang (en-GB) /PageLabels << /Nums [0 << /S /r >>] >>"
    document = parsed(pdf(lines(72, 100, BODY), info=info, catalog=catalog))
    assert (document.title, document.language) == ("Mills of the north", "en")
    assert document.meta == {
        "author": "A. Miller",
        "date": date(2024, 1, 2),
        "modified_date": date(2024, 3, 5),
        "keywords": ("mill", "pump"),
    }
    assert document.origins.place(Span(0, 3)).page_label == "i"


def test_titles_that_programs_put_there_are_none() -> None:
    document = parsed(
        pdf(at(72, 80, "The mill", 18) + lines(72, 120, BODY), info={"Title": "Microsoft Word - a.doc"})
    )
    assert document.title == "The mill"


def test_notes_and_fields_are_kept_and_marked() -> None:
    note = "<< /Type /Annot /Subtype /Text /Rect [100 600 120 620] /Contents (Check the valve) >>"
    field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Alice) /Rect [100 500 200 520] >>"
    sheet = Sheet(lines(72, 100, BODY), notes=(note, field))
    document = parsed(pdf(sheet, lines(72, 100, ["The end."]), catalog="/AcroForm << /Fields [13 0 R] >>"))
    assert texts(document) == [" ".join(BODY), "[note] Check the valve", "[field] Name: Alice", "The end."]
    (box,) = document.origins.place(document.blocks[1].span).boxes
    assert (box.left, box.top, box.right, box.bottom) == (100, 172, 120, 192)


def test_attachments_are_named() -> None:
    more = (
        "<< /Type /Filespec /F (plan.xlsx) /UF (plan.xlsx) /EF << /F 11 0 R >> >>",
        "<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
    )
    names = "/Names << /EmbeddedFiles << /Names [(plan.xlsx) 10 0 R] >> >>"
    assert parsed(pdf(lines(72, 100, BODY), catalog=names, more=more)).losses.dropped == (
        "attachment plan.xlsx",
    )


def test_a_file_pinned_to_a_page_is_named() -> None:
    more = (
        "<< /Type /Filespec /F (plan.xlsx) /UF (plan.xlsx) /EF << /F 11 0 R >> >>",
        "<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
    )
    pin = "<< /Type /Annot /Subtype /FileAttachment /FS 10 0 R /Contents (The plan) /Rect [9 9 20 20] >>"
    document = parsed(pdf(Sheet(lines(72, 100, BODY), notes=(pin,)), more=more))
    assert document.losses.dropped == ("page 1: attachment plan.xlsx",)
    assert texts(document) == [" ".join(BODY), "[note] The plan"]


def test_a_day_that_does_not_exist_is_no_date() -> None:
    info = {"CreationDate": "D:20230231", "ModDate": "D:20240229"}
    assert parsed(pdf(lines(72, 100, BODY), info=info)).meta == {"modified_date": date(2024, 2, 29)}


@pytest.mark.parametrize("cut", [40, 200, 600])
def test_a_truncated_file_is_read_or_refused_by_name(cut: int) -> None:
    data = pdf(lines(72, 100, BODY))[:cut]
    with pytest.raises(InputError, match=r"a\.pdf: this (?:is not a valid PDF|PDF has no pages)"):
        parsed(data)


def test_a_file_whose_table_of_objects_is_wrong_is_read() -> None:
    data = pdf(lines(72, 100, BODY)).replace(b"xref\n0 ", b"xref\n7 ", 1)
    assert texts(parsed(data[: data.index(b"startxref")])) == [" ".join(BODY)]


def test_pages_that_hold_each_other_end() -> None:
    data = pdf(lines(72, 100, BODY)).replace(b"/Kids [10 0 R]", b"/Kids [ 2 0 R]")
    losses = parsed(data).losses
    assert (losses.pages_without_text, losses.dropped) == ((1,), ("page 1: it is damaged",))


def test_a_pdf_with_another_name_is_a_pdf() -> None:
    data = pdf(lines(72, 100, BODY))
    document = parse(Source("notes.txt", data, ""))
    assert document.type == "pdf"


def test_a_page_of_very_many_lines_stays_fast() -> None:
    grid = "\n".join(at(10 + 30 * x, 10 + 4 * y, "ab", 3) for y in range(190) for x in range(19))
    document = parsed(pdf(grid))
    assert sum(text.count("ab") for text in texts(document)) == 190 * 19
