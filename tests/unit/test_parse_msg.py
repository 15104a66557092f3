"""Outlook messages: properties to headers, body and attachments; messages inside messages; damaged files."""

from __future__ import annotations

import struct
from datetime import date

import pytest

from extracted import parts_of, read
from ole_files import Tree, message, ole_file
from parsed import source
from pincite.errors import InputError
from pincite.parse.inside.members import members
from pincite.parse.mail.rich_text import unpack_rtf
from pincite.protocols import Source

WHO = {"0037": "Tides", "0C1A": "Ada Koray", "0C1F": "ada@port.example", "1035": "<7@port.example>"}
TICKS = struct.pack("<Q", 133_591_680_000_000_000 + 5)  # 2024-05-03 in steps of 100 ns since 1601


def _recipient(name: str, address: str, kind: int) -> Tree:
    return message({"3001": name, "39FE": address}, fixed={0x0C15: bytes([kind])}, head=8)


def _file(text: dict[str, str], **storages: Tree) -> bytes:
    named = {f"__{name[:-1]}_version1.0_#0000000{name[-1]}": tree for name, tree in storages.items()}
    return ole_file(message({**WHO, **text}, fixed={0x0039: TICKS}, storages=named))


def test_headers_body_and_attachments() -> None:
    attached = message({"3707": "C:\\tides.csv", "370E": "text/csv"}, binary={"3701": b"a,b\n1,2\n"}, head=8)
    data = _file(
        {"1000": "Seven metres.\r\n\r\nOn 3 May, Bo wrote:\r\n> When?"},
        recip0=_recipient("Bo Lund", "bo@port.example", 1),
        recip1=_recipient("Cy", "cy@port.example", 2),
        attach0=attached,
    )
    document = read("a.msg", data)
    assert parts_of(document) == [
        ("field", "message <7@port.example>", "From: Ada Koray <ada@port.example>"),
        ("field", "message <7@port.example>", "To: Bo Lund <bo@port.example>"),
        ("field", "message <7@port.example>", "Cc: Cy <cy@port.example>"),
        ("field", "message <7@port.example>", "Date: 2024-05-03"),
        ("field", "message <7@port.example>", "Subject: Tides"),
        ("paragraph", "message <7@port.example>, part 1", "Seven metres."),
        ("paragraph", "message <7@port.example>, part 2", "Attachment: tides.csv"),
    ]
    assert document.title == "Tides"
    assert (document.meta["author"], document.meta["date"]) == ("Ada Koray", date(2024, 5, 3))
    assert [document.text[cut.span.start : cut.span.end] for cut in document.left_out] == [
        "On 3 May, Bo wrote:\n> When?"
    ]
    (inside,) = members(source("a.msg", data), "msg")
    assert isinstance(inside, Source)
    assert (inside.uri, inside.data) == ("a.msg/tides.csv", b"a,b\n1,2\n")


def test_the_mails_own_header_lines_come_first_and_html_is_read_where_there_is_no_plain_text() -> None:
    lines = (
        "From: Ada <a@x.example>\nTo: b@x.example\nDate: Sat, 4 May 2024 01:00:00 +0200\nMessage-ID: <8@x>\n"
    )
    tree = message(
        {**WHO, "007D": lines}, binary={"1013": "<p>Høy <b>wall</b></p>".encode()}, fixed={0x0039: TICKS}
    )
    document = read("a.msg", ole_file(tree))
    assert (document.meta["message_id"], document.meta["date"]) == ("8@x", date(2024, 5, 4))
    assert parts_of(document)[-1] == ("paragraph", "message <8@x>, part 1", "Høy wall")


def test_a_message_inside_is_content_and_its_files_come_along() -> None:
    file = message({"3707": "plan.pdf"}, binary={"3701": b"%PDF-1.4 x"}, head=8)
    inner = message(
        {"0037": "The wall", "0C1A": "Bo", "1000": "It is high."},
        storages={"__attach_version1.0_#00000000": file},
        head=24,
    )
    outer = message({"3707": "The wall"}, storages={"__substg1.0_3701000D": inner}, head=8)
    data = _file({"1000": "FYI"}, attach0=outer)
    document = read("a.msg", data)
    assert [text for kind, _, text in parts_of(document) if kind != "field"] == [
        "FYI",
        "---------- Forwarded message ----------\nFrom: Bo\nSubject: The wall",
        "It is high.",
        "Attachment: plan.pdf",
    ]
    assert [one.uri for one in members(source("a.msg", data), "msg")] == ["a.msg/plan.pdf"]


# The example of [MS-OXRTFCP]: "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}" and a line end.
HELLO = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)


def test_a_body_in_rich_text_alone_is_read() -> None:
    document = read("a.msg", ole_file(message(WHO, binary={"1009": HELLO})))
    assert parts_of(document)[-1] == ("paragraph", "message <7@port.example>, part 1", "hello world")
    assert not document.losses


def test_rich_text_is_unpacked() -> None:
    assert unpack_rtf(HELLO) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    plain = struct.pack("<II4sI", 17, 5, b"MELA", 0) + b"{\\rtf}"
    assert unpack_rtf(plain) == b"{\\rtf"
    for cut in range(len(HELLO)):
        assert unpack_rtf(HELLO[:cut]) == unpack_rtf(HELLO)[: len(unpack_rtf(HELLO[:cut]))]


def test_what_is_not_read_is_named() -> None:
    linked = message({"3707": "far.docx"}, head=8)
    sheet = message({"3707": "chart"}, storages={"__substg1.0_3701000D": {"CONTENTS": b"x"}}, head=8)
    tree = message(
        WHO,
        binary={"1009": b"rtf"},
        storages={"__attach_version1.0_#00000000": linked, "__attach_version1.0_#00000001": sheet},
    )
    assert read("a.msg", ole_file(tree)).losses.dropped == (
        "the body: its rich text is damaged or empty",
        "part 2: far.docx, which is linked, not attached",
        "part 3: chart (embedded OLE object)",
    )


@pytest.mark.parametrize("cut", [1, 600, 1100, 2000, 3000])
def test_damaged_files_are_refused_or_read_as_far_as_they_go(cut: int) -> None:
    data = _file({"1000": "Seven metres." * 500})
    try:
        read("a.msg", data[:-cut] if cut < len(data) else data)
    except InputError as error:
        assert error.message.startswith("a.msg: ")


@pytest.mark.parametrize(
    ("data", "what"), [(b"", "empty file"), (b"plain text", "not a valid Outlook message")]
)
def test_files_that_are_none_are_refused(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read("a.msg", data)
