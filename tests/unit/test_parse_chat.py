"""Chat logs and transcripts: one block per message, whoever wrote the export."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsed import assert_sound, lines_of, source, texts
from pincite.parse.chat import looks_like_chat, parse_chat
from pincite.types import Document


def _parsed(text: str) -> Document:
    document = parse_chat(source("talk.txt", text))
    assert document.text == text
    assert document.type == "chat"
    assert_sound(document)
    return document


FORMATS = {
    "bracketed": "[2026-03-14 09:12] Anna: Is the pump on?\n[2026-03-14 09:13] Ben Li: Yes.\n"
    "[2026-03-14 09:15] Anna: Good.\n[2026-03-15 08:00] Ben Li: Off again.\n",
    "iso": "2026-03-14T09:12:33Z Anna: Is the pump on?\n2026-03-14T09:13:01Z Ben Li: Yes.\n"
    "2026-03-14T09:15:00+01:00 Anna: Good.\n2026-03-15T08:00:00Z Ben Li: Off again.\n",
    "nicks": "09:12 <Anna> Is the pump on?\n09:13 <@Ben Li> Yes.\n"
    "09:15 <Anna> Good.\n08:00 <Ben Li> Off again.\n",
    "names": "Anna: Is the pump on?\nBen Li: Yes.\nAnna: Good.\nBen Li: Off again.\n",
    "bold": "**Anna**: Is the pump on?\n**Ben Li:** Yes.\n**Anna**: Good.\n**Ben Li**: Off again.\n",
    "phone": "14/03/2026, 09:12 - Anna: Is the pump on?\n14/03/2026, 09:13 - Ben Li: Yes.\n"
    "14/03/2026, 09:15 - Anna: Good.\n15/03/2026, 08:00 - Ben Li: Off again.\n",
    "phone, twelve hours": "[3/14/26, 9:12:01 AM] Anna: Is the pump on?\n[3/14/26, 9:13:00 AM] Ben Li: Yes.\n"
    "[3/14/26, 9:15:10\u202fPM] Anna: Good.\n[3/15/26, 8:00:00 AM] Ben Li: Off again.\n",
    "transcript": "00:00:01 Anna: Is the pump on?\n00:00:04 Ben Li: Yes.\n00:01:00 Anna: Good.\n"
    "01:00:00 Ben Li: Off again.\n",
    "time behind": "Anna (09:12): Is the pump on?\nBen Li (09:13): Yes.\nAnna (09:15): Good.\n"
    "Ben Li (08:00): Off again.\n",
}
UNDATED = {"nicks", "names", "bold", "transcript", "time behind"}


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_gives_one_turn_a_message(name: str) -> None:
    text = FORMATS[name]
    assert looks_like_chat(text)
    document = _parsed(text)
    assert texts(document, "turn") == text.splitlines()
    assert document.meta["speakers"] == ("Anna", "Ben Li")


@pytest.mark.parametrize("name", sorted(set(FORMATS) - UNDATED))
def test_first_and_last_day_are_metadata(name: str) -> None:
    meta = _parsed(FORMATS[name]).meta
    assert meta["date"] == date(2026, 3, 14)
    assert meta["last_date"] == date(2026, 3, 15)


@pytest.mark.parametrize("name", sorted(UNDATED))
def test_without_days_there_is_no_date(name: str) -> None:
    assert "date" not in _parsed(FORMATS[name]).meta


def test_chinese_names_with_full_width_colons() -> None:
    text = "王芳：水泵开了吗？\n李雷：开了。\n王芳：好的，谢谢😀\n李雷：不客气。\n"
    assert looks_like_chat(text)
    document = _parsed(text)
    assert texts(document) == text.splitlines()
    assert document.meta["speakers"] == ("王芳", "李雷")


def test_lines_without_a_stamp_continue_the_message() -> None:
    text = (
        "[2026-03-14 09:12] Anna: The list:\r\n- pump\r\n\r\nReminder: valve first\r\n"
        "[2026-03-14 09:13] Ben: ok\r\n[2026-03-14 09:14] Anna joined the group\r\n"
        "[2026-03-14 09:15] Ben: hi\r\n"
    )
    document = _parsed(text)
    assert [lines_of(document, b) for b in document.blocks] == [(1, 4), (5, 5), (6, 6), (7, 7)]
    assert texts(document)[0].endswith("Reminder: valve first")
    assert document.meta["speakers"] == ("Anna", "Ben")


def test_lines_before_the_first_message_are_kept_and_date_it() -> None:
    text = "Time: 20260924_20:00\nMiaWong: Ready?\nLiHua: Yes!\nMiaWong: Go.\nLiHua: Bye\n"
    assert looks_like_chat(text)
    document = _parsed(text)
    assert [b.kind for b in document.blocks] == ["paragraph", "turn", "turn", "turn", "turn"]
    assert document.meta["date"] == date(2026, 9, 24)


def test_days_before_months_are_told_from_the_whole_log() -> None:
    european = _parsed("01/02/2026, 10:00 - A: x\n13/02/2026, 10:00 - B: y\n")
    american = _parsed("01/02/2026, 10:00 - A: x\n02/13/2026, 10:00 - B: y\n")
    assert european.meta["date"] == date(2026, 2, 1)
    assert american.meta["date"] == date(2026, 1, 2)
    assert "date" not in _parsed("99/99/2026, 10:00 - A: x\n").meta


NO_CHATS = {
    "prose": "The pump has two parts.\nIt is painted red.\nNote: check it.\nAlways.\nNever.\n",
    "glossary": "Leaf: the moving part\nSill: the lower edge\nGate: all of it\n"
    "Lock: two gates\nWeir: a dam\n",
    "records": "Part: leaf\nColour: red\nPlace: north\n\n" * 4,
    "questions": "Q: Is it on?\nA: Yes.\nQ: Why?\nA: It has to be.\nQ: When?\nA: Now.\n",
    "server log": "2026-03-14 09:12:33 INFO db: up\n2026-03-14 09:12:34 ERROR net: down\n"
    "2026-03-14 09:12:35 INFO db: up\n2026-03-14 09:12:36 WARN db: slow\n",
    "system log": "Mar 14 09:12:33 host sshd[12]: in\nMar 14 09:12:34 host cron[13]: run\n" * 3,
    "links": "see\nhttp://a.example\nhttps://b.example\nhttp://c.example\nhttps://d.example\n",
    "mail": "From: a\nTo: b\nSubject: c\nDate: d\n\nHello\n",
    "raw mail": "X-Mailer: a\nMIME-Version: 1.0\nContent-Type: a\n\n--b\nContent-Type: c\nX-Mailer: d\n",
    "two turns": "Anna: hi\nBen: hi\n",
    "empty": "",
    "blank": " \n\n",
}


@pytest.mark.parametrize("name", NO_CHATS)
def test_other_texts_are_not_taken_for_chats(name: str) -> None:
    assert not looks_like_chat(NO_CHATS[name])


def test_many_speakers_are_bounded() -> None:
    text = "".join(f"10:00 <n{i}> hello\n" for i in range(200))
    speakers = _parsed(text).meta["speakers"]
    assert isinstance(speakers, tuple) and len(speakers) == 50


def test_a_very_long_line_is_one_turn() -> None:
    document = _parsed("Anna: " + "a b:" * 500_000 + "\nBen: ok\n")
    assert len(document.blocks) == 2


_STARTS = ["Anna: ", "王芳：", "09:12 ", "[2026-03-14 09:12] ", "<ben> ", "**"]
_PIECES = st.sampled_from([*_STARTS, "\n", "\r\n", " ", "text", "😀", ":", "\u2028"])


@given(st.lists(_PIECES, max_size=40))
def test_blocks_cover_any_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    _parsed(text)
    looks_like_chat(text)
