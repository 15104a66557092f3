"""What each chunk of a document carries along, within bounds: a long line is not stored with every chunk.

The text itself stays whole: only titles, headers of tables and names of parts are shortened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from pincite.characters import shortened
from pincite.types import Block, Meta, MetaValue, Origins, Place, Run, RunOrigins, Section

MAX_TITLE = 300  # characters of a title, on one line
MAX_HEADER = 2_000  # of a table's caption and header rows, or of what else a block needs
MAX_META = 4_000  # of names and values of a document's own metadata; a text counts as 1,000 at most
_MOST_OF_TEXT = 1_000  # the search index holds a longer one by its hash
_MOST_NAMED = 5
MAX_PART = 500  # of the name of a part: a sheet, a chapter with its anchor, a page's label


def short_title(title: str) -> str:
    """The title; a long one on one line, up to a word."""
    return title if len(title) <= MAX_TITLE else shortened(" ".join(title.split()), MAX_TITLE)


def short_sections(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections with short titles."""
    return tuple(
        one if len(one.title) <= MAX_TITLE else replace(one, title=short_title(one.title)) for one in sections
    )


def short_headers(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with short headers; those of one table share theirs."""
    long = {block.header for block in blocks if len(block.header) > MAX_HEADER}
    short = {header: shortened(header, MAX_HEADER) for header in long}
    return (
        tuple(replace(one, header=short[one.header]) if one.header in short else one for one in blocks)
        if short
        else tuple(blocks)
    )


def short_meta(meta: Meta) -> tuple[dict[str, MetaValue], tuple[str, ...]]:
    """The fields, the smallest kept first and the last one's list cut, and what was dropped, in words."""
    kept: dict[str, MetaValue] = {}
    dropped, room = [], MAX_META
    for name in sorted(meta, key=lambda name: _size(name, meta[name])):
        value = _within(name, meta[name], room)
        if value != meta[name]:
            dropped.append(name)
        if value is not None:
            kept[name] = value
            room -= _size(name, value)
    in_order = {name: kept[name] for name in meta if name in kept}
    more = f" and {len(dropped) - _MOST_NAMED:,} more" if len(dropped) > _MOST_NAMED else ""
    names = ", ".join(shortened(name, 50) for name in dropped[:_MOST_NAMED]) + more
    return in_order, (f"metadata beyond {MAX_META:,} characters: {names}",) if dropped else ()


def _within(name: str, value: MetaValue, room: int) -> MetaValue | None:
    """The value, or as many of a list's values as have room; None without any."""
    if _size(name, value) <= room:
        return value
    if not isinstance(value, tuple):
        return None
    sizes = accumulate((_size("", part) for part in value), initial=len(name))
    return value[: sum(size <= room for size in sizes) - 1] or None


def _size(name: str, value: MetaValue) -> int:
    """The characters that a field takes in the search index, about."""
    values = value if isinstance(value, tuple) else (value,)
    return len(name) + sum(min(len(str(part)), _MOST_OF_TEXT) for part in values)


def short_origins(origins: Origins) -> Origins:
    """The origins with short names of parts and pages."""
    if not isinstance(origins, RunOrigins) or not any(_is_long(run.place) for run in origins.runs):
        return origins
    return RunOrigins(tuple(Run(run.span, _short(run.place)) for run in origins.runs))


def _is_long(place: Place) -> bool:
    return len(place.part or "") > MAX_PART or len(place.page_label or "") > MAX_PART


def _short(place: Place) -> Place:
    if not _is_long(place):
        return place
    part, label = place.part, place.page_label
    return replace(
        place,
        part=part and shortened(part, MAX_PART),
        page_label=label and shortened(label, MAX_PART),
    )
