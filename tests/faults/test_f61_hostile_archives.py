"""F61 for what is inside archives and mails: bombs, false sizes and too many members cost themselves only."""

from __future__ import annotations

import base64
import gzip
import io
import time
import tracemalloc
import zipfile
from pathlib import Path

from libraries import library, uris
from parsed import source
from pincite.errors import InputError
from pincite.parse import parse
from pincite.parse.inside.members import members

MB = 1_000_000


def _zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return out.getvalue()


def _lying(data: bytes) -> bytes:
    """The zip file with a false size of its first member in its directory."""
    at = data.index(b"PK\x01\x02") + 24
    return data[:at] + (1000).to_bytes(4, "little") + data[at + 4 :]


def _mail(name: str, data: bytes) -> bytes:
    body = base64.encodebytes(data)
    return (
        b"Subject: bomb\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: text/plain\n\nonyx-79\n"
        b"--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n"
        b"Content-Disposition: attachment; filename=" + name.encode() + b"\n\n" + body + b"--b--\n"
    )


def _files() -> dict[str, bytes]:
    bomb = b"A" * 40 * MB
    inner = _zip({"bomb.txt": bomb})
    return {
        "good.md": b"The good file says onyx-77.\n",
        "mixed.zip": _zip(
            {"good.md": b"A good member says onyx-78.\n", "bomb.txt": bomb, "inner.zip": inner}
        ),
        "lying.zip": _lying(inner),
        "many.zip": _zip({f"{n}.md": b"x" for n in range(10_001)}),
        "bomb.txt.gz": gzip.compress(bomb),
        "mail.eml": _mail("bomb.zip", inner),
        "out.zip": _zip({"../../marker-lapis-55.md": b"out", "/etc/marker-lapis-55.md": b"out"}),
    }


def test_good_members_are_found_and_every_other_is_named_with_its_limit(tmp_path: Path) -> None:
    for name, data in _files().items():
        (tmp_path / name).write_bytes(data)
    start = time.monotonic()
    with library(tmp_path, {}) as opened:
        report = opened.sync()
        assert time.monotonic() - start < 30
        for word, uri in (("onyx-77", "good.md"), ("onyx-78", "mixed.zip/good.md"), ("onyx-79", "mail.eml")):
            assert uris(opened.search(word, legs=("lexical",)))[0] == uri
        reasons = {one.uri: one.reason for one in (*report.failed, *report.skipped)}
    ratio = "grows to more than 200 times its size (the limit), as made to fill the memory"
    assert ratio in reasons["mixed.zip/bomb.txt"]
    assert ratio in reasons["mixed.zip/inner.zip/bomb.txt"]
    assert ratio in reasons["mail.eml/bomb.zip/bomb.txt"]
    assert ratio in reasons["bomb.txt.gz"]
    assert "lying.zip/bomb.txt" in reasons
    assert reasons["many.zip"] == "holds 10,001 members; the limit is 10,000"
    assert reasons["out.zip/../../marker-lapis-55.md"] == "its path leads out of the archive"
    assert reasons["out.zip//etc/marker-lapis-55.md"] == "its name is an absolute path"
    assert sorted(path.name for path in tmp_path.rglob("*marker-lapis*")) == []


def test_nothing_is_held_that_is_refused() -> None:
    for name, data in _files().items():
        tracemalloc.start()
        try:
            kind = parse(source(name, data)).type
            list(members(source(name, data), kind))
        except InputError as error:
            assert error.message.startswith(f"{name}: ")
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peak < 16 * MB, name
