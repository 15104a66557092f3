"""English words that a query drops while others remain."""

from __future__ import annotations

from pincite.analyze.parts import CONTRACTED

STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no nor not of
    off on once only or other our out over own same she should so some such than that the their them then
    there these they this those through to too under until up very was we were what when where which while
    who whom why will with would you your""".split()  # noqa: SIM905
)


def drop_stop_words(tokens: list[str]) -> list[str]:
    """The tokens without English stop words; all of them if nothing else is there.

    A stop word in capitals inside a query that is not all in capitals is a name (`IT support`,
    `hepatitis A`) and stays.
    """
    loud = all(token.isupper() or not token.isalpha() for token in tokens)

    def is_name(at: int, token: str) -> bool:
        return not loud and token.isupper() and (len(token) > 1 or (at > 0 and token == "A"))

    words = [CONTRACTED.sub("", token).casefold() for token in tokens]
    kept = [t for i, t in enumerate(tokens) if words[i] not in STOP_WORDS or is_name(i, t)]
    return kept or tokens
