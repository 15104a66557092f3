"""F61: Office files that grow without end, lie about sizes or name other files cost one line of a report."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from libraries import all_chunks, library
from office_files import relationships
from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse
from word_files import W, odf_file, p, read_word, word_file

MIB = 1 << 20
SIZE = 64  # MiB that the bombs grow to
LIMIT = 16 * MIB  # what the case allows a file; four times as much memory may be used

_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
_RELS = relationships(("r1", "officeDocument", "word/document.xml"))


def word(text: Iterable[str], prolog: str = "") -> bytes:
    """A Word file of one paragraph, after a prolog."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", _TYPES)
        file.writestr("_rels/.rels", _RELS)
        with file.open("word/document.xml", "w") as member:
            member.write(f'{prolog}<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>'.encode())
            for piece in text:
                member.write(piece.encode())
            member.write(b"</w:t></w:r></w:p></w:body></w:document>")
    return out.getvalue()


def lying(data: bytes, size: int) -> bytes:
    """The file with a false size of its text in the directory."""
    out, at = bytearray(data), 0
    while (at := out.find(b"PK\x01\x02", at)) >= 0:
        (length,) = struct.unpack_from("<H", out, at + 28)
        if out[at + 46 : at + 46 + length] == b"word/document.xml":
            struct.pack_into("<I", out, at + 24, size)
        at += 4
    return bytes(out)


def crowded(members: int) -> bytes:
    """A Word file of many tiny members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("[Content_Types].xml", _TYPES)
        file.writestr("_rels/.rels", _RELS)
        for number in range(members):
            file.writestr(f"word/media/{number}.txt", "x")
    return out.getvalue()


def entities(levels: int) -> str:
    """Declarations of entities, each ten times the one before."""
    each = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(levels)
    )  # the last stands for a million repetitions
    return f"<!DOCTYPE d [{each}]>"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The samples of the case by name, and the good file."""
    marker = tmp_path_factory.mktemp("secret") / "marker.txt"
    marker.write_text("marker-lapis-55\n")
    bomb = word("A" * MIB for _ in range(SIZE))
    named = '<!DOCTYPE d [<!ENTITY x SYSTEM "{}">]>'
    return {
        "bomb.docx": bomb,
        "bomb.doc": bomb,
        "bomb_lying.docx": lying(bomb, 1000),
        "many.docx": crowded(20_000),
        "xxe.docx": word(["before &x; after"], named.format(marker.as_uri())),
        "xxe_net.docx": word(["before &x; after"], named.format("http://127.0.0.1:9/x")),
        "entities.docx": word(["before &e6; after"], entities(7)),
        "good.docx": word(["The good file says onyx-77."]),
    }


def test_the_good_file_is_indexed_and_each_other_is_named_with_its_limit(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    started = time.monotonic()
    with library(tmp_path, files) as opened:
        report = opened.sync()
        chunks = "\n".join(hit.stored.chunk.text for hit in all_chunks(opened))
    assert time.monotonic() - started < 30
    reasons = {one.uri: one.reason for one in report.failed}
    assert "onyx-77" in chunks and report.indexed == 1 and set(reasons) == set(files) - {"good.docx"}
    for name in ("bomb.docx", "bomb.doc", "bomb_lying.docx"):
        assert "grows to more than 200 times its size (the limit)" in reasons[name]
    assert "20,002 members; the limit is 10,000" in reasons["many.docx"]
    for name in ("xxe.docx", "xxe_net.docx", "entities.docx"):
        assert "declares entities of its own" in reasons[name]
    said = chunks + "".join(reasons.values())
    assert "marker-lapis-55" not in said and "haha" not in said


_READ = """
import resource, sys
from hashlib import sha256
from pathlib import Path
from pincite.errors import InputError
from pincite.parse import parse
from pincite.protocols import Source

def read(path):
    data = path.read_bytes()
    try:
        parse(Source(path.name, data, sha256(data).hexdigest()))
    except InputError:
        return
    assert path.name == "good.docx", path

folder = Path(sys.argv[1])
read(folder / "good.docx")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sorted(folder.iterdir()):
    read(path)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the peak of memory is asked of POSIX")
def test_memory_stays_below_four_times_the_limit(tmp_path: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    grown = int(done.stdout) * (1 if sys.platform == "darwin" else 1024)
    assert grown < 4 * LIMIT


def test_parts_of_too_many_tags_are_refused_or_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.office.opc.MAX_TAGS", 100)
    styles = "<w:style/>" * 101
    document = read_word(word_file(p("Text."), styles=styles))
    assert texts(document) == ["Text."]
    assert document.losses.dropped == (
        "word/styles.xml has 103 tags of XML; the limit is 100; it is not read",
    )
    with pytest.raises(InputError, match=r"content\.xml has \d+ tags of XML; the limit is 100"):
        parse(source("a.odt", odf_file("<text:p/>" * 101)))


def test_a_file_that_grows_less_meets_the_limit_of_its_xml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.office.opc.MAX_XML", 1_000_000)
    text = " ".join(str(i) for i in range(300_000))
    with pytest.raises(InputError, match=r"word/document\.xml has 2 MB of XML; the limit is 1 MB"):
        parse(source("long.docx", word([text])))
