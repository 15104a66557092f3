"""Decoding: the right text, the encoding by name, and a refusal instead of mojibake."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import InputError, SkippedError
from pincite.parse.decode import decode

SENTENCES = [
    ("gb18030", "电池更换后可以立即浸入水中吗？请等待二十四小时，然后再测试。"),
    ("gb18030", "你好，世界。"),
    ("cp932", "電池を交換した直後に水に浸けてもよいですか。"),
    ("cp932", "カタカナのテスト ABC 123"),
    ("euc_jp", "電池を交換した直後に水に浸けてもよいですか。"),
    ("iso2022_jp", "電池を交換した直後です。"),
    ("cp949", "배터리를 교체한 직후에 물에 담가도 됩니까?"),
    ("big5", "電池更換後可以立即浸入水中嗎？請等待二十四小時。"),
    ("cp1251", "Можно ли погружать устройство сразу после замены батареи?"),
    ("koi8_r", "Можно ли погружать устройство сразу после замены батареи?"),
    ("cp1253", "Η συσκευή μπορεί να βυθιστεί αμέσως μετά την αλλαγή."),
    ("cp1255", "אפשר לטבול את המכשיר מיד אחרי החלפת הסוללה"),
    ("cp1256", "يمكن غمر الجهاز مباشرة بعد تغيير البطارية"),
    ("cp1252", "Größe und Maß des Geräts über Nacht prüfen"),
    ("cp1252", "Il a été décidé que l’élève – “naïf” – paierait 5 €."),
    ("cp1252", "São Paulo não é a capital; a informação está em construção."),
    ("cp1252", "perché è così, più città"),
    ("cp1252", "Smörgåsbord på øen, vær så god"),
    ("cp1252", "señor, mañana ¿sí?"),
    ("cp1250", "Urządzenie można zanurzyć po wymianie baterii, proszę poczekać."),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("iso8859_2", "Zażółć gęślą jaźń, proszę poczekać."),
    ("iso8859_2", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("cp1254", "Türkçe ağaç ışık İstanbul şeker"),
]


@pytest.mark.parametrize(("encoding", "sentence"), SENTENCES)
@pytest.mark.parametrize("times", [1, 40])
def test_legacy_encodings_are_told_apart(encoding: str, sentence: str, times: int) -> None:
    text = f"# Title\n\n{sentence}\r\n" * times
    decoded = decode(text.encode(encoding), uri="a.md")
    assert (decoded.text, decoded.encoding) == (text, encoding)


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
        (b"", "utf-16-le", "utf-16-le"),
        (b"", "utf-16-be", "utf-16-be"),
        (b"", "utf-8", "utf-8"),
    ],
)
def test_unicode_with_and_without_a_mark(mark: bytes, codec: str, name: str) -> None:
    text = "# Größe\r\n\r\n电池 battery\n"
    decoded = decode(mark + text.encode(codec), uri="a.md")
    assert (decoded.text, decoded.encoding) == (text, name)


def test_a_declared_encoding_counts_before_a_guess() -> None:
    data = '<meta charset="koi8-r"><p>да</p>'.encode("koi8-r")
    assert decode(data, uri="a.html").encoding == "koi8_r"
    latin = b'<?xml version="1.0" encoding="ISO-8859-1"?><p>\xe9</p>'
    assert decode(latin, uri="a.html").text.endswith("<p>é</p>")


DECLARED = [
    ("iso-8859-2", "Příliš žluťoučký kůň, šťastný"),
    ("iso-8859-5", "Привет, мир"),
    ("iso-8859-9", "Türkçe ağaç"),
    ("iso-8859-15", "5 €, cœur"),
    ("windows-1257", "Ąžuolas ėjo į šilą"),
    ("ibm866", "Привет, мир"),
    ("koi8-u", "Київ, їжак"),
    ("tis-620", "สวัสดีครับ"),
    ("macintosh", "Größe “naïf”"),
    ("gb2312", "电池"),
]


@pytest.mark.parametrize(("declared", "sentence"), DECLARED)
def test_encodings_that_are_never_guessed_are_read_where_they_are_declared(
    declared: str, sentence: str
) -> None:
    page = f'<meta charset="{declared}"><p>{sentence}</p>'
    assert decode(page.encode(declared), uri="a.html").text == page


@pytest.mark.parametrize("declared", [b"punycode", b"unicode_escape", b"utf-7", b"nonsense-9"])
def test_other_declared_codecs_are_not_run(declared: bytes) -> None:
    decoded = decode(b"# coding: " + declared + b"\nGr\xf6\xdfe der Ger\xe4te", uri="a.py")
    assert decoded.encoding == "cp1252"


@pytest.mark.parametrize("data", [b"a\0b", b"\x89PNG\r\n\x1a\n\0\0", bytes(range(1, 32)) * 9 + b"\xff"])
def test_binary_data_is_skipped(data: bytes) -> None:
    with pytest.raises(SkippedError, match=r"a\.md: binary data"):
        decode(data, uri="a.md")


def test_nearly_utf8_is_refused_with_its_line() -> None:
    data = "Größe\nMaß\nüber\n".encode() + b"caf\xe9\n"
    with pytest.raises(InputError, match=r"a\.md: UTF-8 text with 1 wrong byte\(s\), the first on line 4"):
        decode(data, uri="a.md")


def test_undecodable_bytes_are_refused_with_the_first_wrong_one() -> None:
    with pytest.raises(InputError, match=r"a\.md: no encoding fits: not UTF-8 \(wrong at byte 0\)"):
        decode(bytes(range(128, 256)) * 30, uri="a.md")


def test_the_far_end_of_a_large_file_counts_too() -> None:
    text = "plain ascii line\n" * 20_000 + "Größe und Maß der Geräte\n"
    assert decode(text.encode("cp1252"), uri="a.md").text == text


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_utf8_round_trips(text: str) -> None:
    if "\x1b$" not in text:
        assert decode(codecs.BOM_UTF8 + text.encode(), uri="a").text == text


@given(st.binary(max_size=400))
def test_any_bytes_decode_or_are_refused_by_name(data: bytes) -> None:
    try:
        decoded = decode(data, uri="some/file.txt")
    except InputError as error:
        assert error.message.startswith("some/file.txt: ")
    else:
        assert "\ufffd" not in decoded.text or "\ufffd".encode() in data or decoded.encoding != "utf-8"
