"""Ask a folder of documents; every claim cites the exact lines that support it.

import pincite
with pincite.open("docs/") as library:
    library.sync()
    answer = library.ask("Can I immerse it right after replacing the battery?")
    for claim in answer.claims:
        print(claim.text, claim.citations)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pincite import native

if TYPE_CHECKING:
    from pincite.config import Config
    from pincite.config.load import load_config
    from pincite.errors import (
        IndexStaleError,
        InputError,
        MissingExtraError,
        ModelError,
        OutputError,
        PinciteError,
        StoreError,
        UsageError,
    )
    from pincite.library import Library, open
    from pincite.types import Answer, Citation, Claim, Query, SearchHit, SearchResult, Status, SyncReport

__version__ = "0.1.0"

_HOMES = {
    "Answer": "types",
    "Citation": "types",
    "Claim": "types",
    "Config": "config",
    "IndexStaleError": "errors",
    "InputError": "errors",
    "Library": "library",
    "MissingExtraError": "errors",
    "ModelError": "errors",
    "OutputError": "errors",
    "PinciteError": "errors",
    "Query": "types",
    "SearchHit": "types",
    "SearchResult": "types",
    "Status": "types",
    "StoreError": "errors",
    "SyncReport": "types",
    "UsageError": "errors",
    "load_config": "config.load",
    "open": "library",
}

__all__ = [
    "Answer",
    "Citation",
    "Claim",
    "Config",
    "IndexStaleError",
    "InputError",
    "Library",
    "MissingExtraError",
    "ModelError",
    "OutputError",
    "PinciteError",
    "Query",
    "SearchHit",
    "SearchResult",
    "Status",
    "StoreError",
    "SyncReport",
    "UsageError",
    "load_config",
    "open",
]


native.silence()


def __getattr__(name: str) -> Any:
    """Public names are loaded when they are first used, so that `import pincite` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    return getattr(import_module(f"pincite.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
