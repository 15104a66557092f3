"""Bytes of a file to a `Document`: one module per format, chosen by name and content."""

from __future__ import annotations

from functools import partial

from pincite.errors import InputError, PinciteError
from pincite.parse.detect import TYPES, document_type
from pincite.protocols import Parser, Source
from pincite.types import Document

__all__ = ["TYPES", "document_type", "parse"]


def parse(source: Source, *, hidden_html: bool = False) -> Document:
    """The document of a file, by its name and content; an empty file gives one without blocks.

    `hidden_html` keeps text that HTML pages hide, marked as hidden. Raises `SkippedError` for files that
    are not text or of no known kind, `InputError` for files that cannot be read; no content raises
    anything else.
    """
    kind = document_type(source.uri, source.data)
    try:
        return _parser(kind, hidden_html)(source)
    except PinciteError:
        raise
    except Exception as error:  # the content is untrusted: whatever it sets off names the file
        raise InputError(
            f"{source.uri}: could not be read as {kind} ({type(error).__name__}: {error})", uri=source.uri
        ) from error


def _parser(kind: str, hidden_html: bool) -> Parser:
    """The parser of a type; each imports what it needs on first use."""
    if kind == "markdown":
        from pincite.parse.markdown import parse_markdown

        return parse_markdown
    if kind == "html":
        from pincite.parse.html import parse_html

        return partial(parse_html, hidden=hidden_html)
    if kind == "rst":
        from pincite.parse.rst import parse_rst

        return parse_rst
    if kind == "text":
        from pincite.parse.text import parse_text

        return parse_text
    return _data_parser(kind)


def _data_parser(kind: str) -> Parser:
    if kind in ("csv", "tsv"):
        from pincite.parse.table import parse_table

        return parse_table
    if kind in ("json", "jsonl"):
        from pincite.parse.records import parse_records

        return parse_records
    from pincite.parse.code import parse_code

    return parse_code
