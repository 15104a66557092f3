"""What becomes of each file of the collection, and whether chunks have their places."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from expected import File
from ours import OUTCOMES, Read, cutters, import_all, read

Reads = dict[str, Read]


def measure_files(files: Sequence[File]) -> tuple[Reads, Reads]:
    """Each file read; web pages of the set `readability` as their main content, and once more whole."""
    import_all()
    by, main = cutters(), cutters(main_content=True)
    found: Reads = {}
    whole: Reads = {}
    for number, file in enumerate(files):
        if file.set == "readability":
            whole[file.name] = read(file.path, file.name, by)
            found[file.name] = read(file.path, file.name, main)
        else:
            found[file.name] = read(file.path, file.name, by)
        if number % 100 == 99:
            print(f"{number + 1} of {len(files)} files", file=sys.stderr, flush=True)
    return found, whole


def outcome_table(files: Sequence[File], reads: Reads) -> str:
    """By ending of the name: files by outcome, seconds of the processor for all and for the slowest."""
    lines = [
        f"| ending | files | {' | '.join(OUTCOMES)} | s, all | s, slowest |",
        "|---" * (len(OUTCOMES) + 4) + "|",
    ]
    for ext in [*sorted({file.ext for file in files}), ""]:
        held = [reads[file.name] for file in files if ext in {"", file.ext}]
        counts = Counter(one.outcome for one in held)
        seconds = [one.seconds for one in held]
        cells = " | ".join(str(counts[outcome] or "") for outcome in OUTCOMES)
        lines.append(
            f"| {ext or 'all'} | {len(held)} | {cells} | {sum(seconds):.1f} | {max(seconds, default=0):.1f} |"
        )
    counts = Counter(member["outcome"] for name in reads for member in _members(reads[name].facts))
    inside = ", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items()))
    lines.append(f"\nInside archives and mails: {inside}.")
    return "\n".join(lines)


def _members(facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for member in facts.get("members", ()):
        yield member
        yield from _members(member)


def refusals(files: Sequence[File], reads: Reads) -> Iterator[str]:
    """Every file and member that was not read, or has no text, with the reason."""
    for file in files:
        one = reads[file.name]
        if one.outcome not in {"parsed", "with losses"}:
            yield f"- {file.name}: {one.outcome}: {one.reason}"
        for member in _members(one.facts):
            if member["outcome"] not in {"parsed", "with losses"}:
                yield f"- {member['uri']}: {member['outcome']}: {member['reason']}"


def origins_table(files: Sequence[File], reads: Reads) -> str:
    """By type: chunks, slices that differ, lines, lines without a place or of the parser's own."""
    keys = ("chunks", "other_slices", "lines", "without_place", "own")
    sums: dict[str, Counter[str]] = {}
    for file in files:
        for facts in (reads[file.name].facts, *_members(reads[file.name].facts)):
            if origins := facts.get("origins"):
                sums.setdefault(facts["type"], Counter()).update({key: origins[key] for key in keys})
    lines = [
        "| type | chunks | other slices | lines | without a place | the parser's own |",
        "|---|---|---|---|---|---|",
    ]
    total: Counter[str] = Counter()
    for kind in sorted(sums):
        total.update(sums[kind])
    for kind, counts in [*sorted(sums.items()), ("all", total)]:
        lines.append(f"| {kind} | {' | '.join(f'{counts[key]:,}' for key in keys)} |")
    return "\n".join(lines)
