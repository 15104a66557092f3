"""What a command of labelled questions works on: the questions, and the library they are asked of."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.notes import shown_progress
from pincite.cli.which_library import opened_library, overrides_of
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.evaluate.collection import Collection
    from pincite.evaluate.labels.lines import LabelsError
    from pincite.library import Library
    from pincite.types import QuestionSet


@dataclass(frozen=True, slots=True)
class Subject:
    """An open library, and the collection it holds if that is the corpus of a BEIR folder."""

    library: Library
    collection: Collection | None = None

    def placed(self, questions: QuestionSet) -> QuestionSet:
        """The questions with judgements of the library's files."""
        return self.collection.placed(questions) if self.collection else questions

    def named(self, place: str) -> str:
        """The text of a place with the document's own id, where it has one."""
        return self.collection.with_ids(place) if self.collection else place


def labels(args: Namespace) -> QuestionSet:
    """The questions of FILE, else of the folder named with --beir."""
    from pincite.evaluate.labels.lines import LabelsError
    from pincite.evaluate.questions import read_questions

    if args.file is None and args.beir is None:
        raise UsageError(
            "no questions named", stage="cli", hint="name a file of labelled questions, or --beir FOLDER"
        )
    try:
        return read_questions(Path(args.file or args.beir), Path(args.qrels) if args.qrels else None)
    except LabelsError as error:
        raise _with_files_gone(args, error) from None


def _with_files_gone(args: Namespace, error: LabelsError) -> LabelsError:
    """The error with the lines that name files which an index that is there does not hold."""
    from pincite.evaluate.labels.lines import LabelsError
    from pincite.evaluate.questions import question_set

    with subject(args, build=False) as on:
        if not (on.library.index_dir / "catalog.db").is_file():
            return error
        found = on.library.check_questions(on.placed(question_set(error.name, error.readable)))
    gone = [replace(one, message=on.named(one.message)) for one in found if one.code == "file gone"]
    return LabelsError(error.name, [*error.problems, *gone], error.readable)


@contextmanager
def subject(args: Namespace, *, build: bool = True) -> Iterator[Subject]:
    """The library of --in, or that of the BEIR folder's corpus: written out and indexed once, then kept.

    Without `build` a corpus is not brought up to the settings: enough to look at what is saved beside it.
    """
    if args.beir is None:
        with opened_library(args) as library:
            yield Subject(library)
        return
    if args.folder is not None:
        raise UsageError("--in and --beir name two libraries", stage="cli", hint="leave one of them out")
    from pincite import library as front
    from pincite.config.load import load_config
    from pincite.evaluate.collection import write_collection

    collection = write_collection(Path(args.beir))
    config = load_config(collection.root, overrides=overrides_of(args))
    with front.open(collection.root, index=args.index, config=config) as opened:
        if build:
            is_new = not (opened.index_dir / "catalog.db").is_file()
            with shown_progress(args, opened if is_new else None) as progress:
                opened.sync(progress=progress)
        yield Subject(opened, collection)
