"""LaTeX to a `Document`: the text as it is printed, with the source line of every piece.

Sections, paragraphs, list items, rows of tables with caption and header, captions and footnotes are blocks;
mathematics and verbatim text are kept as their source. Macros of the file itself are expanded within bounds;
of every other command the arguments are text, unless they are known to be none. Comments and the preamble
are out, but for title, author and date. Files that the source names are not read: each is named as dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pincite.parse.decode import decode
from pincite.parse.latex.blocks import Blocks
from pincite.parse.latex.macros import Frame, Tokens
from pincite.parse.latex.tokens import Token, raw, read_tokens
from pincite.parse.latex.units import unit_text
from pincite.parse.latex.words import (
    ACCENTS,
    ENVIRONMENT_ARGUMENTS,
    LANGUAGES,
    LENGTHS,
    SKIPPED_ARGUMENTS,
    SPACES,
    SYMBOLS,
    accented,
    names,
    typeset,
)
from pincite.parse.writer import Part, plain_text
from pincite.protocols import Source
from pincite.types import Document, Losses, MetaValue

_LENGTH = re.compile(r"\s*[-\d.\\][^\s\]]{0,40}\s*")
_AMOUNT = re.compile(r"=?[-+]?\d[\d.,]{0,12}(?:pt|em|ex|cm|mm|in|pc|sp|bp)?")
_NUMBER = re.compile(r"\[\d+\]")
_RULES = names("hline toprule midrule bottomrule Xhline specialrule hhline")
_PARTS = names("cline cmidrule endhead endfirsthead endfoot endlastfoot")  # of a table, and no rules across
_SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_CITED = names(
    "cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite footcite supercite "
    "ref eqref pageref autoref cref Cref nameref vref fullref citenum onlinecite"
)
_NOTES = names("footnote footnotetext thanks sidenote marginpar endnote tablefootnote")
_FRONT = names("author date affil affiliation institute address email keywords subtitle abstract")
_QUANTITIES = {
    **dict.fromkeys(("SI", "qty"), (1, 1)),
    **dict.fromkeys(("SIrange", "qtyrange"), (2, 1)),
    **dict.fromkeys(("si", "unit"), (0, 1)),
    "numrange": (2, 0),
}
"""Commands of siunitx: how many numbers they take, and how many units."""
_FILES = names("input include subfile subimport import bibliography addbibresource lstinputlisting")
_IMAGES = frozenset(("includegraphics", "epsfig", "psfig", "includepdf", "includesvg"))
MAX_DROPPED = 1_000
MAX_CHARS = 4_000_000  # of the source: its tokens are held in memory; what is beyond counts as cut


def parse_latex(source: Source) -> Document:
    """The document of a LaTeX file. Raises `InputError` if its bytes cannot be decoded."""
    decoded = decode(source.data, uri=source.uri)
    reader = _Reader(list(read_tokens(decoded.text[:MAX_CHARS])))
    reader.read()
    return reader.blocks.writer.finish(
        source,
        "latex",
        title=reader.title,
        meta=reader.meta,
        language=reader.language,
        encoding=decoded.encoding,
        losses=Losses(cut_text=max(0, len(decoded.text) - MAX_CHARS), dropped=tuple(reader.dropped_things())),
    )


class _Reader:
    """What each command does to the text around it."""

    def __init__(self, tokens: list[Token]) -> None:
        names = {token.text.removesuffix("*") for token in tokens if token.kind == "command"}
        used = [name for name in _SECTIONS if name in names or name not in ("part", "chapter")]
        first = 1 + ("title" in names)
        self.levels = {name: first + i for i, name in enumerate(used)} | {"frametitle": first + len(used) - 5}
        self.tokens = Tokens(tokens)
        self.blocks = Blocks()
        self.blocks.body = not any(token.kind == "begin" and token.text == "document" for token in tokens)
        self.title = self.language = ""
        self.meta: dict[str, MetaValue] = {}
        self._dropped: list[str] = []

    def read(self) -> None:
        """Reads all tokens into blocks."""
        blocks = self.blocks
        while token := self.tokens.next():
            match token.kind:
                case "command":
                    self._command(token)
                case "text" | "param":
                    blocks.put(typeset(token.text), token.line)
                case "space":
                    blocks.soften(" ")
                case "par":
                    blocks.end_paragraph()
                case "math":
                    blocks.put_lines(token.text, token.line)
                case "display":
                    blocks.put_display(token.text, token.line)
                case "code":
                    blocks.put_code(token.text, token.line)
                case "cell":
                    blocks.next_cell(token.line)
                case "begin":
                    self._begin(token)
                case "end":
                    blocks.end(token.text)
                case "[" | "]":
                    blocks.put(token.text, token.line)
                case "drawn":
                    self._drop(token.line, f"a drawing ({token.text})")
        blocks.finish()

    def dropped_things(self) -> Iterator[str]:
        """What was left behind, each with its line."""
        yield from self._dropped[:MAX_DROPPED]
        if len(self._dropped) > MAX_DROPPED:
            yield f"{len(self._dropped) - MAX_DROPPED:,} more images, drawings and files"
        for name, line in self.tokens.refused.items():
            yield f"line {line}: \\{plain_text(name)}, a macro beyond the limits on expansion"

    # ── commands ──────────────────────────────────────────────────────────────────────────────
    def _command(self, token: Token) -> None:
        name = token.text
        plain = name.removesuffix("*")
        if self.tokens.define(name):
            return
        if self.tokens.knows(name):
            self.tokens.expand(token)
        elif name in SYMBOLS:
            self.blocks.put(SYMBOLS[name], token.line)
        elif name in ACCENTS and len(name) == 1:
            self._accent(token)
        elif name in SPACES:
            self.blocks.soften(" ")
        elif name in ("\\", "newline", "tabularnewline", "cr", "linebreak", "and", "And", "AND"):
            self._break(name)
        elif plain in self.levels:
            self._heading(plain)
        elif plain in _NOTES:
            self._note()
        elif plain in _CITED:
            self._cited(token)
        elif plain in _FILES or plain in _IMAGES:
            self._file(token)
        elif name in _RULES or name in _PARTS:
            self._rule(name)
        else:
            self._other(token, plain)

    def _other(self, token: Token, plain: str) -> None:
        match plain:
            case "title":
                self._title()
            case "caption" | "captionof" | "subcaption" | "tablecaption":
                if plain == "captionof":
                    self.tokens.group()
                self._capture(self.blocks.caption)
            case "item" | "bibitem":
                self._item(token)
            case "usepackage" | "setdefaultlanguage" | "setmainlanguage":
                self._package()
            case "ensuremath":
                if inner := self.tokens.group():
                    self.blocks.put(raw(inner.tokens[inner.at : inner.end]), token.line)
            case "par":
                self.blocks.end_paragraph()
            case "textsuperscript":
                self._capture(self.blocks.superscript)
            case "texorpdfstring":
                if inner := self.tokens.group():
                    self.tokens.group()  # the same for bookmarks
                    self.tokens.read_first(inner)
            case _ if plain in _QUANTITIES:
                self._quantity(token, *_QUANTITIES[plain])
            case "xspace":
                self.blocks.soften_word()
            case "startdata" if self.blocks.table:
                self._break("")
                self.blocks.table_rule("")
            case "let" | "newif":
                self._skip_names(1 + (plain == "let"))
            case _ if plain in _FRONT and not self.blocks.body:
                self._front(plain)
            case _:
                self._skip_arguments(token.text, plain)

    def _skip_arguments(self, name: str, plain: str) -> None:
        """Passes the arguments of a command that are not printed; the others are read as text."""
        for _ in range(SKIPPED_ARGUMENTS.get(name, SKIPPED_ARGUMENTS.get(plain, 0))):
            while self.tokens.option():
                pass
            self.tokens.group()
        self.tokens.option()
        following = self.tokens.peek()
        given = _AMOUNT.match(following.text) if following and following.kind == "text" else None
        if following and given and (plain in LENGTHS or following.text.startswith("=")):
            self.tokens.next()
            self.blocks.put(typeset(following.text[given.end() :]), following.line)

    def _quantity(self, token: Token, figures: int, units: int) -> None:
        """A number, or the first and last of a range, and its unit, whose commands stand for its letters."""
        while self.tokens.option():
            pass
        given = [self.tokens.group() for _ in range(figures)]
        numbers = [raw(one.tokens[one.at : one.end]).strip() for one in given if one]
        unit = self.tokens.group() if units else None
        shown = unit_text(unit.tokens[unit.at : unit.end]) if unit else ""
        self.blocks.put(" ".join(filter(None, ("–".join(numbers), shown))), token.line)

    def _skip_names(self, count: int) -> None:
        for _ in range(count):
            self.tokens.skip_space()
            if (token := self.tokens.peek()) and token.kind == "command":
                self.tokens.next()

    def _capture(self, done: Callable[[list[Part]], None], *, breaks: str = " ") -> bool:
        """Reads the argument that follows apart and gives its parts to `done`; False if there is none."""
        while self.tokens.option():
            pass
        inner = self.tokens.group()
        if inner is None:
            return False
        self._apart(inner, done, breaks)
        return True

    def _apart(self, inner: Frame, done: Callable[[list[Part]], None], breaks: str = " ") -> None:
        restore = self.blocks.apart(breaks)
        self.tokens.read_first(inner, lambda: done(restore()))

    def _heading(self, plain: str) -> None:
        level = self.levels[plain]
        self._capture(lambda parts: self.blocks.heading(parts, level))

    def _title(self) -> None:
        def done(parts: list[Part]) -> None:
            self.title = self.title or " ".join("".join(text for text, _ in parts).split())
            self.blocks.heading(parts, 1)

        self._capture(done)

    def _front(self, plain: str) -> None:
        """Author, date and their like before the document begins."""

        def done(parts: list[Part]) -> None:
            text = "".join(text for text, _ in parts).strip()
            if plain == "author" and text:
                self._author(text)
            elif plain in ("date", "keywords") and text:
                self.meta.setdefault(plain, " ".join(text.split()))
            self.blocks.emit("paragraph", parts)
            self.blocks.write_notes()

        self._capture(done, breaks="\n")

    def _author(self, text: str) -> None:
        """The first line of each author, behind those of other commands of the name."""
        names = [_NUMBER.sub("", part.strip().split("\n")[0]).strip(" ,") for part in text.split("\n\n")]
        known = self.meta.get("author")
        before = known if isinstance(known, tuple) else (known,) if known else ()
        given = (*before, *(name for name in names if name))
        self.meta["author"] = given[0] if len(given) == 1 else given

    def _note(self) -> None:
        number = self.blocks.reserve_note()
        if self._capture(lambda parts: self.blocks.note(number, parts)):
            self.blocks.wait_for_note()

    def _cited(self, token: Token) -> None:
        """The key of a citation or reference, in brackets."""
        while self.tokens.option():
            pass
        if inner := self.tokens.group():
            keys = raw(inner.tokens[inner.at : inner.end])
            self.blocks.put_key(" ".join(keys.split()), token.line)

    def _item(self, token: Token) -> None:
        self.blocks.end_paragraph()
        option = self.tokens.option()
        if token.text == "bibitem":
            self._cited(token)
            self.blocks.soften(" ")
        elif option:
            self._apart(option, self.blocks.label)
        elif number := self.blocks.next_item():
            self.blocks.number(number)

    def _accent(self, token: Token) -> None:
        """An accent on the letter that follows."""
        if inner := self.tokens.group():
            base = raw(inner.tokens[inner.at : inner.end])
        else:
            self.tokens.skip_space()
            following = self.tokens.peek()
            if following is None or following.kind not in ("text", "command"):
                return
            self.tokens.next()
            base = raw([following])
        if base.startswith("\\"):
            base = SYMBOLS.get(base[1:].strip(), "")
        self.blocks.put(accented(token.text, base), token.line)

    def _break(self, name: str) -> None:
        """The end of a line, a row or an author."""
        token = self.tokens.peek()
        if name == "\\" and token and token.kind == "text" and token.text == "*":
            self.tokens.next()
        if name == "\\" and token and token.kind == "[":
            here = self.tokens.look_option()
            if here is not None and _LENGTH.fullmatch(here):
                self.tokens.option()
        self.blocks.line_break(author=name.lower() == "and")

    def _rule(self, name: str) -> None:
        following = self.tokens.peek()
        if following and following.kind == "text" and following.text.startswith("("):
            self.tokens.next()
        self._skip_arguments(name, name)
        if self.blocks.table and not name.startswith("c"):
            self.blocks.table_rule(name)

    def _file(self, token: Token) -> None:
        """Another file that the source names: it is not read."""
        while self.tokens.option():
            pass
        inner = self.tokens.group()
        name = " ".join(raw(inner.tokens[inner.at : inner.end]).split()) if inner else ""
        plain = token.text.removesuffix("*")
        if plain in _IMAGES:
            self._drop(token.line, f"an image ({name[:200]})")
        elif name:
            self._drop(token.line, f"\\{plain}{{{name[:200]}}} (not followed)")

    def _drop(self, line: int, what: str) -> None:
        self._dropped.append(f"line {line}: {plain_text(what)}")

    def _package(self) -> None:
        """The language a file says it is written in: the last option of babel, or polyglossia's own."""
        option, inner = self.tokens.option(), self.tokens.group()
        name = raw(inner.tokens[inner.at : inner.end]).strip() if inner else ""
        given = raw(option.tokens[option.at : option.end]) if option else ""
        last = given.split(",")[-1].rpartition("=")[2].strip() if name == "babel" else name
        self.language = LANGUAGES.get(last, self.language)

    # ── environments ──────────────────────────────────────────────────────────────────────────
    def _begin(self, token: Token) -> None:
        name = token.text
        if name == "document":
            self.blocks.body = True
            return
        self.blocks.begin(name)
        option = self.tokens.option()
        for _ in range(ENVIRONMENT_ARGUMENTS.get(name, 0)):
            self.tokens.group()
            self.tokens.option()
        if name == "frame":
            self._capture(lambda parts: self.blocks.heading(parts, self.levels["frametitle"]))
        elif option and name in _NAMED:
            self._apart(option, self.blocks.label)


_NAMED = names(
    "theorem lemma proof definition proposition corollary remark example assumption claim conjecture"
)
