"""What a library holds and what a sync did to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reason:
    """A file that is not in the index, and why."""

    uri: str
    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` units of `stage`.

    That is "read" (bytes), "embed" (chunks) or "ask" (questions).
    """

    stage: str
    done: int
    total: int
    unit: str
    uri: str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did. `found` = `indexed` + `empty` + `failed` + `skipped`; `indexed` holds `unchanged`.

    Files inside archives and mails count as files; `inside` is how many of those found they are. `partial`
    are files that are indexed but for what they name (pages without text, dropped parts, cut text);
    `addressed` are those with text that speaks to an assistant, each with its places, as information.
    `added`, `changed`, `removed`, `moved` (new paths) and `pending` (some chunk has no vector yet) are
    sorted uris. `embedded` counts texts that got a vector, `reused` chunks whose vector was there.
    `error` is the model's message when it failed for every text it was given, `hint` what mends it; `missing`
    says that the model is not on this computer.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    failed: tuple[Reason, ...] = ()
    skipped: tuple[Reason, ...] = ()
    empty: tuple[Reason, ...] = ()
    partial: tuple[Reason, ...] = ()
    addressed: tuple[Reason, ...] = ()
    found: int = 0
    inside: int = 0
    indexed: int = 0
    unchanged: int = 0
    excluded: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    seconds: float = 0.0
    dense_complete: float = 1.0
    pages_without_text: int = 0
    cut_text: int = 0
    dropped: int = 0
    model: str = ""
    error: str = ""
    hint: str = ""
    missing: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """What a library holds now, and what differs from its folder.

    `changed`, `removed` and `unindexed` compare the folder with the index; `maybe_changed` are files of the
    same size that were touched and are too large to be looked into. `by_type` counts documents. `chunk_size`
    is that of the settings, `limit` what the model reads of a text, both in its tokens; 0 while no model is
    known. The prefixes are put before each query and each passage.
    """

    root: str
    index: str
    documents: int
    chunks: int
    model: str
    dimension: int
    dense_complete: float
    disk_bytes: int
    last_sync: str
    by_type: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unindexed: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    failed: tuple[Reason, ...] = ()
    skipped: tuple[Reason, ...] = ()
    empty: tuple[Reason, ...] = ()
    partial: tuple[Reason, ...] = ()
    addressed: tuple[Reason, ...] = ()
    pages_without_text: int = 0
    cut_text: int = 0
    dropped: int = 0
    stale_settings: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    maybe_changed: tuple[str, ...] = ()
    chunk_size: int = 0
    limit: int = 0
    query_prefix: str = ""
    document_prefix: str = ""
