"""LaTeX: tokens, the file's own macros, then what each command does to the text around it."""

from __future__ import annotations

from pincite.parse.latex.document import parse_latex

__all__ = ["parse_latex"]
