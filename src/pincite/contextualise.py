"""The situating line of each chunk: title › heading path, then the table header.

The line is indexed with the text on both legs and shown in the prompt; it is never quoted. What
changes without the content changing (file name, version, dates) is on the lexical leg only, so that
a rename or a new date embeds nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from pincite.characters import shortened
from pincite.errors import ModelError
from pincite.protocols import ContextWriter, TokenCounter
from pincite.types import MOST_HEADINGS, Chunk, Chunked, Document, Span

SEPARATOR = " › "
MARK = "…"
CHARS_PER_TOKEN = 16  # far more than any text has; bounds what is counted of a hostile title
_MAX_VERSION, _MAX_DATES = 100, 20  # characters and dates beside each chunk
_BATCH = 1024
_RULE = re.compile(r"([-=+_*.~])\1{2,}")


@dataclass(frozen=True, slots=True)
class Title:
    """A document's title as its chunks show it, and where its heading stands, if it is one."""

    text: str
    span: Span | None = None


def shown_title(document: Document) -> Title:
    """The document's title; empty if it is that of one of several top headings.

    The first of such headings is often taken for the title, yet says nothing of the others.
    """
    tops = [section for section in document.sections if section.parent < 0]
    named = [section for section in tops if section.title == document.title]
    if not named:
        return Title(document.title)
    return Title("") if len(tops) > 1 else Title(document.title, named[0].title_span)


def situating_line(title: str, path: tuple[str, ...], header: str) -> str:
    """`title › heading path`, then the header on its own lines; a title that opens the path stands once."""
    parts = path if path[:1] == (title,) else (title, *path)
    line = SEPARATOR.join(filter(None, (" ".join(part.split()) for part in parts)))
    return "\n".join(filter(None, (line, header.strip("\r\n"))))


def contextualise(
    document: Document,
    chunked: Chunked,
    tokens: TokenCounter,
    *,
    limit: int,
    line: bool = True,
    writer: ContextWriter | None = None,
) -> Chunked:
    """The chunks with `context` and `n_tokens` filled in; context and text together keep to `limit`.

    A context too long for the limit is shortened from its least useful end and marked with `…`; the
    text is never touched. `writer` writes the line in place of title and heading path, and without `line`
    there are none; the table header stays. Raises `ModelError` when it returns another number of lines than
    there are chunks.
    """
    lines = _written(document, chunked, writer) if writer else None
    chunks = situated(document, chunked.chunks, tokens, limit=limit, line=line, lines=lines)
    return replace(chunked, chunks=tuple(_within(chunk, tokens, limit) for chunk in chunks))


def situated(
    document: Document,
    chunks: Sequence[Chunk],
    tokens: TokenCounter,
    *,
    limit: int,
    line: bool = True,
    lines: Sequence[str] | None = None,
) -> list[Chunk]:
    """The chunks with their context, and `n_tokens` as counted, which may be over `limit`.

    Without `line` the context is the table header alone. A chunk that already has this context and its count
    is passed on without counting again.
    """
    title = shown_title(document)
    wanted = [_parts(document, title, chunk) if line else ((), chunk.header) for chunk in chunks]
    if lines is not None:
        wanted = [
            ((line,), header) if line else (parts, header)
            for line, (parts, header) in zip(lines, wanted, strict=True)
        ]
    fitted = dict.fromkeys(wanted)
    contexts = dict(zip(fitted, _fitted(list(fitted), tokens, limit), strict=True))
    placed = [
        chunk
        if chunk.n_tokens and chunk.context == contexts[key]
        else replace(chunk, context=contexts[key], n_tokens=0)
        for chunk, key in zip(chunks, wanted, strict=True)
    ]
    counts = iter(counted(tokens, [chunk.dense_text for chunk in placed if not chunk.n_tokens]))
    return [chunk if chunk.n_tokens else replace(chunk, n_tokens=next(counts)) for chunk in placed]


def context_size(
    title: Title, path: tuple[str, ...], header: str, tokens: TokenCounter, *, limit: int, line: bool = True
) -> int:
    """The most tokens the context of a chunk under `path` takes, and the line break after it."""
    parts = _titled(title, path, Span(0, 0)) if line else ()
    context = _fitted([(parts, header)], tokens, limit)[0]
    return tokens.count([context])[0] + 1 if context else 0


def counted(tokens: TokenCounter, texts: Sequence[str]) -> list[int]:
    """The sizes of `texts`, counted in batches that bound the memory of a large document."""
    sizes: list[int] = []
    for at in range(0, len(texts), _BATCH):
        sizes += tokens.count(texts[at : at + _BATCH])
    return sizes


def lexical_text(chunk: Chunk, document: Document) -> str:
    """What the lexical leg indexes: path, version and dates of the file, then the situated text."""
    version = document.meta.get("version")
    dates = [document.meta[key] for key in sorted(document.meta)]
    facts = [document.uri]
    if version is not None and not isinstance(version, date):
        facts.append(shortened(str(version), _MAX_VERSION))
    facts += [value.isoformat() for value in dates if isinstance(value, date)][:_MAX_DATES]
    return f"{' '.join(dict.fromkeys(facts))}\n{chunk.dense_text}"


def section_at(document: Document, offset: int) -> int:
    """The index of the innermost section that holds the character at `offset`, −1 if none does."""
    at = bisect_right(document.sections, offset, key=lambda section: section.span.start) - 1
    while at >= 0 and document.sections[at].span.end <= offset:
        at = document.sections[at].parent
    return at


def section_of(document: Document, chunk: Chunk) -> int:
    """The index of the section around the chunk's start whose path is the chunk's heading, −1 if none."""
    section = section_at(document, chunk.span.start)
    while section >= 0 and document.heading_path(section) != chunk.heading:
        section = document.sections[section].parent
    return section


# ── what the line says ────────────────────────────────────────────────────────────────────────
def _parts(document: Document, title: Title, chunk: Chunk) -> tuple[tuple[str, ...], str]:
    """Title and headings above the chunk that do not stand in it, and its header."""
    section = section_of(document, chunk)
    path = document.situating_path(section, chunk.span) if section >= 0 else chunk.heading
    return _titled(title, path, chunk.span), chunk.header


def _titled(title: Title, path: tuple[str, ...], span: Span) -> tuple[str, ...]:
    """The path under the title, unless that opens the path already or stands in `span`."""
    if not title.text or path[:1] == (title.text,) or (title.span and span.holds(title.span)):
        return path
    return (title.text, *path)


def _written(document: Document, chunked: Chunked, writer: ContextWriter) -> list[str]:
    lines = [" ".join(line.split()) for line in writer(document, chunked)]
    if len(lines) != len(chunked.chunks):
        raise ModelError(
            f"context writer: expected {len(chunked.chunks)} lines for {document.uri}, got {len(lines)}",
            stage="contextualise",
            hint="run the sync again, or switch the context writer off",
        )
    return lines


# ── how long it may be ────────────────────────────────────────────────────────────────────────
def _fitted(wanted: Sequence[tuple[tuple[str, ...], str]], tokens: TokenCounter, limit: int) -> list[str]:
    """One context for each (parts, header): at most a third of `limit`, a half with a header."""
    bounded = [_bounded(parts, header, limit) for parts, header in wanted]
    lines = [situating_line("", parts, header) for parts, header in bounded]
    sizes = counted(tokens, lines)
    return [
        line if size <= _most(header, limit) else _shortened(parts, header, tokens, limit)
        for line, size, (parts, header) in zip(lines, sizes, bounded, strict=True)
    ]


def _most(header: str, limit: int) -> int:
    return limit // 2 if header else limit // 3


def _bounded(parts: tuple[str, ...], header: str, limit: int) -> tuple[tuple[str, ...], str]:
    """Parts and header with no more of each than could ever fit."""
    kept = parts if len(parts) <= MOST_HEADINGS else (MARK, *parts[-MOST_HEADINGS:])
    most = CHARS_PER_TOKEN * limit
    return tuple(_clipped(part, most) for part in kept), _clipped(header, most)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + MARK


def _shortened(parts: tuple[str, ...], header: str, tokens: TokenCounter, limit: int) -> str:
    """The first that fits: rules in the header drawn shorter, outer parts left out, tails cut."""
    header, most = _RULE.sub(r"\1", header), _most(header, limit)
    kept = [parts] + [(MARK, *parts[at:]) for at in range(1, len(parts))]
    options = [situating_line("", path, header) for path in kept]
    for option, size in zip(options, tokens.count(options), strict=True):
        if size <= most:
            return option
    line = _head(situating_line("", kept[-1], ""), limit // 6 if header else most, tokens)
    return situating_line("", (line,), _head(header, most - tokens.count([line])[0], tokens))


def _head(text: str, most: int, tokens: TokenCounter) -> str:
    """`text` if it has at most `most` tokens, else as much of its beginning as fits, with `…`."""
    if len(text) <= CHARS_PER_TOKEN * most and tokens.count([text])[0] <= most:
        return text
    spans = tokens.spans(text[: CHARS_PER_TOKEN * max(0, most)])
    for last in range(min(most, len(spans)) - 1, -1, -1):
        head = text[: spans[last].end].rstrip() + MARK
        if tokens.count([head])[0] <= most:
            return head
    return ""


def _within(chunk: Chunk, tokens: TokenCounter, limit: int) -> Chunk:
    """The chunk with as much of its context as `limit` leaves beside its text."""
    room = limit
    while chunk.n_tokens > limit and chunk.context:
        room = min(room - 1, limit - tokens.count([chunk.text])[0])
        chunk = replace(chunk, context=_head(chunk.context, room, tokens))
        chunk = replace(chunk, n_tokens=tokens.count([chunk.dense_text])[0])
    return chunk
