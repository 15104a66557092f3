"""The process in which a shard is tried: the engine opens it, reads all points and searches, within limits.

It is run as a file of its own and imports nothing of the package. It ends with 0 if the engine could do all
that and every point has an id that a chunk can have; the engine writes to the shard.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

MEMORY_MB = 2048  # the engine may take, besides what the process has at the start
GROWTH = 64_000_000  # bytes that a file of the shard may grow
CPU_SECONDS = 120
BATCH = 1000
MOST_ID = (1 << 60) - 1


def limit(shard: Path) -> None:
    """Holds this process to its limits."""
    sizes = [os.lstat(Path(folder, name)).st_size for folder, _, names in os.walk(shard) for name in names]
    _lower(resource.RLIMIT_FSIZE, max(sizes, default=0) + GROWTH)
    _lower(resource.RLIMIT_CPU, CPU_SECONDS)
    _lower(resource.RLIMIT_DATA, _data_bytes() + MEMORY_MB * 1_000_000)


def _data_bytes() -> int:
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[5]) * resource.getpagesize() if statm.exists() else 0


def _lower(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def works(shard: Path, terms: str, dense: str) -> bool:
    """Opens a shard, reads every point and searches by the last one's terms and vector."""
    import qdrant_edge as edge

    limit(shard)
    opened = edge.EdgeShard.load(str(shard), None)
    after: int | None = 0
    while after is not None:
        request = edge.ScrollRequest(offset=after, limit=BATCH, with_payload=True, with_vector=True)
        records, following = opened.scroll(request)
        if any(not isinstance(record.id, int) or record.id > MOST_ID for record in records):
            return False
        for record in records[-1:]:
            words = (record.payload or {}).get(terms) or ""
            vector = record.vector.get(dense) if isinstance(record.vector, dict) else None
            if words:
                opened.query(edge.QueryRequest(limit=BATCH, query=edge.TextQuery(terms, words)))
            if vector:
                opened.query(edge.QueryRequest(limit=BATCH, query=edge.Query.Nearest(vector, dense)))
        after = int(following) if following is not None else None
    opened.close()
    return True


if __name__ == "__main__":
    sys.exit(0 if works(Path(sys.argv[1]), *sys.argv[2:]) else 1)
