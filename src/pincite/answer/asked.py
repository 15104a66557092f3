"""What a question asks for: a number, a time, a length of time, a cause; and whether a sentence holds one.

Read from the question's own words, in English and Chinese, and in plain cases German, French, Spanish,
Italian, Portuguese and Dutch. It only favours sentences; a question of no known kind favours none.
"""

from __future__ import annotations

import re

_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?"
    "|millions?|billions?|dozens?|half|once|twice|several|none|both"
)
_UNITS = (
    "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)"
)
_DAYS = (
    "jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
)
_OTHER_UNITS = (
    "sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?"
    "|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?"
    "|años?|anos?|secondi|minuti|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|uur|uren|dag(?:en)?|we(?:ek|ken)"
    "|maand(?:en)?|jaar"
)
_OTHER_NUMBERS = (
    "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|drei(?:ß|ss)ig|hundert|tausend|deux|trois|quatre"
    "|cinq|dix|vingt|dos|tres|cuatro|cinco|diez|due|tre|quattro|cinque|dieci|twee|drie|vijf|tien"
)
_OTHER_DAYS = (
    "januar|februar|märz|mai|juni|juli|oktober|dezember|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?"
    "|täglich|wöchentlich|monatlich|jährlich|sobald|janvier|février|avril|juin|juillet|août|septembre|octobre"
    "|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    "|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
)

_NUMBER = re.compile(
    rf"\d|\b(?:{_NUMBER_WORDS}|{_OTHER_NUMBERS})\b|[零〇一二两三四五六七八九十百千万亿半]", re.I
)
_DURATION = re.compile(
    r"(?<!within )(?<!every )(?<!each )"
    rf"(?:(?<!\d)\d+|\b(?:{_NUMBER_WORDS}|an?|few|many)\b)[ \t\n-]{{0,2}}(?:\w{{1,12}}[ \n-])?"
    rf"(?:{_UNITS}|h|s|ms|min)\b"
    rf"|(?:(?<!\d)\d+|\b(?:{_OTHER_NUMBERS}))[ -]{{1,2}}(?:{_OTHER_UNITS})\b"
    r"|\b(?:forever|indefinitely|unlimited|overnight|lifelong|lifetime)\b"
    r"|[\d零〇一二两三四五六七八九十百千万半几数] ?个?(?:秒|分|小时|时|天|日|周|星期|月|年)|永久|终身",
    re.I,
)
_TIME = re.compile(
    rf"\d|\b(?:{_DAYS}|{_UNITS}|morning|evening|noon|midnight|spring|summer|autumn|winter|when|after|before"
    r"|until|during|once|as soon as|daily|weekly|monthly|yearly|today|tomorrow|now)\b"
    rf"|\b(?:{_OTHER_DAYS})\b|[年月日时天周]|之前|之后|以前|以后|期间",
    re.I,
)
CAUSE = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|reasons?|since|due to|owing to|so that|in order to|thus|hence"
    r"|therefore|results? (?:from|in|of)|resulted|le(?:d|ads) to|thanks to|explain(?:s|ed)?|otherwise"
    r"|to (?:prevent|avoid|allow|ensure|keep|protect|make))\b"
    r"|\b(?:weil|wegen|aufgrund|damit|deshalb|daher|grund|ursache|parce que|à cause|afin de|porque|debido a"
    r"|para que|perché|poiché|a causa|omdat|doordat)\b"
    r"|因为|由于|原因|因此|所以|导致|造成|以免|否则|为了|以便|会使|会让",
    re.I,
)
"""What tells a cause, in a sentence or in the heading above it."""

_KINDS = (
    (
        r"\bhow (?:long (?:is|was|does|do|did|may|can|must|should|will|have|has|had|are|were)"
        rf"|many (?:{_UNITS}))\b|\b(?:wie lange|combien de temps|cu[aá]nto tiempo|quanto tempo|hoe lang)\b"
        "|多久|多长时间|几个?(?:小时|天|周|月|年)",
        _DURATION,
    ),
    (
        r"\bhow (?:many|much|often|old|deep|high|far|wide|large|heavy|tall|fast|hot|cold|big)\b"
        r"|\b(?:wie (?:viele?|hoch|oft|lang|tief|breit|schwer|alt|gro(?:ß|ss)|hei(?:ß|ss)|schnell|warm|weit)"
        r"|was kosten?t?|combien|cu[aá]nt[oa]s?"
        r"|quant[oaie]s?|hoeveel|hoe (?:vaak|hoog|diep|lang|breed|zwaar|oud|groot))\b"
        r"|多少|几[个次台人]|多[深高大宽远重快]",
        _NUMBER,
    ),
    (
        r"^\W*when\b|\b(?:what|which) (?:year|date|day|month|time|century)\b"
        r"|^\W*(?:wann|quand|cu[aá]ndo|quando|wanneer)\b"
        r"|\b(?:welche[mnrs]? (?:jahr|tag|datum)|quelle (?:heure|date))"
        r"|什么时候|何时|哪一?[年天月日]",
        _TIME,
    ),
    (
        r"\b(?:why|for what reasons?|what caus(?:es|ed)|what (?:is|was|are|were) the (?:cause|reason)s?)\b"
        r"|\b(?:warum|wieso|weshalb|pourquoi|por qu[eé]|perch[eé]|waarom)\b|为什么|为何|什么原因",
        CAUSE,
    ),
)


def wanted(question: str) -> re.Pattern[str] | None:
    """The pattern of what an answer to the question is likely to hold; None if its kind is not known."""
    return next((held for asked, held in _KINDS if re.search(asked, question, re.I)), None)
