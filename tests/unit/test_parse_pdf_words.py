"""PDF: words put together, raised numbers, and characters without a meaning."""

from __future__ import annotations

import pytest

from parsed import texts
from pdf_files import BODY, EXPLAINED, UNEXPLAINED, at, lines, numbered, parsed, pdf


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("It was docu-", "mented by us.", "It was documented by us."),
        ("It is a well-", "known thing.", "It is a well-known thing."),
        ("See Room 4-", "12 of it.", "See Room 4-12 of it."),
        ("The Anglo-", "American fleet.", "The Anglo-American fleet."),
        ("A gear-driven pump and a gear-", "driven saw.", "A gear-driven pump and a gear-driven saw."),
        ("The pump- station", "is old.", "The pump- station is old."),
        ("See http://a.org/b-", "c.html there.", "See http://a.org/b-c.html there."),
        ("The mill \x97", "and its pump.", "The mill — and its pump."),
        ("The mill\x97", "and its pump.", "The mill—and its pump."),
    ],
)
def test_hyphens_at_line_ends(above: str, below: str, joined: str) -> None:
    assert texts(parsed(pdf(lines(72, 100, [above, below])))) == [joined]


def test_a_raised_number_stands_apart_from_its_word() -> None:
    raised = "/F 10 Tf 72 692 Td (The Resource Center) Tj 4 Ts /F 6 Tf (1) Tj 0 Ts /F 10 Tf ( is old.) Tj"
    assert texts(parsed(pdf(f"BT {raised} ET"))) == ["The Resource Center 1 is old."]


@pytest.mark.parametrize("number", ["1", "12"])
def test_the_number_of_a_note_stands_apart_from_its_text(number: str) -> None:
    note = f"/F 6 Tf 72 92 Td 3 Ts ({number}) Tj 0 Ts /F 8 Tf (The tank holds nine barrels.) Tj"
    document = parsed(pdf(lines(72, 100, BODY) + f"\nBT {note} ET"))
    assert texts(document) == [" ".join(BODY), f"{number} The tank holds nine barrels."]


@pytest.mark.parametrize(
    ("before", "raised", "said"),
    [
        ("It needs 10", "6", "It needs 10⁶ of it."),
        ("It needs 10", "-12", "It needs 10⁻¹² of it."),
        ("Built in 1990", "3,4", "Built in 1990³,⁴ of it."),
        ("Built of stone.", "3", "Built of stone.³ of it."),
        ("The 1", "st", "The 1st of it."),
    ],
)
def test_a_raised_number_is_never_more_digits(before: str, raised: str, said: str) -> None:
    shown = f"/F 10 Tf 72 692 Td ({before}) Tj 4 Ts /F 6 Tf ({raised}) Tj 0 Ts /F 10 Tf ( of it.) Tj"
    assert texts(parsed(pdf(f"BT {shown} ET"))) == [said]


def test_ligatures_under_the_code_of_another_sign_are_letters() -> None:
    broken = [
        'A signi"cant case of speci"c use, well',
        'de"ned, is the "rst di!cult one. He said',
        '"type" and "exit": 5 % of a+b & c.',
    ]
    document = parsed(pdf(lines(72, 100, broken)))
    assert texts(document) == [
        "A significant case of specific use, well defined, is the first difficult one."
        ' He said "type" and "exit": 5 % of a+b & c.'
    ]


def test_signs_between_letters_are_kept_where_they_are_no_ligatures() -> None:
    said = ["Write a+b and R&D, key=x&y=z, or", 'the cry "ha!ha" once.']
    assert texts(parsed(pdf(lines(72, 100, said)))) == [" ".join(said)]


def test_code_keeps_its_lines_and_is_set_in() -> None:
    code = [at(72, 200, "def fill(tank):", font="C"), at(96, 212, "tank.open()", font="C")]
    document = parsed(pdf("\n".join([lines(72, 100, BODY * 2), *code, lines(72, 250, BODY * 2)])))
    assert texts(document, "code") == ["def fill(tank):\n    tank.open()"]


def test_text_printed_twice_comes_once() -> None:
    twice = "\n".join(
        [at(72, 100, "Danger of fire"), at(72.3, 100, "Danger of fire"), at(72, 400, "Danger of fire")]
    )
    assert texts(parsed(pdf(twice))) == ["Danger of fire", "Danger of fire"]


@pytest.mark.parametrize("order", [1, -1])
def test_a_part_of_a_line_printed_twice_comes_once(order: int) -> None:
    twice = [at(72, 100, "Danger of fire in the mill"), at(72.3, 100, "Danger of"), at(72, 400, "Danger of")]
    assert texts(parsed(pdf("\n".join(twice[::order])))) == ["Danger of fire in the mill", "Danger of"]


def test_a_text_layer_that_means_nothing_is_unread() -> None:
    soup = lines(72, 100, ["wkh txlfn eurzq ira mxpsv ryhu wkh odcb grj " + "zklfk vwdqgv lq wkh fhoodu"] * 6)
    document = parsed(pdf(soup, lines(72, 100, BODY)))
    assert document.losses.pages_without_text == (1,)
    assert texts(document) == [" ".join(BODY)]


def test_markup_that_repeats_a_few_words_is_text() -> None:
    rows = ["<tr><td></td><td></td><td></td><td></td><td></td><td></td></tr>"] * 12
    document = parsed(pdf(lines(72, 100, ["<table> with span and colspan", *rows, "</table>"])))
    assert document.losses.pages_without_text == ()
    assert document.text.count("<td></td>") == 72


# Glyph numbers of a Korean font: what a reader sees for each is another syllable.
BY_LOT = ["묾푷쭖쩣컪훟읊퓒칺몮픟컪픦팢", "솒빪먾헏젊몒몋캏윦캏맞쩣컪훟", "픦팢솒빪먾헏젊몒몋캏묾푷쭖쩣"]


REAL = [
    ["물레방아는 강물의 힘으로 돌아가며", "곡식을 빻고 밤에는 펌프를 움직여", "지붕 밑의 물통을 채운다"],
    ["水车靠河水的力量转动并且磨碎谷物，", "夜里水泵把水送到屋顶下面的水箱，", "早晨农民打开阀门浇灌田地。"],
    ["水車は川の力で回り、穀物をひく。", "夜にはポンプが屋根の下の水槽を", "満たし、朝には畑に水を流す。"],
]


def numbered_lines(top: float, texts: list[str], font: str = "0") -> str:
    return "\n".join(numbered(72, top + 14 * i, text, 10, font) for i, text in enumerate(texts)) + "\n"


def test_glyph_numbers_are_no_text_and_the_rest_of_the_page_is() -> None:
    document = parsed(pdf(numbered_lines(100, BY_LOT) + lines(72, 200, BODY), fonts=UNEXPLAINED))
    assert document.losses.pages_without_text == (1,)
    assert texts(document) == [" ".join(BODY)]


@pytest.mark.parametrize("said", REAL)
def test_numbers_that_are_those_of_characters_are_text(said: list[str]) -> None:
    document = parsed(pdf(numbered_lines(100, said), fonts=UNEXPLAINED))
    assert document.losses.pages_without_text == ()
    assert document.text.replace(" ", "").replace("\n", "") == "".join(said).replace(" ", "")


@pytest.mark.parametrize(("said", "without"), [(BY_LOT, (1,)), *((said, ()) for said in REAL)])
def test_a_wrong_map_to_syllables_that_no_text_has(said: list[str], without: tuple[int, ...]) -> None:
    document = parsed(pdf(numbered_lines(100, said, "1"), fonts=EXPLAINED))
    assert document.losses.pages_without_text == without
    assert bool(document.text) == (not without)


def test_a_few_unknown_characters_are_named_in_their_line() -> None:
    said = numbered(72, 100, "스마트데이터서비스와보안기술", font="1")
    known = "\n".join(numbered(232 + 80 * i, 100, "기술을함께", font="1") for i in range(3))
    unknown = "\n".join(numbered(282 + 80 * i, 100, "퓒컪") for i in range(3))
    document = parsed(pdf("\n".join((said, known, unknown)), fonts=UNEXPLAINED + EXPLAINED))
    assert document.losses.pages_without_text == ()
    assert document.losses.dropped == ("page 1: 6 characters whose meaning the file does not tell",)
    assert document.text.count("\ufffd") == 6 and "퓒" not in document.text
