"""What is expected of the files of the collection `awkward`, as words in order.

`manifest.jsonl` names the files and what their makers expect of them: Markdown (docling), native ASTs and
Markdown (pandoc), the main content as HTML (readability), text (pypdf). For three sets without it the text is
read by the library the files belong to: python-docx, python-pptx, and for notebooks their own JSON.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree, html
from native import native_texts
from words import plain, words

_BLOCK_TAGS = re.compile(
    "address|a(rticle|side)|blockquote|br|caption|d[dlt]|details|div|fieldset|fig(caption|ure)|footer|form|h[1-6r]|"
    "header|legend|li|main|nav|ol|option|p|pre|section|summary|table|t(body|foot|head|[dhr])|ul"
)
_UNSEEN = frozenset(["script", "style", "template", "noscript", "head", "svg"])
_NOT_TEXT = frozenset({"pypdf/jpeg.pdf"})
"""What is expected of it are the bytes of a picture."""
_SHOWN_FIRST = (
    "text/html", "text/markdown", "image/svg+xml", "text/latex", "image/png", "image/jpeg", "text/plain",
)  # fmt: skip
"""Of the forms an output of a notebook has, the one nbconvert takes for Markdown."""
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
Expectations = tuple[list[str], ...]
"""The words of each output that counts as right: without and with the title, for one."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the collection: `set` is the project it is from, `expected` what is right for it."""

    path: Path
    name: str
    set: str
    ext: str
    expected: Path | None
    kind: str


def files(folder: Path) -> list[File]:
    """The files of the manifest, in its order."""
    found = []
    with (folder / "manifest.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            expected = folder / row["expected"] if row.get("expected") else None
            name = str(row["file"])
            kind = str(row.get("expected_kind") or "")
            found.append(File(folder / name, name, name.partition("/")[0], row["ext"], expected, kind))
    return found


def expectations(file: File) -> Expectations:
    """What is right for a file, or nothing if nobody says."""
    if file.name in _NOT_TEXT:
        return ()
    if file.expected is None:
        return (words(notebook_text(file.path)),) if file.set == "nbconvert" else ()
    text = file.expected.read_text(encoding="utf-8", errors="replace")
    if file.expected.suffix == ".md":
        return (words(plain(text)),)
    if file.kind == "pandoc native AST":
        found = native_texts(text)
        heads = [words(found.meta), []] if found.meta.strip() else [[]]
        bodies = dict.fromkeys((found.body, found.body_then_notes, found.body_with_asides))
        return tuple(head + words(body) for body in bodies for head in heads)
    if file.kind.startswith("main-content HTML"):
        body = html_text(text)
        title = json.loads((file.expected.parent / "expected-metadata.json").read_text(encoding="utf-8"))[
            "title"
        ]
        return words(body), words(f"{title or ''}\n{body}")
    return (words(text),)


def html_text(source: str) -> str:
    """What a reader sees of HTML; blocks on lines of their own, alternative texts of images not counted."""
    if not source.strip():
        return ""
    out: list[str] = []
    for event, node in etree.iterwalk(html.fromstring(source), events=("start", "end", "comment", "pi")):
        seen = isinstance(node.tag, str) and node.tag not in _UNSEEN
        if event == "start" and seen and not _hidden(node):
            out.extend(("\n" if _is_block(node.tag) else "", node.text or ""))
        elif event != "start":
            out.extend(("\n" if _is_block(node.tag) else "", "" if _hidden(node) else node.tail or ""))
    return "".join(out)


def _hidden(node: Any) -> bool:
    return any(parent.tag in _UNSEEN for parent in node.iterancestors())


def notebook_text(path: Path) -> str:
    """Sources of cells, each with its outputs as text."""
    out: list[str] = []
    for cell in _cells(json.loads(path.read_text(encoding="utf-8"))):
        source = _joined(cell.get("source", cell.get("input", "")))
        out.append(plain(source) if cell.get("cell_type") == "markdown" else source)
        for output in cell.get("outputs", ()):
            out.append(_ANSI.sub("", _output(output)))
    return "\n".join(out)


def _cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a notebook; those of format 3 stand in worksheets."""
    if "cells" in notebook:
        return list(notebook["cells"])
    return [cell for sheet in notebook.get("worksheets", ()) for cell in sheet.get("cells", ())]


def _output(output: dict[str, Any]) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        return _joined(output.get("text", ""))
    if kind in {"error", "pyerr"}:
        return "\n".join(output.get("traceback", ()))
    data = output.get("data", {"text/plain": output.get("text", "")})
    form = next((form for form in _SHOWN_FIRST if form in data), "")
    text = _joined(data[form]) if form.startswith("text/") else ""
    if form == "text/html":
        return html_text(text)
    return text if form == "text/plain" else plain(text)


def _joined(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def _is_block(tag: Any) -> bool:
    return isinstance(tag, str) and _BLOCK_TAGS.fullmatch(tag) is not None
