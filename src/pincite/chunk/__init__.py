"""Documents to chunks: one file per strategy, chosen by `chunk.strategy`.

Every character of a document that is not white space is in at least one chunk or in `left_out`; the text
of a chunk is an exact slice; context and text together never have more tokens than the model's limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from pincite.chunk.coverage import uncovered
from pincite.chunk.fixed import fixed
from pincite.chunk.halve import halves
from pincite.chunk.pack import Piece
from pincite.chunk.parent_child import parent_child
from pincite.chunk.recursive import recursive
from pincite.chunk.rows import ROW_KINDS, header_of, kind_of
from pincite.chunk.ruler import Ruler
from pincite.chunk.semantic import semantic
from pincite.chunk.sentence import sentence
from pincite.chunk.sentences import sentence_spans
from pincite.chunk.structural import structural
from pincite.chunk.tokens import tokens as token_windows
from pincite.chunk.words import PROBE, Words
from pincite.config import CHUNKER_VERSION, ChunkConfig
from pincite.contextualise import counted, section_at, section_of, situated
from pincite.errors import UsageError
from pincite.protocols import Chunker, Embedder, TokenCounter
from pincite.types import CHUNK_ID_DIGITS, Chunk, Chunked, Document, Span

__all__ = ["LEAST_LIMIT", "make_chunker", "sentence_spans", "uncovered"]

Strategy = Callable[[Document, Ruler, ChunkConfig], list[Piece]]

LEAST_LIMIT = 8  # a character and the mark of a word are at most seven tokens
_NEAR = 16
_STRATEGIES: dict[str, Strategy] = {
    "structural": structural,
    "fixed": fixed,
    "tokens": token_windows,
    "sentence": sentence,
    "recursive": recursive,
    "parent_child": parent_child,
}


def make_chunker(
    config: ChunkConfig, tokens: TokenCounter, limit: int, *, embedder: Embedder | None = None
) -> Chunker:
    """The chunker of `config`; chunks with their context keep to `limit`, in the tokens of `tokens`.

    Raises `UsageError` for a limit under 8 tokens, and for the semantic strategy without an embedder.
    """
    if limit < LEAST_LIMIT:
        raise UsageError(f"the embedding model takes {limit} tokens; chunks need at least {LEAST_LIMIT}")
    if config.strategy != "semantic":
        strategy = _STRATEGIES[config.strategy]
    elif embedder is not None:
        strategy = partial(semantic, embedder=embedder)
    else:
        raise UsageError(
            "chunk.strategy = 'semantic' needs the dense model",
            hint="set another chunk.strategy, or keep the dense leg on",
        )
    mark = embedder.fingerprint if embedder and config.strategy == "semantic" else ""
    return _Chunker(strategy, config, Words.of(tokens), limit, _fingerprint(config, tokens, limit, mark))


def _fingerprint(config: ChunkConfig, tokens: TokenCounter, limit: int, model: str) -> str:
    """A hash of all that decides the chunks; the tokenizer is known by what it makes of a fixed text."""
    probe = [(span.start, span.end) for span in tokens.spans(PROBE)]
    parent = config.parent_size if config.strategy == "parent_child" else 0
    facts = [CHUNKER_VERSION, config.strategy, config.size, config.overlap, parent, limit, model, probe]
    facts += [] if config.context_line else ["no context line"]
    return sha256(repr(tuple(facts)).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class _Chunker:
    strategy: Strategy
    config: ChunkConfig
    words: Words
    limit: int
    fingerprint: str

    def __call__(self, document: Document) -> Chunked:
        """The chunks of `document` with their context and size, and what the parser left out."""
        ruler = Ruler.of(document, self.words, self.config, self.limit)
        pieces = self.strategy(document, ruler, self.config)
        if self.strategy not in (structural, parent_child):
            pieces = [_placed(document, piece) for piece in pieces]
        return Chunked(tuple(self._within_limit(document, pieces)), document.left_out)

    def _within_limit(self, document: Document, pieces: Sequence[Piece]) -> list[Chunk]:
        """The chunks of `pieces`, with those the model could not take whole cut in halves."""
        chunks = [_chunk(document, piece, self.fingerprint) for piece in pieces]
        while True:
            line = self.config.context_line
            chunks = self._counted(situated(document, chunks, self.words, limit=self.limit, line=line))
            cut = [part for chunk in chunks for part in self._parts(document, chunk)]
            if len(cut) == len(chunks):
                return chunks
            chunks = _rising(cut)

    def _counted(self, chunks: list[Chunk]) -> list[Chunk]:
        """The chunks, with those near the limit counted whole: there, a sum over words is not enough."""
        near = [chunk for chunk in chunks if chunk.n_tokens > self.limit - self.limit // _NEAR]
        sizes = counted(self.words.tokens, [chunk.dense_text for chunk in near])
        exact = {chunk.id: size for chunk, size in zip(near, sizes, strict=True)}
        return [replace(c, n_tokens=exact[c.id]) if c.id in exact else c for c in chunks]

    def _parts(self, document: Document, chunk: Chunk) -> list[Chunk]:
        """The chunk itself if it keeps to the limit, or if it is one character that nothing can part."""
        if chunk.n_tokens <= self.limit:
            return [chunk]
        section = section_of(document, chunk)
        return [
            _chunk(
                document,
                Piece(span, section, chunk.kind, _header(document, chunk, span), chunk.parent),
                self.fingerprint,
            )
            for span in halves(document.text, chunk.span)
        ]


def _rising(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks in order without those that lie in another: parts of chunks that overlapped."""
    kept: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: (chunk.span.start, -chunk.span.end)):
        if not kept or chunk.span.end > kept[-1].span.end:
            kept.append(chunk)
    return kept


def _placed(document: Document, piece: Piece) -> Piece:
    """The piece with its section, its kind and, where rows of a table in it lack one, their header."""
    section = section_at(document, piece.span.start)
    return Piece(piece.span, section, kind_of(document, piece.span), header_of(document, piece.span))


def _header(document: Document, chunk: Chunk, span: Span) -> str:
    """What a part of the chunk needs: the header of its rows, or else the chunk's."""
    return header_of(document, span) or ("" if chunk.kind in ROW_KINDS else chunk.header)


def _chunk(document: Document, piece: Piece, fingerprint: str) -> Chunk:
    text = document.text[piece.span.start : piece.span.end]
    return Chunk(
        _chunk_id(document.id, piece.span, text, fingerprint),
        document.id,
        piece.span,
        text,
        piece.kind,
        document.heading_path(piece.section),
        piece.header,
        parent=piece.parent,
    )


def _chunk_id(doc_id: str, span: Span, text: str, fingerprint: str) -> str:
    facts = f"{doc_id}\0{span.start}\0{span.end}\0{fingerprint}\0{text}"
    return sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()[:CHUNK_ID_DIGITS]
