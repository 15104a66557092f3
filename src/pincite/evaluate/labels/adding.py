"""A real question made a label: its place on disk now, with the words that stand there and their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from pincite.calls.querylog import Cited, Logged
from pincite.config import ParseConfig
from pincite.errors import InputError, UsageError
from pincite.evaluate.draft import quoted, same_words
from pincite.evaluate.golds import OneFile, Resolver, labelled_text
from pincite.evaluate.labels.files import add_questions, questions_there
from pincite.evaluate.labels.spelt import below
from pincite.evaluate.labels.tsv import targets
from pincite.folder.given_path import uri_of
from pincite.folder.read import read_uri
from pincite.parse import document_type, parse
from pincite.parse.inside.members import members
from pincite.types import Document, Qrel, Question, Reason

LONGEST_QUOTE = 2_000  # characters; of longer places the hash alone is kept


def on_disk(root: Path, path: str, config: ParseConfig) -> Document:
    """The document that a file of the library is now. Raises `InputError` when there is none."""
    path = below(root, path)
    for above in reversed(PurePosixPath(path).parents[:-1]):
        if (root / above).is_file():
            return _inside(root, above.as_posix(), PurePosixPath(path).as_posix(), config)
    uri = uri_of(root, path, tuple)
    return parse(read_uri(root, uri), config)


def _inside(root: Path, holder: str, uri: str, config: ParseConfig) -> Document:
    """A file inside another. Raises `InputError` when that holds none of this name."""
    source = read_uri(root, holder)
    for member in members(source, document_type(holder, source.data)):
        if member.uri == uri and not isinstance(member, Reason):
            return parse(member, config)
    raise InputError(f"{uri}: {holder} holds no such file", uri=uri, stage="read")


def expected(root: Path, places: Sequence[str], config: ParseConfig) -> tuple[Qrel, ...]:
    """The labels of places as a person names them, any of which will do, with the words that stand there.

    Raises `UsageError` for what is no place, `InputError` for one that is not there or holds nothing.
    """
    try:
        named = [qrel for given in places for qrel in targets("", given)]
    except ValueError as error:
        raise UsageError(f"--expect: {error}", stage="evaluate", hint="--expect manual.md:7") from error
    return tuple(_with_words(qrel, on_disk(root, qrel.uri, config)) for qrel in named)


def _with_words(qrel: Qrel, document: Document) -> Qrel:
    qrel = replace(qrel, uri=document.uri)
    gold = Resolver(OneFile(document)).gold(qrel)
    if gold.problem:
        raise InputError(f"{qrel.location}: {gold.told}", stage="evaluate", uri=qrel.uri)
    words = labelled_text(qrel, document)
    if not words:
        return qrel
    sha = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
    return replace(qrel, quote=words if len(words) <= LONGEST_QUOTE else "", quote_sha=sha)


def accepted(root: Path, entry: Logged, number: int, config: ParseConfig) -> tuple[Qrel, str]:
    """The label of a logged answer's citation, and its claim. Raises `InputError` if its words are gone."""
    if not 1 <= number <= len(entry.citations):
        there = f"its answer has {len(entry.citations)}" if entry.citations else "it was not answered"
        raise UsageError(
            f"--citation {number}: {there}", stage="evaluate", hint="pincite questions log numbers them"
        )
    cited = entry.citations[number - 1]
    return _again(cited, on_disk(root, cited.uri, config)), cited.claim


def _again(cited: Cited, document: Document) -> Qrel:
    """The label of a citation where its quote stands in the file now."""
    place = cited.place
    page = None if place.line_start is not None else place.page
    qrel = Qrel("", document.uri, place.line_start, place.line_end, page, quote=cited.quote)
    gold = Resolver(OneFile(document)).gold(qrel)
    if gold.problem or gold.span is None or not cited.quote.strip():
        message = f"{cited.location} no longer holds the words that were cited: {cited.quote[:200]}"
        hint = "ask again, or name the place with --expect"
        raise InputError(message, stage="evaluate", hint=hint, uri=document.uri)
    if gold.any_part:  # a heading: the label keeps its line, which stands for what is under it
        return quoted("", document.uri, place, cited.quote)
    words = document.text[gold.span.start : gold.span.end]
    return quoted("", document.uri, document.origins.place(gold.span), words)


def add_question(path: Path, question: Question) -> Question:
    """Adds a question to a file in the native form, under the next free id; returns it with that.

    Raises `UsageError` when the file asks it already.
    """
    there = questions_there(path)
    same = next((one for one in there if same_words(one.text) == same_words(question.text)), None)
    if same is not None:
        hint = "edit that line, or ask it in other words"
        raise UsageError(f"{path} asks that already, as {same.id}", stage="evaluate", hint=hint)
    taken = {one.id for one in there}
    number = next(n for n in range(len(there) + 1, 2 * len(there) + 2) if f"q{n}" not in taken)
    named = tuple(replace(qrel, question_id=f"q{number}") for qrel in question.qrels)
    made = replace(question, id=f"q{number}", qrels=named)
    add_questions(path, [made])
    return made
