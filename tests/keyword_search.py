"""A keyword search over a few documents: the real analysis and the real search index, nothing else."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import qdrant_edge as edge

from pincite.analyze import analyze


class Keyword:
    """Documents by name, ranked by the engine's BM25 over `analyze`d terms; ties by name."""

    def __init__(
        self, folder: Path, docs: Mapping[str, str], *, stemmers: tuple[str, ...] = ("english",)
    ) -> None:
        self.stemmers = stemmers
        self.names = list(docs)
        config = edge.EdgeConfig(vectors={"dense": edge.EdgeVectorParams(size=4, distance=edge.Distance.Dot)})
        folder.mkdir(parents=True, exist_ok=True)
        self.shard = edge.EdgeShard.create(str(folder), config)
        text_index = edge.TextIndexParams(
            tokenizer=edge.TokenizerType.Whitespace, lowercase=False, scoring=True
        )
        self.shard.update(edge.UpdateOperation.create_field_index("terms", text_index))
        self.shard.update(edge.UpdateOperation.create_field_index("parity", edge.PayloadSchemaType.Integer))
        self.put(docs)

    def put(self, docs: Mapping[str, str]) -> None:
        """Adds documents, or replaces those of the same name."""
        self.names += [name for name in docs if name not in self.names]
        points = [
            edge.Point(at, {}, {"terms": self.terms(text), "parity": at % 2})
            for at, text in ((self.names.index(name), text) for name, text in docs.items())
        ]
        self.shard.update(edge.UpdateOperation.upsert_points(points))

    def delete(self, names: Sequence[str]) -> None:
        ids = [self.names.index(name) for name in names]
        self.shard.update(edge.UpdateOperation.delete_points(ids))

    def terms(self, text: str) -> str:
        return analyze(text, side="document", stemmers=self.stemmers)

    def search(self, query: str, *, k: int = 10, parity: int | None = None) -> list[tuple[str, float]]:
        """(name, score), best first; `parity` limits the search to even or odd documents."""
        terms = analyze(query, side="query", stemmers=self.stemmers)
        only = None
        if parity is not None:
            only = edge.Filter(must=[edge.FieldCondition("parity", match=edge.MatchValue(parity))])
        request = edge.QueryRequest(limit=k, query=edge.TextQuery("terms", terms), filter=only)
        found = [(self.names[int(hit.id)], float(hit.score)) for hit in self.shard.query(request)]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))

    def found(self, query: str) -> list[str]:
        """The names only."""
        return [name for name, _ in self.search(query)]

    def __enter__(self) -> Keyword:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shard.close()


def read_docs(path: Path) -> dict[str, str]:
    """The texts of a JSONL file of {"id", "text"}, by id."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines() if line)
    return {row["id"]: row["text"] for row in rows}


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a TSV file by column name; a quote is an ordinary character."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
