"""Settings from files, the environment and flags to one `Config`.

Later sources win: built-in defaults, the library's `pincite.toml`, `OPENAI_API_KEY`/`OPENAI_BASE_URL`,
the user's `$XDG_CONFIG_HOME/pincite/config.toml`, `PINCITE_*` variables, flags. A `.env` file counts as
variables that the real environment overrides; it is read in the current folder only, and not at all when
that folder belongs to the library, because a document folder may not name endpoints or keys.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pincite.config.keys import SECTIONS, TOP, Setting, checked
from pincite.config.sources import (
    default_settings,
    dotenv_variables,
    openai_settings,
    pincite_settings,
    read_toml,
    user_file,
)
from pincite.config.tree import ChunkConfig, Config
from pincite.errors import UsageError

LIBRARY_FILE = "pincite.toml"
_NONE: Mapping[str, object] = MappingProxyType({})


def load_config(
    root: Path | None, *, overrides: Mapping[str, object] = _NONE, env: Mapping[str, str] = os.environ
) -> Config:
    """The settings for the library at `root` (None: no library).

    `overrides` holds dotted keys (`"model.name"`). Raises `UsageError` naming the file or variable and
    the key for an unknown key, a wrong type, a value out of range, or a setting a library may not make.
    """
    return build_config(load_settings(root, overrides=overrides, env=env))


def load_settings(
    root: Path | None, *, overrides: Mapping[str, object] = _NONE, env: Mapping[str, str] = os.environ
) -> dict[str, Setting]:
    """Every effective setting by dotted key, sorted; `chunk.TYPE.*` keys only where they are set."""
    variables = dotenv_variables(root) | {name: (value, f"environment {name}") for name, value in env.items()}
    library = {} if root is None else read_toml(root / LIBRARY_FILE, library=True)
    merged = (
        default_settings()
        | library
        | openai_settings(variables)
        | read_toml(user_file(env))
        | pincite_settings(variables)
    )
    merged |= {key: checked(key, value, "a flag") for key, value in overrides.items()}
    return dict(sorted(merged.items()))


def build_config(settings: Mapping[str, Setting]) -> Config:
    """The `Config` of `settings`; a value out of range is reported with the source it comes from."""
    sections = {name: _section(cls, name, settings) for name, cls in SECTIONS.items()}
    types = sorted({key.split(".")[1] for key in settings if key.count(".") == 2})
    chunk_for = {kind: _section(ChunkConfig, f"chunk.{kind}", settings) for kind in types}
    top = {key: settings[key].value for key in TOP}
    try:
        return Config(**sections, chunk_for=chunk_for, **top)  # type: ignore[arg-type]
    except UsageError as error:
        raise _with_source(error, settings, "") from None


def _section(cls: type, name: str, settings: Mapping[str, Setting]) -> Any:
    """The section `name`; `chunk.TYPE` starts from what `chunk` says."""
    base = name.partition(".")[0]
    values = {f.name: settings[f"{base}.{f.name}"].value for f in fields(cls)}
    own = {f.name: settings[f"{name}.{f.name}"].value for f in fields(cls) if f"{name}.{f.name}" in settings}
    try:
        return cls(**(values | own))
    except UsageError as error:
        raise _with_source(error, settings, name) from None


def _with_source(error: UsageError, settings: Mapping[str, Setting], name: str) -> UsageError:
    """The same error with the places the settings it speaks of were made in."""
    base = name.partition(".")[0]
    message = error.message.replace(f"{base}.", f"{name}.") if name != base else error.message
    own = [key.replace(f"{base}.", f"{name}.", 1) for key in error.settings if name]
    spoken = [settings[key] for key in (*error.settings, *own) if key in settings]
    sources = sorted({one.source for one in spoken if one.source != "default"})
    return UsageError(f"{', '.join(sources)}: {message}" if sources else message, stage="config")
