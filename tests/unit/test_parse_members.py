"""Files inside files: archives, mails, mailboxes; names, limits, and the documents that list them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import stat
import tarfile
import time
import zipfile
from collections.abc import Callable, Mapping
from time import process_time

import pytest

from extracted import parts_of, read
from parsed import source
from pincite.errors import InputError
from pincite.parse import document_type, parse
from pincite.parse.inside import members as inside
from pincite.parse.inside.archive import MAX_MEMBER
from pincite.parse.inside.members import members
from pincite.parse.mail.read import read_mail
from pincite.protocols import Source
from pincite.types import Reason

FILES = {"b.md": b"# B", "docs/a.md": b"# A\n", "docs/deep/c.txt": b"x" * 1500}


def _zip(files: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, data in files.items():
            file.writestr(zipfile.ZipInfo(name, (2024, 5, 3, 0, 0, 0)), data, compression)
    return out.getvalue()


def _tar(files: Mapping[str, bytes], *more: tarfile.TarInfo) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
        for info in more:
            file.addfile(info)
    return out.getvalue()


def _inside(uri: str, data: bytes) -> dict[str, bytes | str]:
    """What is in a file: bytes by uri, or the reason why they are not read."""
    found = list(members(source(uri, data), document_type(uri, data)))
    named = {one.uri: one.reason if isinstance(one, Reason) else one.data for one in found}
    assert len(named) == len(found)
    return named


@pytest.mark.parametrize(
    ("uri", "pack"),
    [
        ("a.zip", None),
        ("a.tar", bytes),
        ("a.tar.gz", gzip.compress),
        ("a.tgz", gzip.compress),
        ("a.tar.bz2", bz2.compress),
        ("a.tar.xz", lzma.compress),
    ],
)
def test_the_members_of_an_archive_are_files_and_its_document_lists_them(uri: str, pack: object) -> None:
    data = pack(_tar(FILES)) if callable(pack) else _zip(FILES)
    assert _inside(uri, data) == {f"{uri}/{name}": content for name, content in FILES.items()}
    assert parts_of(read(uri, data)) == [
        ("list", "top folder", "b.md (3 bytes)"),
        ("list", "docs/", "docs/\na.md (4 bytes)"),
        ("list", "docs/deep/", "docs/deep/\nc.txt (1.5 kB)"),
    ]


@pytest.mark.parametrize(
    ("uri", "data", "name"),
    [
        ("notes.md.gz", gzip.compress(b"# A") + gzip.compress(b"\nB"), "notes.md"),
        ("notes.md.bz2", bz2.compress(b"# A\nB"), "notes.md"),
        ("notes.md.xz", lzma.compress(b"# A") + lzma.compress(b"\nB"), "notes.md"),
    ],
)
def test_a_packed_file_holds_one(uri: str, data: bytes, name: str) -> None:
    assert _inside(uri, data) == {f"{uri}/{name}": b"# A\nB"}
    assert parts_of(read(uri, data)) == [("list", "top folder", f"{name} (5 bytes)")]


HOSTILE = {
    "ok.md": b"1",
    "../up.md": b"2",
    "/etc/passwd": b"3",
    "C:\\boot.ini": b"4",
    "a:7": b"a name",
    "a/../../x.md": b"5",
    "OK.md": b"6",
    "bell\x07.md": b"7",
    ".hidden/x.md": b"8",
    "__MACOSX/ok.md": b"9",
    "node_modules/x.js": b"10",
    "go.sum": b"11",
    "cafe\u0301.md": b"12",
    "café.md": b"13",
    "./sub//x.md": b"14",
    "win\\y.md": b"15",
    "n" * 600: b"16",
}


def test_names_that_lead_out_or_are_taken_are_refused() -> None:
    for uri, data in (("a.zip", _zip(HOSTILE)), ("a.tar", _tar(HOSTILE))):
        found = _inside(uri, data)
        assert found == {
            f"{uri}/ok.md": b"1",
            f"{uri}/../up.md": "its path leads out of the archive",
            f"{uri}//etc/passwd": "its name is an absolute path",
            f"{uri}/C:/boot.ini": "its name is an absolute path",
            f"{uri}/a:7": b"a name",
            f"{uri}/a/../../x.md": "its path leads out of the archive",
            f"{uri}/OK.md": "it has the name of ok.md in another form",
            f"{uri}/bell?.md": "its name holds control characters",
            f"{uri}/café.md": b"12",
            f"{uri}/café.md (2)": "another member has the same name",
            f"{uri}/sub/x.md": b"14",
            f"{uri}/win/y.md": b"15",
            f"{uri}/{'n' * 499}…": "its path has more than 500 characters",
        }


def test_a_name_that_comes_twice_counts_once() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            file.writestr("a.md", "first")
            file.writestr("a.md", "second")
    found = list(members(source("a.zip", out.getvalue()), "archive"))
    assert isinstance(found[0], Source)
    assert found[0].data == b"first"
    assert found[1:] == [Reason("a.zip/a.md (2)", "another member has the same name")]


def test_links_and_devices_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        info = zipfile.ZipInfo("link.md")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(info, "/etc/passwd")
    assert _inside("a.zip", out.getvalue()) == {"a.zip/link.md": "a link; links are not followed"}
    link, hard, device = (tarfile.TarInfo(name) for name in ("link.md", "hard.md", "null"))
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    hard.type, hard.linkname = tarfile.LNKTYPE, "b.md"
    device.type = tarfile.CHRTYPE
    assert _inside("a.tar", _tar({"b.md": b"B"}, link, hard, device)) == {
        "a.tar/b.md": b"B",
        "a.tar/link.md": "a link; links are not followed",
        "a.tar/hard.md": "a link; links are not followed",
        "a.tar/null": "not a regular file",
    }


def test_encrypted_members_are_refused_by_name_and_others_read() -> None:
    data = bytearray(_zip({"a.md": b"A", "b.md": b"B"}))
    for at in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):  # of the first member
        data[at] |= 1
    assert _inside("a.zip", bytes(data)) == {"a.zip/a.md": "it is encrypted", "a.zip/b.md": b"B"}
    assert "a.md (1 bytes)" in read("a.zip", bytes(data)).text


def test_what_is_inside_members_comes_along_three_deep() -> None:
    mail = (
        b'Subject: x\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nSee.\n'
        b"--b\nContent-Type: text/csv; name=t.csv\nContent-Disposition: attachment\n\na,b\n--b--\n"
    )
    three = _zip({"m.eml": mail})
    data = _zip({"two.zip": _zip({"three.zip": three, "m.eml": mail})})
    assert list(_inside("one.zip", data)) == [
        "one.zip/two.zip",
        "one.zip/two.zip/three.zip",
        "one.zip/two.zip/three.zip/m.eml",
        "one.zip/two.zip/three.zip/m.eml/…",
        "one.zip/two.zip/m.eml",
        "one.zip/two.zip/m.eml/t.csv",
    ]
    assert _inside("one.zip", data)["one.zip/two.zip/m.eml/t.csv"] == b"a,b"
    deep = _inside("one.zip", data)["one.zip/two.zip/three.zip/m.eml/…"]
    assert deep == "files more than 3 deep in others are not read"


def test_all_that_is_inside_is_bounded_together() -> None:
    noise = random.Random(7)
    page = b"".join(noise.randbytes(80) + bytes(10_000) for _ in range(6000))  # 60 MB that pack 80 to 1
    inner = _zip({"0.txt": page, "1.txt": page})
    whole = {f"{n}.zip": inner for n in range(3)}
    found = _inside("a.zip", _zip({**whole, "last.md": b"L"}, zipfile.ZIP_STORED))
    refused = {uri: reason for uri, reason in found.items() if isinstance(reason, str)}
    assert refused == {
        "a.zip/2.zip/0.txt": "the files inside have more than 256 MB together (the limit); "
        "this one and the rest are not read"
    }
    assert list(found)[-1] == "a.zip/2.zip/0.txt"


def test_bombs_are_refused_while_they_grow() -> None:
    zeros = bytes(70_000_000)
    ratio = "grows to more than 200 times its size"
    assert ratio in str(_inside("a.zip", _zip({"zeros.txt": zeros, "b.md": b"B"}))["a.zip/zeros.txt"])
    assert _inside("a.zip", _zip({"zeros.txt": zeros, "b.md": b"B"}))["a.zip/b.md"] == b"B"
    for pack in (gzip.compress, bz2.compress):
        with pytest.raises(InputError, match=ratio):
            read("zeros.txt.gz", pack(zeros))
    assert len(zeros) > MAX_MEMBER
    stored = _zip({"large.txt": zeros}, zipfile.ZIP_STORED)
    assert _inside("a.zip", stored)["a.zip/large.txt"] == "large.txt has more than 64 MB (the limit)"


def test_a_false_size_changes_nothing() -> None:
    def read_as_1000_bytes(content: bytes) -> bytes | str:
        data = _zip({"a.txt": content})
        at = data.index(b"PK\x01\x02") + 24
        return _inside("a.zip", data[:at] + (1000).to_bytes(4, "little") + data[at + 4 :])["a.zip/a.txt"]

    assert read_as_1000_bytes(b"tide " * 500) == b"tide " * 500
    assert "grows to more than 200 times its size" in str(read_as_1000_bytes(bytes(5_000_000)))


def test_more_members_than_are_allowed_are_refused() -> None:
    with pytest.raises(InputError, match="the limit is 10,000"):
        read("a.zip", _zip({f"{n}": b"" for n in range(10_001)}, zipfile.ZIP_STORED))
    with pytest.raises(InputError, match=r"more than 10,000 members \(the limit\)"):
        read("a.tar", _tar({f"{n}": b"" for n in range(10_001)}))


def _stating(name: str, size: int) -> bytes:
    """The header of a tar's member with a size of any length."""
    header = bytearray(tarfile.TarInfo(name).tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\x80" + size.to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_size_past_all_limits_is_refused_without_going_there(pack: Callable[[bytes], bytes]) -> None:
    good = _tar({"a.md": b"A"})[:1024]
    data = pack(good + _stating("huge.md", 1 << 80) + bytes(1024))
    started = process_time()
    found = _inside("a.tar", data)
    document = read("a.tar", data)
    assert process_time() - started < 1
    stated = "by the size it states, huge.md makes it more than 256 MB (the limit); what follows is not read"
    assert found == {
        "a.tar/a.md": b"A",
        "a.tar/huge.md": "it has more than 64 MB (the limit)",
        "a.tar/…": stated,
    }
    assert document.losses.dropped == (stated,) and "huge.md" in document.text


def test_what_is_damaged_in_a_tar_costs_nothing_before_it() -> None:
    link = tarfile.TarInfo("././@LongLink")
    link.type, link.size = tarfile.GNUTYPE_LONGNAME, 5
    chain = (link.tobuf(tarfile.GNU_FORMAT) + b"abcde" + bytes(507)) * 5000 + _tar({"b.md": b"B"})
    reason = "more headers before one member than can be followed (the limit is some hundreds)"
    with pytest.raises(InputError) as raised:
        read("a.tar", chain)
    assert raised.value.message == f"a.tar: {reason}"
    whole = _tar({"a.md": b"A"})[:1024] + chain
    assert _inside("a.tar", whole) == {"a.tar/a.md": b"A", "a.tar/…": f"{reason}; what follows is not read"}
    assert read("a.tar", whole).losses.dropped == (f"{reason}; what follows is not read",)
    packed = gzip.compress(_tar({"a.md": b"A", "b.md": random.Random(3).randbytes(400_000)}))[:-9000]
    document = read("a.tar.gz", packed)
    assert (
        "a.md" in document.text and "the packed file is damaged (it is cut off)" in document.losses.dropped[0]
    )


@pytest.mark.parametrize(
    ("name", "pack"), [("a.txt.gz", gzip.compress), ("a.txt.bz2", bz2.compress), ("a.txt.xz", lzma.compress)]
)
def test_pieces_that_hold_nothing_are_limited(name: str, pack: Callable[[bytes], bytes]) -> None:
    few = pack(b"") * 9_998 + pack(b"high ") + pack(b"water")
    assert _inside(name, few) == {f"{name}/a.txt": b"high water"}
    with pytest.raises(InputError, match=r"in more than 10,000 pieces .the limit."):
        read(name, pack(b"") * 1_000_000)


def test_messages_of_a_mailbox_are_counted_up_to_a_limit_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    box = b"".join(b"From a Fri May  3 10:00:00 2024\nSubject: %d\n\nx\n\n" % n for n in range(502))
    assert sum(isinstance(one, Source) for one in members(source("box.mbox", box), "mbox")) == 502
    monkeypatch.setattr(inside, "MAX_MESSAGES", 500)
    found = list(members(source("box.mbox", box), "mbox"))
    assert sum(isinstance(one, Source) for one in found) == 500
    assert isinstance(found[-1], Reason)
    assert found[-1].reason.startswith("there are more than 500 files inside (the limit)")


def test_long_lists_are_cut_and_the_rest_is_counted() -> None:
    document = read("a.zip", _zip({f"{n:03}.md": b"" for n in range(250)}))
    assert document.losses.dropped == ("the names of 50 more members",)


@pytest.mark.parametrize("uri", ["a.tar", "a.tar.gz", "a.zip", "notes.gz"])
def test_damaged_archives_are_refused_by_name(uri: str) -> None:
    whole = _zip(FILES) if uri == "a.zip" else _tar(FILES) if uri == "a.tar" else gzip.compress(_tar(FILES))
    for cut in (len(whole) // 2, len(whole) - 5):
        data = whole[:cut]
        try:
            read(uri, data)
        except InputError as error:
            assert error.message.startswith(f"{uri}: ")
        list(members(source(uri, data), "archive"))  # does not raise


MESSAGE = (
    b"From: Ada <a@x.example>\nDate: Fri, 3 May 2024 10:00:00 +0000\n"
    b"Subject: Wall/plan %d\nMessage-ID: <%d@x>\n\nHigh.\n"
)


def _box(*numbers: int) -> bytes:
    return b"".join(
        b"From a@x.example Fri May  3 10:00:00 2024\n" + MESSAGE % (n, n) + b"\n" for n in numbers
    )


def test_the_messages_of_a_mailbox_are_files_whose_names_stay() -> None:
    found = _inside("box.mbox", _box(1, 2))
    assert list(found) == [
        "box.mbox/2024-05-03 Wall_plan 1 573a9c.eml",
        "box.mbox/2024-05-03 Wall_plan 2 a022ee.eml",
    ]
    assert list(found.values()) == [MESSAGE % (1, 1), MESSAGE % (2, 2)]
    assert list(_inside("box.mbox", _box(3, 2)))[1] == list(found)[1]
    assert list(_inside("box.mbox", _box(1, 1)))[1].endswith(" (2).eml")
    assert parts_of(read("box.mbox", _box(1, 2))) == [
        ("list", "message 1", "Fri, 3 May 2024 10:00:00 +0000, Ada, Wall/plan 1"),
        ("list", "message 2", "Fri, 3 May 2024 10:00:00 +0000, Ada, Wall/plan 2"),
    ]


def test_each_mail_is_read_once_for_its_text_and_what_is_attached() -> None:
    box = source("box.mbox", _box(*range(20)))
    before = read_mail.cache_info().misses
    held = [parse(one) for one in members(box, "mbox") if isinstance(one, Source)]
    assert len(held) == read_mail.cache_info().misses - before == 20
    assert read_mail.cache_info().currsize == 1  # no more than the last is kept


def test_lines_that_start_with_from_inside_a_message_are_no_border() -> None:
    body = b"From here on it is high.\n\nFrom the wall one sees the port.\n\n>From far away too.\n"
    data = b"From a@x.example Fri May  3 10:00:00 2024\nSubject: x\n\n" + body
    (found,) = _inside("box.mbox", data).values()
    assert found == b"Subject: x\n\n" + body.replace(b">From", b"From")


def test_a_file_that_is_no_mailbox_is_refused() -> None:
    with pytest.raises(InputError, match="not a mailbox"):
        read("box.mbox", b"Hello\n")
    assert not read("box.mbox", b"\n").blocks


@pytest.mark.parametrize(
    ("error", "reason"),
    [(ValueError("odd"), "internal error (ValueError: odd)"), (MemoryError(), "not enough memory")],
)
def test_what_goes_wrong_inside_one_member_costs_no_other(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def fails(data: bytes, uri: str) -> None:
        raise error

    monkeypatch.setattr("pincite.parse.inside.members.read_mail", fails)
    mail = b"From: a@example.org\nTo: b@example.org\nSubject: A\n\nText.\n"
    found = list(members(source("a.zip", _zip({"a.md": b"# A", "b.eml": mail, "c.md": b"# C"})), "archive"))
    assert [one.uri for one in found] == ["a.zip/a.md", "a.zip/b.eml", "a.zip/b.eml/…", "a.zip/c.md"]
    stopped = found[2]
    assert isinstance(stopped, Reason) and reason in stopped.reason


def test_a_damaged_member_costs_no_other_whatever_it_is_packed_with() -> None:
    for compression in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        data = bytearray(_zip({"a.txt": b"high water " * 99, "b.txt": b"low water"}, compression))
        start = data.index(b"a.txt") + 14
        data[start : start + 12] = b"\xff" * 12
        found = _inside("x.zip", bytes(data))
        assert str(found["x.zip/a.txt"]).startswith("a.txt is damaged"), compression
        assert found["x.zip/b.txt"] == b"low water"


def test_text_before_the_first_message_of_a_mailbox_is_named() -> None:
    box = b"Lost words.\n\nFrom a@b Thu May  2\nSubject: x\n\nBody\n"
    assert read("box.mbox", box).losses.dropped == ("what stands before the first message",)
    assert read("box.mbox", b"\n\n" + box[13:]).losses.dropped == ()


def test_many_small_streams_in_one_xz_file_take_linear_time() -> None:
    started = time.process_time()
    data = lzma.compress(b"") * 9_000 + b"\0" * 8 + lzma.compress(b"high ") + lzma.compress(b"water")
    assert _inside("a.xz", data) == {"a.xz/a": b"high water"}
    assert time.process_time() - started < 5
