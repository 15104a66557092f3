"""Characters of the symbol fonts of Office files, which have their own code tables."""

from __future__ import annotations

_SYMBOL = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
}
_WINGDINGS = {
    0x28: "☎", 0x2A: "✉", 0x46: "☞", 0x4A: "☺", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x76: "❖",
    0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗",
    0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_FROM_SYMBOL = {start + i: char for start, chars in _SYMBOL.items() for i, char in enumerate(chars)}


def symbol(font: str, code: int) -> str:
    """The character a symbol font shows for a code (0xF0xx counts as 0xxx); "" when it is not known.

    A code of any other font outside the private area is its own character.
    """
    low = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
    name = font.lower()
    if name == "symbol":
        return _FROM_SYMBOL.get(low, "")
    if name.startswith("wingdings"):
        return _WINGDINGS.get(low, "") if name == "wingdings" else ""
    private = 0xE000 <= code <= 0xF8FF or 0xD800 <= code <= 0xDFFF
    return "" if private or not 0x20 <= code <= 0x10FFFF else chr(code)


def plain_symbols(text: str, font: str = "Symbol") -> str:
    """The text with the characters F020–F0FF, which stand for a symbol font's, as that font shows them.

    A character that is not known stays.
    """
    if text.isascii() or not any("\uf020" <= char <= "\uf0ff" for char in text):
        return text
    shown = ((symbol(font, ord(char)) or char) if "\uf020" <= char <= "\uf0ff" else char for char in text)
    return "".join(shown)


def bullet(text: str, font: str = "Symbol") -> str:
    """A list's bullet as a character of its own: one that is not known is a dot, `o` a ring."""
    shown = plain_symbols(text.strip(), font)
    if any("\ue000" <= char <= "\uf8ff" for char in shown):
        return "•"
    return {"o": "◦", "§": "▪", "·": "•", "\u25cf": "•"}.get(shown, shown)
