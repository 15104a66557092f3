"""Which settings there are: their keys, types and variables, and one of them checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from pincite.config.tree import (
    ChunkConfig,
    Config,
    ContextConfig,
    LLMConfig,
    ModelConfig,
    ParseConfig,
    SearchConfig,
    SyncConfig,
)
from pincite.config.values import from_toml
from pincite.errors import UsageError

SECTIONS: Mapping[str, type] = {
    "sync": SyncConfig,
    "parse": ParseConfig,
    "chunk": ChunkConfig,
    "model": ModelConfig,
    "search": SearchConfig,
    "context": ContextConfig,
    "llm": LLMConfig,
}
SECRETS = ("llm.api_key", "model.api_key")
ADDRESSES = ("llm.base_url", "model.base_url")
"""Settings that may hold a name and password."""
TOP = ("stemmers", "query_log", "lock_wait")
"""Settings that stand in no section."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One effective setting: its dotted key, its value, and where the value comes from."""

    key: str
    value: object
    source: str


@cache
def known_keys() -> Mapping[str, Any]:
    """The type of every setting by dotted key, in the order of `Config`."""
    keys = {
        f"{name}.{key}": hint for name, cls in SECTIONS.items() for key, hint in get_type_hints(cls).items()
    }
    top = get_type_hints(Config)
    return keys | {key: top[key] for key in TOP}


@cache
def variable_names() -> Mapping[str, str]:
    """The dotted key by environment variable: `PINCITE_SECTION_KEY`, and two short names."""
    names = {"PINCITE_" + key.upper().replace(".", "_"): key for key in known_keys() if key != "sync.meta"}
    return {"PINCITE_MODEL": "model.name", "PINCITE_EMBED_BASE_URL": "model.base_url"} | names


def checked(key: str, value: object, source: str) -> Setting:
    """The setting. Raises `UsageError` for a key there is not, and for a value of another type."""
    parts = key.split(".")
    hint = known_keys().get(key if len(parts) < 3 else f"{parts[0]}.{parts[-1]}")
    if key in SECTIONS:
        raise UsageError(f"{source}: {key}: expected a table [{key}], got {value!r}", stage="config")
    if hint is None:
        raise UsageError(f"{source}: unknown setting {key}{nearest(key, known_keys())}", stage="config")
    return Setting(key, from_toml(value, hint, f"{source}: {key}", secret=key in SECRETS + ADDRESSES), source)


def nearest(name: str, known: Mapping[str, object], *, prefix: str = "") -> str:
    """What is said after an unknown name: the known one that is most like it, else all of them."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    listed = ", ".join(f"{prefix}{one}" for one in known)
    return f"; did you mean {prefix}{near[0]}?" if near else f"; known: {listed}"
