"""LaTeX source to tokens with their lines, in linear time; comments and what follows the document are out.

Mathematics, verbatim text and drawings are one token each, with their source as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.parse.latex.words import names

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n(?![ \t\r]*\n)[ \t]*)?)"
    r"|(?P<par>\n[ \t\r]*\n\s*)"
    r"|(?P<space>[^\S\n]+|\n[ \t]*)"
    r"|\\(?P<word>[A-Za-z@]+\*?)(?:[ \t]*\n(?![ \t\r]*\n)[ \t]*|[ \t]*)"
    r"|\\(?P<sign>[\s\S])"
    r"|(?P<math>\${1,2})"
    r"|(?P<param>#[1-9])"
    r"|(?P<mark>[{}\[\]&~])"
    r"|(?P<text>(?:[^\\{}\[\]&~$%\s#]|#(?![1-9]))+)"
)
_NAME = re.compile(r"\s{0,9}\{\s{0,9}([^{}\\\s]{1,60})\s{0,9}\}")
_FI = re.compile(r"\\fi(?![A-Za-z@])")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_OPTIONS = re.compile(r"(?:\s{0,9}\[[^\]\n]{0,2000}\])?(?:\{[^{}\n]{0,200}\})?[ \t]*\n?")
_QUOTED = re.compile(r"(?:\[[^\]\n]{0,200}\])?([^\sA-Za-z*{])([^\n]{0,2000}?)\1")
_MAX_MATH = 8_000
_MARKS = {"{": "open", "}": "close", "[": "[", "]": "]", "&": "cell", "~": "space"}
_CODE = names("verbatim Verbatim BVerbatim lstlisting minted alltt pyverbatim code pycode rcode")
_MATH = names("math displaymath equation align alignat flalign eqnarray gather multline dmath IEEEeqnarray")
_DRAWN = names("tikzpicture pgfpicture picture pspicture asy forest tikzcd axis circuitikz")
_UNSEEN = frozenset(("comment", "filecontents", "CCSXML"))


class Token(NamedTuple):
    """A piece of source that starts on `line`.

    `kind` is `text`, `space`, `par`, `command`, `open`, `close`, `[`, `]`, `cell`, `param`, `begin`, `end`,
    `math`, `display`, `code` or `drawn`; `text` is the name of a command or environment, else the source.
    """

    kind: str
    text: str
    line: int


def read_tokens(source: str, first_line: int = 1) -> Iterator[Token]:
    """The tokens in order, up to the end of the document."""
    at, line, counted = 0, first_line, 0
    unclosed: set[str] = set()
    while found := _TOKEN.match(source, at):
        line += source.count("\n", counted, at)
        counted = at
        kind = found.lastgroup or ""
        text = found.group(kind)
        end = found.end()
        if kind == "word":
            token, end = _word(source, found, line, unclosed)
            if token is None:
                return
        elif kind == "sign":
            token, end = _sign(source, found, line)
        elif kind == "math":
            token, end = _dollars(source, found, line)
        elif kind == "mark":
            token = Token(_MARKS[text], text, line)
        else:
            token = Token("" if kind == "comment" else kind, text, line)
        if token.kind:
            yield token
        at = end


def _word(source: str, found: re.Match[str], line: int, unclosed: set[str]) -> tuple[Token | None, int]:
    """A command by its name, with what belongs to it when that is no LaTeX; None ends the document."""
    name = found.group("word")
    if name in ("begin", "end") and (named := _NAME.match(source, found.end())):
        if name == "begin":
            return _begin(source, found.start(), named, line, unclosed)
        return (None if named.group(1) == "document" else Token("end", named.group(1), line)), named.end()
    if name in ("verb", "verb*", "lstinline") and (quoted := _QUOTED.match(source, found.end("word"))):
        return Token("text", quoted.group(2), line), quoted.end()
    if name in ("url", "nolinkurl", "path", "href") and source.startswith("{", found.end()):
        end = source.find("}", found.end(), found.end() + 3_000)
        if end != -1:
            address = source[found.end() + 1 : end]
            return Token("" if name == "href" else "text", address.replace("\n", ""), line), end + 1
    if name == "iffalse" and "fi" not in unclosed:
        if close := _FI.search(source, found.end()):
            return Token("", "", line), close.end()
        unclosed.add("fi")
    return Token("command", name, line), found.end()


def _begin(source: str, start: int, named: re.Match[str], line: int, unclosed: set[str]) -> tuple[Token, int]:
    """The start of an environment, or the whole of one whose content is no text of LaTeX."""
    name = named.group(1)
    plain = name.removesuffix("*")
    if plain not in _CODE | _MATH | _DRAWN | _UNSEEN or name in unclosed:
        return Token("begin", name, line), named.end()
    closing = f"\\end{{{name}}}"
    close = source.find(closing, named.end())
    if close == -1:
        unclosed.add(name)
        return Token("begin", name, line), named.end()
    end = close + len(closing)
    if plain in _MATH:
        return Token("display", _COMMENT.sub("", source[start:end]), line), end
    if plain in _CODE:
        options = _OPTIONS.match(source, named.end(), close)
        first = options.end() if options else named.end()
        skipped = source.count("\n", start, first)
        return Token("code", source[first:close], line + skipped), end
    return Token("drawn" if plain in _DRAWN else "", name, line), end


def _sign(source: str, found: re.Match[str], line: int) -> tuple[Token, int]:
    """A command of one character; brackets of mathematics take what they hold."""
    sign = found.group("sign")
    if sign in "([":
        close = source.find("\\)" if sign == "(" else "\\]", found.end(), found.end() + _MAX_MATH)
        if close != -1 and not _BLANK_LINE.search(source, found.end(), close):
            text = _COMMENT.sub("", source[found.start() : close + 2])
            return Token("math" if sign == "(" else "display", text, line), close + 2
    return Token("command", sign, line), found.end()


def _dollars(source: str, found: re.Match[str], line: int) -> tuple[Token, int]:
    """Mathematics between dollars of one paragraph; one alone is a character."""
    mark = found.group("math")
    close = source.find(mark, found.end())
    while close != -1 and source[close - 1] == "\\":
        close = source.find(mark, close + 1)
    if close == -1 or _BLANK_LINE.search(source, found.end(), close):
        return Token("text", mark, line), found.end()
    text = _COMMENT.sub("", source[found.start() : close + len(mark)])
    return Token("math" if len(mark) == 1 else "display", text, line), close + len(mark)


def pairs(tokens: Sequence[Token], opening: str = "open", closing: str = "close") -> list[int]:
    """For each opening token the index of the one that closes it, else −1."""
    found = [-1] * len(tokens)
    open_: list[int] = []
    for i, token in enumerate(tokens):
        if token.kind == opening:
            open_.append(i)
        elif token.kind == closing and open_:
            found[open_.pop()] = i
    return found


def raw(tokens: Sequence[Token]) -> str:
    """The source of tokens, near enough to be shown."""
    return "".join(_RAW.get(token.kind, "{}").format(token.text) for token in tokens)


_RAW = {"command": "\\{}", "begin": "\\begin{{{}}}", "end": "\\end{{{}}}", "space": " ", "par": "\n\n"}
