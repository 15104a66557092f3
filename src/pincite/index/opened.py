"""An open library: its folder, its index folder, the catalog, the search index, and the index's model."""

from __future__ import annotations

import json
import shlex
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from pincite import analyze
from pincite.config import CHUNKER_VERSION, LIBRARY_MODELS, PARSER_VERSION, Config
from pincite.config.sources import user_file
from pincite.embed import unit
from pincite.errors import IndexStaleError, MissingExtraError, ModelError, PinciteError, UsageError
from pincite.folder.reopen import Known, Reopener
from pincite.index.catalog import SqliteCatalog
from pincite.index.failures import naming_files
from pincite.index.folder import can_be_written, check_folder, make_folder, refuse_other_root
from pincite.index.search_index import SearchIndexFile
from pincite.index.turns import Turns
from pincite.models.absent import NEVER_SEEN, AbsentEmbedder, absent
from pincite.models.probe import other_vectors, probe_of, settle
from pincite.parse import parse
from pincite.parse.decode import decode
from pincite.parse.detect import ISOLATED
from pincite.types import Document

if TYPE_CHECKING:
    from pincite.index.qdrant_edge import QdrantEdgeIndex
    from pincite.protocols import Embedder, SearchIndex, Source, Vectors


_KEPT_VECTORS = 10_000


class OpenLibrary:
    """What every stage that touches the index needs. `embedder` is loaded on first use.

    `make_embedder` turns the settings and a model name into an embedder; without it, the models are
    those the settings can name, and worker processes can load them too (`loads_by_name`). With `read_only`,
    or where nothing can be written, nothing is. Raises `UsageError` if the index was made for another
    folder.
    """

    def __init__(
        self,
        root: Path,
        folder: Path,
        config: Config,
        make_embedder: Callable[[Config, str], Embedder] | None = None,
        *,
        read_only: bool = False,
    ) -> None:
        self.root = root
        self.folder = folder
        self.config = config
        self._make_embedder = make_embedder or _load
        self.loads_by_name = make_embedder is None
        self._embedder: Embedder | None = None
        self._query_vectors: dict[tuple[str, str], Vectors] = {}
        self._loaded = ""
        self._chunking = chunking(config)
        self._reading = ExitStack()
        self._turns = Turns(self._outdated, self._let_go)
        self.sync_turn = RLock()
        self._index: QdrantEdgeIndex | None = None
        self.read_only = read_only or not can_be_written(folder)
        if self.read_only:
            check_folder(folder)
        else:
            make_folder(folder)
        self.catalog = SqliteCatalog(folder / "catalog.db", read_only=self.read_only)
        try:
            refuse_other_root(folder, root, self.catalog.get("root"))
        except BaseException:
            self.catalog.close()
            raise
        self.search_index = SearchIndexFile(
            folder, self.catalog, wait=config.lock_wait, read_only=self.read_only
        )
        if not self.read_only and self.catalog.get("library") is None:
            self.catalog.put(library=uuid.uuid4().hex)

    @property
    def synced(self) -> bool:
        """Whether every file of the folder was read at least once."""
        return self.catalog.get("read") is not None

    @property
    def choice(self) -> str:
        """The name the index's model was chosen by."""
        return str((self.catalog.get("model") or {}).get("choice", ""))

    def embedder(self, name: str = "") -> Embedder:
        """The model of the index; `name` loads another one in its place.

        One that cannot be loaded is stood in for, unless the index was made with another: then it raises.
        Raises `UsageError` for one that only the index names, unless a library may ask for it.
        """
        wanted = name or self.choice
        if self._embedder is None or wanted != self._loaded:
            self._check_trust(wanted)
            try:
                made, before = self._make_embedder(self.config, wanted), self._embedder
            except (MissingExtraError, ModelError) as error:
                return self._absent(wanted, error)  # not kept: it may be there the next time
            self._embedder, self._loaded = made, wanted
            if before is not None and before is not made:
                before.close()
        return self._embedder

    def reached_embedder(self, name: str) -> Embedder:
        """Model `name` with what its server alone knows; stood in for, as by `embedder`, if that is down."""
        embedder = self.embedder(name)
        try:
            self._settle(embedder)
            if embedder.dimension:
                return embedder
        except ModelError as error:
            return self._absent(name, error, embedder)
        return embedder

    def _settle(self, embedder: Embedder) -> None:
        """Has the model's server asked again where its vectors are not those of the index."""
        settle(embedder, (self.catalog.get("model") or {}).get("name", ""), self.catalog.get("probe") or "")

    def _absent(
        self, name: str, error: MissingExtraError | ModelError, model: Embedder | None = None
    ) -> AbsentEmbedder:
        made = self.catalog.get("model") or {}
        if made and made["choice"] != name:
            raise error
        return absent(name, error, made, model)

    def _check_trust(self, name: str) -> None:
        """An index may come with the documents: like their settings, it cannot have just any model loaded."""
        allowed = {*LIBRARY_MODELS, self.config.model.name} - {"auto"}
        if name and name not in allowed and not name.startswith("hub:"):
            raise UsageError(
                f"{self.folder}: the index names the model {name!r}, which your settings do not",
                stage="open",
                hint=f"if you trust it, add --model {shlex.quote(name)}, or set model.name in {user_file()}",
            )

    def checked_embedder(self) -> Embedder:
        """The model of the index, for vectors that meet those of the index.

        Raises `IndexStaleError` when it is not the one they were made with, and what keeps it away if it
        is not there.
        """
        embedder, made = self.embedder(), self.catalog.get("model")
        if isinstance(embedder, AbsentEmbedder):
            raise embedder.error
        self._settle(embedder)
        if embedder.fingerprint != made["fingerprint"] == NEVER_SEEN:
            raise IndexStaleError(
                f"the index has no vectors: the model {made['name']} was not there when it was made",
                stage="open",
                hint="run: pincite sync",
            )
        if embedder.fingerprint != made["fingerprint"]:
            raise IndexStaleError(
                f"the index was made with {made['name']} ({made['dimension']} numbers a vector), but the "
                f"model loaded now is {embedder.name} ({embedder.dimension}): its weights or settings differ",
                stage="open",
                hint="run: pincite sync",
            )
        if other_vectors(self.catalog.get("probe") or "", probe_of(embedder)):
            raise IndexStaleError(
                f"the server of {embedder.name} gives other vectors than those of the index: it is another "
                "server, or another model of this name",
                stage="open",
                hint="set PINCITE_EMBED_BASE_URL to the one it was made with, or run: pincite sync",
            )
        return embedder

    def query_vector(self, text: str) -> Vectors:
        """The unit vector of a query. The latest are kept: evaluation asks the same questions many times."""
        embedder = self.checked_embedder()
        key = (embedder.fingerprint, text)
        if key not in self._query_vectors:
            if len(self._query_vectors) >= _KEPT_VECTORS:
                self._query_vectors.clear()
            self._query_vectors[key] = unit(embedder.embed_query(text))
        return self._query_vectors[key]

    def index(self) -> SearchIndex:
        """The search index as it was when it was opened; kept until a newer one is there, or `release`."""
        with self._turns.changed:
            if self._index is None:
                with naming_files(self.folder):
                    self._index = self._reading.enter_context(self.search_index.reading())
            return self._index

    @contextmanager
    def question(self) -> Iterator[None]:
        """Keeps the search index as it is inside the block, beside the questions of other threads.

        One that finds a newer index waits until those end, so that it can be opened.
        """
        self.search_index.wait_for_writer()
        with self._turns.sharing():
            yield

    def _let_go(self) -> None:
        self._index = None
        self._reading.close()

    def _outdated(self) -> bool:
        """Whether the open index has a successor, or must get one."""
        return self._index is not None and (self._index.broken or self.search_index.outdated())

    def parse(self, source: Source) -> Document:
        """A file parsed as a sync would."""
        return parse(source, self.config.parse)

    def reopener(self) -> Reopener:
        """Looks at cited files as they are now; make one for each question."""
        return Reopener(
            self.root,
            self.parse,
            text_of=lambda source: decode(source.data, uri=source.uri).text,
            known=self._known,
            stored=self._stored,
            limit=self.config.sync.max_file_mb * 1_000_000,
        )

    def _known(self, uris: Collection[str]) -> dict[str, Known]:
        """What the last sync knew of files."""
        rows = self.catalog.files_of(uris)
        outer = self.catalog.files_of({row.container for row in rows.values() if row.container})
        known = {}
        for uri, row in rows.items():
            there = outer.get(row.container, row)
            apart = bool(row.container) or row.kind in ISOLATED
            identity = row.identity if row.settled else None
            known[uri] = Known(row.sha256, identity, there.uri, there.sha256, apart)
        return known

    def _stored(self, uri: str) -> Document | None:
        row = self.catalog.files_of([uri]).get(uri)
        return self.catalog.document(row.doc_id) if row else None

    def release(self) -> None:
        """Lets the search index go, once no thread asks it."""
        with self._turns.alone():
            pass

    @property
    def _other_model(self) -> str:
        """The model the settings name, if it is not the index's; else ""."""
        wanted = self.config.model.name
        return "" if wanted in ("auto", self.choice) or not self.choice else wanted

    def stale_settings(self) -> tuple[str, ...]:
        """What differs between the settings and those the index was made with."""
        found = []
        if wanted := self._other_model:
            found.append(f"model: the index was made with {self.choice}, the settings name {wanted}")
        if self.choice and self.catalog.get("chunking") != self._chunking:
            found.append("chunk: not all files are cut with these chunk settings and this Pincite")
        if self.choice and self.catalog.get("analyzer") != analyze.fingerprint(self.config.stemmers):
            found.append("analyzer: the index was made with another analyzer or other stemmers")
        return tuple(found)

    def refuse_if_stale(self, *, dense: bool = True) -> tuple[str, ...]:
        """Raises `IndexStaleError` naming every setting that differs from the index's.

        Without `dense` another model is no reason: nothing is asked of it, and a notice is returned.
        """
        stale = self.stale_settings()
        if not dense and self._other_model and len(stale) == 1:
            return (f"{stale[0]}: found by words alone",)
        if stale:
            message = f"{self.folder}: the index does not fit the settings; {'; '.join(stale)}"
            flag = f" --model {self._other_model}" if self._other_model else ""
            raise IndexStaleError(message + self._sizes(), stage="open", hint=f"run: pincite sync{flag}")
        return ()

    def _sizes(self) -> str:
        """How long the vectors of the index's model and of the one in the settings are, where known."""
        try:
            other = self.embedder(self._other_model).dimension if self._other_model else 0
        except PinciteError:  # not at hand: the sync that is needed will say so
            other = 0
        return f" ({self.catalog.get('dimension')} and {other} numbers a vector)" if other else ""

    def close(self) -> None:
        """Frees the search index, the model and the catalog."""
        self.release()
        if self._embedder is not None:
            self._embedder.close()
        self.catalog.close()


def _load(config: Config, name: str) -> Embedder:
    from pincite.models import load_embedder

    return load_embedder(config.model, name=name)


def chunking(config: Config) -> str:
    """All that shapes chunks but the model, as text, to be compared."""
    by_type = {kind: asdict(chunk) for kind, chunk in sorted(config.chunk_for.items())}
    more = {"versions": [PARSER_VERSION, CHUNKER_VERSION], "parse": config.parse.shaping}
    return json.dumps({"default": asdict(config.chunk), **by_type, **more}, sort_keys=True)
