"""How plausible a text looks in each legacy encoding: which characters it would be made of.

A wrong encoding often decodes without an error, so validity is not enough. For scripts other than Latin
the share of a language's most frequent characters tells; for Latin, the share of the letters beyond ASCII
that one single language has, with Windows-1252 (a superset of printable Latin-1) on ties.
"""

from __future__ import annotations

import re

_HAN = ("\u3400", "\u9fff")
_SIMPLIFIED = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定"
    "行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些"
    "然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公"
    "无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将"
    "组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处世请您安装更换电池说明版本"
)
_TRADITIONAL = (
    "的一是不我有在人了這他為來們到時大上個國要以說會就可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多"
    "經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工"
    "使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內"
    "信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安"
    "少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達"
    "光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運電池請您"
)
_KOREAN = (
    "이다는을의에가고하를은지기로한도리사어아자서나라대시인으과니그있해수정일부들전보와게구제장스여만상원주공조있음없"
    "습세성안비동진우경유화면아문오마소신었계관연생적요개무교중거위미치용방까선내러모모식간년재드업후물학국당산회력려때되된될할함합입설"
)
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїє"
_GREEK = "αοιετσνηυρπκμλςήίάόέώύγδθχφωβξζψ"
_HEBREW = "יוהלאמרתבשנכםחדקעפצגטסזןךףץ"
_ARABIC = "الينمروتبةعدسفهكقحجشطصخذضزثءىغظئأإ،ؤآ"
_PUNCTUATION = "、。，．：；？！「」『』（）【】《》“”‘’…—－·～〈〉〔〕　・ー"

# name → (its frequent characters, first and last character of the script, whether those frequent
# characters may stand beside ASCII letters without a space)
_SCRIPTS: dict[str, tuple[frozenset[str], tuple[str, str], bool]] = {
    "gb18030": (frozenset(_SIMPLIFIED), _HAN, True),
    "cp932": (frozenset(map(chr, range(0x3041, 0x30FF))), ("\u3040", "\u9fff"), True),
    "cp949": (frozenset(_KOREAN), ("\uac00", "\ud7a3"), True),
    "big5": (frozenset(_TRADITIONAL), _HAN, True),
    "euc_jp": (frozenset(map(chr, range(0x3041, 0x30FF))), ("\u3040", "\u9fff"), True),
    "cp1251": (frozenset(_CYRILLIC), ("\u0400", "\u04ff"), False),
    "koi8_r": (frozenset(_CYRILLIC), ("\u0400", "\u04ff"), False),
    "cp1253": (frozenset(_GREEK), ("\u0370", "\u03ff"), False),
    "cp1255": (frozenset(_HEBREW), ("\u0590", "\u05ff"), False),
    "cp1256": (frozenset(_ARABIC), ("\u0600", "\u06ff"), False),
}
# name → alphabets beyond ASCII of the languages written in it, one string per language
_CENTRAL_EUROPEAN = (
    "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ",
    "áčďéěíňóřšťúůýžäľĺôŕÁČĎÉĚÍŇÓŘŠŤÚŮÝŽĽ",
    "áéíóöőúüűÁÉÍÓÖŐÚÜŰ",
    "ăâîşţĂÂÎŞŢ",
    "čćđšžČĆĐŠŽ",
)
_LATIN: dict[str, tuple[str, ...]] = {
    "cp1252": (
        "äöüßÄÖÜ",
        "éèêëàâçîïôœùûüÿæÉÈÊÀÂÇÎÔŒÙ",
        "áéíóúñüÁÉÍÓÚÑ¿¡ªº",
        "ãõçáéíóúâêôàüÃÕÇÁÉÍÓÚÂÊÔÀ",
        "àèéìíîòóùúÀÈÉÌÒÙ",
        "åäöæøéÅÄÖÆØ",
        "áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ",
        "éëïóüöèê",
    ),
    "cp1250": _CENTRAL_EUROPEAN,
    "iso8859_2": _CENTRAL_EUROPEAN,
    "cp1254": ("çğıöşüâîûÇĞİÖŞÜ",),
}
CANDIDATES = (*_SCRIPTS, *_LATIN)
_C1 = re.compile(r"[\x80-\x9f]")  # controls that no text holds, but of which ISO 8859 makes all such bytes
_ENOUGH = 0.4  # below this no script fits and the text is taken for Latin


def rank_encodings(sample: bytes) -> tuple[str, ...]:
    """Encodings in which `sample` is valid, most plausible first; the rest may fail on the whole file."""
    scores = {name: _score(sample, name) for name in _SCRIPTS}
    ranked = sorted(_SCRIPTS, key=lambda name: -scores[name])
    likely = [name for name in ranked if scores[name] >= _ENOUGH]
    return (*likely, *_latin(sample))


def _score(sample: bytes, name: str) -> float:
    """−4 if not valid, else at most 1.5: frequent share + .5 × script share − share of what is out of place.

    Out of place are letters of other scripts and letters welded to ASCII letters (`gr鲞e` for größe).
    """
    text = _valid(sample, name)
    if text is None:
        return -4.0
    frequent, (first, last), touching = _SCRIPTS[name]
    foreign = [i for i, ch in enumerate(text) if ch > "\x7f" and ch not in _PUNCTUATION]
    if not foreign:
        return 0.0
    common = sum(text[i] in frequent for i in foreign)
    script = sum(first <= text[i] <= last for i in foreign)
    welded = sum(_touches_ascii(text, i) and not (touching and text[i] in frequent) for i in foreign)
    strange = len(foreign) - script
    return (common + 0.5 * script - 4 * welded - strange) / len(foreign)


def _valid(sample: bytes, name: str) -> str | None:
    """The decoded sample, without up to 3 bytes of a character cut at its end; None if not valid."""
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(name)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4:
                return None
    return None


def _touches_ascii(text: str, i: int, *, both: bool = False) -> bool:
    """Whether an ASCII letter stands beside character `i`, or on each side of it."""
    sides = [ch.isascii() and ch.isalpha() for ch in (text[i - 1 : i], text[i + 1 : i + 2])]
    return all(sides) if both else any(sides)


def _latin(sample: bytes) -> tuple[str, ...]:
    """The Latin encodings that fit one language's alphabet, best first; Windows-1252 on ties."""
    scores = {name: _alphabet_share(sample, name) for name in _LATIN}
    return tuple(sorted((n for n in _LATIN if scores[n] >= _ENOUGH), key=lambda n: -round(scores[n], 2)))


def _alphabet_share(sample: bytes, name: str) -> float:
    """The share (0–1) of letters beyond ASCII, and of signs inside words, that one language has."""
    text = _valid(sample, name)
    if text is None or _C1.search(text):
        return -1.0
    high = [ch for i, ch in enumerate(text) if ch > "\x7f" and _in_word(text, i)]
    if not high:
        return 1.0
    return max(sum(map(high.count, set(high) & set(letters))) for letters in _LATIN[name]) / len(high)


def _in_word(text: str, i: int) -> bool:
    """Whether character `i` is a letter, or a sign such as ¿ between two letters of `Za¿ó³æ`."""
    return text[i].isalpha() or (text[i] not in _PUNCTUATION and _touches_ascii(text, i, both=True))
