"""Words whose full stop ends no sentence, and words around one that tell whether it does.

English, German, French, Spanish, Italian, Portuguese and Dutch. All are in lower case, without the full stop.
"""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


NEVER = _words(
    "dr mr mrs ms mx prof st sr jr gen col capt lt sgt rev hon gov sen rep messrs mt ft",
    "hr hrn fam dipl ing gez mme mlle mm sra sres srta dra dña dott sig avv exmo dhr mevr mw",
    "eg ie cf viz vs ca approx incl excl resp esp aka spp sp subsp var nee z.b d.h bzw vgl u.a e.g i.e",
    "inkl exkl einschl zzgl abzgl ggf evtl bspw bsp insb sog aprox bijv evt",
    "dept univ assoc inst ed eds trans tel ext hrsg",
)
"""They end no sentence: titles, and what introduces more."""

BEFORE_NUMBER = _words(
    "no nos nr fig figs eq eqs tab sec sect ch chap vol p pp para art ref refs app ver v rev pt pos min max",
    "abb abs anl bd kap lfd mind tel ziff cap núm num pág págs pag blz",
    "jan feb mar apr jun jul aug sep sept oct nov dec mär mrz okt dez janv févr avr juil déc",
    "ene abr giu lug sett ott",
)
"""They end no sentence before a number, nor do words that end in `STREET`."""
STREET = "str"

BEFORE_NAME = _words("al inc ltd co corp bros fr geb gem med phil jur mio mrd tsd stk std")
"""They end one only before a word that often opens one ("et al. The", not "et al. Nature")."""

ENGLISH_OPENERS = _words(
    "the this that these those it its he she they we you i a an in on at if when while where after before",
    "but and or so then however for from with as all both each some many most there here what which who",
    "why how is are was were do does did can may our their his her no not to by since although",
)
GERMAN_OPENERS = _words(
    "der die das dem den des dies diese dieser dieses ein eine einer einem einen er sie es wir ihr ich man",
    "in im an am auf aus bei beim mit nach für von vom zu zum zur bis ab seit ohne um über unter vor",
    "wenn wer wie was wo wann warum ob als da dann danach dort hier heute jetzt nun so aber und oder doch",
    "auch nur nicht kein keine alle jeder jede jedes bitte ist sind hat kann weitere während deshalb",
)
OPENERS = ENGLISH_OPENERS | GERMAN_OPENERS

BEFORE_ORDINAL = _words(
    "der die das dem den des ein eine einem einen einer am im zum zur vom beim ab bis seit und oder",
    "jeder jede jedes jeden jedem",
)
"""German words before an ordinal: `am 3. Oktober`, `der 2. Vorsitzende`."""
BEFORE_WRAPPED = BEFORE_ORDINAL - {"und", "oder"}
"""Those after which one may open a line; an item of a list may end with the others."""

AFTER_ORDINAL = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember",
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag",
    "weihnachtstag quartal halbjahr jahrhundert etage obergeschoss og auflage klasse",
)
"""German words after one."""
