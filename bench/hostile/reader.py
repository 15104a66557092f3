"""A process with a library that stays open and searches, started by `readers.py` and ended by its input.

    python reader.py ROOT PAUSE

A line for each search on standard output: seconds, rounds known before and after, what was found or failed.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path


def wait_for_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


def main() -> None:
    import pincite

    root, pause = Path(sys.argv[1]), float(sys.argv[2])
    ended = threading.Event()
    threading.Thread(target=wait_for_end, args=(ended,), daemon=True).start()
    rounds = root.with_name("rounds.json")
    with pincite.open(root) as library:
        number = 0
        while not ended.is_set():
            number += 1
            note = number % 8
            known = json.loads(rounds.read_text())
            started = time.monotonic()
            made: dict[str, object] = {"note": note, "before": known["synced"]}
            try:
                found = library.search(f"item-{note}", legs=["lexical"])
                made["told"] = list(found.notices)
                made["texts"] = [
                    hit.stored.chunk.text for hit in found.hits if hit.stored.uri == f"n{note:02}.md"
                ]
            except Exception as error:  # whatever it is, it is what is sought here
                made["error"] = f"{type(error).__name__}: {error}"[:400]
            made |= {
                "seconds": time.monotonic() - started,
                "after": json.loads(rounds.read_text())["written"],
            }
            print(json.dumps(made), flush=True)
            ended.wait(pause)


if __name__ == "__main__":
    main()
