"""Tables of two columns that have no header row: a data sheet, a certificate, the cover of an offer.

They list names and what holds for them, `Owner | Pia Koch`, from the first row on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_MAX_NAME = 60  # characters
_MAX_ROWS = 40  # rows of a list whose first value is but words; a longer one rather has column names
_COLON = (":", "：")
_YEAR = re.compile(r"(?:19|20)\d\d")
_KINDS = (
    ("address", re.compile(r"\S{1,200}@\S{1,200}|(?:https?://|www\.)\S+")),
    ("date", re.compile(r"\d{4}-\d\d?-\d\d?\b.{0,20}|\d{1,2}([./])\s?\d{1,2}\1\s?\d{2,4}|\d{4}年.{0,8}")),
    ("date", re.compile(r"\d{1,2}\.? [^\W\d]{3,9}\.? \d{4}|[^\W\d]{3,9} \d{1,2}, \d{4}")),
    ("amount", re.compile(r"[-+~≈<>±(]?\s?[€$£¥]?\s?\d[\d.,'’: ]*\s?[^\W\d]{0,8}[%€$£¥°²³/\w)]{0,8}")),
)
_COLUMN = re.compile(  # what stands at the head of a column of values
    r"\b(?:values?|amounts?|prices?|costs?|fees?|rent|totals?|dates?|time|day|names?|number|no|qty|quantity"
    r"|units?|meanings?|remed(?:y|ies)|type|descriptions?|size|status|roles?|persons?|people|contact|phone"
    r"|e-?mail|address|default|settings?|results?|hours|plan|notes?|comments?|remarks?|wert|betrag|preis|datum"
    r"|zeit|zeiten|tag|nummer|nr|menge|einheit|bedeutung|beschreibung|größe|anzahl|personen|telefon|adresse"
    r"|bemerkung(?:en)?|ergebnis|valeur|prix|montant|signification|valor|precio|importe|fecha|significado"
    r"|valore|prezzo|importo|data|preço)\b|[值价價量数數期称稱义義]$|说明|說明|备注",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(  # what stands in a column of names beside values of several kinds
    r"\b(?:owners?|company|client|customer|tenant|landlord|author|title|subject|model|brand|serial|vat|tax|iban|bic"
    r"|imo|phone|telephone|mobile|fax|e-?mail|web|website|address|street|city|country|born|issued|valid|start|end"
    r"|due|date|version|status|price|rent|deposit|fee|total|number|no|nos|id|code|length|width|height|depth|weight"
    r"|mass|power|voltage|capacity|volume|area|size|year|colou?r|material|contact|deadline|duration|signed"
    r"|eigner|eigentümer|firma|kunde|mieter|vermieter|titel|betreff|modell|marke|telefon|anschrift|straße|ort"
    r"|beginn|ende|gültig|ausgestellt|stand|preis|miete|kaution|länge|breite|höhe|tiefe|gewicht|leistung|spannung"
    r"|fläche|baujahr|hersteller|farbe|ust-id\S*|steuer\S*|nom|entreprise|téléphone|longueur|largeur|hauteur"
    r"|poids|puissance|durée|nombre|empresa|teléfono|dirección|longitud|anchura|altura|peso|potencia|nome"
    r"|azienda|telefono|indirizzo|lunghezza|larghezza|altezza)\b"
    r"|(?:nummer|datum|adresse|name|nr\.?)$|[号號码碼址期价價额額话話称稱度人]$",
    re.IGNORECASE,
)
_FIELD = re.compile(  # what stands at the head of a column of names
    r"(?:features?|propert(?:y|ies)|parameters?|options?|settings?|fields?|attributes?|characteristics?|keys?"
    r"|what|metrics?|measures?|criteri(?:on|a)|terms?|day|variables?|specifications?|merkmal|eigenschaft"
    r"|einstellung|feld|kennwert|kriterium|begriff|wochentag|paramètre|propriété|champ|parámetro|propiedad"
    r"|campo|parametro|proprietà|项目|項目|参数|參數|名称|名稱|属性|屬性)",
    re.IGNORECASE,
)


def are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row of a table is a name and its value, the first one too.

    Names end with colons, or are different and mostly without figures. The first value is one by its kind
    (an amount, a date, a code …), or by the names and values below it.
    """
    pairs = [(row[0], row[1]) for row in rows if len(row) > 1 and row[1]]
    if any(len(row) > 2 for row in rows) or len(pairs) < 2 or pairs[0] != tuple(rows[0]):
        return False
    names, (first, *below) = [name for name, _ in pairs], [value for _, value in pairs]
    if all(row[0].endswith(_COLON) for row in rows if row and row[0]):
        return True
    return _are_labels(names) and 3 * len(pairs) >= 2 * len(rows) and _is_value(names, first, below)


def _are_labels(names: Sequence[str]) -> bool:
    """Whether names are short, different, and mostly without figures; the first one has none."""
    if len(set(names)) < len(names) or not all(0 < len(name) <= _MAX_NAME for name in names):
        return False
    with_figures = [any(map(str.isdigit, name)) for name in names]
    return not with_figures[0] and 2 * sum(with_figures) < len(names) - 1


def _is_value(names: Sequence[str], first: str, below: Sequence[str]) -> bool:
    """Whether the first value is one like those below it, and no name of theirs.

    Words are, if they head no column, while the values are of several kinds (codes and amounts count as one)
    and the names are attributes rather than the things that a column of one kind is about.
    """
    kind, kinds = _kind(first), {_kind(value) for value in below}
    attributes = sum(_ATTRIBUTE.search(name) is not None for name in names[1:])
    if kind not in ("code", "words"):
        return not (_YEAR.fullmatch(first) and kinds == {"amount"})
    if kind == "code":
        return len(below) > 1 and (attributes > 1 or kinds not in ({"amount"}, {"date"}))
    if _COLUMN.search(first) or _FIELD.fullmatch(names[0]) or not 2 <= len(below) < _MAX_ROWS:
        return False
    if kinds == {"words"} or 2 * attributes >= len(below):
        return kinds != {"words"}
    is_mixed = "words" in kinds or not kinds <= {"amount", "code"}
    return is_mixed and len(kinds) > 1 and attributes >= (1 if " " in first else 2)


def _kind(value: str) -> str:
    """What a value is: `address`, `date`, `amount`, `code` (words half of which have figures), or `words`."""
    if found := next((kind for kind, pattern in _KINDS if pattern.fullmatch(value)), None):
        return found
    words = value.split()
    with_figures = sum(any(map(str.isdigit, word)) for word in words)
    return "code" if with_figures and 2 * with_figures >= len(words) else "words"
