"""How each dense model is best mixed with the lexical leg."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from pincite.config import SearchConfig
from pincite.models.choose import SAMPLE, scripts


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of the convex fusion and of feedback on the dense leg.

    `feedback` is the weight of the mean of the three nearest chunks' vectors added to the query's (0: none).
    `script` is the only one the model knows ("": no such limit).
    """

    lexical_weight: float
    dense_weight: float
    feedback: float = 0.0
    script: str = ""

    def reads(self, text: str) -> bool:
        """Whether the model knows the script that at least half of the text's letters are in."""
        counts = scripts(text[:SAMPLE]) if self.script else Counter()
        return 2 * counts[self.script] >= counts.total()


DEFAULT = Profile(lexical_weight=0.5, dense_weight=0.5, feedback=0.4)
# The multilingual encoder averages its tokens and is the weaker leg: feedback would follow its errors.
PROFILES = {
    "english": replace(DEFAULT, script="latin"),
    "multilingual": Profile(lexical_weight=0.6, dense_weight=0.4),
}


def profile(name: str, settings: SearchConfig | None = None) -> Profile:
    """The profile of model `name`, with the weights that `settings` name in place of its own."""
    found = PROFILES.get(name, DEFAULT)
    if settings is None:
        return found
    return replace(
        found,
        lexical_weight=_chosen(settings.lexical_weight, found.lexical_weight),
        dense_weight=_chosen(settings.dense_weight, found.dense_weight),
        feedback=_chosen(settings.feedback, found.feedback),
    )


def _chosen(setting: float | None, default: float) -> float:
    return default if setting is None else setting
