"""Office files written by hand: workbooks, presentations and OpenDocument spreadsheets for the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
REFS = f'xmlns:r="{_OFFICE}"'
DRAWN = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    f"{REFS}"
)
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
    "<dc:title>Spare parts</dc:title><dc:creator>Ada Koray</dc:creator><cp:keywords>pump, seal</cp:keywords>"
    "<dcterms:created>2026-03-01T10:00:00Z</dcterms:created><dc:language>en-GB</dc:language>"
    "</cp:coreProperties>"
)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """The bytes of a zip file with these members, in this order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def relationships(*found: tuple[str, str, str]) -> str:
    """A part of references: (id, kind, target); a target with `://` is an external one."""
    items = "".join(
        f'<Relationship Id="{id_}" Type="{_OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if "://" in target or target.startswith("mailto:") else "/>")
        for id_, kind, target in found
    )
    return f'<Relationships xmlns="{_RELS}">{items}</Relationships>'


def workbook(
    sheets: Mapping[str, str],
    *,
    states: Mapping[str, str] | None = None,
    strings: Sequence[str] = (),
    codes: Sequence[str | int] = (),
    date1904: bool = False,
    more: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A workbook of sheets by name, each what stands in its `worksheet` element.

    `codes` are the number formats of the styles from 1 on; `more` are further parts, or replace some.
    """
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" state="{(states or {}).get(name, "visible")}" r:id="rId{n}"/>'
        for n, name in enumerate(sheets, 1)
    )
    formats = "".join(
        f'<numFmt numFmtId="{200 + n}" formatCode="{code.replace(chr(34), "&quot;")}"/>'
        for n, code in enumerate(codes)
        if isinstance(code, str)
    )
    styles = "".join(
        f'<xf numFmtId="{code if isinstance(code, int) else 200 + n}"/>' for n, code in enumerate(codes)
    )
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {MAIN} {REFS}><workbookPr date1904="{int(date1904)}"/>'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relationships(
            *((f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)),
            ("rIdS", "styles", "styles.xml"),
            ("rIdT", "sharedStrings", "sharedStrings.xml"),
        ),
        "xl/styles.xml": f"<styleSheet {MAIN}><numFmts>{formats}</numFmts>"
        f'<cellXfs><xf numFmtId="0"/>{styles}</cellXfs></styleSheet>',
        "xl/sharedStrings.xml": f"<sst {MAIN}>{''.join(f'<si>{text}</si>' for text in strings)}</sst>",
    }
    for n, content in enumerate(sheets.values(), 1):
        files[f"xl/worksheets/sheet{n}.xml"] = f"<worksheet {MAIN} {REFS}>{content}</worksheet>"
    return zipped(files | dict(more or {}))


def cell(reference: str, value: object, style: int = 0, kind: str = "") -> str:
    """A cell: text inline, a number as such; `kind` for others (`b`, `e`, `str`, `s`, `d`)."""
    styled = f' s="{style}"' if style else ""
    if isinstance(value, str) and not kind:
        return f'<c r="{reference}"{styled} t="inlineStr"><is><t>{value}</t></is></c>'
    typed = f' t="{kind}"' if kind else ""
    return f'<c r="{reference}"{styled}{typed}><v>{value}</v></c>'


def rows(table: Sequence[Sequence[object]], *, top: int = 1, left: str = "A") -> str:
    """The rows of a table whose first cell is at `left` and `top`; None is an empty cell."""
    out = []
    for n, line in enumerate(table, top):
        cells = "".join(
            cell(f"{chr(ord(left) + i)}{n}", value) for i, value in enumerate(line) if value is not None
        )
        out.append(f'<row r="{n}">{cells}</row>')
    return "".join(out)


def data(content: str, more: str = "") -> str:
    """What stands in a worksheet: rows, and what follows them."""
    return f"<sheetData>{content}</sheetData>{more}"


# ── presentations ─────────────────────────────────────────────────────────────────────────────
def presentation(slides: Sequence[str], more: Mapping[str, str | bytes] | None = None) -> bytes:
    """A presentation of slides, each what stands in its shape tree, or a whole `p:sld` element."""
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in range(1, len(slides) + 1))
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": relationships(("rId1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {DRAWN}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relationships(
            *((f"rId{n}", "slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)),
            ("rIdA", "commentAuthors", "commentAuthors.xml"),
        ),
    }
    for n, tree in enumerate(slides, 1):
        whole = tree if tree.startswith("<p:sld ") else slide(tree)
        files[f"ppt/slides/slide{n}.xml"] = whole
    return zipped(files | dict(more or {}))


def slide(tree: str, attributes: str = "") -> str:
    """A slide around its shapes."""
    inner = f"<p:cSld><p:spTree>{tree}</p:spTree></p:cSld>"
    return f"<p:sld {DRAWN} {attributes}>{inner}</p:sld>"


def place(left: float, top: float, width: float = 100, height: float = 50) -> str:
    """A shape's place on its slide."""
    return (
        f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm></p:spPr>'
    )


def shape(name: str, paragraphs: str, *, holder: str = "", at: str = "<p:spPr/>") -> str:
    """A text shape; `holder` is the attributes of its placeholder, `paragraphs` lines or whole elements."""
    body = paragraphs if paragraphs.startswith("<a:p>") else f"<a:p><a:r><a:t>{paragraphs}</a:t></a:r></a:p>"
    held = f"<p:ph {holder}/>" if holder else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="{name}"/><p:cNvSpPr/><p:nvPr>{held}</p:nvPr></p:nvSpPr>{at}'
        f"<p:txBody><a:bodyPr/>{body}</p:txBody></p:sp>"
    )


def frame(name: str, content: str) -> str:
    """A graphic frame: a table, chart, SmartArt or embedded object."""
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="{name}"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="900"/><a:ext cx="10" cy="10"/></p:xfrm>'
        f"<a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"
    )
