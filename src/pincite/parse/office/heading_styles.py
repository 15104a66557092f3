"""The names of heading styles: `Heading 1`, `Überschrift 2`, in the language of who writes."""

from __future__ import annotations

import re
from functools import cache

from pincite.lexicon import any_of


@cache
def heading_style() -> re.Pattern[str]:
    """A name of such a style, its level in the first group."""
    return re.compile(rf"{any_of('headings.styles')}[ _]{{0,3}}([1-9])", re.I)
