"""F31, F33, F34 and F75 on the side of the models: bad vectors, limits, prefixes, no network."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from pincite.cli import main
from pincite.config import ModelConfig
from pincite.embed import unit
from pincite.errors import MissingExtraError, ModelError
from pincite.models import load_embedder
from pincite.models.local import LocalEmbedder
from pincite.models.tokens import Tokens
from pincite.protocols import Vectors
from tiny_models import BEGIN, END, byte_tokenizer, onnx_folder

HERE = Path(__file__).parent


# ── F31 ───────────────────────────────────────────────────────────────────────────────────────
def test_f31_bad_vectors_are_marked_and_good_ones_rank() -> None:
    case = json.loads((HERE / "F31/vectors.json").read_text("utf-8"))
    expect = json.loads((HERE / "F31/expect.json").read_text("utf-8"))
    names = sorted(case["docs"])
    table = {i: np.array([float(x) for x in case["docs"][name]], np.float32) for i, name in enumerate(names)}
    embedder = stand_in(names, lambda ids: table[ids[0]], limit=4)
    rows = embedder.embed_documents(names)
    refused = [name for name, row in zip(names, rows, strict=True) if np.isnan(row).all() or not row.any()]
    assert refused == expect["refused"]
    for name, said in (("c", "zero vector"), ("e", "not finite")):
        with pytest.raises(ModelError, match=said):
            unit(rows[names.index(name)])
    scores = rows @ np.array(case["query"], np.float32)
    ranked = sorted((-float(s), n) for s, n in zip(scores, names, strict=True) if n not in refused)
    assert [(name, pytest.approx(-score, abs=1e-6)) for score, name in ranked[:2]] == [
        (name, score) for name, score in expect["top2"]
    ]


# ── F33 ───────────────────────────────────────────────────────────────────────────────────────
def stand_in(words: Sequence[str], encode: object, *, limit: int, document_prefix: str = "") -> LocalEmbedder:
    """An embedder that counts one token a word."""
    vocabulary = {word: i for i, word in enumerate([*words, "[UNK]"])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return LocalEmbedder("words", "0" * 32, 2, limit, Tokens(tokenizer), encode, "", document_prefix, 1)  # type: ignore[arg-type]


def test_f33_a_text_over_the_limit_is_refused_not_cut() -> None:
    expect = json.loads((HERE / "F33/expect.json").read_text("utf-8"))
    paragraph = (HERE / "F33/long.md").read_text("utf-8").strip().rpartition("\n\n")[2]
    words = paragraph.split()
    assert len(words) == expect["words"] and words[expect["needle_word_index"] - 1].startswith(
        "tourmaline-47"
    )
    seen: list[int] = []

    def encode(ids: Sequence[int]) -> Vectors:
        seen.append(len(ids))
        return np.array([1.0, 2.0], np.float32)

    room = 1  # "passage: " is one word here
    embedder = stand_in(sorted(set(words)), encode, limit=expect["limit"] - room, document_prefix="passage: ")
    with pytest.raises(ModelError, match="a text of 300 tokens is over the limit of 63"):
        embedder.embed_documents([" ".join(words)])
    assert seen == []
    pieces = [" ".join(words[i : i + 63]) for i in range(0, 300, 63)]
    assert len(pieces) == 5 and embedder.embed_documents(pieces).shape == (5, 2)
    assert max(seen) == expect["limit"] and sum(seen) == 300 + 5 * room
    seen.clear()
    embedder.embed_query(" ".join(words))
    assert seen == [63] and embedder.count([" ".join(words)]) == [300]


# ── F34 ───────────────────────────────────────────────────────────────────────────────────────
CASES = list(csv.DictReader((HERE / "F34/prefixes.tsv").read_text("utf-8").splitlines(), delimiter="\t"))


def recording(folder: Path) -> tuple[LocalEmbedder, list[str]]:
    """The folder's embedder, and the texts that reach its encoder, special tokens taken off."""
    embedder = load_embedder(ModelConfig(str(folder), threads=1))
    assert isinstance(embedder, LocalEmbedder)
    received: list[str] = []
    inner, decode = embedder.encode, byte_tokenizer().decode

    def encode(ids: Sequence[int]) -> Vectors:
        assert (ids[0], ids[-1]) == (BEGIN, END)
        received.append(decode(list(ids[1:-1])))
        return inner(ids)

    return replace(embedder, encode=encode), received


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["model"])
def test_f34_the_encoder_receives_the_models_prefixes(tmp_path: Path, case: dict[str, str]) -> None:
    embedder, received = recording(onnx_folder(tmp_path / case["model"].replace("/", "--")))
    embedder.embed_query("how to reset")
    embedder.embed_documents(["Hold the button."])
    embedder.embed_query(case["query_text"])  # already prefixed: not prefixed twice
    assert received == [case["query_text"], case["passage_text"], case["query_text"]]


def test_f34_the_heading_path_comes_after_the_prefix(tmp_path: Path) -> None:
    embedder, received = recording(onnx_folder(tmp_path / "multilingual-e5-small"))
    embedder.embed_documents(["Care › Cleaning\nHold the button."])
    assert received == ["passage: Care › Cleaning\nHold the button."]


def test_f34_an_unknown_family_has_no_prefix(tmp_path: Path) -> None:
    embedder, received = recording(onnx_folder(tmp_path / "my-own-model"))
    embedder.embed_query("how to reset")
    embedder.embed_documents(["Hold the button."])
    assert received == ["how to reset", "Hold the button."]
    assert (embedder.query_prefix, embedder.document_prefix) == ("", "")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("multilingual-e5-small", 'query "query: ", passage "passage: "'),
        (
            "bge-small-en-v1.5",
            'query "Represent this sentence for searching relevant passages: ", passage none',
        ),
        ("my-own-model", "query none, passage none"),
    ],
)
def test_f34_status_tells_the_prefixes_in_use(
    name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, root = onnx_folder(tmp_path / name), tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_text("Hold the button.\n")
    assert main(["sync", str(root), "--model", str(model)]) == 0
    assert main(["status", "--in", str(root), "--model", str(model)]) == 0
    assert f"Prefixes    {told}\n" in capsys.readouterr().out


# ── F75 ───────────────────────────────────────────────────────────────────────────────────────
GUARDED = """
import json, socket, sys
attempts = []
def guard(self, address, *rest):
    attempts.append(str(address))
    raise OSError("no network here")
socket.socket.connect = socket.socket.connect_ex = guard
socket.getaddrinfo = lambda *where, **how: guard(None, where)

from pincite.cli import main
from pincite.config import ModelConfig
from pincite.errors import PinciteError
from pincite.models import choose_model, load_embedder
shapes, errors = [], []
choose_model(["Ein Text auf Deutsch, der lang genug ist, um erkannt zu werden, und noch etwas."])
for name in sys.argv[1:]:
    try:
        embedder = load_embedder(ModelConfig(), name=name)
        shapes.append(list(embedder.embed_documents(["seal", "it"]).shape))
        embedder.embed_query("seal")
        embedder.close()
    except PinciteError as error:
        errors.append([type(error).__name__, error.message, error.hint])
print(json.dumps({"attempts": attempts, "shapes": shapes, "errors": errors}))
"""


def test_f75_local_models_never_connect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    folder = onnx_folder(tmp_path / "tiny")
    onnx_folder(tmp_path / "data/pincite/models/some--pulled")
    names = ["english", "multilingual", str(folder), "hub:some/pulled", "hub:some/missing", "st:some/missing"]
    run = subprocess.run([sys.executable, "-c", GUARDED, *names], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    assert found["attempts"] == []
    assert found["shapes"] == [[2, 384], [2, 512], [2, 16], [2, 16]]
    (kind, message, hint), (st_kind, st_message, _) = found["errors"]
    assert kind == "MissingExtraError" and hint == "pincite pull some/missing"
    assert "some/missing" in message and str(tmp_path / "data") in message and str(tmp_path / "hf") in message
    assert st_kind == "MissingExtraError" and "st:some/missing" in st_message
    assert run.stderr == ""


def test_f75_a_missing_model_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    with pytest.raises(
        MissingExtraError, match=r"model BAAI/bge-small-en-v1\.5 is not on this computer"
    ) as caught:
        load_embedder(ModelConfig("hub:BAAI/bge-small-en-v1.5"))
    assert caught.value.hint == "pincite pull BAAI/bge-small-en-v1.5"
    assert caught.value.__cause__ is None
