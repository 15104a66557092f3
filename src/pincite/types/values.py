"""The values metadata can take."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

Scalar = str | int | float | bool | date
MetaValue = Scalar | tuple[Scalar, ...]
Meta = Mapping[str, MetaValue]
