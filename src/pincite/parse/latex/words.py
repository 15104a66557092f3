"""What the commands of LaTeX stand for: characters, accents, and how many arguments are no text."""

from __future__ import annotations

import unicodedata


def names(names: str) -> frozenset[str]:
    """The names in a text, as a set."""
    return frozenset(names.split())


ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a",
    "k": "\u0328", "t": "\u0361",
}  # fmt: skip

SYMBOLS = {
    "%": "%", "$": "$", "&": "&", "#": "#", "_": "_", "{": "{", "}": "}", "ss": "ß", "SS": "SS", "ae": "æ",
    "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı",
    "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "euro": "€", "EUR": "€", "texteuro": "€",
    "dots": "…", "ldots": "…", "textellipsis": "…", "dag": "†", "ddag": "‡", "textdagger": "†",
    "textdaggerdbl": "‡", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textbar": "|", "textless": "<", "textgreater": ">", "textunderscore": "_", "textbraceleft": "{",
    "textbraceright": "}", "textdollar": "$", "textendash": "–", "textemdash": "—", "textbullet": "•",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”",
    "textquotesingle": "'", "textquotedbl": '"', "lq": "‘", "rq": "’", "guillemotleft": "«",
    "guillemotright": "»", "og": "«", "fg": "»", "textregistered": "®", "texttrademark": "™",
    "textdegree": "°", "degree": "°", "textpm": "±", "texttimes": "×", "textmu": "µ", "micro": "µ",
    "textonehalf": "½", "textonequarter": "¼", "textsection": "§", "textparagraph": "¶", "textyen": "¥",
    "textcent": "¢", "textsterling": "£", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "TeX": "TeX",
    "BibTeX": "BibTeX", "XeTeX": "XeTeX", "XeLaTeX": "XeLaTeX", "LuaTeX": "LuaTeX", "pdfTeX": "pdfTeX",
    "ie": "i.e.", "eg": "e.g.", "textnumero": "№", "textohm": "Ω", "checkmark": "✓", "cmark": "✓",
    "xmark": "✗", "slash": "/",
}  # fmt: skip

SPACES = frozenset(
    (" ", "\n", "\t", ",", ";", ":", ">", "quad", "qquad", "enspace", "thinspace", "space", "enskip")
)

SKIPPED_ARGUMENTS = {
    "label": 1, "vspace": 1, "hspace": 1, "bibliographystyle": 1, "pagestyle": 1, "thispagestyle": 1,
    "setlength": 2, "addtolength": 2, "setcounter": 2, "addtocounter": 2, "stepcounter": 1,
    "refstepcounter": 1,
    "newcounter": 1, "newlength": 1, "settowidth": 2, "color": 1, "definecolor": 3, "textcolor": 1,
    "colorbox": 1, "fcolorbox": 2, "pagecolor": 1, "rowcolor": 1, "cellcolor": 1, "columncolor": 1,
    "rowcolors": 3,
    "arrayrulecolor": 1, "documentclass": 1, "documentstyle": 1, "usepackage": 1, "RequirePackage": 1,
    "usetikzlibrary": 1, "tikzset": 1, "pgfplotsset": 1, "graphicspath": 1, "hypersetup": 1, "geometry": 1,
    "captionsetup": 1, "lstset": 1, "lstdefinestyle": 2, "lstdefinelanguage": 2, "sisetup": 1,
    "newtheorem": 2,
    "newtheorem*": 2, "theoremstyle": 1, "newenvironment": 3, "renewenvironment": 3, "newenvironment*": 3,
    "newfloat": 3, "floatname": 2, "newglossaryentry": 2, "newacronym": 3, "index": 1, "glossary": 1,
    "nocite": 1,
    "tag": 1, "rule": 2, "phantom": 1, "hphantom": 1, "vphantom": 1, "resizebox": 2, "resizebox*": 2,
    "scalebox": 1, "rotatebox": 1, "parbox": 1, "raisebox": 1, "multicolumn": 2, "multirow": 2,
    "foreignlanguage": 1,
    "selectlanguage": 1, "cline": 1, "cmidrule": 1, "hyperlink": 1, "hypertarget": 1, "hyphenation": 1,
    "addcontentsline": 3, "addtocontents": 2, "markboth": 2, "markright": 1, "numberwithin": 2, "fontsize": 2,
    "fontfamily": 1, "fontseries": 1, "fontshape": 1, "setmainfont": 1, "setsansfont": 1, "setmonofont": 1,
    "linespread": 1, "renewbibmacro": 2, "DeclareMathOperator": 2, "DeclareMathOperator*": 2,
    "pagenumbering": 1,
    "PassOptionsToPackage": 2, "captionof": 1, "mintinline": 1, "enlargethispage": 1, "vspace*": 1,
    "hspace*": 1, "bibitem": 1,
    "setdefaultlanguage": 1, "setmainlanguage": 1, "footnotemark": 0, "stackMath": 0, "crefname": 3,
    "Crefname": 3,
    "noalign": 1, "input@path": 1, "let": 0, "newif": 0, "mathchardef": 0, "AtBeginDocument": 1,
    "titleformat": 5,
    "fancyhead": 1, "fancyfoot": 1, "lhead": 1, "chead": 1, "rhead": 1, "lfoot": 1, "cfoot": 1, "rfoot": 1,
    "ifthenelse": 1, "specialrule": 3, "tablewidth": 1, "tabletypesize": 1, "tablenum": 1, "colnumbers":
    0, "write": 1, "includepdf": 0, "animategraphics": 0, "thanksmark": 1, "todototoc": 0,
}  # fmt: skip
"""How many arguments in braces after a command are not printed; those of every other command are text."""

ENVIRONMENT_ARGUMENTS = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "xltabular": 2,
    "supertabular": 1,
    "tblr": 1, "longtblr": 1, "NiceTabular": 1, "array": 1, "deluxetable": 1, "deluxetable*": 1,
    "minipage": 1, "multicols": 1, "adjustbox": 1,
    "wrapfigure": 2, "wraptable": 2, "subfigure": 1, "subtable": 1, "list": 2, "thebibliography": 1,
    "spacing": 1,
    "column": 1, "textblock": 1, "adjustwidth": 2, "otherlanguage": 1, "SCfigure": 0, "tasks": 0,
    "threeparttable": 0,
}  # fmt: skip

TABLES = names(
    "tabular tabular* tabularx tabulary longtable xltabular supertabular tblr longtblr NiceTabular array "
    "deluxetable deluxetable*"
)
FLOATS = names(
    "table table* figure figure* wraptable wrapfigure sidewaystable sidewaysfigure sidewaystable* longtable "
    "xltabular longtblr SCfigure margintable marginfigure deluxetable deluxetable*"
)
LISTS = names(
    "itemize enumerate description compactitem compactenum compactdesc inparaenum list thebibliography "
    "trivlist tasks enumerate* itemize* Itemize Enumerate"
)
NUMBERED = names("enumerate enumerate* compactenum Enumerate")
QUOTES = frozenset(("quote", "quotation", "verse", "displayquote"))

LANGUAGES = {
    "english": "en", "american": "en", "british": "en", "UKenglish": "en", "USenglish": "en", "german": "de",
    "ngerman": "de", "austrian": "de", "french": "fr", "francais": "fr", "spanish": "es", "italian": "it",
    "portuguese": "pt", "brazil": "pt", "brazilian": "pt", "dutch": "nl", "swedish": "sv", "danish": "da",
    "norsk": "no", "finnish": "fi", "polish": "pl", "czech": "cs", "russian": "ru", "turkish": "tr",
    "greek": "el", "hungarian": "hu", "romanian": "ro", "japanese": "ja",
}  # fmt: skip


LENGTHS = names(
    "vskip hskip kern parskip parindent baselineskip topskip leftskip rightskip tabcolsep lineskip "
    "raise lower "
    "hsize vsize textwidth textheight topmargin oddsidemargin evensidemargin headheight headsep looseness "
    "tolerance hbadness vbadness hfuzz vfuzz emergencystretch clubpenalty widowpenalty penalty"
)
"""Commands whose number or length follows them without braces."""


def accented(accent: str, text: str) -> str:
    """`text` with an accent on its first character."""
    base = {"ı": "i", "ȷ": "j"}.get(text[:1], text[:1])
    return unicodedata.normalize("NFC", base + ACCENTS[accent]) + text[1:] if base.strip() else text


def typeset(text: str) -> str:
    """Text with dashes and quotation marks as they are printed."""
    if "--" in text:
        text = text.replace("---", "—").replace("--", "–")
    if "``" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    return text
