"""Values in JSON's own types and as one text, and the parts that several records have."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import PurePath
from typing import Any

from pincite.characters import escaped_in_json
from pincite.types import Place

Json = dict[str, Any]


def dump(value: object, *, ascii_only: bool = False) -> str:
    """`value` as one JSON text of two-space indents.

    What UTF-8 cannot hold, what would steer a terminal and what is not seen is written as an escape.
    """
    text = json.dumps(plain(value), ensure_ascii=ascii_only, allow_nan=False, indent=2)
    return escaped_in_json(text).encode("utf-8", "backslashreplace").decode("utf-8")


def plain(value: object) -> Any:
    """`value` in JSON's own types: dates as ISO, records as objects, NaN and infinities as null."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    if isinstance(value, PurePath):
        return value.as_posix()
    return plain(value.item()) if hasattr(value, "item") else str(value)


def place_json(place: Place) -> Json:
    """The lines, pages, boxes and part of a place."""
    found = {"line_start": place.line_start, "line_end": place.line_end, "page": place.page}
    more = {"page_end": place.page_end, "page_label": place.page_label}
    return {**found, **more, "boxes": plain(place.boxes), "part": place.part}


def lost_json(pages: object, cut: int, dropped: object) -> Json:
    """What could not be read: pages without text, characters cut, and what was dropped."""
    return {"pages_without_text": pages, "cut_text": cut, "dropped": dropped}
