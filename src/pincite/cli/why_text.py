"""Findings to text for people: one question in full, or a funnel, a table and the fixes of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.cli.report import table
from pincite.cli.terminal import Terminal, one_line
from pincite.types import Finding, Remedy

if TYPE_CHECKING:
    from pincite.evaluate.saved_why import SavedDiagnosis
    from pincite.evaluate.why import Diagnosis

MOST_SHOWN = 20
"""How many findings are told in full; `--json` has them all."""


def why_text(found: Diagnosis | SavedDiagnosis, *, term: Terminal) -> str:
    """The finding of one question; of several, the lost ones, the funnel, the codes and the fixes."""
    if len(found.findings) == 1 and not found.apart:
        return finding_text(replace(found.findings[0], question_id=""), term)
    lost = [finding for finding in found.findings if finding.code != "found"]
    parts = [finding_text(finding, term) for finding in lost[:MOST_SHOWN]]
    if len(lost) > MOST_SHOWN:
        parts.append(f"… {len(lost) - MOST_SHOWN} more; --json has them all")
    if found.findings:
        parts += [_funnel(found, term), _codes(found, term), _fixes(found.remedies, term)]
    parts.append(_apart(found, term))
    return "\n\n".join(part for part in parts if part)


def finding_text(finding: Finding, term: Terminal) -> str:
    """The code, the question, its ranks, the proof and what mends it."""
    found = finding.code == "found"
    named = [one_line(finding.question_id)] if finding.question_id else []
    code = term.style(finding.code, "green" if found else "red", "bold")
    head = "  ".join([code, *named, one_line(finding.question)])
    lines = [head, f"    {_ranks(finding.ranks)}", f"    {one_line(finding.proof)}"]
    lines += [f"    mends it: {_change(remedy)}" for remedy in finding.remedies]
    return "\n".join(line for line in lines if line.strip())


def _ranks(ranks: Mapping[str, int | None]) -> str:
    """`lexical 3 → dense – → fused 12 → hits –`."""
    return " → ".join(f"{stage} {rank if rank is not None else '–'}" for stage, rank in ranks.items())


def _change(remedy: Remedy) -> str:
    """`search.depth = 300 (was 100)`; an option as it is typed, `--k 20 (was 10)`."""
    if remedy.after.startswith("pincite "):
        return remedy.after
    is_option = remedy.setting.startswith("--")
    if is_option and remedy.after == "none":
        return f"no {remedy.setting}"
    was = f" (was {one_line(remedy.before)})" if remedy.before else ""
    return f"{one_line(remedy.setting)}{' ' if is_option else ' = '}{one_line(remedy.after)}{was}"


def _funnel(found: Diagnosis | SavedDiagnosis, term: Terminal) -> str:
    total = max(1, len(found.findings))
    rows = [
        (str(left), f"{'█' * round(30 * left / total):<30} {one_line(means)}")
        for _, means, left in found.funnel
    ]
    return "\n".join([term.style("Questions left after each stage", "bold"), *table(rows, term)])


def _codes(found: Diagnosis | SavedDiagnosis, term: Terminal) -> str:
    rows = [(code, str(count)) for code, count in found.counts.items()]
    return "\n".join([term.style("Findings", "bold"), *table(rows, term)])


def _fixes(remedies: Sequence[Remedy], term: Terminal) -> str:
    rows = [(_effect(remedy), _change(remedy)) for remedy in remedies[:MOST_SHOWN]]
    title = term.style("Fixes, by questions recovered and lost", "bold")
    more = [f"… {len(remedies) - MOST_SHOWN} more; --json has them all"] if len(remedies) > len(rows) else []
    return "\n".join([title, *table(rows, term), *more, *_how(remedies)]) if rows else ""


def _effect(remedy: Remedy) -> str:
    """`+3 −1`; `+3 −?` of a fix that was not tried on all the questions."""
    return f"+{len(remedy.recovers)} −{len(remedy.loses) if remedy.on_all else '?'}"


def _how(remedies: Sequence[Remedy]) -> list[str]:
    """How the first fix that is a setting of a question is tried and kept, and how those of the index are."""
    settings = [one for one in remedies if one.setting.startswith(("search.", "context."))]
    lines = []
    if not all(one.on_all for one in remedies):
        lines.append("−? was not tried on all the questions, for it needs another index")
    if settings:
        variable = "PINCITE_" + settings[0].setting.upper().replace(".", "_")
        tried = f"{variable}={one_line(settings[0].after)} pincite eval …"
        lines.append(f"Try a setting for one run: {tried}; to keep it, write it into pincite.toml")
    if any(one.setting.startswith(("sync.", "chunk.")) for one in remedies):
        lines.append(
            "Settings of sync and chunk shape the index: write them into pincite.toml, then pincite sync"
        )
    return lines


def _apart(found: Diagnosis | SavedDiagnosis, term: Terminal) -> str:
    """The questions that were not looked at, and what would."""
    if not found.apart:
        return ""
    ids = [one_line(one if isinstance(one, str) else one.id) for one in found.apart]
    listed = ", ".join(ids[:MOST_SHOWN]) + (", …" if len(ids) > MOST_SHOWN else "")
    plural = "s" * (len(ids) != 1)
    head = term.style(f"{len(ids):,} question{plural} unanswerable, looked at with --answers only", "bold")
    return f"{head}: {listed}"
