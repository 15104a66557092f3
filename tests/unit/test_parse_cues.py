"""Subtitles: cues joined to paragraphs, with their lines and times, speakers kept, marks out."""

from __future__ import annotations

import pytest

from extracted import parts_of, read
from pincite.errors import InputError
from pincite.types import Place, Span

SRT = """1
00:00:01,000 --> 00:00:03,500
The tide <i>rises</i>
at {\\an8}Brest &amp; Lorient.

2
00:00:03,600 --> 00:00:05,000
Then it falls.

3
00:01:02,000 --> 00:01:04,000
Much later.
"""
VTT = """WEBVTT - Harbour talk
Kind: captions
Language: en-GB

NOTE This is not said.

STYLE
::cue { color: red }

intro
00:01.000 --> 00:03.000 align:right
<v.loud Ada Koray>High water.</v> <v B. Lund>Is it?</v>

00:03.000 --> 00:05.000
<v B. Lund>I think
so.</v>

00:05.000 --> 00:06.000
Nobody.
"""


def test_cues_are_joined_with_their_lines_and_times() -> None:
    document = read("a.srt", SRT.replace("\n", "\r\n"))
    assert parts_of(document) == [
        ("paragraph", "00:00:01-00:00:03 3-8", "The tide rises at Brest & Lorient. Then it falls."),
        ("paragraph", "00:01:02 12-12", "Much later."),
    ]
    falls = document.text.index("Then")
    assert document.origins.place(Span(falls, falls + 4)) == Place(8, 8, part="00:00:03")
    assert document.type == "srt" and not document.meta


def test_speakers_are_kept_and_part_the_paragraphs() -> None:
    document = read("a.vtt", VTT)
    assert parts_of(document) == [
        ("turn", "00:00:01 12-12", "Ada Koray: High water."),
        ("turn", "00:00:01-00:00:03 12-16", "B. Lund: Is it? I think so."),
        ("paragraph", "00:00:05 19-19", "Nobody."),
    ]
    assert (document.title, document.language, document.type) == ("Harbour talk", "en", "vtt")


def test_paragraphs_end_with_a_sentence_once_they_are_long() -> None:
    cue = "{0}\n00:00:{0:02},000 --> 00:00:{0:02},900\nThe water of the harbour {1}\n"
    lines = [cue.format(i, "rises." if i % 4 == 3 else "and") for i in range(40)]
    document = read("a.srt", "\n".join(lines))
    texts = [text for _, _, text in parts_of(document)]
    assert all(240 <= len(text) <= 400 and text.endswith("rises.") for text in texts[:-1])
    assert len(texts) == 4


def test_a_paragraph_without_sentences_is_bounded() -> None:
    cue = "00:00:{0:02},000 --> 00:00:{0:02},900\nwater and water and water and water\n"
    document = read("a.srt", "\n".join(cue.format(i) for i in range(60)))
    assert max(len(text) for _, _, text in parts_of(document)) < 900


def test_rolling_captions_are_read_once() -> None:
    text = (
        "WEBVTT\n\n00:01.000 --> 00:03.000\n \nthe<00:01.500><c> tide</c>\n\n"
        "00:03.000 --> 00:03.010\nthe tide\n \n"
        "\n00:03.010 --> 00:05.000\nthe tide\nrises<00:04.000><c> now</c>\n"
    )
    assert [part[2] for part in parts_of(read("a.vtt", text))] == ["the tide rises now"]


def test_cues_without_blank_lines_between_them_are_told_apart() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\none\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n"
    assert [part[2] for part in parts_of(read("a.srt", text))] == ["one two"]


def test_a_file_without_cues_is_refused_and_an_empty_one_is_empty() -> None:
    with pytest.raises(InputError, match=r"^a\.srt: no cue found"):
        read("a.srt", "Just text.\n")
    assert read("a.srt", "").blocks == ()
    assert read("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n").blocks == ()


def test_blank_lines_end_no_cue_where_nothing_but_cues_stands() -> None:
    page = "1\n00:00:01,000 --> 00:00:02,000\nHigh\n\nwater.\n\n2\n00:00:03,000 --> 00:00:04,000\nLow.\n"
    assert read("a.srt", page).text == "High water. Low."
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nHigh\n\nNOTE not said\n\n00:03.000 --> 00:04.000\nLow.\n"
    assert read("a.vtt", vtt).text == "High Low."


def test_times_may_have_no_thousandths() -> None:
    assert read("a.srt", "1\n00:00:01 --> 00:00:02\nHigh.\n").text == "High."
