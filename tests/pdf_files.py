"""PDF files written by hand: pages of text at given places, with what else a file may hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from parsed import slice_of
from pincite.parse.pdf import parse_pdf
from pincite.protocols import Source
from pincite.types import Document

FONTS = {"": "Helvetica", "B": "Helvetica-Bold", "C": "Courier", "T": "Times-Roman"}
UNEXPLAINED = (  # a font whose glyphs have numbers and no meaning
    "/F0 << /Type /Font /Subtype /Type0 /BaseFont /Mill /Encoding /Identity-H /DescendantFonts"
    " [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Mill"
    " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    " /DW 1000 /CIDToGIDMap /Identity"
    " /FontDescriptor << /Type /FontDescriptor /FontName /Mill /Flags 4 /FontBBox [0 0 1000 1000] >> >>] >> "
)
_MAP = (
    4  # the number of the object that says so; a map that PDF has a name for is not in every build of PDFium
)
EXPLAINED = (  # the same, but for that the numbers are said to be those of Unicode
    UNEXPLAINED.replace("/F0", "/F1").replace("/DescendantFonts", f"/ToUnicode {_MAP} 0 R /DescendantFonts")
)
WIDTH, HEIGHT = 612, 792

BODY = [
    "The pump stands in the cellar of the mill and runs by night, when",
    "the river is high and the wheel has nothing else to do. It fills",
    "the tank under the roof.",
]
LINES = [
    ("Numbers of the parts are listed beside", "Wear gloves when you touch the rotor"),
    ("each of the figures of the book and of", "for it stays hot for an hour after it"),
    ("the plates that come with it, so that", "has run for long, and the steam that"),
    ("a miller finds them by night as well", "comes from it burns as well. Children"),
    ("as he does by day, if he has a lamp", "and dogs stay outside of the house as"),
    ("with him and the oil is not yet burnt.", "long as the machine runs in the night."),
]
NAMES = ("Part", "Torque", "Tool")


@dataclass(frozen=True)
class Sheet:
    """One page: drawing operators, rotation, objects of its annotations, and further keys of its own."""

    content: str
    rotate: int = 0
    notes: tuple[str, ...] = ()
    keys: str = ""


def at(x: float, y: float, text: str, size: float = 10, font: str = "", *, operators: str = "") -> str:
    """Operators that show a line of text whose baseline is `y` points below the top of the page."""
    shown = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT {operators} /F{font} {size} Tf {x} {HEIGHT - y} Td ({shown}) Tj ET"


def lines(
    x: float, y: float, texts: Sequence[str], size: float = 10, font: str = "", step: float = 12
) -> str:
    """Lines below one another."""
    return "\n".join(at(x, y + i * step, text, size, font) for i, text in enumerate(texts))


def numbered(x: float, y: float, text: str, size: float = 10, font: str = "0") -> str:
    """Operators that show glyphs of two bytes each, whose numbers are those of the characters."""
    return f"BT /F{font} {size} Tf {x} {HEIGHT - y} Td <{text.encode('utf-16-be').hex()}> Tj ET"


def rule(x1: float, y1: float, x2: float, y2: float) -> str:
    """A thin line, in points from the top left."""
    return f"0.5 w {x1} {HEIGHT - y1} m {x2} {HEIGHT - y2} l S"


def pdf(
    *sheets: Sheet | str,
    info: Mapping[str, str] | None = None,
    catalog: str = "",
    fonts: str = "",
    more: Sequence[str] = (),
) -> bytes:
    """A file of these pages. `catalog` and `fonts` hold further keys; `more` are objects, from 10 on."""
    pages = [sheet if isinstance(sheet, Sheet) else Sheet(sheet) for sheet in sheets]
    fonts += " ".join(
        f"/F{key} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        for key, name in FONTS.items()
    )
    objects = {1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>"}
    if EXPLAINED in fonts:
        objects[_MAP] = _stream(_numbers_of_unicode())
    objects |= {10 + i: body for i, body in enumerate(more)}
    first = 10 + len(more)
    kids = []
    for sheet in pages:
        kids.append(f"{first} 0 R")
        notes = " ".join(f"{first + 2 + i} 0 R" for i in range(len(sheet.notes)))
        objects[first] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Rotate {sheet.rotate}"
            f" {sheet.keys} /Annots [{notes}]"
            f" /Contents {first + 1} 0 R /Resources << /Font << {fonts} >> >> >>"
        )
        objects[first + 1] = _stream(sheet.content)
        objects |= {first + 2 + i: note for i, note in enumerate(sheet.notes)}
        first += 2 + len(sheet.notes)
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects[3] = "<< " + " ".join(f"/{key} ({value})" for key, value in (info or {}).items()) + " >>"
    return _file(objects)


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def _numbers_of_unicode() -> str:
    """A map from the numbers of two bytes to the characters of the same numbers, a range a first byte."""
    return _map("0000", "ffff", [f"<{high:02x}00> <{high:02x}ff> <{high:02x}00>" for high in range(256)])


def _map(first: str, last: str, ranges: Sequence[str]) -> str:
    parts = [ranges[at : at + 64] for at in range(0, len(ranges), 64)]
    listed = "\n".join(f"{len(part)} beginbfrange\n" + "\n".join(part) + "\nendbfrange" for part in parts)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Numbers def\n"
        f"/CMapType 2 def\n1 begincodespacerange\n<{first}> <{last}>\nendcodespacerange\n"
        f"{listed}\nendcmap\nend\nend"
    )


@dataclass(frozen=True)
class Drawn:
    """A font that holds these characters, each a full square, and needs no font of the machine.

    `fonts` and `more` are for `pdf`; in the first, it is called F1.
    """

    characters: str

    @property
    def fonts(self) -> str:
        count = len(self.characters)
        return (
            "/F1 << /Type /Font /Subtype /Type3 /FontBBox [0 -200 1000 800] /FontMatrix [.001 0 0 .001 0 0]"
            f" /CharProcs << /g 10 0 R >> /Encoding << /Type /Encoding /Differences [1 {'/g ' * count}] >>"
            f" /FirstChar 1 /LastChar {count} /Widths [{'1000 ' * count}]"
            " /ToUnicode 11 0 R /Resources << >> >> "
        )

    @property
    def more(self) -> tuple[str, str]:
        codes = enumerate(self.characters, start=1)
        ranges = [f"<{code:02x}> <{code:02x}> <{ord(char):04x}>" for code, char in codes]
        square = _stream("1000 0 0 -200 1000 800 d1 0 -200 1000 1000 re f")
        return square, _stream(_map("00", "ff", ranges))

    def at(self, x: float, y: float, text: str, size: float) -> str:
        """Operators that show a text, as `at` does."""
        codes = bytes(self.characters.index(char) + 1 for char in text)
        return f"BT /F1 {size} Tf {x} {HEIGHT - y} Td <{codes.hex()}> Tj ET"


def _file(objects: Mapping[int, str]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    starts = {}
    for number in sorted(objects):
        starts[number] = len(out)
        out += f"{number} 0 obj\n{objects[number]}\nendobj\n".encode("latin-1")
    table = len(out)
    out += f"xref\n0 {max(objects) + 1}\n".encode()
    for number in range(max(objects) + 1):
        if number in starts:
            out += f"{starts[number]:010} 00000 n \n".encode()
        else:
            out += b"0000000000 65535 f \n"
    keys = f"/Size {max(objects) + 1} /Root 1 0 R /Info 3 0 R"
    out += f"trailer\n<< {keys} >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def parsed(data: bytes, *, password_file: str = "") -> Document:
    """The document of a PDF file."""
    return parse_pdf(Source("a.pdf", data, sha256(data).hexdigest()), password_file=password_file)


def table(y: float, rows: list[tuple[str, ...]], step: float = 16) -> str:
    """The cells of a table without rules, its first row `y` points below the top of the page."""
    return "\n".join(
        at(72 + 120 * x, y + step * i, cell) for i, row in enumerate(rows) for x, cell in enumerate(row)
    )


def part(n: int) -> tuple[str, ...]:
    """A row of the table that `NAMES` is the header of."""
    return f"Part {n}", f"{3 * n} Nm", ("wrench", "key", "hand")[n % 3]


def headings(document: Document) -> list[tuple[int, str]]:
    """The level and title of each section."""
    return [(section.level, section.title) for section in document.sections]


def left_out(document: Document) -> list[tuple[str, str]]:
    """What stands in no block, with the reason."""
    return [(document.text[one.span.start : one.span.end], one.reason) for one in document.left_out]


def assert_sound(document: Document) -> None:
    """Blocks and what is left out hold all text, in order; each block has a page and boxes on it."""
    spans = sorted([b.span for b in document.blocks] + [one.span for one in document.left_out])
    at = 0
    for span in spans:
        assert at <= span.start < span.end and not document.text[at : span.start].strip()
        at = span.end
    assert not document.text[at:].strip()
    for block in document.blocks:
        place = document.origins.place(block.span)
        assert place.page and place.boxes and "\x02" not in slice_of(document, block)
        assert all(box.left < box.right and box.top < box.bottom for box in place.boxes)
        if block.header_span:
            assert document.text[block.header_span.start : block.header_span.end] == block.header
