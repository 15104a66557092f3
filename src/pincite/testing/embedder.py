"""The suite of `Embedder`: what an implementation must keep, as plain assertions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pincite.errors import ModelError
from pincite.protocols import Embedder, Vectors

TEXTS = (
    "The battery is sealed behind a gasket; wait 24 hours before immersion.",
    "ERR-5021",
    "def parse(path: str) -> Document: ...",
    "Größe, naïve café — “quoted” text",
    "更换电池后可以立即浸水吗？ 電池を交換した直後",
    "a",
    " ".join(f"word{i}" for i in range(60)),
)
ODD = ("", " ", "\n\n", "[SEP] </s> <s> [MASK]", "🙂🙂", "\x00\x01", "e\u0301\u200b\ufeff")


def check_embedder(make: Callable[[], Embedder], *, tolerance: float = 0.0) -> None:
    """Asserts that the embedders `make` returns keep the protocol's promises.

    `tolerance` is how far one number of a vector may differ between two calls with the same text.
    """
    first, second = make(), make()
    try:
        check_identity(first, second)
        check_vectors(first)
        check_independence(first, second, tolerance)
        check_tokens(first)
        check_limit(first)
    finally:
        first.close()
        second.close()


def check_identity(first: Embedder, second: Embedder) -> None:
    """Name, fingerprint, dimension and limit are the same for two embedders made alike."""
    assert first.name, "the name is empty"
    assert len(first.fingerprint) >= 16, "the fingerprint is too short to tell models apart"
    for field in ("name", "fingerprint", "dimension", "limit"):
        assert getattr(first, field) == getattr(second, field), f"{field} differs between two of the same"
    assert first.dimension > 0 and first.limit > 0


def check_vectors(embedder: Embedder) -> None:
    """Rows are float32, in number and width as promised, and of length 1; odd texts may be all NaN or 0."""
    rows = embedder.embed_documents(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dimension) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5), "a row is not of length 1"
    none = embedder.embed_documents([])
    assert none.shape == (0, embedder.dimension) and none.dtype == np.float32
    for text, row in zip(ODD, embedder.embed_documents(ODD), strict=True):
        whole = np.isnan(row).all() or not row.any() or abs(float(np.linalg.norm(row)) - 1) < 1e-5
        assert whole, f"the row of {text!r} is neither of length 1 nor all NaN or 0"
    query = embedder.embed_query(TEXTS[0])
    assert query.shape == (embedder.dimension,) and query.dtype == np.float32
    assert abs(float(np.linalg.norm(query)) - 1) < 1e-5, "the query's vector is not of length 1"


def check_independence(first: Embedder, second: Embedder, tolerance: float) -> None:
    """A text's vector depends on nothing but the text: not on order, neighbours or the instance."""
    rows = first.embed_documents(TEXTS)
    backwards = first.embed_documents(TEXTS[::-1])[::-1]
    assert _close(rows, backwards, tolerance), "the order of the texts changes vectors"
    alone = np.concatenate([first.embed_documents([text]) for text in TEXTS])
    assert _close(rows, alone, tolerance), "the other texts of a call change vectors"
    assert _close(rows, second.embed_documents(TEXTS), tolerance), "two embedders made alike differ"
    twice = first.embed_documents([TEXTS[0], TEXTS[0]])
    assert _close(twice[:1], twice[1:], tolerance), "equal texts have different vectors"


def check_tokens(embedder: Embedder) -> None:
    """`count` and `spans` agree; spans lie in the text, in order; an empty text has no tokens."""
    counts = embedder.count([*TEXTS, *ODD])
    for text, n in zip((*TEXTS, *ODD), counts, strict=True):
        spans = embedder.spans(text)
        assert len(spans) == n, f"{text!r}: count says {n}, spans are {len(spans)}"
        assert all(0 <= span.start <= span.end <= len(text) for span in spans), f"{text!r}: a span outside"
        starts = [span.start for span in spans]
        assert starts == sorted(starts), f"{text!r}: spans are out of order"
    assert embedder.count([""]) == [0] and embedder.count([]) == []


def check_limit(embedder: Embedder) -> None:
    """A text of `limit` tokens is embedded; a longer one is refused; a longer query is cut."""
    longest, over = texts_at(embedder, embedder.limit)
    assert np.isfinite(embedder.embed_documents([longest])).all()
    try:
        embedder.embed_documents([TEXTS[0], over])
    except ModelError as error:
        assert str(embedder.limit) in error.message, "the error does not say the limit"
    else:
        raise AssertionError(f"a text of {embedder.count([over])[0]} tokens was cut in silence")
    assert abs(float(np.linalg.norm(embedder.embed_query(over))) - 1) < 1e-5


def texts_at(embedder: Embedder, n_tokens: int) -> tuple[str, str]:
    """The longest text of a row of words with at most `n_tokens` tokens, and the next longer one."""
    low, high = 1, n_tokens + 1
    while embedder.count(["it " * high])[0] <= n_tokens:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        fits = embedder.count(["it " * middle])[0] <= n_tokens
        low, high = (middle, high) if fits else (low, middle)
    return "it " * low, "it " * high


def _close(one: Vectors, other: Vectors, tolerance: float) -> bool:
    return one.shape == other.shape and bool((np.abs(one - other) <= tolerance).all())
