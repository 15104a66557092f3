"""EPUB: the package, its table of contents, then the chapters as pages of HTML."""

from __future__ import annotations

from pincite.parse.epub.document import parse_epub

__all__ = ["parse_epub"]
