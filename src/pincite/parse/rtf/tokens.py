"""RTF source to tokens, and the code pages its bytes are in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})? ?|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\",
    re.S,
)
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 255: "cp437",
}  # fmt: skip
_PAGES = {10000: "mac_roman", 65001: "utf-8", 936: "gb18030", 1361: "johab", 10007: "mac_cyrillic"}
SIGNS = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}
WORDS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip


class Token(NamedTuple):
    """`{`, `}`, `word` with its name and number, `sign`, or `bytes` of text."""

    kind: str
    name: str = ""
    number: int | None = None
    data: bytes = b""


def read_tokens(data: bytes) -> Iterator[Token]:
    """The tokens in order, in linear time; binary data of pictures gives nothing."""
    at = 0
    while found := _TOKEN.match(data, at):
        at = found.end()
        match found.lastgroup:
            case "hex":
                yield Token("hex", data=bytes.fromhex(found["hex"].decode("ascii")))
            case "word" | "number":
                name, number = found["word"].decode("ascii"), found["number"]
                count = int(number) if number is not None else None
                if name == "bin" and count:
                    at += max(0, count)
                else:
                    yield Token("word", name, count)
            case "sign":
                yield Token("sign", found["sign"].decode("latin-1"))
            case "brace":
                yield Token(found["brace"].decode("ascii"))
            case "text":
                yield Token("bytes", data=found["text"])


def names(names: str) -> frozenset[str]:
    """The names in a text, as a set."""
    return frozenset(names.split())


def charset_codec(charset: int, default: str) -> str:
    """The codec of a font's character set."""
    return _CHARSETS.get(charset, default)


def page_codec(page: int) -> str:
    """The codec of a Windows code page; Western European for one that is not known."""
    name = _PAGES.get(page, f"cp{page}")
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name
