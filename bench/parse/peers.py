"""Other parsers on the same files; run by `run.py --peers`, with the Python of their environment.

    python -m venv peers
    peers/bin/pip install -U pip
    peers/bin/pip install "markitdown[docx,pptx,xlsx,xls,pdf,outlook]" kreuzberg pypdf pypdfium2 pdfplumber \\
        trafilatura readability-lxml resiliparse python-docx python-pptx openpyxl python-calamine striprtf \\
        ebooklib pypandoc-binary "docling-slim[convert-core,format-office,format-web,format-opendocument]" \\
        "docling-slim[format-latex,format-email,format-xml-jats]"

    peers/bin/python bench/parse/peers.py TOOL < paths > outputs

One path a line; one JSON line for each: path, state ("done", "error", "crash", "hang"), seconds, text. Each
file is read in a process of its own, within 20 s. pandoc (GPL) is a reference that is only run. docling is
run by its readers of formats that need no model: its PDF pipeline takes torch, and weights to be downloaded.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bounded import bounded

Reader = Callable[[str], str]


def markitdown() -> Reader:
    from markitdown import MarkItDown

    converter = MarkItDown(enable_plugins=False)
    return lambda path: str(converter.convert_local(path).text_content)


def kreuzberg() -> Reader:
    from kreuzberg import ExtractionConfig, extract_file_sync

    config = ExtractionConfig(use_cache=False, disable_ocr=True)
    return lambda path: str(extract_file_sync(path, config=config).content)


_DOCLING = {
    "docx": ("DOCX", "msword_backend", "MsWordDocumentBackend"),
    "pptx": ("PPTX", "mspowerpoint_backend", "MsPowerpointDocumentBackend"),
    "xlsx": ("XLSX", "msexcel_backend", "MsExcelDocumentBackend"),
    "html": ("HTML", "html_backend", "HTMLDocumentBackend"),
    "epub": ("EPUB", "epub_backend", "EpubDocumentBackend"),
    "odt": ("ODT", "opendocument_backend", "OdtDocumentBackend"),
    "odp": ("ODP", "opendocument_backend", "OdpDocumentBackend"),
    "ods": ("ODS", "opendocument_backend", "OdsDocumentBackend"),
    "md": ("MD", "md_backend", "MarkdownDocumentBackend"),
    "csv": ("CSV", "csv_backend", "CsvDocumentBackend"),
    "asciidoc": ("ASCIIDOC", "asciidoc_backend", "AsciiDocBackend"),
    "tex": ("LATEX", "latex.backend", "LatexDocumentBackend"),
    "vtt": ("VTT", "webvtt_backend", "WebVTTDocumentBackend"),
    "nxml": ("XML_JATS", "xml.jats_backend", "JatsDocumentBackend"),
}


def docling() -> Reader:
    from importlib import import_module

    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument

    modules = {name: import_module(f"docling.backend.{name}") for _, name, _ in _DOCLING.values()}

    def read(path: str) -> str:
        kind, module, name = _DOCLING[path.rpartition(".")[2].lower()]
        source = InputDocument(
            path_or_stream=Path(path),
            format=getattr(InputFormat, kind),
            backend=getattr(modules[module], name),
            filename=Path(path).name,
        )
        return str(source._backend.convert().export_to_markdown())

    return read


def pypdf() -> Reader:
    from pypdf import PdfReader

    return lambda path: "\n".join(page.extract_text() for page in PdfReader(path).pages)


def pdfplumber() -> Reader:
    import pdfplumber

    def read(path: str) -> str:
        with pdfplumber.open(path) as document:
            return "\n".join(page.extract_text() or "" for page in document.pages)

    return read


def pypdfium2() -> Reader:
    from pypdfium2 import PdfDocument

    return lambda path: "\n".join(page.get_textpage().get_text_range() for page in PdfDocument(path))


_PANDOC = {"tex": "latex", "md": "markdown", "nxml": "jats"}


def pandoc() -> Reader:
    from pypandoc import convert_file

    def read(path: str) -> str:
        ext = path.rpartition(".")[2].lower()
        options = ["--wrap=none", "--sandbox", "--reference-location=block"]
        return str(convert_file(path, "markdown", format=_PANDOC.get(ext, ext), extra_args=options))

    return read


def trafilatura() -> Reader:
    from trafilatura import extract

    def read(path: str) -> str:
        return (
            extract(Path(path).read_bytes(), include_comments=False, include_tables=True, favor_recall=False)
            or ""
        )

    return read


def readability_lxml() -> Reader:
    from lxml import html
    from readability import Document

    def read(path: str) -> str:
        summary = Document(Path(path).read_bytes()).summary()
        return "\n".join(piece for piece in html.fromstring(summary).itertext())

    return read


def resiliparse() -> Reader:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def read(path: str) -> str:
        data = Path(path).read_bytes()
        text = bytes_to_str(data, detect_encoding(data))
        return str(extract_plain_text(text, main_content=True, alt_texts=False))

    return read


def python_docx(*, with_comments: bool = False) -> Reader:
    """Paragraphs and cells in order; comments, which stand in a part of their own, after their paragraph."""
    from docx import Document
    from docx.table import Table

    def texts(holder: Any, comments: dict[str, str]) -> list[str]:
        found = []
        for item in holder.iter_inner_content():
            if isinstance(item, Table):
                for row in item.rows:
                    cells = {id(cell._tc): cell for cell in row.cells}
                    found += [line for cell in cells.values() for line in texts(cell, comments)]
            else:
                found.append(item.text)
                referred = item._p.xpath(".//w:commentReference/@w:id")
                found += [comments[id_] for id_ in referred if id_ in comments]
        return found

    def read(path: str) -> str:
        document = Document(path)
        comments = {str(one.comment_id): one.text for one in document.comments} if with_comments else {}
        return "\n".join(texts(document, comments))

    return read


def python_pptx() -> Reader:
    from pptx import Presentation

    def texts(shapes: Any) -> list[str]:
        found = []
        for shape in shapes:
            if hasattr(shape, "shapes"):
                found += texts(shape.shapes)
            elif getattr(shape, "has_table", False):
                found += [cell.text for row in shape.table.rows for cell in row.cells if not cell.is_spanned]
            elif shape.has_text_frame:
                found.append(shape.text_frame.text)
        return found

    def read(path: str) -> str:
        out = []
        for slide in Presentation(path).slides:
            out += texts(slide.shapes)
            if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
                out.append(slide.notes_slide.notes_text_frame.text)
        return "\n".join(out)

    return read


def openpyxl() -> Reader:
    from openpyxl import load_workbook

    def read(path: str) -> str:
        rows = [
            row for sheet in load_workbook(path, data_only=True) for row in sheet.iter_rows(values_only=True)
        ]
        return "\n".join(" | ".join("" if value is None else str(value) for value in row) for row in rows)

    return read


def calamine() -> Reader:
    from python_calamine import CalamineWorkbook

    def read(path: str) -> str:
        book = CalamineWorkbook.from_path(path)
        rows = [row for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python()]
        return "\n".join(" | ".join(str(value) for value in row) for row in rows)

    return read


def striprtf() -> Reader:
    from striprtf.striprtf import rtf_to_text

    return lambda path: str(rtf_to_text(Path(path).read_bytes().decode("latin-1"), errors="ignore"))


def ebooklib() -> Reader:
    from bs4 import BeautifulSoup
    from ebooklib import ITEM_DOCUMENT, epub

    def read(path: str) -> str:
        book = epub.read_epub(path, options={"ignore_ncx": True})
        spine = [book.get_item_with_id(name) for name, _ in book.spine]
        pages = [item for item in spine if item is not None and item.get_type() == ITEM_DOCUMENT]
        return "\n".join(BeautifulSoup(page.get_content(), "lxml").get_text("\n") for page in pages)

    return read


TOOLS: dict[str, tuple[Callable[[], Reader], str, str]] = {
    "markitdown": (markitdown, "markitdown", "docx pptx xlsx xls pdf html epub ipynb csv md txt xml nxml"),
    "kreuzberg": (
        kreuzberg,
        "kreuzberg",
        "docx doc pptx ppt xlsx xls ods pdf html epub ipynb csv md odt rtf fb2 tex asciidoc xml nxml",
    ),
    "docling": (docling, "docling-slim", " ".join(_DOCLING)),
    "pandoc": (pandoc, "pypandoc_binary", "docx odt epub fb2 rtf ipynb html pptx xlsx csv md tex nxml"),
    "pypdf": (pypdf, "pypdf", "pdf"),
    "pdfplumber": (pdfplumber, "pdfplumber", "pdf"),
    "pypdfium2": (pypdfium2, "pypdfium2", "pdf"),
    "trafilatura": (trafilatura, "trafilatura", "html"),
    "readability-lxml": (readability_lxml, "readability-lxml", "html"),
    "resiliparse": (resiliparse, "resiliparse", "html"),
    "python-docx": (python_docx, "python-docx", "docx"),
    "python-pptx": (python_pptx, "python-pptx", "pptx"),
    "openpyxl": (openpyxl, "openpyxl", "xlsx"),
    "calamine": (calamine, "python-calamine", "xlsx xls ods"),
    "striprtf": (striprtf, "striprtf", "rtf"),
    "ebooklib": (ebooklib, "ebooklib", "epub"),
}
"""Name → how its reader is made, the distribution whose version counts, the endings of files it is given."""
MARKDOWN = frozenset({"markitdown", "docling", "pandoc"})
"""The tools whose output is Markdown."""


def main() -> None:
    from importlib.metadata import version

    make, distribution, _ = TOOLS[sys.argv[1]]
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what libraries print is not an output
    print(json.dumps({"version": version(distribution)}), file=out, flush=True)
    reader = make()
    for path in sys.stdin.read().splitlines():
        result = bounded(lambda path=path: reader(path))
        row = {"path": path, "state": result.state, "seconds": round(result.seconds, 3), "text": result.value}
        print(json.dumps(row), file=out, flush=True)


if __name__ == "__main__":
    main()
