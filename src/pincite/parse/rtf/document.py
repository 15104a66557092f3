"""RTF to a `Document`: paragraphs, headings, list items, rows of tables and notes, each with its number.

The place of a text is `paragraph 12`, tables not counted, or `table 2 row 3`, as in a Word file.
Hidden and deleted text and pictures are out, and named as dropped; running headers are in no block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pincite.errors import InputError
from pincite.parse.rtf.blocks import Blocks, Paragraph
from pincite.parse.rtf.header import Header
from pincite.parse.rtf.tokens import SIGNS, WORDS, Token, names, page_codec, read_tokens
from pincite.protocols import Source
from pincite.types import Document, Losses

MAX_DEPTH = 1_000
_SETS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_SKIPPED = names(
    "pict colortbl fldinst nonshppict nonesttables xe rxe tc tcn sp objdata datafield filetbl revtbl "
    "rsidtbl generator listtable listoverridetable ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn template "
    "private pgptbl themedata latentstyles"
)
_SEEN = names("shpinst shppict nesttableprops shptxt annotation footnote")  # of those marked as optional
_ASIDES = names("footnote annotation shptxt")
_HEADERS = names("header headerl headerr headerf footer footerl footerr footerf")


_PLAIN = Paragraph()


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group: where its text goes, how its bytes are read, and of its paragraph."""

    goes: str = ""  # "", "skip", "marker", or a part of the file's own header
    codec: str = ""
    fallback: int = 1  # characters that stand in for one of Unicode
    hidden: bool = False
    bold: bool = False
    raised: bool = False
    paragraph: Paragraph = _PLAIN


def parse_rtf(source: Source) -> Document:
    """The document of an RTF file. Raises `InputError` if its groups are nested too deeply."""
    reader = _Reader(source.uri)
    for token in read_tokens(source.data):
        reader.read(token)
    return reader.finish(source)


class _Reader:
    """The open groups, and the bytes and characters not yet given out."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.blocks, self.header = Blocks(), Header()
        self.state = _State()
        self.stack: list[tuple[_State, str]] = []  # with what the group was, to be ended
        self.codec = "cp1252"
        self.bytes = bytearray()
        self.high = 0  # the first half of a character beyond the first plane
        self.skip = 0  # characters to come that stand in for one of Unicode
        self.optional = self.started = False
        self.hidden = self.pictures = 0
        self.what = ""

    def read(self, token: Token) -> None:
        """Takes one token."""
        if token.kind in ("bytes", "hex"):
            self._bytes(token.data)
            return
        if token.kind == "sign" and token.name == "*":
            self.optional = True
            return
        self._flush()
        match token.kind:
            case "{":
                self._open()
            case "}":
                self._close()
            case "sign":
                self._sign(token.name)
            case _:
                self._word(token.name, token.number)
        if token.kind != "{":
            self.optional = False

    # ── characters ────────────────────────────────────────────────────────────────────────────
    def _bytes(self, data: bytes) -> None:
        if self.skip:
            passed = min(self.skip, len(data))
            self.skip -= passed
            data = data[passed:]
        self.bytes += data

    def _flush(self) -> None:
        if self.bytes:
            data, self.bytes = bytes(self.bytes), bytearray()
            self._text(data.decode(self.state.codec or self.codec, errors="replace"))

    def _text(self, text: str) -> None:
        state = self.state
        if state.goes == "skip" or (self.optional and not state.goes):
            return
        if state.goes == "marker":
            self.blocks.marker(text)
        elif state.goes:
            self.header.text(state.goes, text)
        elif state.hidden:
            self.hidden += len(text)
        else:
            self.blocks.text(text, bold=state.bold, is_raised=state.raised)

    def _unicode(self, number: int) -> None:
        self.skip = self.state.fallback
        code = number & 0xFFFF
        if 0xD800 <= code < 0xDC00:
            self.high = code
            return
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((self.high - 0xD800) << 10) + (code - 0xDC00) if self.high else 0xFFFD
        self.high = 0
        self._text(chr(code))

    def _sign(self, sign: str) -> None:
        if self.skip:
            self.skip -= 1
        elif sign in "\r\n":
            self._end_paragraph()
        elif sign in SIGNS:
            self._text(SIGNS[sign])

    # ── groups ────────────────────────────────────────────────────────────────────────────────
    def _open(self) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise InputError(f"{self.uri}: groups nested deeper than {MAX_DEPTH:,} (the limit)", uri=self.uri)
        self.stack.append((self.state, ""))
        self.skip, self.optional = 0, False

    def _close(self) -> None:
        self.skip = 0
        if not self.stack:
            return
        self.state, what = self.stack.pop()
        if what in _ASIDES or what == "header":
            self.blocks.end_aside()
        elif what:
            self.header.end(what)

    def _enter(self, goes: str = "", *, what: str = "") -> None:
        """Makes the open group a destination: its text goes elsewhere."""
        self.state = replace(self.state, goes=goes)
        if what and self.stack:
            self.stack[-1] = (self.stack[-1][0], what)

    # ── words ─────────────────────────────────────────────────────────────────────────────────
    def _word(self, name: str, number: int | None) -> None:
        if name == "u":
            self._unicode(number or 0)
        elif self.skip and name in WORDS:
            self.skip -= 1
        elif self.state.goes == "skip" or self._destination(name):
            return
        elif name in WORDS:
            self._text(WORDS[name])
        elif self.state.goes and self.state.goes != "marker":
            self.header.word(self.state.goes, name, number, self.codec)
        elif not self._paragraph_word(name, number):
            self._property(name, number)

    def _destination(self, name: str) -> bool:
        """Whether the word makes its group a destination of its own."""
        if name == "pict":
            self.pictures += 1
        if name in _SKIPPED or (self.optional and name not in _SEEN and not Header.takes(name)):
            self._enter("skip")
        elif Header.takes(name):
            self._enter(name, what=name)
        elif name in ("listtext", "pntext"):
            self.blocks.begin_marker()
            self._enter("marker")
        elif name in _ASIDES or name in _HEADERS:
            what = "header" if name in _HEADERS else name
            self.blocks.begin_aside("running header" if what == "header" else name)
            self.state = replace(self.state, paragraph=_PLAIN)
            self._enter(what=what)
        else:
            return False
        return True

    def _paragraph_word(self, name: str, number: int | None) -> bool:
        """Whether the word ends a paragraph, a cell or a row."""
        if name in ("par", "sect", "page", "column"):
            self._end_paragraph()
        elif name == "cell":
            self.blocks.end_cell()
        elif name in ("nestcell", "nestrow"):
            self.blocks.text(" ", bold=self.state.bold)
        elif name == "row":
            self.blocks.end_row()
        elif name == "trowd":
            self.blocks.begin_row()
        elif name == "trhdr":
            self.blocks.row_is_header()
        else:
            return False
        return True

    def _end_paragraph(self) -> None:
        if self.state.goes == "":
            self.blocks.end_paragraph(self.state.paragraph, self.header.levels)

    def _property(self, name: str, number: int | None) -> None:
        state, on = self.state, number != 0
        if name in _SETS:
            self.codec = _SETS[name]
        elif name == "ansicpg" and number:
            self.codec = page_codec(number)
        elif name == "f":
            self.state = replace(state, codec=self.header.codec(number or 0))
        elif name == "uc":
            self.state = replace(state, fallback=min(max(number if number is not None else 1, 0), 20))
        elif name == "plain":
            self.state = replace(state, hidden=False, bold=False, raised=False, codec="")
        elif name in ("super", "nosupersub"):
            self.state = replace(state, raised=name == "super" and on)
        elif name in ("v", "deleted", "b"):
            self.state = replace(state, bold=on) if name == "b" else replace(state, hidden=on)
        elif name in ("pard", "s", "outlinelevel", "ls", "intbl", "itap"):
            self.state = replace(state, paragraph=state.paragraph.changed(name, number))

    def finish(self, source: Source) -> Document:
        """The document of what was read."""
        self._flush()
        depth = len(self.stack)
        while self.stack:
            self._close()
        self.blocks.end_paragraph(self.state.paragraph, self.header.levels)
        self.blocks.end_table()
        dropped = [f"{self.pictures} picture{'s' * (self.pictures > 1)}"] * bool(self.pictures)
        dropped += [f"{self.hidden} characters of hidden or deleted text"] * bool(self.hidden)
        dropped += ["what follows the end of the file, which is cut off"] * bool(depth)
        return self.blocks.writer.finish(
            source,
            "rtf",
            title=self.header.title,
            meta=self.header.meta,
            losses=Losses(dropped=tuple(dropped)),
        )
