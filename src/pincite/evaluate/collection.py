"""A BEIR corpus as a folder of documents, so that it is indexed like any other."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pincite.errors import InputError
from pincite.evaluate.labels.lines import Reading, objects, read_bytes, text_of
from pincite.evaluate.questions import question_set
from pincite.types import Qrel, QuestionSet, Span

_FILE = re.compile(r"\bd[0-9]{6,}\.md\b")


@dataclass(frozen=True)
class Collection:
    """A corpus written out below `root`: each document's file by id, and where its own text begins in it."""

    root: Path
    uris: Mapping[str, str]
    starts: Mapping[str, int]

    @cached_property
    def doc_ids(self) -> dict[str, str]:
        """Each file's document id."""
        return {uri: doc_id for doc_id, uri in self.uris.items()}

    def with_ids(self, place: str) -> str:
        """The text of a place with the document's id where its file stands."""
        ids = self.doc_ids
        return _FILE.sub(lambda found: ids.get(found[0], found[0]), place)

    def placed(self, questions: QuestionSet) -> QuestionSet:
        """The questions with judgements of the files in place of document ids."""
        moved = [
            replace(one, qrels=tuple(self._placed(qrel) for qrel in one.qrels)) for one in questions.questions
        ]
        return question_set(questions.name, moved)

    def _placed(self, qrel: Qrel) -> Qrel:
        uri, start = self.uris.get(qrel.uri, qrel.uri), self.starts.get(qrel.uri, 0)
        chars = qrel.chars and Span(qrel.chars.start + start, qrel.chars.end + start)
        return replace(qrel, uri=uri, chars=chars)


def collections_folder() -> Path:
    """Where corpora are written out and indexed: `$XDG_DATA_HOME/pincite/collections`."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "pincite" / "collections"


def write_collection(folder: Path) -> Collection:
    """The corpus of a BEIR folder, each document a Markdown file under its title.

    The place depends on the corpus's bytes, so a changed corpus is another collection and an unchanged one
    is not written again, but for documents that are gone from there. Raises `InputError` for a missing or
    broken `corpus.jsonl`.
    """
    corpus = folder / "corpus.jsonl"
    if not corpus.is_file():
        raise InputError(
            f"{folder}: no corpus.jsonl in it",
            stage="evaluate",
            hint="name a BEIR folder: corpus.jsonl, queries.jsonl and qrels.tsv or qrels/",
        )
    data = read_bytes(corpus)
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", folder.resolve().name).lstrip(".")[:60]
    root = collections_folder() / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    texts = _texts(data)
    # Neutral names: a file's name is searched too, and ids are often numbers that texts hold as well.
    uris = {doc_id: f"d{number:06d}.md" for number, doc_id in enumerate(texts)}
    root.mkdir(parents=True, exist_ok=True)
    there = {path.name for path in root.iterdir()}
    there = there if ".written" in there else set()
    for doc_id, (head, body) in texts.items():
        if uris[doc_id] not in there:
            (root / uris[doc_id]).write_text(head + body + "\n", encoding="utf-8", newline="")
    if not there:
        (root / ".written").touch()
    return Collection(root, uris, {doc_id: len(head) for doc_id, (head, _) in texts.items()})


def _texts(data: bytes) -> dict[str, tuple[str, str]]:
    """Each document's title as a heading ("" without one) and its text, by id."""
    reading, found = Reading("corpus.jsonl"), {}
    for number, row in objects(data, reading):
        doc_id, text = text_of(row.get("_id")), text_of(row.get("text"))
        if doc_id is None or text is None:
            reading.fault(number, "expected an _id and a text, both strings")
        elif doc_id in found:
            reading.fault(number, f"the id {doc_id!r} is there twice")
        else:
            title = " ".join((text_of(row.get("title")) or "").split())
            found[doc_id] = (f"# {title}\n\n" if title else "", text)
    reading.refuse_faults()
    return found
