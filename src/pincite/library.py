"""The front door: a folder of documents as an object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pincite.calls import arguments
from pincite.calls.questions import Filters, Options
from pincite.config import Config
from pincite.config.load import load_config
from pincite.index.opening import Opening
from pincite.index.turns import shares
from pincite.types import (
    Answer,
    Chunked,
    Document,
    LabelProblem,
    MetaValue,
    Progress,
    QuestionSet,
    SearchHit,
    SearchResult,
    Status,
    SyncReport,
)

if TYPE_CHECKING:
    from pincite.calls.shown import Shown
    from pincite.evaluate.answers import Answers
    from pincite.evaluate.draft import Drafted
    from pincite.evaluate.run import Evaluation
    from pincite.evaluate.tuning.split import Split
    from pincite.evaluate.tuning.tuned import Tuned
    from pincite.evaluate.why import Diagnosis
    from pincite.index.opened import OpenLibrary
    from pincite.protocols import Embedder

Report = Callable[[Progress], None]
_MOST_CONTEXT = 1_000_000  # lines `show` can be asked for around its own


def open(path: str | Path = ".", *, index: str | Path | None = None, config: Config | None = None) -> Library:
    """The library of a folder. Nothing is read or written until it is synced or asked.

    `index` puts the index elsewhere than `<folder>/.pincite`; one that was made for another folder is a
    `UsageError` when it is used. Raises `InputError` if there is no folder.
    """
    root = arguments.folder("path", path)
    settings = config if config is not None else load_config(root)
    return Library(root, arguments.path("index", index) if index is not None else root / ".pincite", settings)


_call = shares(lambda library: library._opening.calls)


class Library:
    """A folder of documents that can be synced, searched and asked. Close it, or use it with `with`.

    An open library stops no sync, of this or another process, and finds its texts at the next question. A
    call after `close` opens it again.
    """

    def __init__(
        self,
        root: Path,
        index_dir: Path,
        config: Config,
        *,
        make_embedder: Callable[[Config, str], Embedder] | None = None,
    ) -> None:
        self.root = root
        self.index_dir = index_dir
        self.config = config
        self._make_embedder = make_embedder
        self._opening = Opening(index_dir / "catalog.db", self._opened)

    def _opened(self, read_only: bool) -> OpenLibrary:
        from pincite.index.opened import OpenLibrary

        return OpenLibrary(self.root, self.index_dir, self.config, self._make_embedder, read_only=read_only)

    def _open(self) -> OpenLibrary:
        return self._opening.opened()

    @_call
    def sync(
        self,
        *,
        meta: Mapping[str, MetaValue] | None = None,
        progress: Report | None = None,
        allow_empty: bool = False,
    ) -> SyncReport:
        """Brings the index up to the folder; returns what was found and done."""
        from pincite.pipeline import ingest

        given = arguments.metadata("meta", meta or {})
        return ingest(self._open(), meta=given, progress=progress, allow_empty=allow_empty)

    @_call
    def search(
        self,
        text: str,
        *,
        k: int = 10,
        filter: Filters = (),
        legs: Sequence[str] | None = None,
        fusion: str | None = None,
        regex: bool = False,
        per_document: bool = False,
        progress: Report | None = None,
    ) -> SearchResult:
        """The k best chunks. A folder that was never synced is read and indexed first, without vectors."""
        from pincite.calls.questions import searched

        text, how = arguments.text("text", text), Options.of(self.config.search, k, filter, legs, fusion)
        library = self._open()
        return searched(library, text, how, regex=regex, per_document=per_document, progress=progress)

    @_call
    def ask(
        self,
        text: str,
        *,
        k: int = 10,
        filter: Filters = (),
        legs: Sequence[str] | None = None,
        fusion: str | None = None,
        progress: Report | None = None,
    ) -> Answer:
        """The answer with its checked citations. A folder that was never synced is read first."""
        from pincite.calls.questions import answered

        text, how = arguments.text("text", text), Options.of(self.config.search, k, filter, legs, fusion)
        return answered(self._open(), text, how, progress)

    explain = ask

    @_call
    def evaluate(
        self,
        questions: str | Path | QuestionSet,
        *,
        k: int = 10,
        filter: Filters = (),
        legs: Sequence[str] | None = None,
        fusion: str | None = None,
        measures: Sequence[str] = (),
        limit: int | None = None,
        allow_empty: bool = False,
        progress: Report | None = None,
    ) -> Evaluation:
        """The questions of a label file or set, all or the first `limit`, each asked and measured.

        A set in which no question has evidence is a `UsageError`, unless `allow_empty`.
        A folder that was never synced, or has texts without a vector, is synced first. Else nothing is
        read anew, and a notice says if the index is behind its folder.
        """
        from pincite.evaluate.calls import evaluated, labelled
        from pincite.evaluate.measures import parse_measure

        how = Options.of(self.config.search, k, filter, legs, fusion)
        chosen, named = [parse_measure(name) for name in measures], labelled(questions, limit)
        return evaluated(self._open(), named, how, chosen, progress, allow_empty=allow_empty)

    @_call
    def answers(
        self,
        questions: str | Path | QuestionSet,
        *,
        k: int = 10,
        filter: Filters = (),
        legs: Sequence[str] | None = None,
        fusion: str | None = None,
        judge: bool = False,
        limit: int | None = None,
        progress: Report | None = None,
    ) -> Answers:
        """The questions of a label file or set answered as `ask` does, and what the answers are worth.

        With `judge` the configured chat model says whether each claim is supported by its quotes. The index
        is completed first as for `evaluate`.
        """
        from pincite.evaluate.calls import answered, labelled

        how = Options.of(self.config.search, k, filter, legs, fusion)
        named = labelled(questions, limit)
        return answered(self._open(), named, how, judge, progress)

    @_call
    def why(
        self,
        questions: str | Path | QuestionSet,
        *,
        k: int = 10,
        filter: Filters = (),
        legs: Sequence[str] | None = None,
        fusion: str | None = None,
        answers: bool = False,
        progress: Report | None = None,
    ) -> Diagnosis:
        """For each labelled question, the stage that lost its evidence, the proof, and what mends it.

        With `answers` each question is also answered, and the answer judged. A folder that was never synced
        is read first; nothing else is brought up to date, since that may be what is wrong.
        """
        from pincite.evaluate.calls import diagnosed, labelled

        how, named = Options.of(self.config.search, k, filter, legs, fusion), labelled(questions)
        return diagnosed(self._open(), named, how, answers, progress)

    @_call
    def tune(self, parts: Split, *, filter: Filters = (), **options: Any) -> Tuned:
        """Changes of settings tried on one part of labelled questions, judged by the other.

        `options` are those of `pincite.evaluate.tuning.tune.tune`: measure, seed, space, fit_fusion,
        progress. A folder that was never synced is read before the filter is.
        """
        from pincite.evaluate.calls import tuned

        return tuned(self._open(), parts, Options.of(self.config.search, 10, filter, None, None), **options)

    @_call
    def check_questions(
        self,
        questions: str | Path | QuestionSet,
        *,
        difference: float = 0.1,
        progress: Report | None = None,
    ) -> list[LabelProblem]:
        """What is wrong with labels; `difference` is that of two means the set should be able to show.

        A folder that was never synced is read first.
        """
        from pincite.evaluate.calls import checked, labelled

        named = labelled(questions)
        return checked(self._open(), named, difference, progress)

    @_call
    def draft_questions(
        self, n: int = 20, *, seed: int = 0, taken: Sequence[str] = (), progress: Report | None = None
    ) -> Drafted:
        """At most n synthetic questions with their evidence, spread over the documents; none of `taken`.

        The configured chat model writes them; without one they come from definitions, values, table rows
        and headings. A folder that was never synced is read first.
        """
        from pincite.evaluate.calls import drafted

        return drafted(self._open(), n, seed, taken, progress)

    @_call
    def status(self) -> Status:
        """What the library holds now, and what differs from its folder. Nothing is written."""
        from pincite.sync.report import status, unsynced_status

        with self._opening.looked_into() as library:
            return status(library) if library else unsynced_status(self.root, self.index_dir, self.config)

    @_call
    def show(self, location: str, *, context: int = 0) -> Shown:
        """The lines `path:7` or `path:7-12` names, as they are on disk now, with `context` lines around.

        `path#page=3`, `path#Sheet1!A4:F9` and the like give the indexed text of that place. Nothing is
        written.
        """
        from pincite.calls.show import show
        from pincite.calls.show_text import show_text

        location = arguments.location(location)
        context = arguments.whole_number("context", context, 0, _MOST_CONTEXT)
        with self._opening.looked_into() as library:
            catalog = library.catalog if library else None
            if library and (text := show_text(library, location)):
                return text
            known = catalog.files if catalog else tuple
            return show(self.root, location, context=context, catalog=catalog, known=known)

    @_call
    def line_numbers(self, hit: SearchHit) -> tuple[int | None, ...]:
        """The line of the file on which each line of a hit's text begins; None where it has none."""
        from pincite.calls.show import line_numbers

        return line_numbers(hit, self._open().catalog)

    @_call
    def parse(self, path: str | Path) -> tuple[Document, Chunked]:
        """What the parser sees in a file, and the chunks it would become. Nothing is written.

        `path` is relative to the library, else to the current folder; the file may lie elsewhere. Raises
        `InputError` if there is none.
        """
        from pincite.calls.parsed import parsed

        path = arguments.path("path", path)
        with self._opening.looked_into() as library:
            return parsed(
                self.root, path, config=self.config, library=library, make_embedder=self._make_embedder
            )

    def close(self) -> None:
        """Frees model, index and catalog, once the calls that run in other threads have ended."""
        self._opening.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
