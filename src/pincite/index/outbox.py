"""What the search index must still do: a change of the catalog that it has not applied is an entry here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pincite.index.connection import Connection

Op = Literal["put", "vector", "delete", "fields"]
"""What to do with a point; "fields" is of no point: there is a new type of field to filter by."""


class Outbox:
    """The outbox of an open catalog, oldest entry first."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, point_ids: Iterable[int], op: Op) -> None:
        """Adds an entry for each point."""
        rows = [(point_id, op) for point_id in point_ids]
        self._db.executemany("INSERT INTO outbox (point_id, op) VALUES (?, ?)", rows)

    def entries(self, after: int, limit: int) -> list[tuple[int, int, Op]]:
        """The oldest (seq, point_id, op) with a seq above `after`."""
        rows = self._db.rows("SELECT * FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?", [after, limit])
        return [(row["seq"], row["point_id"], row["op"]) for row in rows]

    def is_empty(self) -> bool:
        """Whether the search index has every change."""
        return not self._db.once("outbox", lambda: self.entries(0, 1))

    def has_texts(self) -> bool:
        """Whether anything but vectors waits to be applied: texts that are new, changed or gone."""
        sql = "SELECT 1 FROM outbox WHERE op <> 'vector' LIMIT 1"
        return bool(self._db.once("texts wait", lambda: self._db.rows(sql)))

    def forget(self, up_to: int) -> None:
        """Removes the entries with a seq up to `up_to`."""
        self._db.execute("DELETE FROM outbox WHERE seq <= ?", [up_to])

    def last(self) -> int:
        """The seq of the newest entry ever written."""
        rows = self._db.rows("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
        return int(rows[0]["seq"]) if rows else 0
