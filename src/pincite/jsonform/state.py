"""What a sync did, what a library holds, and errors."""

from __future__ import annotations

from dataclasses import fields

from pincite.errors import PinciteError
from pincite.jsonform.values import Json, lost_json, plain
from pincite.types import Status, SyncReport


def sync_json(report: SyncReport) -> Json:
    """What a sync did, with every uri and reason."""
    left = ("pages_without_text", "cut_text", "dropped", "warnings")
    return {
        **{f.name: plain(getattr(report, f.name)) for f in fields(report) if f.name not in left},
        "lost": lost_json(report.pages_without_text, report.cut_text, report.dropped),
        "warnings": list(report.warnings),
    }


def status_json(status: Status) -> Json:
    """What a library holds and what differs from its folder."""
    left = ("pages_without_text", "cut_text", "dropped")
    return {
        **{f.name: plain(getattr(status, f.name)) for f in fields(status) if f.name not in left},
        "lost": lost_json(status.pages_without_text, status.cut_text, status.dropped),
    }


def error_json(error: PinciteError) -> Json:
    """An error: its kind, what happened, in which stage, what mends it, and the exit code."""
    return {
        "error": {
            "type": type(error).__name__,
            "message": error.message,
            "stage": error.stage,
            "hint": error.hint,
            "exit_code": error.exit_code,
        }
    }
