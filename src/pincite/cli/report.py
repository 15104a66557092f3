"""Records to text for people: what a sync did, what a library holds, what a parser saw, the settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from pincite.cli.render import percent
from pincite.cli.terminal import Terminal, one_line, padded, visible
from pincite.config.keys import ADDRESSES, SECRETS, Setting
from pincite.models.address import masked
from pincite.scripts import columns
from pincite.types import Chunked, Document, Reason, Status, SyncReport

MAX_NAMES = 20
"""How many names of a kind are listed for people; `--json` has them all."""


def sync_text(report: SyncReport, *, term: Terminal) -> str:
    """Counts of everything, then the files that are not in the index and why."""
    changes = [
        f"{len(names):,} {word}"
        for word, names in (
            ("added", report.added),
            ("changed", report.changed),
            ("removed", report.removed),
            ("moved", report.moved),
        )
    ]
    lost = _lost(report)
    rows = [
        ("Files", f"{_found(report)}: {_counts(report)}; {report.excluded:,} left out by rules"),
        ("Changes", ", ".join([*changes, f"{report.unchanged:,} unchanged"])),
        ("Chunks", f"{report.chunks:,}: {report.embedded:,} embedded, {report.reused:,} reused"),
        ("Vectors", f"{percent(report.dense_complete)} complete, {len(report.pending):,} files pending"),
        ("Not read", lost),
        ("Model", visible(report.model)),
        ("Warnings", f"{len(report.warnings):,}, named above" if report.warnings else ""),
        ("Seconds", f"{report.seconds:.2f}"),
    ]
    return "\n".join(
        [
            *table([row for row in rows if row[1]], term),
            *reasons("Failed", report.failed, term, "red"),
            *reasons("Skipped", report.skipped, term, "yellow"),
            *reasons("Empty", report.empty, term, "yellow"),
            *reasons("Read in part", report.partial, term, "yellow"),
            *reasons("Speaks to an assistant, which changes nothing", report.addressed, term, "dim"),
            *names("Pending", report.pending, term),
        ]
    )


def _found(report: SyncReport) -> str:
    inside = f" ({report.inside:,} inside others)" if report.inside else ""
    return f"{report.found:,} found{inside}"


def _lost(state: SyncReport | Status) -> str:
    """What is missing of the files that are indexed, each kind counted."""
    pages = _counted(state.pages_without_text, "page")
    dropped, cut = _counted(state.dropped, "part"), _counted(state.cut_text, "character")
    return f"{pages} without text, {dropped} left out, {cut} cut"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _counts(report: SyncReport) -> str:
    files = (("empty", report.empty), ("failed", report.failed), ("skipped", report.skipped))
    counts = [("indexed", report.indexed), *((word, len(each)) for word, each in files)]
    return ", ".join(f"{number:,} {word}" for word, number in counts)


def status_text(status: Status, *, term: Terminal) -> str:
    """What the index holds, then what is stale, pending, failed, skipped or empty."""
    types = ", ".join(f"{number:,} {visible(kind)}" for kind, number in sorted(status.by_type.items()))
    lost = _lost(status)
    rows = [
        ("Folder", visible(status.root)),
        ("Index", f"{visible(status.index)}, {status.disk_bytes / 1e6:,.1f} MB"),
        ("Documents", f"{status.documents:,}" + (f": {types}" if types else "")),
        ("Chunks", f"{status.chunks:,}, {percent(status.dense_complete)} with their vector"),
        ("Model", _model(status)),
        ("Chunk size", _chunk_size(status)),
        ("Prefixes", _prefixes(status)),
        ("Last sync", status.last_sync or "never"),
        ("Fields", ", ".join(f"{visible(name)} ({kind})" for name, kind in sorted(status.fields.items()))),
        ("Not read", lost),
    ]
    return "\n".join(
        [
            *table([row for row in rows if row[1]], term),
            *names("Changed on disk", status.changed, term),
            *names("Touched, too large to be compared", status.maybe_changed, term),
            *names("Gone from disk", status.removed, term),
            *names("Not indexed yet", status.unindexed, term),
            *names("Pending", status.pending, term),
            *reasons("Failed", status.failed, term, "red"),
            *reasons("Skipped", status.skipped, term, "yellow"),
            *reasons("Empty", status.empty, term, "yellow"),
            *reasons("Read in part", status.partial, term, "yellow"),
            *reasons("Speaks to an assistant, which changes nothing", status.addressed, term, "dim"),
            *names("Settings that differ from the index", status.stale_settings, term),
            *names("Warnings", status.warnings, term),
            *_remedy(status),
        ]
    )


def _model(status: Status) -> str:
    if not status.model:
        return "none yet"
    size = f"{status.dimension} dimensions" if status.dimension else "not here yet: no text has its vector"
    return f"{visible(status.model)}, {size}"


def _chunk_size(status: Status) -> str:
    """The size in effect: what the settings say, or less if the model reads less."""
    if not status.limit:
        return ""
    size, reads = f"chunk.size = {status.chunk_size:,}", f"the model reads {status.limit:,} tokens of a text"
    return f"{min(status.chunk_size, status.limit):,} tokens ({size}; {reads})"


def _prefixes(status: Status) -> str:
    """What is put before the texts that are embedded."""
    if not status.limit:
        return ""
    pair = (("query", status.query_prefix), ("passage", status.document_prefix))
    shown = [(kind, json.dumps(text, ensure_ascii=False) if text else "none") for kind, text in pair]
    return ", ".join(f"{kind} {one_line(text)}" for kind, text in shown)


def _remedy(status: Status) -> list[str]:
    behind = (status.changed, status.maybe_changed, status.removed, status.unindexed, status.pending)
    stale = any(behind) or status.stale_settings
    return ["", "pincite sync brings the index up to date."] if stale else []


def parse_text(document: Document, chunked: Chunked, *, term: Terminal) -> str:
    """What the parser saw: the document's fields, its sections, and its chunks with their text."""
    rows = [
        ("Title", visible(document.title)),
        ("Type", f"{document.type}, {document.encoding}, {document.language}".rstrip(", ")),
        ("Text", f"{len(document.text):,} characters, {len(document.blocks):,} blocks"),
        *((visible(str(key)), visible(str(value))) for key, value in sorted(document.meta.items())),
    ]
    sections = [f"{'  ' * max(0, s.level - 1)}{one_line(s.title)}" for s in document.sections if s.title]
    lines = table([row for row in rows if row[1]], term) + _listed("Sections", sections, term, len(sections))
    for line, chunk in zip(map_lines(document, chunked), chunked.chunks, strict=False):
        lines += ["", term.style(line, "cyan")]
        lines += [visible(text) for text in (chunk.context, chunk.header, chunk.text) if text]
    return "\n".join(lines + _left_out(document, chunked, term))


def map_text(document: Document, chunked: Chunked, *, term: Terminal) -> str:
    """One line for each chunk, then the text that is in none."""
    return "\n".join([*map_lines(document, chunked), *_left_out(document, chunked, term)])


def map_lines(document: Document, chunked: Chunked) -> list[str]:
    """`guide.md:7-12  paragraph  chars 120-480  96 tokens  Battery › Replacing it` for each chunk."""
    return [
        f"{document.origins.place(c.span).location(one_line(document.uri))}  {c.kind}  "
        f"chars {c.span.start}-{c.span.end}  {c.n_tokens} tokens  {one_line(' › '.join(c.heading))}".rstrip()
        for c in chunked.chunks
    ]


def _left_out(document: Document, chunked: Chunked, term: Terminal) -> list[str]:
    left = []
    for each in chunked.all_left_out(document):
        place = document.origins.place(each.span).location(one_line(document.uri))
        left.append(f"{place}  {len(each.span):,} characters: {one_line(each.reason)}")
    return _listed("Left out", left, term, len(left))


def config_text(settings: Iterable[Setting], *, term: Terminal) -> str:
    """`key = value   # source`, one a line; a key of the language model is masked."""
    rows = [(s.key, repr(shown(s)), s.source) for s in settings]
    width = max((len(key) for key, _, _ in rows), default=0)
    return "\n".join(
        f"{key:<{width}} = {one_line(value)}  {term.style('# ' + one_line(source), 'dim')}"
        for key, value, source in rows
    )


def shown(setting: Setting) -> object:
    """The value, or `***` for a key that is set, and for what is secret in an address."""
    if setting.key in ADDRESSES:
        return masked(str(setting.value))
    return "***" if setting.key in SECRETS and setting.value else setting.value


# ── parts ─────────────────────────────────────────────────────────────────────────────────────
def table(rows: Sequence[tuple[str, str]], term: Terminal) -> list[str]:
    """Names and values in two columns."""
    width = max((columns(name) for name, _ in rows), default=0)
    return [f"{term.style(padded(name, width), 'bold')}  {value}".replace("\n", " ") for name, value in rows]


def reasons(title: str, files: Sequence[Reason], term: Terminal, color: str) -> list[str]:
    """The files with their reasons under a title, the first twenty."""
    return _listed(title, [f"{one_line(f.uri)}: {one_line(f.reason)}" for f in files], term, MAX_NAMES, color)


def names(title: str, uris: Sequence[str], term: Terminal) -> list[str]:
    """The names under a title, the first twenty."""
    return _listed(title, [one_line(uri) for uri in uris], term, MAX_NAMES, "yellow")


def _listed(title: str, lines: Sequence[str], term: Terminal, most: int, color: str = "bold") -> list[str]:
    more = [f"  … and {len(lines) - most:,} more (--json lists all)"] if len(lines) > most else []
    head = [term.style(f"{title} ({len(lines):,})", color)] if lines else []
    return head + [f"  {line}" for line in lines[:most]] + more
