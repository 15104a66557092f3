"""What a worker hands back is what it made, without the blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from embedders import bag_of_words
from pincite.config import Config
from pincite.errors import ModelError, PinciteError
from pincite.folder.walk import FoundFile
from pincite.sync.ingest import Cutters, prepare
from pincite.sync.wire import pack_error, pack_prepared, unpack_error, unpack_prepared

PAGE = (
    "<title>Pump</title><script>x</script>\n<h1>Pump</h1>\n<p>Oil it 每年<pre>a\nb</pre>\n<table><tr><td>1\n"
)
FILES = {
    "front.md": "---\ntags: [a, b]\nsince: 2026-03-14\nn: 1\n---\n# Pump\n\nOil it.\n\n## Seal\n\nTest it.\n",
    "page.html": PAGE,
    "table.csv": "name,age\n" + "ann,7\n" * 300,
    "data.jsonl": '{"a": 1}\n{"a": [2, "\\ud800"]}\n',
    "empty.txt": "  \n",
    "binary.bin": "\0\1\2",
}


@pytest.mark.parametrize("name", FILES)
def test_a_prepared_file_comes_back(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FILES[name], "utf-8")
    file = FoundFile(name, tmp_path / name, 1, 2, 3, 4)
    made = prepare(file, Cutters.of(Config(), bag_of_words()))
    back = unpack_prepared(pack_prepared(made), file)
    assert back.document == made.document
    assert back.chunked.chunks == made.chunked.chunks
    assert (back.sha256, back.state, back.reason) == (made.sha256, made.state, made.reason)
    assert unpack_error(pack_prepared(made)) is None


def test_an_error_comes_back() -> None:
    for error in (ModelError("down", hint="try again"), PinciteError("odd", stage="read")):
        back = unpack_error(pack_error(error))
        assert type(back) is type(error)
        assert (back.message, back.stage, back.hint) == (error.message, error.stage, error.hint)
