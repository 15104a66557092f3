"""A SentencePiece unigram model read from its file, run by the `tokenizers` library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from struct import Struct

from pincite.errors import ModelError
from pincite.models.tokens import Tokens

UNKNOWN, BEGIN, END = 0, 1, 2
_score = Struct("<f").unpack_from


def unigram(path: Path) -> Tokens:
    """The tokeniser of `sp.model`: its normalisation, pieces and scores; `<s>` before, `</s>` after.

    As in SentencePiece itself, a run of unknown characters is one token. Raises `ModelError` if the
    file is not such a model.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    try:
        pieces, charsmap = read_model(path.read_bytes())
        tokenizer = Tokenizer(models.Unigram(pieces, UNKNOWN, False))
    except Exception as error:  # struct, index and library errors alike mean a broken file
        raise ModelError(f"{path}: not a SentencePiece model that can be read ({error})") from error
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),  # the map below looks at one grapheme at a time and misses か + ゛
            normalizers.Precompiled(charsmap),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    return Tokens(tokenizer, (BEGIN,), (END,))


def read_model(data: bytes) -> tuple[list[tuple[str, float]], bytes]:
    """The pieces with their log probabilities, in id order, and the precompiled character map.

    Control pieces get names no text can spell, so that a document cannot put them in.
    """
    pieces: list[tuple[str, float]] = []
    at = 0
    while data[at] == 0x0A:  # field 1: a piece, of fields 1 (text), 2 (score) and 3 (type)
        size, length = data[at + 1], data[at + 3]
        start = at + 4
        pieces.append((data[start : start + length].decode(), _score(data, start + length + 1)[0]))
        at += 2 + size
        if size > 127:
            raise ValueError("a piece is longer than this reader knows")
    for i in (UNKNOWN, BEGIN, END):
        pieces[i] = (f"\0{pieces[i][0]}", pieces[i][1])
    for spec in (value for _, value in fields(data, at)):
        for number, value in fields(spec, 0):
            if number == 2 and len(value) > 1000:
                return pieces, value
    raise ValueError("it has no character map")


def fields(data: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """The length-delimited fields of a protocol buffer message from offset `at`, as number and bytes."""
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 2:
            size, at = varint(data, at)
            yield tag >> 3, data[at : at + size]
            at += size
        elif kind == 0:
            _, at = varint(data, at)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            raise ValueError(f"unknown wire type {kind}")


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at offset `at` and the offset after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
