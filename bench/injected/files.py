"""Faults of labels, files and their parsing."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from injected.cases import fault
from injected.corpora import Copy, Corpus, K, Passing
from pincite.config import Config, SearchConfig, SyncConfig
from pincite.parse.build import document_id
from pincite.types import Finding, Losses, Place, Run, RunOrigins, Span

_FILLER = "Nothing of interest stands here any more.\n"


def _each(copy: Copy, picked: Sequence[Passing]) -> Iterator[Finding]:
    yield from (copy.why(one.question) for one in picked)


def _own_text(one: Passing) -> bool:
    """Whether the indexed text is the file's own, so that its words can be replaced in it."""
    return not one.uri.endswith((".html", ".rst"))


def _without(copy: Copy, one: Passing) -> str:
    """The file's text with filler in place of the evidence."""
    text = (copy.root / one.uri).read_text("utf-8")
    return text.replace(one.words, _FILLER) if one.words in text else _FILLER


# ── labels ────────────────────────────────────────────────────────────────────────────────────
@fault("label-suspect", "the line is past the end")
def past_the_end(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "past", distinct=False):
            far = one.labelled(line_start=90_000, line_end=90_000, chars=None, quote="")
            yield copy.why(far)


@fault("label-suspect", "the line is blank")
def blank_line(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "blank", _own_text):
            lines = (copy.root / one.uri).read_text("utf-8").split("\n")[:-1]
            blank = next((at for at, line in enumerate(lines, 1) if not line.strip()), None)
            if blank is not None:
                yield copy.why(one.labelled(line_start=blank, line_end=blank, chars=None, quote=""))


@fault("label-suspect", "the quote is nowhere")
def quote_nowhere(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "quote", distinct=False):
            yield copy.why(one.labelled(quote="words that were never written down anywhere"))


@fault("label-suspect", "a word of the quote is another")
def misquoted(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "misquoted", distinct=False):
            half = len(one.words) // 2
            quote = f"{one.words[:half].rstrip()} zebra {one.words[half:].lstrip()}"
            yield copy.why(one.labelled(quote=quote))


@fault("label-suspect", "the hash is of other words")
def other_hash(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "hash", distinct=False):
            yield copy.why(one.labelled(quote="", quote_sha="0" * 64))


# ── corpus and sync ───────────────────────────────────────────────────────────────────────────
@fault("not-in-corpus", "file deleted, then sync")
def deleted(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "deleted")
    with corpus.copy() as copy:
        for one in picked:
            (copy.root / one.uri).unlink()
        copy.library.sync()
        yield from _each(copy, picked)


@fault("not-in-corpus", "file excluded, then sync")
def excluded(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "excluded")
    config = Config(sync=SyncConfig(exclude=tuple(f"/{one.uri}" for one in picked)))
    with corpus.copy(config=config) as copy:
        copy.library.sync()
        yield from _each(copy, picked)


@fault("not-in-corpus", "file ignored, then sync")
def ignored(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "ignored")
    with corpus.copy() as copy:
        copy.write(".gitignore", "".join(f"/{one.uri}\n" for one in picked))
        copy.library.sync()
        yield from _each(copy, picked)


@fault("not-in-corpus", "file never existed")
def never_existed(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "never", distinct=False):
            yield copy.why(one.labelled(uri=f"old/{one.uri}"))


@fault("not-in-corpus", "one of two needed files deleted, then sync")
def one_of_two(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _with_another(corpus, n, "needed", needed=True)


@fault("found", "one of two alternatives deleted, then sync")
def one_alternative(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _with_another(corpus, n, "alternatives", needed=False)


def _with_another(corpus: Corpus, n: int, name: str, *, needed: bool) -> Iterator[Finding]:
    """Questions with a second piece of evidence, whose file is deleted."""
    picked = corpus.pick(2 * n, name)
    pairs = list(zip(picked[::2], picked[1::2], strict=False))
    with corpus.copy() as copy:
        for _, other in pairs:
            (copy.root / other.uri).unlink()
        copy.library.sync()
        for one, other in pairs:
            second = replace(other.gold.qrel, question_id=one.question.id, group="second" if needed else "")
            yield copy.why(replace(one.question, qrels=(one.gold.qrel, second)))


@fault("found", "the file grew, no sync")
def grew(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "grew", lambda one: not one.uri.endswith((".json", ".jsonl", ".csv", ".py")))
    with corpus.copy() as copy:
        for one in picked:
            copy.write(one.uri, (copy.root / one.uri).read_text("utf-8") + f"\n\n{_FILLER}")
        yield from _each(copy, picked)


@fault("found", "lines put in above a quoted evidence, then sync")
def moved_down(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "down", lambda one: _own_text(one) and one.uri.endswith((".md", ".txt")))
    with corpus.copy() as copy:
        for one in picked:
            copy.write(one.uri, f"{_FILLER}\n" * 3 + (copy.root / one.uri).read_text("utf-8"))
        copy.library.sync()
        for one in picked:
            if not copy.lost(one.labelled(quote=one.words), K, SearchConfig()):
                yield copy.why(one.labelled(quote=one.words))


@fault("stale-index", "evidence edited away, no sync")
def edited(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "edited")
    with corpus.copy() as copy:
        for one in picked:
            copy.write(one.uri, _without(copy, one))
        yield from _each(copy, picked)


@fault("stale-index", "new file, no sync")
def new_file(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "new")
    with corpus.copy() as copy:
        kept = {one.uri: (copy.root / one.uri).read_bytes() for one in picked}
        for uri in kept:
            (copy.root / uri).unlink()
        copy.library.sync()
        for uri, data in kept.items():
            copy.write(uri, data)
        yield from _each(copy, picked)


@fault("stale-index", "file deleted, no sync")
def gone(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "gone")
    with corpus.copy() as copy:
        for one in picked:
            (copy.root / one.uri).unlink()
        yield from _each(copy, picked)


@fault("stale-index", "file no longer readable, no sync")
def spoilt(corpus: Corpus, n: int) -> Iterator[Finding]:
    picked = corpus.pick(n, "spoilt")
    with corpus.copy() as copy:
        for one in picked:
            copy.write(one.uri, b"\xff\xfe\x00\xd8A\x00")
        yield from _each(copy, picked)


# ── parsing ───────────────────────────────────────────────────────────────────────────────────
def _replaced(
    corpus: Corpus, n: int, name: str, content: Callable[[Copy, Passing], bytes]
) -> Iterator[Finding]:
    """Files with other content, then sync."""
    picked = corpus.pick(n, name)
    with corpus.copy(config=Config(sync=SyncConfig(max_file_mb=1))) as copy:
        for one in picked:
            copy.write(one.uri, content(copy, one))
        copy.library.sync()
        yield from _each(copy, picked)


@fault("failed-to-parse", "bytes that no encoding fits")
def undecodable(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _replaced(corpus, n, "undecodable", lambda copy, one: b"\xff\xfe\x00\xd8A\x00")


@fault("failed-to-parse", "binary bytes")
def binary(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _replaced(corpus, n, "binary", lambda copy, one: bytes(range(256)) * 8)


@fault("failed-to-parse", "over the size limit")
def too_large(corpus: Corpus, n: int) -> Iterator[Finding]:
    def content(copy: Copy, one: Passing) -> bytes:
        return (copy.root / one.uri).read_bytes() + _FILLER.encode() * 30_000

    return _replaced(corpus, n, "large", content)


@fault("page-without-text", "empty file")
def emptied(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _replaced(corpus, n, "emptied", lambda copy, one: b" \n\n")


@fault("page-without-text", "scanned page")
def scanned(corpus: Corpus, n: int) -> Iterator[Finding]:
    """A document as a parser of pages gives it: text on the first page, none on the second."""
    picked = corpus.pick(n, "scanned")
    with corpus.copy() as copy:
        catalog = copy.open.catalog
        fingerprint = catalog.get("model")["fingerprint"]
        for one in picked:
            found = catalog.document(document_id(one.uri))
            assert found is not None
            places = RunOrigins((Run(Span(0, len(found.text)), Place(page=1)),))
            stored = catalog.stored([point for point, _, _ in catalog.points_of(found.id)])
            chunks = [entry.chunk for entry in sorted(stored.values(), key=lambda entry: entry.ordinal)]
            paged = replace(found, origins=places, losses=Losses(pages_without_text=(2,)))
            with catalog.transaction():
                catalog.put_document(paged, found.meta, chunks, fingerprint)
        for one in picked:
            yield copy.why(one.labelled(line_start=None, line_end=None, chars=None, quote="", page=2))


def _moved(corpus: Corpus, n: int, name: str, ending: str, wrap: Callable[[str], str]) -> Iterator[Finding]:
    """The evidence in a file of its own, where no text is taken from; the label quotes it."""
    picked = corpus.pick(n, name, lambda one: len(one.words) < 2000 and "--" not in one.words)
    with corpus.copy() as copy:
        for one in picked:
            copy.write(f"moved/{one.uri}{ending}", wrap(one.words))
        copy.library.sync()
        for one in picked:
            uri = f"moved/{one.uri}{ending}"
            yield copy.why(one.labelled(uri=uri, line_start=None, line_end=None, chars=None, quote=one.words))


def _page(hidden: str) -> str:
    return f"<html><body><h1>A page</h1><p>{_FILLER}</p>{hidden}</body></html>"


@fault("lost-in-parsing", "in a script")
def in_script(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _moved(corpus, n, "script", ".html", lambda words: _page(f"<script>var a = `{words}`;</script>"))


@fault("lost-in-parsing", "in a hidden element")
def in_hidden(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _moved(
        corpus, n, "hidden", ".html", lambda words: _page(f"<div hidden>{html.escape(words)}</div>")
    )


@fault("lost-in-parsing", "in a comment of a page")
def in_page_comment(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _moved(corpus, n, "page comment", ".html", lambda words: _page(f"<!-- {words} -->"))


@fault("lost-in-parsing", "in a comment of Markdown")
def in_comment(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _moved(corpus, n, "comment", ".md", lambda words: f"# A page\n\n{_FILLER}\n<!--\n{words}\n-->\n")
