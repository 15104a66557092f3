"""Small Word and OpenDocument files, made of the XML of their parts."""

from __future__ import annotations

from collections.abc import Mapping

from office_files import relationships, zipped
from parsed import slice_of, source
from pincite.parse import parse
from pincite.parse.docx import parse_docx
from pincite.parse.odf.odt import parse_odt
from pincite.types import Document

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_NAMES = {
    "w": W,
    "r": _RELS,
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
}
_XMLNS = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in _NAMES.items())

_ODF = "urn:oasis:names:tc:opendocument:xmlns:%s:1.0"
_ODF_NAMES = {
    **{
        name: _ODF % name for name in ("office", "text", "table", "style", "meta", "presentation", "manifest")
    },
    "draw": _ODF % "drawing",
    "fo": _ODF % "xsl-fo-compatible",
    "svg": _ODF % "svg-compatible",
    "chart": _ODF % "chart",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "math": "http://www.w3.org/1998/Math/MathML",
}
_ODF_XMLNS = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in _ODF_NAMES.items())


def word_file(body: str, more: Mapping[str, str | bytes] | None = None, **parts: str) -> bytes:
    """A Word file with this body; each part (`styles`, `footnotes` …) is the inside of its root element.

    `more` are further members, given whole.
    """
    references = [(kind, kind, f"{kind}.xml") for kind in parts]
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": relationships(
            ("r1", "officeDocument", "word/document.xml"),
            ("r2", "metadata/core-properties", "docProps/core.xml"),
            ("r3", "extended-properties", "docProps/app.xml"),
        ),
        "word/document.xml": f"<w:document {_XMLNS}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relationships(*references),
    }
    for kind, inside in parts.items():
        root = {"header": "hdr", "footer": "ftr"}.get(kind, kind)
        members[f"word/{kind}.xml"] = f"<w:{root} {_XMLNS}>{inside}</w:{root}>"
    return zipped({**members, **(more or {})})


def p(text: str = "", properties: str = "", *, raw: str = "") -> str:
    """A paragraph of Word: text in one run, or `raw` for runs as they are."""
    inside = raw or (f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>' if text else "")
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inside}</w:p>"


def run(text: str, properties: str = "") -> str:
    """A run of Word."""
    before = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{before}<w:t xml:space="preserve">{text}</w:t></w:r>'


def table(*rows: str) -> str:
    """A table of Word."""
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def row(*cells: str, properties: str = "") -> str:
    """A row of Word: each cell is its text, or its XML."""
    before = f"<w:trPr>{properties}</w:trPr>" if properties else ""
    return f"<w:tr>{before}{''.join(c if c.startswith('<') else cell(c) for c in cells)}</w:tr>"


def cell(text: str, properties: str = "", *, raw: str = "") -> str:
    """A cell of Word: text in one paragraph, or `raw` for blocks as they are."""
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{raw or p(text)}</w:tc>"


def odf_file(
    inside: str,
    *,
    kind: str = "text",
    automatic: str = "",
    styles: str = "",
    more: Mapping[str, str] | None = None,
) -> bytes:
    """An OpenDocument file with this content; `automatic` and `styles` are the styles it defines."""
    content = (
        f"<office:document-content {_ODF_XMLNS}>"
        f"<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:{kind}>{inside}</office:{kind}></office:body></office:document-content>"
    )
    common = odf_part("office:document-styles", f"<office:styles>{styles}</office:styles>")
    members = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": content,
        "styles.xml": common,
    }
    return zipped({**members, **(more or {})})


def odf_part(root: str, inside: str) -> str:
    """A member of an OpenDocument file with its root element."""
    return f"<{root} {_ODF_XMLNS}>{inside}</{root}>"


def read_word(data: bytes, tracked_changes: str = "final") -> Document:
    """The document of a Word file."""
    return parse_docx(source("a.docx", data), tracked_changes=tracked_changes)


def read_odt(data: bytes, tracked_changes: str = "final") -> Document:
    """The document of an OpenDocument text."""
    return parse_odt(source("a.odt", data), tracked_changes=tracked_changes)


def blocks(document: Document) -> list[tuple[str, str]]:
    """Kind and text of each block."""
    return [(block.kind, slice_of(document, block)) for block in document.blocks]


def parts(document: Document) -> list[str | None]:
    """Where each block stands."""
    return [document.origins.place(block.span).part for block in document.blocks]


def sound(data: bytes, name: str = "a.docx") -> Document:
    """The document, read as a sync does, with what holds for each: order, places, headers."""
    document = parse(source(name, data))
    at = 0
    for block in document.blocks:
        assert at <= block.span.start < block.span.end <= len(document.text)
        at = block.span.end
        assert document.origins.place(block.span).part
        if block.header_span is not None:
            assert document.text[block.header_span.start : block.header_span.end] == block.header
    return document
