"""Tokenisers of local models: counts, spans and ids, special tokens kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ModelError
from pincite.types import Span

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Tokens:
    """A tokeniser with the special tokens its model wants before and after a text."""

    tokenizer: Tokenizer
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special tokens not counted."""
        return [len(ids) for ids in self.ids(texts)]

    def spans(self, text: str) -> list[Span]:
        """The character span of each token of `text`, in order."""
        return [Span(*offsets) for offsets in self.tokenizer.encode(text, add_special_tokens=False).offsets]

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The token ids of each text, without special tokens."""
        found = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in found]

    def wrapped(self, ids: Sequence[int]) -> list[int]:
        """The ids between the model's special tokens."""
        return [*self.before, *ids, *self.after]


def word_pieces(vocab: Path) -> Tokens:
    """BERT's uncased tokeniser over a `vocab.txt` (one piece a line, its number is its id).

    Words like `[SEP]` in a text are plain characters: a document cannot put in special tokens.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    pieces = {piece: i for i, piece in enumerate(vocab.read_text("utf-8").splitlines())}
    tokenizer = Tokenizer(models.WordPiece(pieces, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return Tokens(tokenizer, (pieces["[CLS]"],), (pieces["[SEP]"],))


def from_json(path: Path) -> Tokens:
    """The tokeniser of a `tokenizer.json`. Raises `ModelError` if it is missing or broken."""
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read ({error})") from error
    return from_text(text, str(path))


def from_text(text: str, name: str) -> Tokens:
    """The tokeniser in the text of a `tokenizer.json`, never padding or cutting.

    Special tokens written out in a document are read as plain characters. `name` is for the error.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception as error:  # the library raises plain Exception
        raise ModelError(f"{name}: not a tokenizer.json that can be read ({error})") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    sample = tokenizer.encode("a")
    own = [i for i, special in enumerate(sample.special_tokens_mask) if not special]
    first, last = (own[0], own[-1] + 1) if own else (0, 0)
    return Tokens(tokenizer, tuple(sample.ids[:first]), tuple(sample.ids[last:]))
