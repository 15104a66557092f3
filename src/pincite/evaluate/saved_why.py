"""A diagnosis as plain data: what `why` prints as JSON and a saved run keeps beside its figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pincite.evaluate.checked import a_list, an_object, strings, text, whole
from pincite.evaluate.diagnose import CODES
from pincite.evaluate.why import Diagnosis, counts_of
from pincite.types import Finding, Remedy

Json = dict[str, Any]
Named = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class SavedDiagnosis:
    """The findings of a run's questions, the funnel as (stage, what it means, questions left), the fixes.

    `apart` are the ids of questions that were not diagnosed: they have no answer in the documents.
    """

    findings: tuple[Finding, ...]
    funnel: tuple[tuple[str, str, int], ...]
    remedies: tuple[Remedy, ...]
    apart: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many questions have each code, codes in the order of the stages."""
        return counts_of(self.findings)

    @property
    def by_question(self) -> dict[str, Finding]:
        """The findings by question id."""
        return {finding.question_id: finding for finding in self.findings}


def saved_diagnosis(found: Diagnosis, named: Named = str) -> SavedDiagnosis:
    """The diagnosis as plain data; `named` puts documents' own ids in the text of places."""
    return SavedDiagnosis(
        findings=tuple(_named(finding, named) for finding in found.findings),
        funnel=found.funnel,
        remedies=tuple(_named_remedy(remedy, named) for remedy in found.remedies),
        apart=tuple(question.id for question in found.apart),
    )


def _named(finding: Finding, named: Named) -> Finding:
    remedies = tuple(_named_remedy(remedy, named) for remedy in finding.remedies)
    return replace(finding, proof=named(finding.proof), remedies=remedies)


def _named_remedy(remedy: Remedy, named: Named) -> Remedy:
    return replace(remedy, before=named(remedy.before), after=named(remedy.after))


# ── as JSON ───────────────────────────────────────────────────────────────────────────────────
def diagnosis_json(found: SavedDiagnosis) -> Json:
    """The diagnosis as JSON's own types; `diagnosis_of` reads it back."""
    return {
        "findings": [_finding_json(finding) for finding in found.findings],
        "funnel": [{"stage": stage, "means": means, "left": left} for stage, means, left in found.funnel],
        "remedies": [_remedy_json(remedy) for remedy in found.remedies],
        "counts": found.counts,
        "apart": list(found.apart),
    }


def _finding_json(finding: Finding) -> Json:
    return {
        "question_id": finding.question_id,
        "question": finding.question,
        "code": finding.code,
        "stage": finding.stage,
        "ranks": dict(finding.ranks),
        "proof": finding.proof,
        "remedies": [_remedy_json(remedy) for remedy in finding.remedies],
    }


def _remedy_json(remedy: Remedy) -> Json:
    return {
        "setting": remedy.setting,
        "from": remedy.before,
        "to": remedy.after,
        "recovers": len(remedy.recovers),
        "loses": len(remedy.loses),
        "recovered": list(remedy.recovers),
        "lost": list(remedy.loses),
        "on_all": remedy.on_all,
    }


# ── checking ──────────────────────────────────────────────────────────────────────────────────
def diagnosis_of(data: object) -> SavedDiagnosis:
    """The diagnosis that `diagnosis_json` made this of. Raises `ValueError` that names what is wrong."""
    row = an_object(data, "diagnosis")
    findings = tuple(_finding(one) for one in a_list(row, "findings"))
    return SavedDiagnosis(
        findings=findings,
        funnel=tuple(_stage(one, len(findings)) for one in a_list(row, "funnel")),
        remedies=tuple(_remedy(one) for one in a_list(row, "remedies")),
        apart=strings(row, "apart"),
    )


def _finding(data: object) -> Finding:
    row = an_object(data, "findings")
    ranks = an_object(row.get("ranks"), "ranks")
    if (code := text(row, "code")) not in CODES:
        raise ValueError(f"code: expected one of {', '.join(CODES)}, got {code[:40]!r}")
    return Finding(
        question_id=text(row, "question_id"),
        question=text(row, "question"),
        code=code,
        stage=text(row, "stage"),
        ranks={stage: None if rank is None else whole(ranks, stage) for stage, rank in ranks.items()},
        proof=text(row, "proof"),
        remedies=tuple(_remedy(one) for one in a_list(row, "remedies")),
    )


def _stage(data: object, total: int) -> tuple[str, str, int]:
    row = an_object(data, "funnel")
    if (left := whole(row, "left", least=0)) > total:
        raise ValueError(f"left: expected at most the {total} findings, got {left}")
    return text(row, "stage"), text(row, "means"), left


def _remedy(data: object) -> Remedy:
    row = an_object(data, "remedies")
    return Remedy(
        setting=text(row, "setting"),
        before=text(row, "from"),
        after=text(row, "to"),
        recovers=strings(row, "recovered"),
        loses=strings(row, "lost"),
        on_all=row.get("on_all") is True,
    )
