"""Files through Pincite's parsers and chunker as a sync reads them, each in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from bounded import SECONDS, bounded
from origins import lines_with_place

from pincite.config import Config, ModelConfig, ParseConfig
from pincite.folder.walk import FoundFile
from pincite.models import detect_language, load_embedder
from pincite.sync.ingest import Cutters, Prepared, prepare
from pincite.types import Document, LeftOut, RunOrigins

_WORDS = re.compile(r"\w+")
_FAULT = ("could not be read as", "internal error")


def import_all() -> None:
    """Imports and loads what parsers need when they are first used: no file's process has to do it anew."""
    import pincite.parse

    for module in iter_modules(pincite.parse.__path__, "pincite.parse."):
        import_module(module.name)
    for name in (
        "lxml.html",
        "markdown_it",
        "openpyxl",
        "pypdfium2",
        "xlrd",
        "olefile",
        "tree_sitter",
        "py3langid",
    ):
        import_module(name)
    detect_language("Das Modell, das Sprachen unterscheidet, wird einmal geladen.")


def cutters(*, main_content: bool = False) -> Cutters:
    """The parsers' and the chunker's settings; sizes are counted in the bundled English model's tokens."""
    config = Config(parse=ParseConfig(main_content=main_content))
    return Cutters.of(config, load_embedder(ModelConfig(), name="english"))


@dataclass(frozen=True, slots=True)
class Read:
    """What became of one file: `outcome` is one of `OUTCOMES`, `facts` what its process told."""

    outcome: str
    seconds: float
    reason: str
    facts: dict[str, Any]

    @property
    def text(self) -> str:
        """What its chunks hold, in order."""
        return str(self.facts.get("text", ""))

    @property
    def all_text(self) -> str:
        """The same with what was left out on purpose."""
        return str(self.facts.get("all_text") or self.text)


OUTCOMES = ("parsed", "with losses", "no text", "refused", "internal error", "crash", "hang")
"""`no text` was read, but there is none; `refused` has a reason that a parser gave; `internal error` is one
that none foresaw."""


def read(path: Path, uri: str, by: Cutters, seconds: float = SECONDS) -> Read:
    """The file parsed and cut in a process of its own."""
    found = FoundFile(uri, path, 0, 0, 0, 0)
    told = bounded(lambda: _facts(prepare(found, by)), seconds)
    if told.state != "done":
        outcome = "internal error" if told.state == "error" else told.state
        return Read(outcome, told.seconds, str(told.value), {})
    facts = told.value
    return Read(facts["outcome"], told.seconds, facts["reason"], facts)


def _facts(prepared: Prepared) -> dict[str, Any]:
    document = prepared.document
    facts: dict[str, Any] = {"outcome": _outcome(prepared), "reason": prepared.reason, "type": ""}
    if document is not None:
        facts["type"] = document.type
        said = said_text(document)
        facts["text"] = kept_text(said, document.left_out)
        facts["all_text"] = said if document.left_out else ""
        facts["losses"] = list(_losses(document))
        facts["left_out"] = sorted({left.reason for left in document.left_out})
        facts["origins"] = lines_with_place(document, prepared.chunked)
    facts["members"] = [
        {"uri": member.file.uri, **_facts(member)} for member in prepared.members if member is not prepared
    ]
    return facts


def _outcome(prepared: Prepared) -> str:
    if prepared.state == "empty":
        return "no text"
    if prepared.state != "indexed" or prepared.document is None:
        return "internal error" if any(mark in prepared.reason for mark in _FAULT) else "refused"
    return "with losses" if prepared.document.losses else "parsed"


def said_text(document: Document) -> str:
    """The text with spaces for the words that are Pincite's own, as long as before.

    Those are the words without a place in the source: `[footnote 1]`, `[comment by Ann]`, numbers of lists.
    """
    if not isinstance(document.origins, RunOrigins):
        return document.text
    pieces, at = [], 0
    for run in document.origins.runs:
        start, end = run.span.start, run.span.end
        pieces += [_WORDS.sub(_blank, document.text[at:start]), document.text[start:end]]
        at = end
    return "".join([*pieces, _WORDS.sub(_blank, document.text[at:])])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def kept_text(text: str, left_out: Sequence[LeftOut]) -> str:
    """The text without what was left out on purpose: running headers, navigation."""
    pieces, at = [], 0
    for left in sorted(left_out, key=lambda left: left.span):
        pieces.append(text[at : max(at, left.span.start)])
        at = max(at, left.span.end)
    return "\n".join([*pieces, text[at:]]) if pieces else text


def _losses(document: Document) -> Iterator[str]:
    losses = document.losses
    if losses.pages_without_text:
        yield f"{len(losses.pages_without_text)} pages without text"
    if losses.cut_text:
        yield f"{losses.cut_text:,} characters cut"
    yield from losses.dropped
