"""Findings to text for people: one question in full, or a funnel, a table and the fixes of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    if len(found.findings) == 1:
        return finding_text(found.findings[0], term)
    lost = [finding for finding in found.findings if finding.code != "found"]
    parts = [finding_text(finding, term) for finding in lost[:MOST_SHOWN]]
    if len(lost) > MOST_SHOWN:
        parts.append(f"… {len(lost) - MOST_SHOWN} more; --json has them all")
    parts += [_funnel(found, term), _codes(found, term), _fixes(found.remedies, term)]
    return "\n\n".join(part for part in parts if part)


def finding_text(finding: Finding, term: Terminal) -> str:
    """The code, the question, its ranks, the proof and what mends it."""
    found = finding.code == "found"
    head = f"{term.style(finding.code, 'green' if found else 'red', 'bold')}  {one_line(finding.question)}"
    if finding.question_id != "q1":
        head = f"{head}  {term.style(one_line(finding.question_id), 'dim')}"
    lines = [head, f"    {_ranks(finding.ranks)}", f"    {one_line(finding.proof)}"]
    lines += [f"    mends it: {_change(remedy)}" for remedy in finding.remedies]
    return "\n".join(line for line in lines if line.strip())


def _ranks(ranks: Mapping[str, int | None]) -> str:
    """`lexical 3 → dense – → fused 12 → hits –`."""
    return " → ".join(f"{stage} {rank if rank is not None else '–'}" for stage, rank in ranks.items())


def _change(remedy: Remedy) -> str:
    """`search.depth = 300 (was 100)`."""
    if remedy.after.startswith("pincite "):
        return remedy.after
    was = f" (was {one_line(remedy.before)})" if remedy.before else ""
    return f"{one_line(remedy.setting)} = {one_line(remedy.after)}{was}"


def _funnel(found: Diagnosis | SavedDiagnosis, term: Terminal) -> str:
    total = max(1, len(found.findings))
    rows = [(str(left), f"{'█' * round(30 * left / total):<30} {means}") for _, means, left in found.funnel]
    return "\n".join([term.style("Questions left after each stage", "bold"), *table(rows, term)])


def _codes(found: Diagnosis | SavedDiagnosis, term: Terminal) -> str:
    rows = [(code, str(count)) for code, count in found.counts.items()]
    return "\n".join([term.style("Findings", "bold"), *table(rows, term)])


def _fixes(remedies: Sequence[Remedy], term: Terminal) -> str:
    rows = [
        (f"+{len(remedy.recovers)} −{len(remedy.loses)}", _change(remedy)) for remedy in remedies[:MOST_SHOWN]
    ]
    title = term.style("Fixes, by questions recovered and lost", "bold")
    return "\n".join([title, *table(rows, term)]) if rows else ""
