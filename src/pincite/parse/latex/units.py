"""Units of measurement as the commands of siunitx name them, to the letters that are printed."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.parse.latex.tokens import Token

_PREFIXES = {
    "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d",
    "deca": "da", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E",
}  # fmt: skip
_UNITS = {
    "ampere": "A", "bar": "bar", "becquerel": "Bq", "bit": "bit", "byte": "B", "candela": "cd",
    "celsius": "°C", "coulomb": "C", "dalton": "Da", "day": "d", "decibel": "dB", "degree": "°",
    "degreeCelsius": "°C", "electronvolt": "eV", "farad": "F", "gram": "g", "gray": "Gy", "hectare": "ha",
    "henry": "H", "hertz": "Hz", "hour": "h", "joule": "J", "kelvin": "K", "kg": "kg", "kilogram": "kg",
    "km": "km", "kWh": "kWh", "liter": "l", "litre": "l", "lumen": "lm", "lux": "lx", "meter": "m",
    "metre": "m", "minute": "min", "mole": "mol", "newton": "N", "ohm": "Ω", "pascal": "Pa", "percent": "%",
    "radian": "rad", "second": "s", "siemens": "S", "sievert": "Sv", "steradian": "sr", "tesla": "T",
    "tonne": "t", "volt": "V", "watt": "W", "weber": "Wb",
}  # fmt: skip
_POWERS = {"squared": "²", "cubed": "³", "tothe": "^"}
_BEFORE = {"square": "²", "cubic": "³"}


def unit_text(tokens: Iterable[Token]) -> str:
    """`km/h` for `\\kilo\\metre\\per\\hour`; a command that is not known stands by its name."""
    out: list[str] = []
    power = ""
    joined = True  # whether the next unit follows without a dot: the first, or behind a prefix or `/`
    for token in tokens:
        name = token.text
        if token.kind == "text":
            out.append(name)
        elif token.kind != "command":
            continue
        elif name in _PREFIXES:
            out += [] if joined else ["·"]
            out.append(_PREFIXES[name])
            joined = True
        elif name == "per":
            out.append("/")
            joined = True
        elif name in _POWERS:
            out.append(_POWERS[name])
        elif name in _BEFORE:
            power = _BEFORE[name]
        else:
            out += [] if joined else ["·"]
            out.append(_UNITS.get(name, name) + power)
            power, joined = "", False
    return "".join(out)
