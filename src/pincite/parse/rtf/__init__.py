"""RTF: tokens and code pages, what the file says before its text, then paragraphs, tables and notes."""

from __future__ import annotations

from pincite.parse.rtf.document import parse_rtf

__all__ = ["parse_rtf"]
