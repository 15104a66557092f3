"""The forms of a citation marker in brackets: `[1]`, `[1, 3-4]`, `[Source 1]`, `【1†source】`.

What a passage must not hold when a model reads it, and what is read in the model's answer. Patterns are for
text as `pincite.hidden` folds it, in lower case.
"""

from __future__ import annotations

import re
from functools import cache

from pincite import lexicon

_NUMBER = r"\d{1,99}"
LIST = rf"{_NUMBER}(?:[ \t]?[-–—,，、;][ \t]?{_NUMBER}){{0,40}}"
"""Numbers and ranges, separated."""
_BEHIND = r"†[^\[\]【】\n]{0,80}|,[ \t]?(?:pp?|page|lines?|l|s)\.?[ \t]?\d{1,6}(?:[-–]\d{1,6})?"


@cache
def word() -> str:
    """The pattern of a word that means a source, with what stands between it and the number."""
    return rf"{lexicon.any_of('sources.markers')}[ \t]?[:.#=№]?[ \t]?"


@cache
def bracketed() -> re.Pattern[str]:
    """A marker in brackets, its numbers in the group `numbers`."""
    return re.compile(rf"[\[【][ \t]?(?:{word()})?(?P<numbers>{LIST})(?:{_BEHIND})?[ \t]?\\?[\]】]")
