"""Words that only ask or join: a query drops them while others remain.

English ones always; those of another language if more of them than English ones say that the query is in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pincite.analyze.parts import CONTRACTED
from pincite.analyze.terms import fold

STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing done down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no nor not of
    off on once only or other our out over own same she should so some such than that the their them then
    there these they this those through to too under until up very was we were what when where which while
    who whom why will with would you your""".split()  # noqa: SIM905
)

LEAST_SAID = 3
"""What the words of a query must say for another language: one that asks and one that joins, or three."""

# The words that ask, then those that join; accents do not count.
_ASKING = {
    "german": "was wie wann wo wer wem wen wessen warum wieso weshalb wohin woher welche welcher welches "
    "welchem welchen wieviel wieviele kostet kosten",
    "french": "quel quelle quels quelles quand combien comment pourquoi où qu'est-ce est-ce coûte coûtent",
    "spanish": "qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas cómo dónde adónde cuesta "
    "cuestan",
    "italian": "quale quali quando quanto quanta quanti quante dove perché chi cosa",
    "portuguese": "qual quais quando quanto quanta quantos quantas onde quem",
    "dutch": "hoe wat wanneer waar wie waarom welke welk hoeveel kost kosten",
}
_JOINING = {
    "german": "der die das dem den des ein eine einer einem einen eines kein keine ist sind war waren wird "
    "werden wurde wurden bin hat haben hatte kann können darf dürfen muss müssen muß soll sollen will wollen "
    "gibt es er sie wir ihr ich man und oder aber nicht auch nur noch in im an am auf aus bei beim mit nach "
    "für von vom zu zum zur bis ab über um unter vor durch als was dass wenn sich mir mich uns mein meine "
    "unser unsere dieser diese dieses diesem so da beträgt geht",
    "french": "le la les un une des du de au aux et ou mais ne pas est sont était être a ont avoir il elle "
    "ils elles on je tu nous vous ce cet cette ces son sa ses se que qui quoi dans en sur sous avec sans "
    "pour par chez faut peut doit doivent peuvent mon ma mes notre nos y",
    "spanish": "el la los las un una unos unas de del al a y o pero no es son está están era ser hay ha han "
    "se su sus lo le les me mi nos nuestro que quien en con sin para por sobre debe deben puede pueden tiene "
    "cada este esta estos como",
    "italian": "il lo la i gli le un uno una di del dello della dei degli delle da dal dalla in nel nella al "
    "alla ai alle a con su sul sulla per tra fra e o ma non è sono era essere ha hanno si ci che deve devono "
    "può possono questo questa come mio costa costano",
    "portuguese": "o a os as um uma de do da dos das em no na nos nas ao aos à e ou mas não é são está era "
    "ser há tem têm se seu sua que para por pelo pela com sem deve devem pode podem este esta como meu "
    "custa custam fica",
    "dutch": "de het een en of maar niet is zijn was waren wordt worden heeft hebben kan kunnen mag moet "
    "moeten moest er ik je we ze men in op aan van voor met bij uit naar tot om over onder door als dat die "
    "deze dit mijn onze per",
}
_ELIDED = re.compile(r"(?:l|d|j|m|n|s|t|c|qu|un|(?:de|a|ne|su|da)ll)['’](?=\w{2})", re.I)


def _folded(words: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {
        language: frozenset(fold(word.casefold()) for word in text.split())
        for language, text in words.items()
    }


_ASK, _JOIN = _folded(_ASKING), _folded(_JOINING)


def drop_stop_words(tokens: Sequence[str], *, english: bool = True) -> list[str]:
    """The tokens without stop words, articles before an apostrophe taken off; all if nothing else is there.

    A stop word in capitals inside a query that is not all in capitals is a name (`IT support`,
    `hepatitis A`) and stays.
    """
    loud = all(token.isupper() or not token.isalpha() for token in tokens)

    def is_name(at: int, token: str) -> bool:
        return not loud and token.isupper() and (len(token) > 1 or (at > 0 and token == "A"))

    words = [fold(CONTRACTED.sub("", token).casefold()) for token in tokens]
    language = _language(words)
    dropped = _ASK.get(language, frozenset()) | _JOIN.get(language, frozenset())
    dropped |= STOP_WORDS if english else frozenset()
    kept = [t for i, t in enumerate(tokens) if words[i] not in dropped or is_name(i, t)]
    if language in ("french", "italian"):
        kept = [_ELIDED.sub("", token, count=1) for token in kept]
    return kept or list(tokens)


def _language(words: Sequence[str]) -> str:
    """The language other than English that most stop words of a query are of; "" if there is none.

    A word that asks says as much as two that join, and the query must say as much as three: the name
    `Costa del Sol` is not Spanish. What English has too says little; what only English has, the opposite.
    """
    distinct = sorted(set(words))

    def says(language: str) -> int:
        asks, joins = _ASK[language], _JOIN[language]
        own = sum(2 * (word in asks) or word in joins for word in distinct if word not in STOP_WORDS)
        return own + sum(
            1 if word in asks else -2 * (word not in joins) for word in STOP_WORDS.intersection(distinct)
        )

    best = max(_ASK, key=says)
    return best if says(best) >= LEAST_SAID else ""
