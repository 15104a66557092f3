"""Bytes of a file to a `Document`: one module per format, chosen by content and name."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import cast

from pincite.config import ParseConfig
from pincite.errors import InputError, PinciteError, SkippedError
from pincite.parse.detect import TYPES, document_type
from pincite.protocols import Parser, Source
from pincite.types import Document

__all__ = ["CONTAINERS", "TYPES", "document_type", "parse"]

_PARSERS = {
    "archive": "inside.archive:parse_archive",
    "asciidoc": "asciidoc:parse_asciidoc",
    "csv": "table:parse_table",
    "docx": "docx:parse_docx",
    "eml": "mail:parse_mail",
    "epub": "epub:parse_epub",
    "fb2": "fb2:parse_fb2",
    "html": "html:parse_html",
    "ics": "ics:parse_ics",
    "image": "scans.image:parse_image",
    "ipynb": "notebook:parse_notebook",
    "json": "records:parse_records",
    "jsonl": "records:parse_records",
    "latex": "latex:parse_latex",
    "markdown": "markdown:parse_markdown",
    "mbox": "mail.mbox:parse_mbox",
    "mhtml": "mail.mhtml:parse_mhtml",
    "msg": "mail.msg:parse_msg",
    "odp": "odf.odp:parse_odp",
    "ods": "sheets.ods:parse_ods",
    "odt": "odf.odt:parse_odt",
    "org": "org:parse_org",
    "pdf": "pdf:parse_pdf",
    "pptx": "pptx:parse_pptx",
    "rst": "rst:parse_rst",
    "rtf": "rtf:parse_rtf",
    "srt": "cues:parse_cues",
    "text": "text:parse_text",
    "tsv": "table:parse_table",
    "vtt": "cues:parse_cues",
    "xml": "xml_document:parse_xml_document",
    "xls": "sheets.xls:parse_xls",
    "xlsx": "sheets.xlsx:parse_xlsx",
}
"""The module and function of each type; every other type is source code. Each is imported on first use."""

CONTAINERS = frozenset({"archive", "eml", "mbox", "msg"})
"""The types of files that hold files: `members.py` takes them out, and each is a document of its own."""

_OPTIONS = {
    "docx": ("tracked_changes",),
    "html": ("hidden_html", "main_content"),
    "image": ("ocr",),
    "mhtml": ("hidden_html", "main_content"),
    "odt": ("tracked_changes",),
    "pdf": ("ocr", "password_file"),
}
"""The settings of `ParseConfig` that a parser takes, by type, as keyword arguments of these names."""


def parse(source: Source, config: ParseConfig | None = None) -> Document:
    """The document of a file, by its content and name; an empty file gives one without blocks.

    Raises `SkippedError` for files that are not text or of no known kind, `InputError` for files that
    cannot be read, `MemoryError` when there is too little memory; no content raises anything else.
    """
    kind = document_type(source.uri, source.data)
    try:
        if not _PARSERS.get(kind, "code"):
            raise SkippedError(f"{source.uri}: {kind} files are not read by this version", uri=source.uri)
        return parser_of(kind, config or ParseConfig())(source)
    except (PinciteError, MemoryError):
        raise
    except Exception as error:  # the content is untrusted: whatever it sets off names the file
        raise InputError(
            f"{source.uri}: could not be read as {kind} ({type(error).__name__}: {error})", uri=source.uri
        ) from error


def parser_of(kind: str, config: ParseConfig) -> Parser:
    """The parser of a type, with the settings it takes."""
    module, _, name = _PARSERS.get(kind, "source.code:parse_code").partition(":")
    found = getattr(import_module(f"pincite.parse.{module}"), name)
    options = {option: getattr(config, option) for option in _OPTIONS.get(kind, ())}
    return cast(Parser, partial(found, **options) if options else found)
