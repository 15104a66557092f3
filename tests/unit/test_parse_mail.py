"""E-mail: headers, the one body to read, history folded, parts by number; hostile and broken messages."""

from __future__ import annotations

import base64
import time
from datetime import date

import pytest

from extracted import parts_of, read
from pincite.errors import InputError
from pincite.parse.mail.headers import addresses, decode_words, sent_on
from pincite.types import Document, Span

HEAD = "From: Ada Koray <ada@port.example>\nTo: b.lund@port.example\nMessage-ID: <7@port.example>\n"


def _mail(body: str | bytes, *, head: str = HEAD, subject: str = "Tides", more: str = "") -> Document:
    raw = body.encode() if isinstance(body, str) else body
    return read("a.eml", f"{head}Subject: {subject}\n{more}\n".encode() + raw)


def _parts(kind: str, *parts: str) -> tuple[str, str]:
    """Body and further headers of a multipart."""
    body = "".join(f"--b7\n{part}\n" for part in parts) + "--b7--\n"
    return body, f'MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary="b7"\n'


def _folded(document: Document) -> list[str]:
    return [document.text[cut.span.start : cut.span.end] for cut in document.left_out]


def _texts(document: Document) -> list[str]:
    return [text for kind, _, text in parts_of(document) if kind != "field"]


def test_headers_are_metadata_and_a_block_and_the_place_is_the_part() -> None:
    document = read(
        "a.eml",
        "From: =?utf-8?q?J=C3=B8rn?= <Jorn@Port.example>\nTo: Ada <ada@port.example>, b@port.example\n"
        "Cc: crew: c@port.example;\nDate: Fri, 3 May 2024 23:30:00 -0700\n"
        "Subject: =?iso-8859-1?Q?Mar=E9e?=\n =?iso-8859-1?Q?_haute?=\nMessage-ID: <7@port.example>\n\n"
        "Seven metres.\n\nBye,\nJørn\n-- \nPort office\n",
    )
    assert parts_of(document) == [
        ("field", "message <7@port.example>", "From: Jørn <Jorn@Port.example>"),
        ("field", "message <7@port.example>", "To: Ada <ada@port.example>, b@port.example"),
        ("field", "message <7@port.example>", "Cc: c@port.example"),
        ("field", "message <7@port.example>", "Date: Fri, 3 May 2024 23:30:00 -0700"),
        ("field", "message <7@port.example>", "Subject: Marée haute"),
        ("paragraph", "message <7@port.example>, part 1", "Seven metres."),
        ("paragraph", "message <7@port.example>, part 1", "Bye,\nJørn\n-- \nPort office"),
    ]
    assert (document.title, document.type) == ("Marée haute", "eml")
    assert document.origins.place(Span(0, len(document.text))).part == "message <7@port.example>"
    assert document.meta == {
        "author": "Jørn",
        "from": "jorn@port.example",
        "to": ("ada@port.example", "b@port.example"),
        "cc": ("c@port.example",),
        "date": date(2024, 5, 3),
        "message_id": "7@port.example",
    }


def test_of_two_forms_the_plain_one_is_read_once() -> None:
    plain = "Content-Type: text/plain\n\nThe harbour wall is seven metres high."
    html = "Content-Type: text/html\n\n<p>The harbour wall is <b>seven metres</b> high.</p>"
    body, more = _parts("alternative", plain, html)
    assert _texts(_mail(body, more=more)) == ["The harbour wall is seven metres high."]


def test_html_is_read_where_the_plain_form_is_a_stub_or_missing() -> None:
    page = "<h2>Ports</h2><table><tr><th>port</th><th>m</th></tr><tr><td>Brest</td><td>7</td></tr></table>"
    html = f"Content-Type: text/html; charset=utf-8\n\n{page}<p>All of them are open in the winter.</p>"
    for parts in ((html,), ("Content-Type: text/plain\n\nUse HTML.", html)):
        body, more = _parts("alternative", *parts)
        document = _mail(body, more=more)
        assert [kind for kind, _, _ in parts_of(document) if kind != "field"] == [
            "heading",
            "table",
            "row",
            "paragraph",
        ]
        assert _texts(document)[0] == "Ports"
        (row,) = (block for block in document.blocks if block.kind == "row")
        assert row.header == "port | m" and row.header_span is not None
        assert parts_of(document)[-1][1].endswith(f"part {len(parts)}")


def test_files_are_named_and_text_files_are_files() -> None:
    body, more = _parts(
        "mixed",
        "Content-Type: text/plain\n\nSee the table.",
        'Content-Type: text/csv; name="ports.csv"\nContent-Disposition: attachment\n\na,b',
        "Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''h%C3%B8y.txt\n\nx",
        "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERg==",
    )
    document = _mail(body, more=more)
    assert _texts(document) == [
        "See the table.",
        "Attachment: ports.csv\nAttachment: høy.txt\nAttachment: part 4.pdf",
    ]
    assert parts_of(document)[-1][1] == "message <7@port.example>, part 2-4"


@pytest.mark.parametrize(
    ("text", "own", "history"),
    [
        (
            "Yes, at noon.\n\nOn Fri, 3 May 2024, Bo wrote:\n> When?\n>\n> Bo\n",
            ["Yes, at noon."],
            ["On Fri, 3 May 2024, Bo wrote:\n> When?\n>\n> Bo"],
        ),
        (
            "Yes.\nAm 03.05.2024 um 10:00 schrieb Bo\n<bo@port.example>:\n> Wann?\n\nGruß",
            ["Yes.", "Gruß"],
            ["Am 03.05.2024 um 10:00 schrieb Bo\n<bo@port.example>:\n> Wann?"],
        ),
        (
            "Agreed.\n\n-----Original Message-----\nFrom: Bo\nSent: Friday\n\nShall we?\n\nBo",
            ["Agreed."],
            ["-----Original Message-----\nFrom: Bo\nSent: Friday\nShall we?\nBo"],
        ),
        (
            "Agreed.\n\nFrom: Bo <bo@x.example>\nSent: Friday\nTo: Ada\nSubject: x\n\nShall we?",
            ["Agreed."],
            ["From: Bo <bo@x.example>\nSent: Friday\nTo: Ada\nSubject: x\nShall we?"],
        ),
        (
            "Fine.\n\nOn 3 May 2024 at 10:00, Bo <bo@x.example> wrote:\n\nShall we?\n",
            ["Fine."],
            ["On 3 May 2024 at 10:00, Bo <bo@x.example> wrote:\nShall we?"],
        ),
        (
            "Yes.\nBo Berg schrieb am 03.05.2024 um 10:00:\n> Wann?\n\nGruß",
            ["Yes.", "Gruß"],
            ["Bo Berg schrieb am 03.05.2024 um 10:00:\n> Wann?"],
        ),
        (
            "好的。\n\nBo <bo@x.example> 于2024年5月3日周五 10:00写道：\n\n> 什么时候？\n",
            ["好的。"],
            ["Bo <bo@x.example> 于2024年5月3日周五 10:00写道：\n> 什么时候？"],
        ),
        ("> first\nNo.\n> second\nYes.\n", ["No.", "Yes."], ["> first", "> second"]),
    ],
)
def test_history_is_folded_and_own_words_stay(text: str, own: list[str], history: list[str]) -> None:
    document = _mail(text)
    assert _texts(document) == own
    assert _folded(document) == history
    assert {cut.reason for cut in document.left_out} == {"quoted history"}


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "Note",
            "See.\n\n---------- Forwarded message ---------\nFrom: Bo\nDate: 3 May\n\nThe wall is high.",
        ),
        ("FW: wall", "FYI\n\n-----Original Message-----\nFrom: Bo\nSent: Friday\n\nThe wall is high."),
        ("Note", "-----Original Message-----\nFrom: Bo\nSent: Friday\n\nThe wall is high."),
        ("Note", "> all of this is quoted\n> The wall is high."),
        ("Note", "Try this:\n\n>>> height(7)\n>>> The wall is high.\n"),
        ("Note", "Bo schrieb am 3. Mai 2024 an alle:\n\nThe wall is high."),
        ("Note", "He wrote:\nThe wall is high.\n\nOn the coast: The wall is high."),
    ],
)
def test_what_is_no_history_stays(subject: str, text: str) -> None:
    document = _mail(text, subject=subject)
    assert not document.left_out
    assert "The wall is high." in "\n".join(_texts(document))


def test_history_of_html_mails_is_folded() -> None:
    html = (
        "<p>Agreed.</p><div>On 3 May 2024, Bo wrote:</div><blockquote><p>Shall we?</p><p>Bo</p></blockquote>"
    )
    document = _mail(html, more="Content-Type: text/html\n")
    assert _texts(document) == ["Agreed."]
    assert _folded(document) == ["On 3 May 2024, Bo wrote:", "Shall we?", "Bo"]


@pytest.mark.parametrize(
    ("charset", "data"),
    [
        ("utf-8", "Grüße, 7 €".encode()),
        ("us-ascii", "Grüße, 7 €".encode()),
        ("no-such-charset", "Grüße, 7 €".encode()),
        ("iso-8859-1", "Grüße, 7 €".encode("cp1252")),
        ("utf-16le", "Grüße, 7 €".encode("utf-16-le")),
        ("base64_codec", "Grüße, 7 €".encode()),
    ],
)
def test_encodings_are_those_stated_or_those_that_fit(charset: str, data: bytes) -> None:
    more = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n"
    assert _texts(_mail(base64.b64encode(data), more=more)) == ["Grüße, 7 €"]


def test_flowed_lines_are_joined() -> None:
    document = _mail("The wall is \nhigh.\n> and \n> low\n", more="Content-Type: text/plain; format=flowed\n")
    assert _texts(document) == ["The wall is high."]
    assert _folded(document) == ["> and low"]


def test_what_cannot_be_read_is_named() -> None:
    body, more = _parts(
        "mixed",
        "Content-Type: text/plain\n\nSee there.",
        'Content-Type: application/ms-tnef; name="winmail.dat"\n\nx',
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx",
        "Content-Type: application/pkcs7-signature\n\nx",
    )
    assert _mail(body, more=more).losses.dropped == (
        "part 2: winmail.dat (TNEF), files in a form of Outlook's own",
        "part 3: an encrypted or sealed (S/MIME) message",
    )
    body, more = _parts("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1")
    assert _mail(body, more=more).losses.dropped == ("an encrypted (PGP) message",)
    inline = _mail("Hello\n\n-----BEGIN PGP MESSAGE-----\nhQEM\n-----END PGP MESSAGE-----\n")
    assert inline.losses.dropped == ("part 1: text encrypted with PGP",)
    assert _texts(inline) == ["Hello"]


def test_header_lines_out_of_form_are_mended() -> None:
    document = read("a.eml", "From  : Ada <a@x.example>\nX-A: 1\nstray words\nSubject: Wall\n\nHigh.\n")
    assert (document.title, document.meta["author"]) == ("Wall", "Ada")


def test_many_recipients_are_metadata_and_the_cut_is_named() -> None:
    to = ", ".join(f"p{n}@x.example" for n in range(60))
    document = read("a.eml", f"To: {to}\nSubject: x\n\ny")
    assert document.losses.dropped == ("header To: 50 of 60 names are written out",)
    assert len(document.meta["to"]) == 60  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?utf-8?B?w7g=?= =?utf-8?B?w7g=?= x", "øø x"),
        ("=?utf-8?B?ww==?= =?utf-8?B?uA==?=", "ø"),
        ("=?NONE?B?VEVTVA=?=", "TEST"),
        ("=?utf-8?Q?a b=5?=", "a b=5"),
        ("plain =?x?", "plain =?x?"),
        ("a\udcc3\udcb8", "aø"),
        ("a\0b\r\n c", "ab c"),
    ],
)
def test_encoded_words(raw: str, text: str) -> None:
    assert decode_words(raw) == text


def test_hostile_headers_take_no_time_and_raise_nothing() -> None:
    start = time.process_time()
    for raw in (letters * 50_000 for letters in ("(", "<", '"', "a@", "=?", "\\", ":;", "=?a?b?", ",", "[")):
        addresses(raw)
        decode_words(raw)
        sent_on(raw)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x01\x02 no mail", "it does not start with a header line"),
        (b"boundary=" * 1000 + b":\n" * 30_000, "header line"),
        (b"A: boundary=x\n" * 5_000, "too many lines and parts"),
    ],
)
def test_what_is_no_mail_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read("a.eml", data)


def test_nesting_is_bounded() -> None:
    head = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(60))
    document = read("a.eml", head + "Content-Type: text/plain\n\ndeep\n")
    assert document.losses.dropped == ("parts more than 30 deep",)
    deep = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(1500))
    assert read("a.eml", f"{deep}\ndeep\n").losses.dropped == ("parts more than 30 deep",)


def test_what_nests_too_deeply_costs_no_text_beside_it() -> None:
    deep = "".join(f'Content-Type: multipart/mixed; boundary="c{n}"\n\n--c{n}\n' for n in range(1500))
    body, more = _parts("mixed", "Content-Type: text/plain\n\nHigh water.", deep)
    document = read("a.eml", f"{HEAD}Subject: x\n{more}\n{body}")
    assert "High water." in document.text
    assert document.losses.dropped == ("parts more than 30 deep",)


@pytest.mark.parametrize("cut", range(0, 400, 37))
def test_truncated_mails_are_read_as_far_as_they_go(cut: int) -> None:
    body, more = _parts("mixed", "Content-Type: text/plain\n\nSee there.", "Content-Type: image/png\n\nx")
    whole = f"{HEAD}Subject: x\n{more}\n{body}".encode()
    text = read("a.eml", whole[: max(cut, 5)]).text.removesuffix("Attachment: part 2.png")
    assert all(word in whole.decode() for word in text.split())
    assert ("Ada Koray" in text) == (cut > 30) and ("See there." in text) == (cut > 200)


def test_an_empty_file_is_empty() -> None:
    assert not read("a.eml", b"").blocks


def test_a_form_of_several_parts_is_read_whole() -> None:
    inner = _parts(
        "mixed", "Content-Type: text/plain\n\nHigh water.", "Content-Type: text/plain\n\nLow water."
    )
    mixed = inner[0].replace("b7", "c8")
    head = inner[1].replace("b7", "c8")
    html = "Content-Type: text/html\n\n<p>High water.</p><p>Low water.</p>"
    body, more = _parts("alternative", f"{head}\n{mixed}", html)
    assert _texts(_mail(body, more=more)) == ["High water.", "Low water."]


def test_the_page_is_read_before_lesser_forms_of_it() -> None:
    amp = "Content-Type: text/x-amp-html\n\n<html amp4email><p>Lively tide.</p></html>"
    body, more = _parts("alternative", amp, "Content-Type: text/html\n\n<p>High tide.</p>")
    assert _texts(_mail(body, more=more)) == ["High tide."]
    body, more = _parts("alternative", amp)
    assert _texts(_mail(body, more=more)) == ["Lively tide."]


def test_text_behind_the_last_part_is_named() -> None:
    body, more = _parts("mixed", "Content-Type: text/plain\n\nHigh water.")
    assert _mail(body, more=more).losses.dropped == ()
    document = _mail(body + "A footer that no part holds.\n", more=more)
    assert document.losses.dropped == ("text behind the last part",)
